"""The NNUE engine: the classic engine's search over an efficiently updatable network (book, 4.6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, final

from philidor.core.config import Dataclass, check, text, validate
from philidor.games.chess import Position
from philidor.nets.shipped import DEFAULT_NET
from philidor.players.engine import EngineConfig, EnginePlayer, WinCurve
from philidor.players.native import AlphaBetaEngine

if TYPE_CHECKING:
    from philidor.evaluators.nnue import NnueEvaluator


@dataclass(frozen=True, slots=True, kw_only=True)
class NnueConfig(EngineConfig):
    """Knobs of the NNUE engine."""

    net: Path = field(default=Path(DEFAULT_NET), metadata=text("EvalFile"))
    """The network: a .nnue or .phnn file, plain or packed with zstd, or a shipped one's name."""
    hybrid: bool = field(default=False, metadata=check("Hybrid"))
    """Whether the handcrafted evaluation judges where one side is far ahead (book, 4.6.5)."""

    def __post_init__(self) -> None:
        validate(self)


@final
class NnuePlayer(EnginePlayer[NnueConfig]):
    """The strongest engine: the search of classic, judging by a small network that is updated from move to move."""

    name: ClassVar = "nnue"
    win_curve: ClassVar = WinCurve(130.0, 105.0)
    config_class: ClassVar[type[Dataclass]] = NnueConfig
    levels: ClassVar = tuple(NnueConfig(nodes=nodes) for nodes in (100, 1_000, 10_000, 100_000, 1_000_000))

    def __init__(self, config: NnueConfig | None = None, /) -> None:
        self._loaded: tuple[Path, NnueEvaluator] | None = None
        super().__init__(NnueConfig() if config is None else config)

    @property
    def evaluator(self) -> NnueEvaluator:
        """The network in force."""
        return self._evaluator_of(self.config)

    def _evaluator_of(self, config: NnueConfig) -> NnueEvaluator:
        # Here, not above: menus ask for settings only, and numpy takes its time.
        from philidor.evaluators.nnue import NnueEvaluator

        if self._loaded is None or self._loaded[0] != config.net:
            self._loaded = config.net, NnueEvaluator.load(config.net)
        return self._loaded[1]

    def _make_engine(self, config: NnueConfig) -> AlphaBetaEngine:
        return AlphaBetaEngine(self._evaluator_of(config).native, is_hybrid=config.hybrid)

    def _has_same_evaluator(self, config: NnueConfig, other: NnueConfig) -> bool:
        return (config.net, config.hybrid) == (other.net, other.hybrid)

    def explain(self, position: Position) -> str:
        """Returns the board with what each piece is worth, in pawns and White's view."""
        from philidor.evaluators.nnue import draw_values

        evaluator = self.evaluator
        raw, score = evaluator.raw(position), evaluator.centipawns(position) * (1 if position.turn else -1)
        board = draw_values(position, evaluator.piece_values(position))
        return f"{board}\n\nRaw output: {raw} (side to move)\nEvaluation: {score / 100:+.2f} (White's view)"
