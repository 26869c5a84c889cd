"""Fits what the player human makes of a look at its moves, so that it errs as people of each rating do (book, ch. 4.8).

In each position the moves that are likely at all are looked at as the player looks at them. Its choice is drawn from
weights p(move) ** (1 / temperature) / (1 + loss / 50) ** weight, where the weight grows with the rating; below 1400 it
fades and the temperature rises. In lapses, a share of all moves, the weight is 0. What the drawn moves and the people's
lose is not for the look to say, which misses what strong players see, but for a judge that searches much longer. For
given temperatures and lapses, the weight of each phase and their common growth are those with which the player's moves
lose in the mean what people's moves lose, in each phase and along the ratings: equations for Newton's method. Phases
that grew by factors of their own would fit no better: a few hundred endgames more or less changed theirs by a third.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor.arena.people.errors import ERRORS_CP
from philidor.arena.people.intervals import clustered_ratio
from philidor.core.errors import ConfigError
from philidor.games.chess.phases import PHASES
from philidor.players.human_sight import (
    BEGINNER_TEMPERATURE,
    CENTER,
    HABITS,
    HALVING_CP,
    LAPSES,
    STEP,
    Habit,
    attention_at,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.arena.people.looks import Judged
    from philidor.arena.people.sample import Band
    from philidor.arena.statistics import Estimate

_STEPS, _DAMPING, _CLOSE = 200, 0.5, 1e-6
# Where people err no less than the policy does, no weight is small enough.
_SMALLEST, _LARGEST = 0.02, 20.0


class Choices:
    """The likely moves of many positions, one after the other."""

    def __init__(self, judged: Sequence[Judged]) -> None:
        looked = [each.looked for each in judged]
        self.starts = np.cumsum([0, *(len(each.shares) for each in looked)])  # [n + 1]
        self.logs = np.log(np.array([share for each in looked for share in each.shares.values()]))  # [moves]
        self.factors = np.log1p(np.array([loss for each in looked for loss in each.losses], np.float64) / HALVING_CP)
        self.losses = np.array([loss for each in judged for loss in each.losses], np.float64)
        """By the judge."""
        self.people = np.array([each.own for each in judged], np.float64)  # [n]
        self.is_played = np.array([move == each.played for each in looked for move in each.shares])  # [moves]
        self.steps = np.array([(each.rating - CENTER) / STEP for each in looked])  # [n]
        self._attention = np.array([attention_at(each.rating) for each in looked])  # [n]
        self.games = np.array([each.game for each in looked])  # [n]
        self._counts = np.diff(self.starts)

    def weights(self, habit: Habit) -> NDArray[np.float64]:  # [n]
        """Returns how much a loss counts for each person: `Habit.weight_at` of all of them."""
        return np.asarray(habit.weight * habit.growth**self.steps * self._attention, np.float64)

    def chances(self, habit: Habit, lapses: float = LAPSES) -> NDArray[np.float64]:  # [moves]
        """Returns how likely each move is drawn."""
        blind = habit._replace(weight=0.0)
        return np.asarray((1 - lapses) * self.seen(habit) + lapses * self.seen(blind), np.float64)

    def seen(self, habit: Habit) -> NDArray[np.float64]:  # [moves]
        """Returns how likely each move is drawn by people who have looked."""
        temperatures = habit.temperature**self._attention * BEGINNER_TEMPERATURE ** (1 - self._attention)
        weights, warmth = np.repeat(self.weights(habit), self._counts), np.repeat(temperatures, self._counts)
        logits = self.logs / warmth - self.factors * weights
        powers = np.exp(logits - np.repeat(np.maximum.reduceat(logits, self.starts[:-1]), self._counts))
        return np.asarray(powers / np.repeat(self.sums(powers), self._counts), np.float64)

    def sums(self, values: NDArray[Any]) -> NDArray[np.float64]:  # [n]
        """Sums up over the moves of each position: of values times chances, the expectation."""
        return np.asarray(np.add.reduceat(values, self.starts[:-1]), np.float64)


def fit_habits(phases: Sequence[Choices], temperatures: Sequence[float], lapses: float = LAPSES) -> list[Habit]:
    """Returns the habits whose moves lose what people's do, in each phase and along the ratings; no weight falls."""
    found = _solve(phases, [Habit(temperature, 1.0, 1.5) for temperature in temperatures], lapses, has_growth=True)
    if found[0].growth >= 1:
        return found
    return _solve(phases, [Habit(temperature, 1.0, 1.0) for temperature in temperatures], lapses, has_growth=False)


