"""Fits what the player human makes of a look at its moves, so that it errs as people of each rating do (book, ch. 4.8).

In each position the moves that are likely at all are looked at as the player looks at them. Its choice is drawn from
weights p(move) ** (1 / temperature) / (1 + loss / 50) ** (weight + slope * rating). For given temperatures, weight and
slope of each phase are those with which its moves lose in the mean what people's moves lose, both over all ratings and
along them: two equations, solved by Newton's method. Both losses are measured by the same look.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from philidor.arena.people.errors import ERRORS_CP
from philidor.arena.people.sample import SampleConfig
from philidor.core.config import spin
from philidor.core.errors import ConfigError
from philidor.games.chess.phases import PHASES, phase_of
from philidor.players.human_sight import CENTER, HABITS, HALVING_CP, STEP, Glance, Habit, considered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.arena.people.sample import Band, Sample
    from philidor.players.human_policy import HumanNetwork

_BATCH = 32
_STEPS, _DAMPING = 80, 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class FitConfig(SampleConfig):
    """Which positions people are followed in, and how long each move is looked at."""

    part: Literal["train", "validation", "test", "all"] = "validation"
    """Part of the games: the fixed split that training keeps to; test games are left to measure on."""
    positions: int = field(default=1_500, metadata=spin(None, 0, 100_000_000))
    """Positions to draw from each band; 0 takes all."""
    nodes: int = field(default=2_000, metadata=spin(None, 1, 1_000_000))
    """Positions visited for each move that is looked at."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A position in which a person moved, and what a look says of the likely moves."""

    phase: int
    rating: int
    shares: list[float]
    losses: list[float]
    """Centipawns, against the best of these moves."""
    played: int
    """Place of the person's move among them."""


def look_at_all(
    sample: Sample, network: HumanNetwork, nodes: int, cache: Path, report: Callable[[str, int, int], None]
) -> list[Looked]:
    """Looks at the positions of a sample; what the file has already is not looked at again. Raises ConfigError.

    Left out are positions with one likely move, and those in which the person's move is not among the likely ones.
    """
    known, glance = _read(cache), Glance()
    waiting: list[tuple[str, Any, int, int]] = []
    wanted = []
    with cache.open("a", encoding="utf-8") as file:
        for row, (state, played) in enumerate(sample.positions()):
            key = f"{nodes} {sample.games[int(sample.cluster[row])].record.content_hash(0)} {int(sample.ply[row])}"
            wanted.append(key)
            if key not in known and not state.is_over():
                waiting.append((key, state, played, row))
            if len(waiting) == _BATCH or (waiting and row + 1 == len(sample)):
                for name, looked in _look(waiting, sample, network, glance, nodes):
                    known[name] = looked
                    file.write(json.dumps([name, looked and [getattr(looked, each) for each in Looked.__slots__]]))
                    file.write("\n")
                file.flush()
                waiting.clear()
            report("looking at moves", row + 1, len(sample))
    return [looked for key in wanted if (looked := known.get(key)) is not None]


def _look(
    waiting: Sequence[tuple[str, Any, int, int]], sample: Sample, network: HumanNetwork, glance: Glance, nodes: int
) -> list[tuple[str, Looked | None]]:
    pairs = [(int(own), int(other) or int(own)) for own, other in sample.ratings[[row for *_, row in waiting]]]
    judged = network.evaluate([state for _, state, _, _ in waiting], pairs)
    found: list[tuple[str, Looked | None]] = []
    for (key, state, played, row), judgment in zip(waiting, judged, strict=True):
        texts = [state.uci(move) for move in judgment.moves]
        shares = considered(dict(zip(texts, judgment.priors.tolist(), strict=True)))
        person = state.uci(state.legal_moves()[played])
        if len(shares) < 2 or person not in shares:
            found.append((key, None))
            continue
        losses = glance.losses(state, list(shares), nodes)
        assert losses is not None, "nothing stops it"
        place = list(shares).index(person)
        phase, rating = phase_of(state.fen(), int(sample.ply[row])), int(sample.ratings[row][0])
        found.append((key, Looked(phase, rating, list(shares.values()), list(losses.values()), place)))
    return found


def _read(cache: Path) -> dict[str, Looked | None]:
    """Reads what was looked at before; a line that a kill has cut off is looked at again."""
    if not cache.exists():
        return {}
    known: dict[str, Looked | None] = {}
    lines = cache.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            name, values = json.loads(line)
            known[name] = values and Looked(*values)
        except (ValueError, TypeError):
            if number < len(lines):
                raise ConfigError(f"{str(cache)!r}, line {number}: not a look at a position") from None
    return known


# --- The fit ---------------------------------------------------------------------------------------------------


class Choices:
    """The likely moves of many positions, one after the other."""

    def __init__(self, looked: Sequence[Looked]) -> None:
        self.starts = np.cumsum([0, *(len(each.shares) for each in looked)])  # [n + 1]
        self.played = self.starts[:-1] + np.array([each.played for each in looked])  # [n]
        self.logs = np.log(np.array([share for each in looked for share in each.shares]))  # [moves]
        self.losses = np.array([loss for each in looked for loss in each.losses], np.float64)
        self.factors = np.log1p(self.losses / HALVING_CP)
        self.steps = np.array([(each.rating - CENTER) / STEP for each in looked])  # [n]
        self._counts = np.diff(self.starts)

    def chances(self, habit: Habit) -> NDArray[np.float64]:  # [moves]
        """Returns how likely each move is drawn."""
        weights = np.maximum(habit.weight + habit.slope * self.steps, 0)
        logits = self.logs / habit.temperature - self.factors * np.repeat(weights, self._counts)
        powers = np.exp(logits - np.repeat(np.maximum.reduceat(logits, self.starts[:-1]), self._counts))
        return np.asarray(powers / np.repeat(self.mean(powers), self._counts), np.float64)

    def mean(self, values: NDArray[Any]) -> NDArray[np.float64]:  # [n]
        """Sums up over the moves of each position: of values times chances, the expectation."""
        return np.asarray(np.add.reduceat(values, self.starts[:-1]), np.float64)


