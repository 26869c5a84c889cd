"""How the network player's tree grows: in slices, by clock, visits or depth."""

from __future__ import annotations

import bisect
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from philidor.core.random import SplitMix64
from philidor.core.thinking import MOVES_TO_COME, Stop

if TYPE_CHECKING:
    from philidor.core.analysis import Analysis
    from philidor.core.evaluation import Evaluator
    from philidor.search.trees.native import PuctSearch

REPORT_S = 0.2
"""A search says what it found so often."""
# It is asked about its clock and its stop so often.
_SLICE_S = 0.02
# How much faster than so far the rest may go: a move that lags further behind cannot come first any more.
_HOPE = 1.33
_ENDLESS = 1 << 40

# A clock is shared out among six moves and three fifths of those that the network expects, which is a little less than
# games of games-1 lasted; networks learn from games that were given up, so it is never among fewer than ten.
# 240 games against a fixed thirty: docs/leela.md.
_MOVES_MORE, _FEWEST_MOVES, _MOST_MOVES = 6.0, 10.0, 45.0
_SHARE_OF_EXPECTED = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What one search may spend; None is no limit."""

    visits: int | None = None
    """Simulations, those of a tree that was kept included."""
    end: float | None = None
    """When it must be over, by `time.perf_counter`."""
    depth: int | None = None
    """Moves of the most visited line."""
    may_end_early: bool = False
    """Whether to stop when no other move can come first any more."""


def moves_to_come(plies_left: float | None) -> float:
    """Returns among how many own moves a clock is shared out where a network expects so many plies, or says nothing."""
    if plies_left is None:
        return MOVES_TO_COME
    wanted = _MOVES_MORE + _SHARE_OF_EXPECTED * plies_left / 2
    return min(max(wanted, _FEWEST_MOVES), _MOST_MOVES)


def grow(tree: PuctSearch, evaluator: Evaluator[Any], batch: int, allowance: Allowance, stop: Stop) -> Iterator[None]:
    """Lets a tree grow in short slices until the allowance is spent; yields after each.

    A bare root is judged in any case, so that there is something to say.
    """
    if not tree.visits:
        tree.run(evaluator, 1)
        yield
    begin, before = time.perf_counter(), tree.visits
    while not stop():
        now = time.perf_counter()
        left = _ENDLESS if allowance.visits is None else allowance.visits - tree.visits
        if left <= 0 or (allowance.end is not None and now >= allowance.end):
            return
        if allowance.depth is not None and _depth(tree) >= allowance.depth:
            return
        if allowance.may_end_early and allowance.end is not None and now > begin + _SLICE_S:
            to_come = _HOPE * (tree.visits - before) / (now - begin) * (allowance.end - now)
            if _lead(tree) > to_come:
                return
        slice_end = now + _SLICE_S if allowance.end is None else min(now + _SLICE_S, allowance.end)
        if not tree.run(evaluator, left, batch=batch, stop=_after_a_batch(slice_end, stop)):
            return  # stopped, proven or full: on a busy machine too, as a slice has a batch at least
        yield


def _after_a_batch(end: float, stop: Stop) -> Stop:
    """Returns a stop that looks at the clock from its second question on: a search asks before each batch."""
    is_first = True

    def is_over() -> bool:
        nonlocal is_first
        was_first, is_first = is_first, False
        return stop() or (not was_first and time.perf_counter() >= end)

    return is_over


def _lead(tree: PuctSearch) -> int:
    """Returns by how many visits the first move leads."""
    visits = sorted((row.visits for row in tree.moves()), reverse=True)
    return visits[0] - visits[1] if len(visits) > 1 else _ENDLESS


def _depth(tree: PuctSearch) -> int:
    lines = tree.result().analysis.lines
    return len(lines[0].moves) if lines else 0


def drawn_move(analysis: Analysis, temperature: float, random: SplitMix64) -> str | None:
    """Draws a move by its visits, or by its prior where there were none, to the power 1 / temperature, as lc0 does.

    What wins for certain is played, and what loses for certain is not.
    """
    best = next((stats for stats in analysis.moves if stats.move == analysis.best), None)
    sound = [stats for stats in analysis.moves if stats.value != -1.0]
    if temperature <= 0 or best is None or best.value == 1.0 or not sound:
        return analysis.best
    has_visits = any(stats.visits for stats in sound)
    weights = [float((stats.visits if has_visits else stats.prior) or 0.0) for stats in sound]
    highest = max(weights)
    total, sums = 0.0, []
    for weight in weights:
        total += (weight / highest) ** (1 / temperature)
        sums.append(total)
    place = bisect.bisect_right(sums, total * random.below(2**53) / 2**53)
    return sound[min(place, len(sound) - 1)].move


def best_places(tree: PuctSearch) -> list[int]:
    """Returns the places of the tree's root moves, the best first.

    What wins for certain comes first, the soonest before; then by visits, Q and P; then what loses, the latest before.
    """
    rows = tree.moves()

    def rank(place: int) -> tuple[bool, bool, bool, float, int, float, float]:
        row = rows[place]
        # The first is the tree's own choice, whatever breaks its ties.
        is_chosen = row.visits > 0 and place == tree.best
        delay = -(row.proven or 0) * (row.distance or 0.0)
        return is_chosen, row.proven == 1, row.proven != -1, delay, row.visits, row.value or 0.0, row.prior

    return sorted(range(len(rows)), key=rank, reverse=True)
