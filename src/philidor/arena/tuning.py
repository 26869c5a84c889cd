"""Tunes the numbers of the search by games: a screen of many changes at once, and SPSA.

A screen plays pairs of games in which either side has a random half of the changes, and the other side the other half;
a linear fit then tells the worth of each. All games count for all changes, so that twenty of them are measured as
exactly as a single one would be (a random design, as in Box, Hunter and Hunter, "Statistics for Experimenters").

SPSA (Spall 1992) plays pairs between a point a little above and one a little below the current one, in a random
direction, and follows the winner. The gains are those of Stockfish's fishtest, scaled by the length of the run.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from philidor.arena.statistics import Estimate, elo_of
from philidor.core.errors import ConfigError, UnknownNameError
from philidor.core.random import SplitMix64, game_random
from philidor.players.native import search_features, search_parameters

_CONFIDENCE_95 = 1.959964
# Of fishtest: how the step and the perturbation shrink, and for how much of the run they hardly do.
_ALPHA, _GAMMA, _SLOW_SHARE = 0.602, 0.101, 0.1
Sides = tuple[dict[str, int], dict[str, int]]
"""The numbers of both sides of a pair; a part of the search is 0 where it is left out."""


@dataclass(frozen=True, slots=True)
class Change:
    """Numbers that are set together."""

    text: str
    """As typed: NAME=VALUE, or several joined by commas; PART=0 leaves out a part of the search."""
    values: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Range:
    """A number to tune and the range it may take."""

    name: str
    start: int
    low: int
    high: int

    @property
    def width(self) -> float:
        """How far it is moved to see a difference: a twentieth of the range, but enough to change an integer."""
        return max((self.high - self.low) / 20, 0.5)


def parse_change(text: str) -> Change:
    """Reads NAME=VALUE[,NAME=VALUE]. Raises ConfigError, UnknownNameError."""
    values = {}
    for piece in text.split(","):
        name, _, number = piece.partition("=")
        low, high = _known(name.strip(), _parts())[1:]
        values[name.strip()] = _within(piece, number, low, high)
    return Change(text, values)


def parse_range(text: str) -> Range:
    """Reads NAME, NAME=LOW:HIGH or NAME=START:LOW:HIGH. Raises ConfigError, UnknownNameError."""
    name, equals, numbers = text.partition("=")
    start, low, high = _known(name.strip())
    if equals:
        given = [_within(text, number, low, high) for number in numbers.split(":")]
        if len(given) not in (2, 3):
            raise ConfigError(f"a range is NAME, NAME=LOW:HIGH or NAME=START:LOW:HIGH, got {text!r}")
        low, high = given[-2:]
        start = given[0] if len(given) == 3 else min(max(start, low), high)
    if not low <= start <= high or low == high:
        raise ConfigError(f"a range goes from its lowest to its highest value, with the start within it; got {text!r}")
    return Range(name.strip(), start, low, high)


def _known(name: str, parts: Iterable[str] = ()) -> tuple[int, int, int]:
    """Returns the standard value of a number, or of one of these parts, and its bounds. Raises UnknownNameError."""
    table = {row[0]: row[1:4] for row in search_parameters()} | dict.fromkeys(parts, (1, 0, 0))
    if name not in table:
        raise UnknownNameError("search parameter", name, table)
    return table[name]


def _parts() -> set[str]:
    """Returns the names of the parts of the search that can be left out."""
    return {name for name, _, _ in search_features()}


def _within(text: str, number: str, low: int, high: int) -> int:
    try:
        value = int(number)
    except ValueError:
        raise ConfigError(f"expected a whole number after '=', got {text!r}") from None
    if not low <= value <= high:
        wanted = f"{low} to {high}" if low < high else f"{low}, which leaves out that part of the search"
        raise ConfigError(f"{text!r}: the value must be {wanted}")
    return value


class Screen:
    """Measures changes against leaving them out, all at once."""

    def __init__(self, texts: Sequence[str], seed: int) -> None:
        """Raises ConfigError, UnknownNameError."""
        self.changes = [parse_change(text) for text in texts]
        names = [name for change in self.changes for name in change.values]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ConfigError(f"{twice!r} is in two changes, of which one would undo the other")
        if not self.changes:
            raise ConfigError("a screen needs at least one change, NAME=VALUE")
        self._seed = seed
        self._points: dict[int, float] = {}

    @property
    def pairs(self) -> int:
        """Pairs that are done."""
        return len(self._points)

    def _signs(self, number: int) -> list[int]:
        random = game_random(self._seed, number)
        return [1 if random.below(2) else -1 for _ in self.changes]

    def sides(self, number: int) -> Sides:
        """Returns the parameters of both sides of a pair: each change is with one of them."""
        first: dict[str, int] = {}
        second: dict[str, int] = {}
        for sign, change in zip(self._signs(number), self.changes, strict=True):
            (first if sign > 0 else second).update(change.values)
        return first, second

    def add(self, number: int, points: float) -> None:
        """Takes the points, 0 to 2, of a pair's first side."""
        self._points[number] = points

    def estimates(self) -> list[Estimate]:
        """Returns the worth of each change in Elo; infinitely uncertain before there are enough pairs."""
        import numpy as np

        count = len(self.changes)
        if self.pairs < 2 * count + 2:
            return [Estimate(0.0, math.inf)] * count
        numbers = sorted(self._points)
        design = np.array([self._signs(number) for number in numbers], dtype=float)  # [pairs, changes]
        scores = np.array([self._points[number] / 2 - 0.5 for number in numbers])  # [pairs]
        moments = design.T @ design
        if np.linalg.matrix_rank(moments) < count:
            return [Estimate(0.0, math.inf)] * count
        inverse = np.linalg.inv(moments)
        effects = inverse @ design.T @ scores
        rest = scores - design @ effects
        variance = float(rest @ rest) / (len(numbers) - count)
        errors = np.sqrt(variance * np.diag(inverse))
        return [_elo(float(effect), float(error)) for effect, error in zip(effects, errors, strict=True)]

    def report(self) -> dict[str, Any]:
        """Returns what is known so far, the best change first."""
        rows = sorted(zip(self.changes, self.estimates(), strict=True), key=lambda row: -row[1].value)
        finite = [(change, estimate) for change, estimate in rows if math.isfinite(estimate.error)]
        changes = [{"change": c.text, "elo": round(e.value, 2), "error": round(e.error, 2)} for c, e in finite]
        return {"method": "screen", "pairs": self.pairs, "changes": changes}


