"""How long nobody had asked the device for anything: neither for a batch to be judged nor for a step to be made.

Whoever has asked and not taken the answer counts, even if the device is done: it may compute far less than that.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Meter:
    """Counts who has asked the device for something. For any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._idle_s = 0.0
        self._idle_since = self._began = time.monotonic()

    def begin(self) -> None:
        """Somebody asks for something."""
        with self._lock:
            if self._users == 0:
                self._idle_s += time.monotonic() - self._idle_since
            self._users += 1

    def end(self) -> None:
        """Somebody has got it."""
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._idle_since = time.monotonic()

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Keeps the device busy meanwhile."""
        self.begin()
        try:
            yield
        finally:
            self.end()

    def take_idle(self) -> float:
        """Returns the share of idle time since the last call."""
        with self._lock:
            now = time.monotonic()
            if self._users == 0:
                self._idle_s += now - self._idle_since
                self._idle_since = now
            share = self._idle_s / max(now - self._began, 1e-9)
            self._idle_s, self._began = 0.0, now
            return min(share, 1.0)
