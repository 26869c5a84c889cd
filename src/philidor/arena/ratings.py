"""One rating list over many engines (Bradley and Terry 1952): the ratings that make all results together most likely.

Draws count as half a win and half a loss. The errors come from the results of game pairs, as for two engines, and not
from single games, which would overstate them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from philidor.arena.statistics import Estimate, PairStatistics

_ELO = 400 / math.log(10)
_CONFIDENCE_95 = 1.96
# One drawn game between engines that met keeps a perfect score from meaning infinity.
_PRIOR_GAMES = 1.0
# Each of the five results of a pair is taken to have happened a fifth of a time more, as a single result has no error.
_PRIOR_PAIR = 0.2
# Of Newton's method, in units of 174 Elo: far from the solution it would overshoot.
_LONGEST_STEP = 1.0
Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class Encounter:
    """The games between two engines, from the first one's view."""

    games: int
    points: float
    pairs: PairStatistics


def rating_list(
    engines: int, encounters: Mapping[tuple[int, int], Encounter], anchors: Mapping[int, float] | None = None
) -> list[Estimate] | None:
    """Returns a rating with its error for each engine, or None while some have not met even by way of others.

    `anchors` are ratings that are known; without any, the average is 0.
    """
    fixed = dict(anchors or {})
    if not _is_connected(engines, encounters, fixed):
        return None
    strengths = [fixed.get(i, 0.0) / _ELO for i in range(engines)]
    free = [i for i in range(engines) if i not in fixed]
    for _ in range(200):
        gradient, curvature, _ = _derivatives(engines, encounters, strengths)
        inverse = _inverse(_restricted(curvature, free, pin_mean=not fixed))
        steps = [sum(row[k] * gradient[j] for k, j in enumerate(free)) for row in inverse]
        longest = max(map(abs, steps), default=0.0)
        for i, step in zip(free, steps, strict=True):
            strengths[i] += step * _LONGEST_STEP / max(longest, _LONGEST_STEP)
        if longest < 1e-10:
            break
    errors = _errors(engines, encounters, strengths, free, pin_mean=not fixed)
    return [Estimate(_ELO * strengths[i], errors.get(i, 0.0)) for i in range(engines)]


def _derivatives(
    engines: int, encounters: Mapping[tuple[int, int], Encounter], strengths: list[float]
) -> tuple[list[float], Matrix, Matrix]:
    """Returns the slope of the log-likelihood, its curvature, and how much the slope scatters."""
    gradient = [0.0] * engines
    curvature, scatter = ([[0.0] * engines for _ in range(engines)] for _ in range(2))
    for (i, j), encounter in encounters.items():
        if not encounter.games:
            continue
        expected = 1 / (1 + math.exp(strengths[j] - strengths[i]))
        games, points = encounter.games + _PRIOR_GAMES, encounter.points + _PRIOR_GAMES / 2
        surplus = points - games * expected
        gradient[i] += surplus
        gradient[j] -= surplus
        _add_edge(curvature, i, j, games * expected * (1 - expected))
        _add_edge(scatter, i, j, _points_variance(encounter))
    return gradient, curvature, scatter


def _points_variance(encounter: Encounter) -> float:
    """Returns how much the points of all games scatter, by what pairs have scattered."""
    weights = [n + _PRIOR_PAIR for n in encounter.pairs.counts]
    total = sum(weights)
    mean = sum(w * points for w, points in zip(weights, (0, 0.5, 1, 1.5, 2), strict=True)) / total
    squares = sum(w * (points - mean) ** 2 for w, points in zip(weights, (0, 0.5, 1, 1.5, 2), strict=True))
    return squares / total * encounter.games / 2


def _errors(
    engines: int,
    encounters: Mapping[tuple[int, int], Encounter],
    strengths: list[float],
    free: list[int],
    *,
    pin_mean: bool,
) -> dict[int, float]:
    """Returns the error of each engine that is not an anchor: inverse curvature times scatter times the same."""
    _, curvature, scatter = _derivatives(engines, encounters, strengths)
    inverse = _inverse(_restricted(curvature, free, pin_mean=pin_mean))
    middle = _restricted(scatter, free, pin_mean=False)
    count, errors = len(free), {}
    for k, i in enumerate(free):
        row = inverse[k]
        variance = sum(row[a] * middle[a][b] * row[b] for a in range(count) for b in range(count))
        errors[i] = _ELO * _CONFIDENCE_95 * math.sqrt(max(variance, 0.0))
    return errors


def _add_edge(matrix: Matrix, i: int, j: int, weight: float) -> None:
    matrix[i][i] += weight
    matrix[j][j] += weight
    matrix[i][j] -= weight
    matrix[j][i] -= weight


def _restricted(matrix: Matrix, rows: list[int], *, pin_mean: bool) -> Matrix:
    """Returns the rows and columns of some engines. All of them can be shifted together; `pin_mean` forbids that."""
    shift = 1.0 if pin_mean else 0.0
    return [[matrix[i][j] + shift for j in rows] for i in rows]


def _inverse(matrix: Matrix) -> Matrix:
    """Inverts a positive definite matrix (Gauss and Jordan)."""
    size = len(matrix)
    work = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = work[column][column]
        work[column] = [value / pivot for value in work[column]]
        for other in range(size):
            factor = work[other][column]
            if other != column and factor:
                work[other] = [a - factor * b for a, b in zip(work[other], work[column], strict=True)]
    return [row[size:] for row in work]


def _is_connected(engines: int, encounters: Mapping[tuple[int, int], Encounter], fixed: Mapping[int, float]) -> bool:
    """Says whether games lead from every engine to the first one, or to an anchor."""
    reached = set(fixed) or {0}
    links = [pair for pair, encounter in encounters.items() if encounter.games]
    while True:
        new = {i for pair in links if reached & set(pair) for i in pair} - reached
        if not new:
            return len(reached) == engines
        reached |= new
