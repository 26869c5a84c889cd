"""How often somebody may ask: a bucket that fills slowly and may be emptied at once."""

from __future__ import annotations

import time
from collections.abc import Callable


class Bucket:
    """Lets `size` requests through at once and `per_second` in the long run."""

    def __init__(self, size: float, per_second: float, now: Callable[[], float] = time.monotonic) -> None:
        self._size = size
        self._per_second = per_second
        self._now = now
        self._level = size
        self._time = now()

    def take(self) -> bool:
        """Takes one; says whether there was one."""
        now = self._now()
        self._level = min(self._size, self._level + (now - self._time) * self._per_second)
        self._time = now
        if self._level < 1:
            return False
        self._level -= 1
        return True

    @property
    def is_full(self) -> bool:
        """Whether nobody has taken anything for a while."""
        return self._level + (self._now() - self._time) * self._per_second >= self._size
