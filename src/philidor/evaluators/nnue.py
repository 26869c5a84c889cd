"""Judges chess positions by an NNUE network (book, 4.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, final

from philidor.core.errors import ConfigError, NetError, PhilidorError
from philidor.core.evaluation import Evaluation, Wdl, check_states
from philidor.core.game import AnyState
from philidor.evaluators.heuristic import win_chances
from philidor.evaluators.native import NnueNetwork, compile_network
from philidor.games.chess import Position
from philidor.nets.nnue import Network, load_network
from philidor.nets.shipped import DEFAULT_NET, find_net


@final
class NnueEvaluator:
    """A network that is ready to judge; `native` is what the engine searches with."""

    def __init__(self, network: Network, *, kernels: str | None = None) -> None:
        self.network = network
        self.native: NnueNetwork = compile_network(network, kernels)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.network.description!r}>"

    @classmethod
    def load(cls, net: str | Path) -> NnueEvaluator:
        """Reads a `.nnue` or `.phnn` file, or a shipped network by its name. Raises NetError, UnknownNameError."""
        try:
            return cls(load_network(find_net(net)))
        except PhilidorError as error:
            if str(net) != DEFAULT_NET:
                raise
            # Playing on with another evaluation would be a weaker engine that nobody asked for.
            remedy = "install philidor again, name a network file, or play the engine classic"
            raise NetError(f"the network that comes with philidor cannot be used: {error}; {remedy}") from None

    def raw(self, position: Position, /) -> int:
        """Returns the network's last integer, in the side to move's view."""
        return self.native.raw([_chess(position).native])[0]

    def centipawns(self, position: Position, /) -> int:
        """Returns the verdict in centipawns, in the side to move's view."""
        return self.network.architecture.centipawns(self.raw(position))

    def piece_values(self, position: Position, /) -> dict[int, int]:
        """Returns for each square with a piece what White's centipawns lose when it is left out; kings have to stay."""
        view = 1 if position.turn else -1
        shape, whole = self.network.architecture, self.centipawns(position)
        found = {}
        for square in range(64):
            if (position.piece_at(square) or "k") in "kK":
                continue
            rest = shape.centipawns(self.native.raw_without(position.native, square))
            found[square] = view * (whole - rest)
        return found

    def evaluate(self, states: Sequence[AnyState], /) -> list[Evaluation[Any]]:
        """Judges a batch; finished games by their outcome. There is no policy in such a network."""
        check_states(states)
        positions = [_chess(state) for state in states]
        raws = self.native.raw([position.native for position in positions])
        return [
            Evaluation.uniform(position, self._judge(position, raw))
            for position, raw in zip(positions, raws, strict=True)
        ]

    def _judge(self, position: Position, raw: int) -> Wdl:
        outcome = position.outcome()
        if outcome is None:
            return win_chances(self.network.architecture.centipawns(raw))
        return Wdl(0.0, 1.0, 0.0) if outcome.winner is None else Wdl.from_value(outcome.value_for(position.to_move))


def draw_values(position: Position, values: Mapping[int, int]) -> str:
    """Draws the board with what each piece is worth, in pawns; `values` are by square, in centipawns."""
    rule = "+" + "-------+" * 8
    rows = [rule]
    for rank in reversed(range(8)):
        squares = range(8 * rank, 8 * rank + 8)
        worth = (f"{values[square] / 100:+.2f}" if square in values else "" for square in squares)
        rows.append("|" + "".join(f"{position.piece_at(square) or '':^7}|" for square in squares))
        rows.append("|" + "".join(f"{words:^7}|" for words in worth))
        rows.append(rule)
    return "\n".join(rows)


def _chess(state: AnyState) -> Position:
    if not isinstance(state, Position):
        raise ConfigError(f"an NNUE network judges chess, not {type(state).__name__} {state!r}")
    return state
