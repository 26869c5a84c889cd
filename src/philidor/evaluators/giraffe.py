"""Judges chess positions by a small network of floats, as Giraffe did (book, 2.14)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

from philidor.core.errors import ConfigError
from philidor.core.evaluation import Evaluation, Wdl, check_states
from philidor.core.game import AnyState
from philidor.evaluators.native import NativeGiraffe, compile_giraffe
from philidor.games.chess import Position
from philidor.nets.dense import GiraffeNetwork, load_giraffe


@final
class GiraffeEvaluator:
    """A network that is ready to judge; `native` is what the engine searches with."""

    def __init__(self, network: GiraffeNetwork) -> None:
        self.network = network
        self.native: NativeGiraffe = compile_giraffe(network)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.network.description!r}>"

    @classmethod
    def load(cls, path: str | Path) -> GiraffeEvaluator:
        """Reads a `.phfl` file. Raises NetError."""
        return cls(load_giraffe(path))

    def raw(self, position: Position, /) -> float:
        """Returns what comes out before tanh, in the side to move's view."""
        return self.native.raw([_chess(position).native])[0]

    def centipawns(self, position: Position, /) -> int:
        """Returns the verdict in centipawns, in the side to move's view."""
        return self.native.centipawns(self.raw(position))

    def evaluate(self, states: Sequence[AnyState], /) -> list[Evaluation[Any]]:
        """Judges a batch; finished games by their outcome. There is no policy in such a network."""
        check_states(states)
        positions = [_chess(state) for state in states]
        raws = self.native.raw([position.native for position in positions])
        return [
            Evaluation.uniform(position, _judge(position, raw)) for position, raw in zip(positions, raws, strict=True)
        ]


def _judge(position: Position, raw: float) -> Wdl:
    outcome = position.outcome()
    if outcome is None:
        return Wdl.from_value(math.tanh(raw))
    return Wdl(0.0, 1.0, 0.0) if outcome.winner is None else Wdl.from_value(outcome.value_for(position.to_move))


def _chess(state: AnyState) -> Position:
    if not isinstance(state, Position):
        raise ConfigError(f"Giraffe's network judges chess, not {type(state).__name__} {state!r}")
    return state
