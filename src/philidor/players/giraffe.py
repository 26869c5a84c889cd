"""Giraffe: the classic engine's search over a small network of floats (book, 2.14)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, final

from philidor.core.config import Dataclass, text, validate
from philidor.games.chess import Position
from philidor.players.engine import EngineConfig, EnginePlayer
from philidor.players.native import AlphaBetaEngine

if TYPE_CHECKING:
    from philidor.evaluators.giraffe import GiraffeEvaluator


@dataclass(frozen=True, slots=True, kw_only=True)
class GiraffeConfig(EngineConfig):
    """Knobs of Giraffe."""

    net: Path = field(default=Path("giraffe"), metadata=text("GiraffeFile"))
    """The network: a .phfl file, or a shipped one: giraffe, or amateur, which was trained on games of amateurs."""

    def __post_init__(self) -> None:
        validate(self)


@final
class GiraffePlayer(EnginePlayer[GiraffeConfig]):
    """A chess engine that judges by a small network, from scratch in every position."""

    name: ClassVar = "giraffe"
    config_class: ClassVar[type[Dataclass]] = GiraffeConfig
    levels: ClassVar = tuple(GiraffeConfig(nodes=nodes) for nodes in (100, 1_000, 10_000, 100_000))

    def __init__(self, config: GiraffeConfig | None = None, /) -> None:
        super().__init__(GiraffeConfig() if config is None else config)

    @property
    def evaluator(self) -> GiraffeEvaluator:
        """The network in force."""
        return _evaluator(self.config)

    def _make_engine(self, config: GiraffeConfig) -> AlphaBetaEngine:
        return AlphaBetaEngine(_evaluator(config).native)

    def _has_same_evaluator(self, config: GiraffeConfig, other: GiraffeConfig) -> bool:
        return config.net == other.net

    def explain(self, position: Position) -> str:
        """Returns the network's output and what it means, in White's view."""
        evaluator = self.evaluator
        view = 1 if position.turn else -1
        raw, score = evaluator.raw(position), evaluator.centipawns(position)
        return f"Raw output: {raw:+.4f} (side to move)\nEvaluation: {view * score / 100:+.2f} (White's view)"


def _evaluator(config: GiraffeConfig) -> GiraffeEvaluator:
    # Here, not above: menus ask for settings only, and numpy takes its time.
    from philidor.evaluators.giraffe import GiraffeEvaluator
    from philidor.nets.shipped import find_net

    return GiraffeEvaluator.load(find_net(config.net))
