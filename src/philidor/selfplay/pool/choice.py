"""From a root's visits to what is learned and what is played (book, ch. 4.2.2; Wu 2019 for the pruning).

cpp/selfplay/pool/choice.cpp is the native twin: the same counts and the same draws.
"""

import math
from collections.abc import Sequence

from philidor.core.random import SplitMix64
from philidor.search.dirichlet import uniform
from philidor.search.gumbel import GumbelConfig
from philidor.search.puct import PuctConfig, exploration
from philidor.search.trees.native import PuctSearch, RootMove
from philidor.selfplay.pool.config import PoolConfig
from philidor.selfplay.pool.games import POLICY_PARTS


def chances(search: PuctSearch, searched: PuctConfig | GumbelConfig, pool: PoolConfig) -> list[int]:
    """Returns by place what moves are drawn by after a search: visits, or Gumbel's improved policy in parts."""
    if isinstance(searched, GumbelConfig):
        return policy_target(search.improved_policy())
    return visit_target(search.moves(), searched, prune=pool.prune_targets)


def lesson(search: PuctSearch, searched: PuctConfig | GumbelConfig, pool: PoolConfig) -> list[int]:
    """Returns by place what a search teaches."""
    if pool.improves_targets:
        return improved_target(search.moves(), search.improved_policy(pool.target_scale))
    return chances(search, searched, pool)


def visit_target(moves: Sequence[RootMove], config: PuctConfig, *, prune: bool) -> list[int]:
    """Returns the visits by place, without those that teach nothing."""
    if _has_win(moves):
        return _of_wins(moves, sum(move.visits for move in moves))
    counts = [move.visits for move in moves]
    if prune and config.forced_playouts > 0:
        counts = _without_forced(moves, config)
    return _without_losses(moves, counts)


def improved_target(moves: Sequence[RootMove], improved: Sequence[float]) -> list[int]:
    """Returns the improved policy of a tree that PUCT has grown, in whole parts.

    A win takes it all, and what loses has none of it.
    """
    return _of_wins(moves, POLICY_PARTS) if _has_win(moves) else _without_losses(moves, policy_target(improved))


def _has_win(moves: Sequence[RootMove]) -> bool:
    return any(move.proven == 1 for move in moves)


def _of_wins(moves: Sequence[RootMove], count: int) -> list[int]:
    """The search ended when it found the win: what it had visited till then is no opinion on the moves."""
    return [count if move.proven == 1 else 0 for move in moves]


def _without_losses(moves: Sequence[RootMove], counts: list[int]) -> list[int]:
    """Unless everything loses, or all counts are for moves that do, as the search ended early."""
    held = [0 if move.proven == -1 else count for move, count in zip(moves, counts, strict=True)]
    return held if any(held) else counts


def _without_forced(moves: Sequence[RootMove], config: PuctConfig) -> list[int]:
    """Takes off visits that were forced, as long as PUCT would not have made them itself.

    The most visited move stays as it is. Of any other at most as many visits go as could be forced, and no more than
    leave its score at or below that of the first. One single visit left says nothing and goes too.
    """
    visits = sum(move.visits for move in moves)
    scale = exploration(config, 1 + visits) * math.sqrt(max(visits, 1))
    best = max(range(len(moves)), key=lambda place: moves[place].visits)
    top = moves[best]
    limit = (top.value or 0.0) + scale * top.prior / (1 + top.visits)
    counts = []
    for place, move in enumerate(moves):
        left = move.visits
        if place != best and move.visits and move.value is not None:
            fewest = move.visits - math.floor(math.sqrt(config.forced_playouts * move.prior * visits))
            while left > max(fewest, 0) and move.value + scale * move.prior / left <= limit:
                left -= 1
            left = 0 if left == 1 else left
        counts.append(left)
    return counts


def policy_target(policy: Sequence[float]) -> list[int]:
    """Returns a policy in whole parts."""
    return [math.floor(share * POLICY_PARTS + 0.5) for share in policy]


def draw(counts: Sequence[int], temperature: float, random: SplitMix64) -> int:
    """Draws a place in proportion to counts ** (1 / temperature)."""
    most = max(counts)
    # Divided first, or a low temperature would leave the range of numbers.
    weights = [math.pow(count / most, 1 / temperature) if count else 0.0 for count in counts]
    total = 0.0
    for weight in weights:
        total += weight
    left = uniform(random) * total
    last = 0
    for place, weight in enumerate(weights):
        if weight <= 0:
            continue
        last = place
        left -= weight
        if left < 0:
            break
    return last
