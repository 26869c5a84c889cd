"""When to stop: limits given beforehand and a callback asked while searching.

Of the limits a search knows `nodes` and `time_s`; the rest is for players.
"""

import time
from dataclasses import dataclass, field

from philidor.core.config import real, spin, validate
from philidor.core.thinking import NO_LIMITS, Limits, Stop

__all__ = ["NO_LIMITS", "Budget", "LimitConfig", "Limits", "OutOfBudgetError", "Stop"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitConfig:
    """What a search may spend, as settings of a command."""

    nodes: int | None = field(default=None, metadata=spin(None, 1))
    """Positions to visit at most."""
    time_s: float | None = field(default=None, metadata=real(None, 0.0))
    """Seconds to think at most."""

    def __post_init__(self) -> None:
        validate(self)

    @property
    def limits(self) -> Limits:
        """The same for a search."""
        return Limits(nodes=self.nodes, time_s=self.time_s)


class OutOfBudgetError(Exception):
    """Thrown inside a search to leave it from any depth; never reaches the caller."""


class Budget:
    """Counts the visited positions and says when it is enough."""

    def __init__(self, limits: Limits, stop: Stop | None, interval: int = 64) -> None:
        """Asks the clock and the callback once per `interval` visits, as asking costs as much as a cheap visit."""
        self.visited = 0
        self._interval = interval
        self._limits = limits
        self._stop = stop
        self._start = time.perf_counter()

    @property
    def time_s(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self._start

    @property
    def nodes_left(self) -> int | None:
        """Visits that the limit still allows; None without a limit."""
        return None if self._limits.nodes is None else max(self._limits.nodes - self.visited, 0)

    def spend(self) -> None:
        """Counts one visit; raises OutOfBudgetError instead when there is nothing left."""
        if self.is_spent():
            raise OutOfBudgetError
        self.visited += 1

    def is_spent(self) -> bool:
        """Says whether a limit is reached or a stop was asked for."""
        if self._limits.nodes is not None and self.visited >= self._limits.nodes:
            return True
        if self.visited % self._interval != 0:
            return False
        if self._limits.time_s is not None and self.time_s >= self._limits.time_s:
            return True
        return self._stop is not None and self._stop()
