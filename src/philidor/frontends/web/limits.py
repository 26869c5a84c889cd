"""How often somebody may ask: a bucket that fills slowly and may be emptied at once."""

from __future__ import annotations

import time
from collections.abc import Callable

_MAX_BUCKETS = 1_000


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


class Buckets:
    """A bucket for each of many; when there are too many of them, one for all that are new."""

    def __init__(self, size: float, per_second: float) -> None:
        self._size, self._per_second = size, per_second
        self._buckets: dict[str, Bucket] = {}
        self._rest = Bucket(size, per_second)

    def take(self, name: str) -> bool:
        """Takes one out of somebody's bucket; says whether there was one."""
        if name not in self._buckets and len(self._buckets) >= _MAX_BUCKETS:
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full}
            if len(self._buckets) >= _MAX_BUCKETS:
                return self._rest.take()
        return self._buckets.setdefault(name, Bucket(self._size, self._per_second)).take()
