"""The classic engine: alpha-beta with everything that made engines strong, over a handcrafted evaluation (ch. 3.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

from philidor.core.config import Dataclass, combo, validate
from philidor.games.chess import Position
from philidor.players.engine import EngineConfig, EnginePlayer
from philidor.players.native import AlphaBetaEngine


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassicConfig(EngineConfig):
    """Knobs of the classic engine."""

    evaluator: str = field(default="handcrafted", metadata=combo(None, ("handcrafted", "book")))
    """The judge at the leaves: handcrafted, or the book's own."""

    def __post_init__(self) -> None:
        validate(self)


def _level(nodes: int) -> ClassicConfig:
    return ClassicConfig(nodes=nodes)


@final
class ClassicPlayer(EnginePlayer[ClassicConfig]):
    """A real chess engine: searches millions of positions and prunes what good players do not look at."""

    name: ClassVar = "classic"
    config_class: ClassVar[type[Dataclass]] = ClassicConfig
    levels: ClassVar = tuple(_level(nodes) for nodes in (100, 1_000, 10_000, 100_000, 1_000_000))

    def __init__(self, config: ClassicConfig | None = None, /) -> None:
        super().__init__(ClassicConfig() if config is None else config)

    def _make_engine(self, config: ClassicConfig) -> AlphaBetaEngine:
        return AlphaBetaEngine(config.evaluator)

    def _has_same_evaluator(self, config: ClassicConfig, other: ClassicConfig) -> bool:
        return config.evaluator == other.evaluator

    def explain(self, position: Position) -> str:
        """Returns the evaluation in White's view, term by term where it is the handcrafted one."""
        # Here, not above: menus ask for settings only, and numpy takes its time.
        from philidor.evaluators.handcrafted import as_table, explain

        score = self.engine.evaluate(position.native)
        verdict = f"Evaluation: {(score if position.turn else -score) / 100:+.2f} (White's view)"
        return verdict if self.config.evaluator == "book" else f"{as_table(explain(position))}\n{verdict}"
