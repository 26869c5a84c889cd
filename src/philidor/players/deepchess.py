"""DeepChess: an alpha-beta search that compares positions instead of numbers (book, 2.14)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, final

from philidor.core.analysis import Analysis
from philidor.core.config import Dataclass, text
from philidor.core.game import AnyState
from philidor.games.chess import Position
from philidor.players.order import Order, Search
from philidor.players.searching import SearchPlayer
from philidor.protocols.uci import Best, Go, Info
from philidor.search.comparing import ComparingConfig, compare_positions
from philidor.search.limits import Limits, Stop
from philidor.search.result import SearchResult

if TYPE_CHECKING:
    from philidor.evaluators.deepchess import DeepChessJudge

_DEEPEST = 1_000


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

    def __init__(self, config: DeepChessConfig | None = None, /) -> None:
        self._loaded: tuple[Path, DeepChessJudge] | None = None
        self._order: Order | None = None
        self._search: Search
        super().__init__(config)

    @classmethod
    def _default(cls) -> DeepChessConfig:
        return DeepChessConfig()

    def _prepare(self, config: DeepChessConfig) -> None:
        self._judge(config)  # what is wrong with the file should be known before the first move

    def search(
        self, state: AnyState, config: DeepChessConfig, limits: Limits, stop: Stop | None = None
    ) -> SearchResult[Any]:
        """Runs the comparing alpha-beta with the network as judge."""
        return compare_positions(state, self._judge(config), config, limits=limits, stop=stop)

    # --- A thinker, for UCI ------------------------------------------------------------------------------------

    def start(self, position: Position, go: Go, *, spent_us: int = 0) -> None:
        """Takes an order, which `reports` carries out. Raises IllegalMoveError."""
        allowed = tuple(position.parse_uci(text) for text in go.searchmoves)
        config = self.config if go.depth is None else replace(self.config, depth=min(go.depth, _DEEPEST))
        judge = self._judge(config)

        def search(limits: Limits, stop: Stop) -> Analysis:
            return compare_positions(position, judge, config, limits=limits, stop=stop, moves=allowed).analysis

        self._order = Order(position, go, time.perf_counter() - spent_us / 1e6)
        self._search = search

    def reports(self) -> Iterator[Info | Best]:
        """Searches and yields what was found; the last word is the best move."""
        if self._order is not None:
            yield from self._order.reports(self._search)

    def stop(self) -> None:
        """Ends the search."""
        if self._order is not None:
            self._order.stop()

    def ponder_hit(self, spent_us: int = 0) -> None:
        """Turns pondering into an ordinary search."""
        if self._order is not None:
            self._order.ponder_hit(time.perf_counter() - spent_us / 1e6)

    def new_game(self) -> None:
        """There is nothing to forget: what it remembers of positions does not depend on the game."""

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