def _elo(effect: float, error: float) -> Estimate:
    """Turns a difference of the score and its standard error into Elo."""
    effect = min(max(effect, -0.49), 0.49)
    slope = 400 / math.log(10) / (0.25 - effect**2)  # of elo_of, at this score
    return Estimate(elo_of(0.5 + effect), _CONFIDENCE_95 * error * slope)


class Spsa:
    """Follows the slope of the score over all numbers at once."""

    def __init__(self, texts: Sequence[str], seed: int, length: int, step: float) -> None:
        """`length` is the number of pairs of the whole run. Raises ConfigError, UnknownNameError."""
        self.ranges = [parse_range(text) for text in texts]
        names = [range_.name for range_ in self.ranges]
        if len(set(names)) < len(names):
            raise ConfigError("a number is to be tuned twice")
        if not names:
            raise ConfigError("SPSA needs the name of at least one number to tune")
        self._seed, self._length = seed, length
        # In `length` pairs of equal players a number then wanders by about `step` widths.
        self._rate = step / math.sqrt(length)
        self.values = [float(range_.start) for range_ in self.ranges]
        self._done: set[int] = set()

    @property
    def pairs(self) -> int:
        """Pairs that are done."""
        return len(self._done)

    def _signs(self, random: SplitMix64) -> list[int]:
        return [1 if random.below(2) else -1 for _ in self.ranges]

    def _shrunk(self, number: int) -> float:
        """How much wider than at the end the perturbation is."""
        return float((self._length / (number + 1)) ** _GAMMA)

    def sides(self, number: int) -> Sides:
        """Returns the parameters of both sides of a pair, around the current values."""
        random = game_random(self._seed, number)
        signs = self._signs(random)
        sides: Sides = ({}, {})
        for sign, range_, value in zip(signs, self.ranges, self.values, strict=True):
            distance = sign * range_.width * self._shrunk(number)
            for side, direction in zip(sides, (1, -1), strict=True):
                wanted = min(max(value + direction * distance, range_.low), range_.high)
                # Rounded by chance, so that on average it is what was wanted.
                rounded = math.floor(wanted + random.below(1 << 20) / (1 << 20))
                side[range_.name] = min(max(rounded, range_.low), range_.high)
        return sides

    def add(self, number: int, points: float) -> None:
        """Takes the points, 0 to 2, of a pair's first side, and moves towards the better one."""
        signs = self._signs(game_random(self._seed, number))
        slow = _SLOW_SHARE * self._length
        gain = self._rate * ((slow + self._length) / (slow + number + 1)) ** _ALPHA
        for i, (sign, range_) in enumerate(zip(signs, self.ranges, strict=True)):
            moved = self.values[i] + gain * range_.width / self._shrunk(number) * 2 * (points - 1) * sign
            self.values[i] = min(max(moved, range_.low), range_.high)
        self._done.add(number)

    def report(self) -> dict[str, Any]:
        """Returns where the numbers are now."""
        rows = zip(self.ranges, self.values, strict=True)
        numbers = [{"name": r.name, "start": r.start, "value": round(v, 2)} for r, v in rows]
        return {"method": "spsa", "pairs": self.pairs, "numbers": numbers}


def with_parameters(config: Any, values: Mapping[str, int]) -> Any:
    """Returns an engine's config with these numbers set and these parts left out, on top of those it has."""
    parts = _parts()
    own = [text for text in config.parameters if text.partition("=")[0].strip() not in values]
    numbers = [f"{name}={value}" for name, value in values.items() if name not in parts]
    without = dict.fromkeys((*config.without, *(name for name in values if name in parts)))
    return dataclasses.replace(config, parameters=(*own, *numbers), without=tuple(without))
