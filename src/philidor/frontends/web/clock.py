"""The clocks of one game, kept by the server. They run while somebody watches, and only then."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from philidor.core.thinking import TimeLeft
from philidor.frontends.web.schema import ClockView


class GameClock:
    """Two clocks of which at most one runs."""

    def __init__(
        self,
        base_ms: int,
        increment_ms: int,
        remaining_ms: tuple[int, int] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.base_ms = base_ms
        self.increment_ms = increment_ms
        self._left = list(remaining_ms or (base_ms, base_ms))
        self._running: int | None = None
        self._since = 0.0
        self._now = now

    @property
    def running(self) -> int | None:
        """Whose clock runs."""
        return self._running

    def remaining_ms(self) -> tuple[int, int]:
        """The time each side has now; never below 0."""
        left = list(self._left)
        if self._running is not None:
            left[self._running] -= self._elapsed_ms()
        return max(0, left[0]), max(0, left[1])

    def _elapsed_ms(self) -> int:
        return int(1000 * (self._now() - self._since))

    def start(self, side: int) -> None:
        """Lets a side's clock run, and no other."""
        self.stop()
        self._running, self._since = side, self._now()

    def stop(self) -> None:
        """Stops both."""
        self._left = list(self.remaining_ms())
        self._running = None

    def press(self, side: int) -> None:
        """Ends a side's move: its clock stops and gets the increment."""
        self.stop()
        self._left[side] += self.increment_ms

    def set(self, remaining_ms: tuple[int, int]) -> None:
        """Puts the clocks back, for a move taken back; they stand still."""
        self._running = None
        self._left = list(remaining_ms)

    def flagged(self) -> int | None:
        """Returns the side whose time is over, if its clock runs."""
        if self._running is not None and self.remaining_ms()[self._running] == 0:
            return self._running
        return None

    def seconds_to_flag(self) -> float | None:
        """How long the running clock will last."""
        return None if self._running is None else self.remaining_ms()[self._running] / 1000

    def time_left(self) -> TimeLeft:
        """The clocks as players see them."""
        return TimeLeft(ms=self.remaining_ms(), increments_ms=(self.increment_ms, self.increment_ms))

    def view(self) -> ClockView:
        """The clocks as pages see them."""
        running: Any = self._running
        return ClockView(
            base_ms=self.base_ms,
            increment_ms=self.increment_ms,
            remaining_ms=self.remaining_ms(),
            running=running,
        )
