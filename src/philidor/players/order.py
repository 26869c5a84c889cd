"""One order of UCI's "go" for a player whose search is a function: it runs while its reports are read."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeAlias, final

from philidor.core.analysis import Analysis
from philidor.games.chess import Position
from philidor.players.player import TimeLeft
from philidor.protocols.uci import Best, Go, Info
from philidor.search.limits import Limits, Stop

Search: TypeAlias = Callable[[Limits, Stop], Analysis]


@final
class Order:
    """What is to be found out, and when to stop. `stop` and `ponder_hit` may come from another thread."""

    def __init__(self, position: Position, go: Go, begin: float) -> None:
        """`begin` is when the order came in, by `time.perf_counter`."""
        self._go, self._position = go, position
        self._begin = begin
        self._is_stopped = threading.Event()
        self._may_answer = threading.Event()
        """Set when a best move may be told: at once, but for "infinite" and "ponder"."""
        self._has_clock = not go.ponder
        if not go.is_endless and not go.ponder:
            self._may_answer.set()

    def stop(self) -> None:
        """Ends the search."""
        self._is_stopped.set()
        self._may_answer.set()

    def ponder_hit(self, begin: float) -> None:
        """Starts the clock."""
        self._begin, self._has_clock = begin, True
        self._may_answer.set()

    def reports(self, search: Search) -> Iterator[Info | Best]:
        """Searches, yields what was found, and last the best move."""
        if self._position.is_over():
            yield Best(None)
            return
        seconds = self._seconds()

        def is_over() -> bool:
            is_late = seconds is not None and self._has_clock and time.perf_counter() - self._begin >= seconds
            return is_late or self._is_stopped.is_set()

        found = search(Limits(nodes=self._go.nodes), is_over)
        line = found.lines[0].moves if found.lines else ()
        yield Info(
            depth=found.depth,
            score=found.score,
            nodes=found.nodes,
            nps=found.nodes_per_second,
            time_ms=round(1000 * found.time_s),
            pv=line,
        )
        self._may_answer.wait()
        yield Best(found.best, line[1] if len(line) > 1 else None)

    def _seconds(self) -> float | None:
        """Returns how long the search may take once the clock runs; None for as long as it needs."""
        go, player = self._go, self._position.to_move
        if go.movetime is not None:
            return go.movetime / 1000
        left, increment = ((go.wtime, go.winc), (go.btime, go.binc))[player]
        if go.infinite or left is None:
            return None
        if go.movestogo:
            return left / 1000 / (go.movestogo + 1)
        return TimeLeft(ms=(left, left), increment_ms=increment).share_s(player)
