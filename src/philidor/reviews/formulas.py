"""What a move cost, in the numbers that most players know: the formulas that Lichess has published.

Win percentages are 0 to 100. Scores are `Score`s in one side's view; where a formula counts centipawns, a mate is the
ceiling of ten pawns. See lichess.org/page/accuracy, and docs/analyse.md for what each number means.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from philidor.core.analysis import Score

CEILING_CP = 1000
"""Scores beyond count as this much in averages and accuracies."""
START_CP = 15
"""What the start position counts as, whatever a search says."""
INACCURACY, MISTAKE, BLUNDER = "?!", "?", "??"
THRESHOLDS = ((15.0, BLUNDER), (10.0, MISTAKE), (5.0, INACCURACY))
"""Points of win percentage that a move must lose for each judgment."""
WORDS = {INACCURACY: "Inaccuracy", MISTAKE: "Mistake", BLUNDER: "Blunder"}

_STEEPNESS = 0.00368208
_ACCURACY_SCALE, _ACCURACY_DECAY, _ACCURACY_OFFSET = 103.1668100711649, 0.04354415386753951, -3.166924740191411
# A search errs as well, so nobody is to lose a point by it.
_ACCURACY_BONUS = 1.0
# A score by which a mate does not matter much, and one by which it does not matter at all.
_WINNING_CP, _WON_CP = 700, 999


def win_percent(cp: float) -> float:
    """Returns how often a side with this score wins, draws counting half; any score, also beyond the ceiling."""
    return 100 / (1 + math.exp(-_STEEPNESS * cp))


def bounded(cp: float) -> float:
    """Cuts a score at the ceiling."""
    return max(-CEILING_CP, min(CEILING_CP, cp))


def move_accuracy(before: float, after: float) -> float:
    """Returns a move's accuracy, 0 to 100, from its mover's win percentages before and after it."""
    if after >= before:
        return 100.0
    raw = _ACCURACY_SCALE * math.exp(-_ACCURACY_DECAY * (before - after)) + _ACCURACY_OFFSET
    return max(0.0, min(100.0, raw + _ACCURACY_BONUS))


def judge(before: Score, after: Score) -> str | None:
    """Returns "?!", "?", "??" or None for a move, by the scores before and after it, both in the mover's view."""
    if before.cp is not None and after.cp is not None:
        lost = win_percent(before.cp) - win_percent(after.cp)
        return next((judgment for least, judgment in THRESHOLDS if lost >= least), None)
    is_mated = after.mate is not None and after.mate < 0
    if before.mate is None and is_mated:
        return _by_size(-(before.cp or 0))
    if before.mate is not None and before.mate > 0 and (after.mate is None or is_mated):
        return _by_size(after.cp or 0)
    return None


def _by_size(cp: int) -> str:
    """Judges a mate that was allowed or missed, by how decided the game was without it."""
    return INACCURACY if cp > _WON_CP else MISTAKE if cp > _WINNING_CP else BLUNDER


def volatility_weights(percents: Sequence[float]) -> list[float]:
    """Returns how much each move counts, given White's win percentages before the first move and after each.

    A weight is the standard deviation in a window of the game, 0.5 to 12: what happens in a calm game says little.
    """
    size = max(2, min(8, (len(percents) - 1) // 10))
    first = [percents[:size]] * (min(size, len(percents)) - 2)
    windows = [*first, *(percents[start : start + size] for start in range(len(percents) - size + 1))]
    return [max(0.5, min(12.0, _deviation(window))) for window in windows]


def game_accuracy(accuracies: Sequence[float], weights: Sequence[float]) -> float | None:
    """Returns one side's accuracy of a game: between the weighted mean of its moves' and their harmonic mean."""
    if not accuracies:
        return None
    weighted = sum(a * w for a, w in zip(accuracies, weights, strict=True)) / sum(weights)
    harmonic = len(accuracies) / sum(1 / max(1.0, accuracy) for accuracy in accuracies)
    return (weighted + harmonic) / 2


def average_loss(losses: Sequence[float]) -> float | None:
    """Returns the mean of the centipawns that moves lost, each at least 0; None without moves."""
    return sum(losses) / len(losses) if losses else None


def _deviation(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
