"""The engines of one tab: each follows the position that the tab shows, and ends with the tab."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from philidor.core.analysis import Analysis
from philidor.core.errors import PhilidorError
from philidor.core.thinking import Signal
from philidor.frontends.web.analysis.analysts import limits_of, make_analyst, other_side, seat_view
from philidor.frontends.web.analysis.requests import AnalyseMessage
from philidor.frontends.web.analysis.schema import SeatStatus, SeatView
from philidor.frontends.web.catalog import Catalog
from philidor.frontends.web.schema import Side
from philidor.frontends.web.searching import describe_failure
from philidor.frontends.web.workers import MOVE, Workers
from philidor.games.chess import Position
from philidor.players import Player

REPORT_INTERVAL_S = 0.13
"""An engine is heard about seven times a second."""
_TURN_S = 2.0
"""How long one search may go on while others wait for a core."""
_log = logging.getLogger(__name__)


class Seat:
    """One engine of one tab. Lives in the server's event loop; the engine thinks elsewhere."""

    def __init__(self, number: Side, catalog: Catalog, workers: Workers, tell: Callable[[SeatView], None]) -> None:
        self._catalog, self._workers, self._tell = catalog, workers, tell
        self._drawer = catalog.drawer("chess")
        self._view = SeatView(seat=number, node=None, status="off", title="", threat=False)
        self._order: AnalyseMessage | None = None
        self._player: Player | None = None
        self._place: tuple[int, Position] | None = None
        self._task: asyncio.Task[None] | None = None
        self._thinking = asyncio.Lock()
        """Held while a worker uses the player, which does one thing at a time."""

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """What still runs."""
        return [] if self._task is None or self._task.done() else [self._task]

    def look(self, node: int, position: Position) -> None:
        """Follows the tab to another position."""
        if self._place is not None and self._place[0] == node:
            return
        self._place = (node, position)
        if self._order is not None:
            self._restart()

    def order(self, order: AnalyseMessage | None) -> None:
        """Begins, with these wishes, or ends. Raises UnknownNameError."""
        if order is not None:
            title = self._catalog.roster.find(order.engine).title
            self._view = self._view.model_copy(update={"title": title})
        if order is None or self._order is None or not _is_same_player(order, self._order):
            self._player = None
        self._order = order
        self._restart()

    def _restart(self) -> None:
        if self._task is not None:
            self._task.cancel()
        order, place = self._order, self._place
        if order is None or place is None:
            self._show("off")
            return
        fresh = SeatView(
            seat=self._view.seat, node=place[0], status="waiting", title=self._view.title, threat=order.threat
        )
        self._view = fresh
        self._task = asyncio.create_task(self._run(order, place[1]))

    def _show(self, status: SeatStatus, message: str | None = None) -> None:
        self._view = self._view.model_copy(update={"status": status, "message": message})
        self._tell(self._view)

    async def _run(self, order: AnalyseMessage, position: Position) -> None:
        """Lets the engine think. Whatever it dies of, the study is as it was: it can be asked again."""
        if order.threat:
            turned = other_side(position)
            if turned is None:
                self._show("done", "In check there is nothing else to threaten.")
                return
            position = turned
        if position.is_over():
            self._show("done", "The game is over here.")
            return
        try:
            async with self._thinking:
                await self._take_turns(order, position)
            self._show("done")
        except Exception as error:
            _log.warning("the analysis failed", exc_info=error)
            self._player, self._order = None, None
            self._show("failed", describe_failure(error))

    async def _take_turns(self, order: AnalyseMessage, position: Position) -> None:
        """Thinks to the end, with a break whenever others have waited long enough."""
        spent, loop = 0.0, asyncio.get_running_loop()
        can_pause = order.limit.nodes is None and order.limit.depth is None
        while True:
            self._show("thinking" if self._workers.has_room(MOVE) else "waiting")
            began = loop.time()
            work = self._work(order, position, spent)
            turn = asyncio.create_task(self._workers.run(work, MOVE, lambda: self._show("thinking")))
            try:
                while not turn.done():
                    await asyncio.wait([turn], timeout=_TURN_S)
                    if not turn.done() and can_pause and self._workers.is_wanted and self._view.status == "thinking":
                        break
            finally:
                if not turn.done():
                    turn.cancel()
                    await asyncio.wait([turn])
            if not turn.cancelled():
                turn.result()
                return
            spent += loop.time() - began

    def _work(self, order: AnalyseMessage, position: Position, spent_s: float) -> Callable[[Signal], Analysis]:
        """Returns what a worker does."""
        loop, last, seat = asyncio.get_running_loop(), 0.0, self
        order_now = order

        def publish(found: Analysis) -> None:
            view = seat_view(seat._drawer, position, found, seat._view, order_now.lines)
            loop.call_soon_threadsafe(seat._receive, order_now, view)

        def report(found: Analysis) -> None:
            nonlocal last
            # A search that goes on after a break says again what it has said before.
            if time.monotonic() - last >= REPORT_INTERVAL_S and found.nodes >= seat._view.nodes:
                last = time.monotonic()
                publish(found)

        def work(stop: Signal) -> Analysis:
            if seat._player is None:
                opponent = seat._catalog.roster.find(order_now.engine)
                if (reason := opponent.refuses(position)) is not None:
                    raise PhilidorError(reason)
                seat._player = make_analyst(opponent, order_now)
            found = seat._player.think(position, limits_of(order_now.limit, spent_s), stop, report)
            if not stop():
                publish(found)
            return found

        return work

    def _receive(self, order: AnalyseMessage, view: SeatView) -> None:
        if order is self._order and view.node == self._view.node:
            self._view = view.model_copy(update={"status": self._view.status, "message": self._view.message})
            self._tell(self._view)


def _is_same_player(order: AnalyseMessage, before: AnalyseMessage) -> bool:
    names = ("engine", "strength", "lines", "hash_mb", "threads")
    return all(getattr(order, name) == getattr(before, name) for name in names)