def _solve(phases: Sequence[Choices], habits: list[Habit], lapses: float, *, has_growth: bool) -> list[Habit]:
    count = len(phases)
    # Which unknowns each position of a phase depends on, and how: the phase's weight, and the growth by the rating.
    bases = [np.zeros((count + has_growth, len(each.steps))) for each in phases]
    for place, (basis, choices) in enumerate(zip(bases, phases, strict=True)):
        basis[place] = 1
        basis[count:] = choices.steps
    blind = [
        choices.sums(choices.seen(habit._replace(weight=0.0)) * choices.losses)
        for choices, habit in zip(phases, habits, strict=True)
    ]
    logs = np.log([*(habit.weight for habit in habits), habits[0].growth])
    for _ in range(_STEPS):
        matrix, missing = np.zeros((count + has_growth,) * 2), np.zeros(count + has_growth)
        for choices, habit, basis, unseen in zip(phases, habits, bases, blind, strict=True):
            shares = choices.seen(habit)
            expected = choices.sums(shares * choices.losses)
            # The derivative of an expected loss by the weight's logarithm: the weight times a covariance, negated.
            product = choices.sums(shares * choices.losses * choices.factors)
            slopes = expected * choices.sums(shares * choices.factors) - product
            matrix += basis * (slopes * (1 - lapses) * choices.weights(habit)) @ basis.T
            missing += basis @ (choices.people - (1 - lapses) * expected - lapses * unseen)
        step = np.linalg.lstsq(matrix, missing, rcond=None)[0]
        logs[: len(step)] += _DAMPING * np.clip(step, -0.5, 0.5)
        logs[:count] = np.clip(logs[:count], math.log(_SMALLEST), math.log(_LARGEST))
        *weights, growth = np.exp(logs).tolist()
        habits = [Habit(habit.temperature, weight, growth) for habit, weight in zip(habits, weights, strict=True)]
        if np.abs(step).max() < _CLOSE:
            break
    return habits


@dataclass(frozen=True, slots=True)
class FitRow:
    """One phase: the habit, and how well it does."""

    phase: str
    """One of PHASES, or the rating band that was measured over all of them."""
    positions: int
    habit: Habit | None
    """None where phases were put together."""
    found: float
    """Share of people's moves that are drawn."""
    first: float
    """Share of people's moves that are the likeliest."""
    log_chance: float
    """Mean logarithm of the chance that people's moves are drawn with; those that are never drawn do not count."""
    loss: tuple[float, float]
    """Mean loss by the judge, of people and of the habit."""
    ratio: Estimate
    """The habit's mean loss divided by people's."""
    errors: dict[int, tuple[float, float]]
    """Centipawns -> share of moves that lose at least so much, of people and of the habit."""
    error_ratios: dict[int, Estimate]
    """Centipawns -> the habit's share divided by people's."""


def fit_all(
    judged: Sequence[Judged],
    temperatures: Sequence[float] | None = None,
    phases: Sequence[str] = PHASES,
    lapses: float = LAPSES,
) -> list[FitRow]:
    """Fits these phases together, for a given share of lapses. Raises ConfigError for one with nothing to fit."""
    places, parts = [PHASES.index(phase) for phase in phases], []
    for phase, place in zip(phases, places, strict=True):
        own = [each for each in judged if each.looked.phase == place]
        if not any(each.own for each in own):
            raise ConfigError(f"nobody erred in the {len(own):,} positions of the {phase}: nothing to fit")
        parts.append(Choices(own))
    warmth = [HABITS[place].temperature if temperatures is None else temperatures[place] for place in places]
    fitted = zip(phases, parts, fit_habits(parts, warmth, lapses), strict=True)
    return [_row(phase, habit, [_Part.of(choices, habit, lapses)]) for phase, choices, habit in fitted]


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """What a habit does in some positions; row i of each column is position i."""

    games: NDArray[Any]
    people: NDArray[np.float64]
    loss: NDArray[np.float64]
    errors: dict[int, NDArray[np.float64]]
    drawn: NDArray[np.float64]
    """Chance that the person's move is drawn."""
    is_first: NDArray[np.bool_]

    @classmethod
    def of(cls, choices: Choices, habit: Habit, lapses: float = LAPSES) -> _Part:
        shares = choices.chances(habit, lapses)
        drawn = choices.sums(shares * choices.is_played)
        return cls(
            games=choices.games,
            people=choices.people,
            loss=choices.sums(shares * choices.losses),
            errors={size: choices.sums(shares * (choices.losses >= size)) for size in ERRORS_CP},
            drawn=drawn,
            is_first=(drawn > 0) & (drawn >= np.maximum.reduceat(shares, choices.starts[:-1])),
        )


