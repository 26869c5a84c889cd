"""DeepChess: an alpha-beta search that compares positions instead of numbers (book, 2.14)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, final

from philidor.core.config import Dataclass, text
from philidor.core.game import AnyState
from philidor.core.thinking import Limits, Report, Stop
from philidor.games.chess import Position
from philidor.players.searching import CLOCKS, SearchPlayer
from philidor.search.comparing import ComparingConfig, compare_positions
from philidor.search.result import SearchResult

if TYPE_CHECKING:
    from philidor.evaluators.deepchess import DeepChessJudge


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepChessConfig(ComparingConfig):
    """Knobs of DeepChess."""

    net: Path = field(default=Path("deepchess"), metadata=text("DeepChessFile"))
    """The network: a .phfl file, or the shipped one: deepchess."""


@final
class DeepChessPlayer(SearchPlayer[DeepChessConfig]):
    """Never counts anything: asks a network which of two positions it would rather have."""

    name: ClassVar[str] = "deepchess"
    config_class: ClassVar[type[Dataclass]] = DeepChessConfig
    levels: ClassVar[tuple[Any, ...]] = tuple(DeepChessConfig(depth=depth) for depth in (1, 2, 3))
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = ("chess",)
    heeds: ClassVar[frozenset[str]] = CLOCKS | {"nodes", "depth", "moves"}

    def __init__(self, config: DeepChessConfig | None = None, /) -> None:
        self._loaded: tuple[Path, DeepChessJudge] | None = None
        super().__init__(config)

    @classmethod
    def _default(cls) -> DeepChessConfig:
        return DeepChessConfig()

    def _prepare(self, config: DeepChessConfig) -> None:
        self._judge(config)  # what is wrong with the file should be known before the first move

    def search(
        self,
        state: AnyState,
        config: DeepChessConfig,
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> SearchResult[Any]:
        """Runs the comparing alpha-beta with the network as judge."""
        allowed = tuple(state.parse_move(text) for text in limits.moves)
        return compare_positions(state, self._judge(config), config, limits=limits, stop=stop, moves=allowed)

    def explain(self, position: Position) -> str:
        """Says whom the network prefers: it compares the position with itself, colors changed."""
        judge = self._judge(self.config)
        return f"Compared with a draw: {judge.compare_with_draw(judge.look(position)):+.4f} (White's view; no score)"

    def _judge(self, config: DeepChessConfig) -> DeepChessJudge:
        # Here, not above: menus ask for settings only, and numpy takes its time.
        from philidor.evaluators.deepchess import DeepChessJudge
        from philidor.nets.shipped import find_net

        if self._loaded is None or self._loaded[0] != config.net:
            self._loaded = config.net, DeepChessJudge.load(find_net(config.net))
        return self._loaded[1]
