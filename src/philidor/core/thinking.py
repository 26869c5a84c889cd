"""How a player is asked, whatever the game and whoever asks: limits, an order to stop, reports on the way."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, final

from philidor.core.analysis import Analysis
from philidor.core.errors import ConfigError

Stop: TypeAlias = Callable[[], bool]
"""Asked every now and then by a running search; True ends it. A `Signal` is one that is heard at once."""
Report: TypeAlias = Callable[[Analysis], None]
"""Told every now and then what a thinking player has found so far."""

MOVES_TO_COME = 30
"""Own moves that a game is thought to go on for by who knows nothing better; one without end is paid by increments."""
_SMALLEST = {"nodes": 1, "time_s": 0.0, "depth": 1, "mate": 1}


@final
class Signal:
    """Something that happens once, at any time and in any thread: an order to stop, the opponent's move."""

    def __init__(self) -> None:
        self.at = 0.0
        """When it happened, by `time.perf_counter`."""
        self._lock = threading.Lock()
        self._has_happened = threading.Event()
        self._actions: list[Callable[[], None]] = []

    def __call__(self) -> bool:
        """Says whether it has happened."""
        return self._has_happened.is_set()

    def give(self, at: float | None = None) -> None:
        """Lets it happen, at a time that may lie back a little; a second time nothing does."""
        # Within the lock: whoever leaves `calling` can be sure that nothing is called any more.
        with self._lock:
            if not self._has_happened.is_set():
                self.at = time.perf_counter() if at is None else at
                self._has_happened.set()
                for action in self._actions:
                    action()

    def wait(self) -> None:
        """Waits until it has happened."""
        self._has_happened.wait()

    @contextlib.contextmanager
    def calling(self, action: Callable[[], None]) -> Iterator[None]:
        """Has a quick action called when it happens within the block, or now if it has happened before."""
        with self._lock:
            if self._has_happened.is_set():
                action()
            self._actions.append(action)
        try:
            yield
        finally:
            with self._lock:
                self._actions.remove(action)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLeft:
    """The clocks of a game in progress."""

    ms: tuple[int, int]
    """Milliseconds that each player has left."""
    increments_ms: tuple[int, int] = (0, 0)
    """What each player gets for a move."""
    moves_to_go: int | None = None
    """Moves until there is more time; None if the time is for the rest of the game."""

    def share_s(self, player: int, moves_to_come: float = MOVES_TO_COME) -> float:
        """Returns the seconds that a player without time management of its own may think about one move."""
        left = self.ms[player]
        share = left / moves_to_come + 0.8 * self.increments_ms[player]
        if self.moves_to_go is not None:
            share = max(share, left / (self.moves_to_go + 1))
        return max(1.0, min(left / 2, share)) / 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one move may cost; several limits hold together. A player's `heeds` names those that it keeps."""

    nodes: int | None = None
    """Positions to visit at most."""
    time_s: float | None = None
    """Seconds to think at most."""
    depth: int | None = None
    """Plies to search at most."""
    mate: int | None = None
    """Moves within which a mate is looked for; one that is found ends the search."""
    time_left: TimeLeft | None = None
    """The clocks of the game."""
    moves: tuple[str, ...] = ()
    """The only moves to choose from, as texts; none for all."""
    is_endless: bool = False
    """Whether nothing but an order to stop ends the search."""
    replace_own: bool = False
    """Whether these limits take the place of those among the player's settings; otherwise both hold."""
    began: float | None = None
    """When the question came in, by `time.perf_counter`; None for now."""
    clock_start: Signal | None = None
    """What starts the clock. Until then the player ponders: it thinks on the opponent's time, without limits."""

    def __post_init__(self) -> None:
        for name, smallest in _SMALLEST.items():
            value = getattr(self, name)
            # Written so that a NaN fails the comparison and with it the check.
            if value is not None and not (isinstance(value, int | float) and value >= smallest):
                raise ConfigError(f"{name} must be a number of at least {smallest}, got {value!r}")

    def seconds(self, player: int, moves_to_come: float = MOVES_TO_COME) -> float | None:
        """Returns what a player without time management of its own may use once its clock runs; None for any time."""
        shares = [] if self.time_left is None else [self.time_left.share_s(player, moves_to_come)]
        return min([*shares, *([] if self.time_s is None else [self.time_s])], default=None)

    def start(self) -> float | None:
        """Returns when the clock was started, by `time.perf_counter`; None while the player ponders."""
        if self.clock_start is None:
            return time.perf_counter() if self.began is None else self.began
        return self.clock_start.at if self.clock_start() else None


NO_LIMITS = Limits()
ALL_LIMITS = frozenset(("nodes", "time_s", "depth", "mate", "time_left", "moves", "clock_start"))
"""What a player can declare to heed; an order to stop is heeded by every player that takes its time."""


def ending(limits: Limits, player: int, stop: Stop | None) -> Stop | None:
    """Returns what ends a search that only asks whether to stop: the order to stop, or the clock once it runs."""
    seconds = None if limits.is_endless else limits.seconds(player)
    if seconds is None:
        return stop
    start = limits.start()

    def is_over() -> bool:
        nonlocal start
        if stop is not None and stop():
            return True
        if start is None:
            start = limits.start()
        return start is not None and time.perf_counter() - start >= seconds

    return is_over


def answer_in_time(limits: Limits, stop: Signal) -> None:
    """Waits until an answer may be given: at once, but for a player that ponders or was asked without an end."""
    if limits.is_endless:
        stop.wait()
    elif limits.clock_start is not None:
        with stop.calling(limits.clock_start.give):
            limits.clock_start.wait()