def fit_habit(looked: Sequence[Looked], temperature: float) -> Habit:
    """Returns the habit whose moves lose what people's do, over all ratings and along them; no slope falls."""
    choices = Choices(looked)
    found = _solve(choices, Habit(temperature, 0.8, 0.3), has_slope=True)
    return found if found.slope >= 0 else _solve(choices, Habit(temperature, 0.8, 0.0), has_slope=False)


def _solve(choices: Choices, habit: Habit, *, has_slope: bool) -> Habit:
    people = choices.losses[choices.played]
    basis = np.stack([np.ones_like(choices.steps), choices.steps])[: 1 + has_slope]  # [1 or 2, n]
    for _ in range(_STEPS):
        shares = choices.chances(habit)
        expected = choices.mean(shares * choices.losses)
        # The derivative of an expected loss by the weight is a covariance, negated.
        product = choices.mean(shares * choices.losses * choices.factors)
        slopes = expected * choices.mean(shares * choices.factors) - product
        step = np.linalg.solve(basis * slopes @ basis.T, basis @ (people - expected))
        moved = np.array([habit.weight, habit.slope])[: 1 + has_slope] + _DAMPING * np.clip(step, -1, 1)
        habit = Habit(habit.temperature, *moved.tolist(), *(() if has_slope else (0.0,)))
    return habit


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
    loss: tuple[float, float]
    """Mean loss by the look, of people and of the habit."""
    errors: dict[int, tuple[float, float]]
    """Centipawns -> share of moves that lose at least so much, of people and of the habit."""


def fit_all(looked: Sequence[Looked], temperatures: Sequence[float] | None = None) -> list[FitRow]:
    """Fits each phase. Raises ConfigError for a phase with nothing to fit."""
    rows = []
    for place, phase in enumerate(PHASES):
        own = [each for each in looked if each.phase == place]
        if not any(each.losses[each.played] for each in own):
            raise ConfigError(f"nobody erred in the {len(own):,} positions of the {phase}: nothing to fit")
        temperature = HABITS[place].temperature if temperatures is None else temperatures[place]
        rows.append(measure_habit(phase, own, fit_habit(own, temperature)))
    return rows


def measure_habit(phase: str, looked: Sequence[Looked], habit: Habit) -> FitRow:
    """Says how a habit does in these positions."""
    choices = Choices(looked)
    shares, people = choices.chances(habit), choices.losses[choices.played]
    highest = np.maximum.reduceat(shares, choices.starts[:-1])
    errors = {
        size: (float((people >= size).mean()), float(choices.mean(shares * (choices.losses >= size)).mean()))
        for size in ERRORS_CP
    }
    loss = float(people.mean()), float(choices.mean(shares * choices.losses).mean())
    drawn = shares[choices.played]
    return FitRow(phase, len(looked), habit, float(drawn.mean()), float((drawn >= highest).mean()), loss, errors)


def measure_all(looked: Sequence[Looked], bands: Sequence[Band]) -> list[FitRow]:
    """Says how the player's own habits do, by phase and then by rating band."""

    def rows_of(some: Sequence[Looked]) -> list[FitRow]:
        parts = [[each for each in some if each.phase == place] for place in range(len(PHASES))]
        return [measure_habit(*row) for row in zip(PHASES, parts, HABITS, strict=True) if row[1]]

    members = [(band, [each for each in looked if band.low <= each.rating <= band.high]) for band in bands]
    return [*rows_of(looked), *(_merged(band.name, rows_of(own)) for band, own in members if own)]


def _merged(name: str, rows: Sequence[FitRow]) -> FitRow:
    weights = np.array([row.positions for row in rows])

    def mean(values: Sequence[float]) -> float:
        return float(np.average(values, weights=weights))

    def means(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
        return mean([people for people, _ in pairs]), mean([human for _, human in pairs])

    found, first = mean([row.found for row in rows]), mean([row.first for row in rows])
    errors = {size: means([row.errors[size] for row in rows]) for size in ERRORS_CP}
    return FitRow(name, int(weights.sum()), None, found, first, means([row.loss for row in rows]), errors)


def fit_text(rows: Sequence[FitRow]) -> str:
    """Returns the table for people; its first columns are the player's HABITS."""
    heads = "".join(f"{f'>= {size} cp':>18}" for size in ERRORS_CP)
    lines = [
        f"{'phase':<11}{'positions':>10}{'temperature':>12}{'weight':>8}{'slope':>7}{'drawn':>8}{'first':>8}"
        f"{'loss, cp':>14}{heads}"
    ]
    for row in rows:
        habit = row.habit
        knobs = f"{'':>27}"
        if habit is not None:
            knobs = f"{habit.temperature:>12.2f}{habit.weight:>8.2f}{habit.slope:>7.2f}"
        errors = "".join(f"{f'{100 * own:.1f} / {100 * drawn:.1f} %':>18}" for own, drawn in row.errors.values())
        lines.append(
            f"{row.phase:<11}{row.positions:>10,}{knobs}"
            f"{100 * row.found:>7.1f}%{100 * row.first:>7.1f}%{f'{row.loss[0]:.1f} / {row.loss[1]:.1f}':>14}{errors}"
        )
    return "\n".join([*lines, "Losses and errors: people / human, by the player's own look."])
