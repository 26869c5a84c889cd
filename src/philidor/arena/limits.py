"""How long an engine may think: clocks, or a fixed number of nodes, plies or seconds for each move."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from philidor.core.errors import ConfigError
from philidor.core.thinking import Limits, TimeLeft

_CLOCK = re.compile(r"(?:(?P<moves>\d+)/)?(?:(?P<minutes>\d+):)?(?P<base>\d*\.?\d+)(?:\+(?P<increment>\d*\.?\d+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """A clock: `base_ms` for the game, or for each `moves` moves, and an increment after each move."""

    base_ms: int
    increment_ms: int = 0
    moves: int | None = None

    def __str__(self) -> str:
        text = f"{self.base_ms / 1000:g}"
        text = f"{self.moves}/{text}" if self.moves else text
        return f"{text}+{self.increment_ms / 1000:g}" if self.increment_ms else text


def parse_time_control(text: str) -> TimeControl:
    """Reads "10+0.1", "40/60", "40/1:30+0.5" or "5:00": [moves/][minutes:]seconds[+increment]. Raises ConfigError."""
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        raise ConfigError(f"a time control is [MOVES/][MINUTES:]SECONDS[+INCREMENT] such as 10+0.1, got {text!r}")
    base = 60 * int(match["minutes"] or 0) + float(match["base"])
    moves = int(match["moves"]) if match["moves"] else None
    if round(1000 * base) < 1 or moves == 0:
        raise ConfigError(f"a time control needs at least a millisecond and a move, got {text!r}")
    increment = float(match["increment"] or 0)
    return TimeControl(base_ms=round(1000 * base), increment_ms=round(1000 * increment), moves=moves)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """What one engine may use for its moves; several hold together."""

    tc: TimeControl | None = None
    nodes: int | None = None
    depth: int | None = None
    movetime_ms: int | None = None
    soft_nodes: int | None = None
    """Nodes after which no further iteration begins; for native games only."""

    def __bool__(self) -> bool:
        limits = (self.tc, self.nodes, self.depth, self.movetime_ms, self.soft_nodes)
        return any(value is not None for value in limits)

    @property
    def is_timed(self) -> bool:
        """Whether the result may depend on the machine's speed."""
        return self.tc is not None or self.movetime_ms is not None

    def __str__(self) -> str:
        parts = [str(self.tc)] if self.tc else []
        parts += [f"{self.soft_nodes} nodes (soft)"] if self.soft_nodes else []
        parts += [f"{self.nodes} nodes"] if self.nodes else []
        parts += [f"depth {self.depth}"] if self.depth else []
        parts += [f"{self.movetime_ms / 1000:g} s/move"] if self.movetime_ms else []
        return ", ".join(parts) or "no limit"


NO_LIMIT = Limit()
LIMIT_WORDS = {"tc": "time_left", "nodes": "nodes", "depth": "depth", "movetime": "time_s"}
"""What users write, and what `philidor.core.thinking.Limits` calls it."""


def limit_from_words(words: dict[str, str]) -> Limit:
    """Reads limits given as text: tc=10+0.1, nodes=20000, depth=8, movetime=0.5 (seconds). Raises ConfigError."""
    values: dict[str, Any] = {}
    for name, text in words.items():
        if name == "tc":
            values["tc"] = parse_time_control(text)
            continue
        try:
            number = float(text) if name == "movetime" else int(text)
        except ValueError:
            number = 0
        number = round(1000 * number) if name == "movetime" and number < 1e9 else number
        if not 1 <= number <= 2**53:
            raise ConfigError(f"{name} must be a positive number, got {text!r}")
        values["movetime_ms" if name == "movetime" else name] = number
    return Limit(**values)


class Clock:
    """One side's clock during a game."""

    def __init__(self, control: TimeControl | None) -> None:
        self._control = control
        self.left_ms = float(control.base_ms) if control else 0.0
        self._moves_to_go = control.moves if control else None

    @property
    def is_running(self) -> bool:
        """Whether there is a clock at all."""
        return self._control is not None

    @property
    def moves_to_go(self) -> int | None:
        """Moves until more time is added; None if the time is for the whole game."""
        return self._moves_to_go

    @property
    def increment_ms(self) -> int:
        """What each move adds."""
        return self._control.increment_ms if self._control else 0

    def press(self, used_ms: float, margin_ms: float) -> bool:
        """Takes the time of a move; returns False if that was more than there was left, and the margin."""
        if self._control is None:
            return True
        self.left_ms -= used_ms
        if self.left_ms < -margin_ms:
            return False
        self.left_ms = max(self.left_ms, 0.0) + self._control.increment_ms
        if self._moves_to_go is not None:
            self._moves_to_go -= 1
            if self._moves_to_go == 0:
                self.left_ms += self._control.base_ms
                self._moves_to_go = self._control.moves
        return True


def limits_for(limit: Limit, clocks: tuple[Clock, Clock], side: int) -> Limits:
    """Returns what the engine of this side may use; an opponent without a clock shows the same as one's own."""
    own, time_left = clocks[side], None
    if own.is_running:
        white, black = (clock if clock.is_running else own for clock in clocks)
        time_left = TimeLeft(
            ms=(max(1, int(white.left_ms)), max(1, int(black.left_ms))),
            increments_ms=(white.increment_ms, black.increment_ms),
            moves_to_go=own.moves_to_go,
        )
    return Limits(
        nodes=limit.nodes,
        depth=limit.depth,
        time_s=None if limit.movetime_ms is None else limit.movetime_ms / 1000,
        time_left=time_left,
    )