def _row(name: str, habit: Habit | None, parts: Sequence[_Part]) -> FitRow:
    """Puts phases together."""
    people, loss = (np.concatenate([getattr(part, each) for part in parts]) for each in ("people", "loss"))
    drawn, is_first = (np.concatenate([getattr(part, each) for part in parts]) for each in ("drawn", "is_first"))
    games = np.concatenate([part.games for part in parts])
    # By size, whether each person errs so much and how likely the habit does.
    own = {size: (people >= size).astype(np.float64) for size in ERRORS_CP}
    expected = {size: np.concatenate([part.errors[size] for part in parts]) for size in ERRORS_CP}
    return FitRow(
        phase=name,
        positions=len(people),
        habit=habit,
        found=float(drawn.mean()),
        first=float(is_first.mean()),
        log_chance=float(np.log(drawn[drawn > 0]).mean()) if (drawn > 0).any() else math.nan,
        loss=(float(people.mean()), float(loss.mean())),
        ratio=clustered_ratio(loss, people, games),
        errors={size: (float(own[size].mean()), float(expected[size].mean())) for size in ERRORS_CP},
        error_ratios={size: clustered_ratio(expected[size], own[size], games) for size in ERRORS_CP},
    )


def measure_all(judged: Sequence[Judged], bands: Sequence[Band]) -> list[FitRow]:
    """Says how the player's own habits do: by phase, by rating band, and by phase of each band."""

    def parts_of(some: Sequence[Judged]) -> dict[str, tuple[Habit, _Part]]:
        phases = [[each for each in some if each.looked.phase == place] for place in range(len(PHASES))]
        own = zip(PHASES, HABITS, phases, strict=True)
        return {phase: (habit, _Part.of(Choices(part), habit)) for phase, habit, part in own if part}

    rows = [_row(phase, habit, [part]) for phase, (habit, part) in parts_of(judged).items()]
    members = [(band, [each for each in judged if band.low <= each.looked.rating <= band.high]) for band in bands]
    parts = [(band.name, parts_of(own)) for band, own in members if own]
    rows += [_row(name, None, [part for _, part in own.values()]) for name, own in parts]
    if parts:
        rows.append(_row("all", None, [part for _, own in parts for _, part in own.values()]))
    return rows + [_row(f"{name} {phase}", None, [part]) for name, own in parts for phase, (_, part) in own.items()]


def fit_text(rows: Sequence[FitRow], lapses: float = LAPSES) -> str:
    """Returns the table for people; its first columns are the player's HABITS."""
    heads = "".join(f"{f'>= {size} cp':>30}" for size in ERRORS_CP)
    lines = [
        f"{'phase':<21}{'positions':>10}{'temperature':>12}{'weight':>8}{'growth':>8}{'drawn':>8}{'first':>8}"
        f"{'log chance':>11}{'loss, cp':>14}{'ratio':>14}{heads}"
    ]
    for row in rows:
        habit = row.habit
        knobs = f"{'':>28}"
        if habit is not None:
            knobs = f"{habit.temperature:>12.2f}{habit.weight:>8.2f}{habit.growth:>8.2f}"
        errors = "".join(
            f"{f'{100 * own:.1f} / {100 * drawn:.1f} %':>16}{_ratio_text(row.error_ratios[size]):>14}"
            for size, (own, drawn) in row.errors.items()
        )
        lines.append(
            f"{row.phase:<21}{row.positions:>10,}{knobs}{100 * row.found:>7.1f}%{100 * row.first:>7.1f}%"
            f"{row.log_chance:>11.3f}{f'{row.loss[0]:.1f} / {row.loss[1]:.1f}':>14}{_ratio_text(row.ratio):>14}{errors}"
        )
    lines.append("Losses and errors: people / human, by the judge, and human's divided by people's.")
    return "\n".join([*lines, f"Lapses: {100 * lapses:.0f} % of the moves."])


def _ratio_text(ratio: Estimate) -> str:
    """A ratio to nothing is none."""
    return "-" if math.isnan(ratio.value) else f"{ratio.value:.2f} ± {ratio.error:.2f}"
