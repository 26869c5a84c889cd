"""The compiled linear policies of AlphaGo: their features, their chances, and games played out by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from philidor._native import _ext
from philidor._native._ext import PatternPolicy, PatternRollouts
from philidor.core.errors import ConfigError, NetError
from philidor.evaluators.pattern_features import KINDS, Feature, just_captured
from philidor.games.go import GoState

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from philidor.nets.patterns import PatternNet

__all__ = [
    "PASS_PRIOR",
    "PatternPolicy",
    "PatternRollouts",
    "compile_patterns",
    "compile_rollouts",
    "just_captured",
    "linear_chances",
    "native_pattern_features",
    "pattern_chances",
    "playout_shares",
    "run_rollouts",
    "walk_rollout",
    "with_pass",
]


PASS_PRIOR = 1e-4
"""What is left for the pass, of which these policies know nothing."""


def compile_patterns(net: PatternNet) -> PatternPolicy:
    """Returns a linear policy of Go that computes. Raises NetError for shapes that are none."""
    try:
        return PatternPolicy(net.squares, net.responses, net.diamonds, net.weights, net.kind == "tree")
    except ValueError as error:
        raise NetError(str(error)) from None


def pattern_chances(policy: PatternPolicy, state: GoState) -> NDArray[np.float32]:  # [legal points]
    """Returns the probabilities of the legal points, in order; the game must not be over."""
    chances: NDArray[np.float32] = policy.evaluate(_ext.Go(*state.twin()), sorted(just_captured(state)))[1]
    return chances


def linear_chances(policy: PatternPolicy) -> Callable[[list[tuple[Any, list[int]]]], NDArray[np.float32]]:
    """Returns what tells the probabilities of all legal moves of compiled states, one after the other, passes too."""
    import numpy as np

    def chances(positions: list[tuple[Any, list[int]]]) -> NDArray[np.float32]:
        parts = []
        for state, captured in positions:
            points: NDArray[np.float32] = policy.evaluate(state, captured)[1]
            parts.append(with_pass(points))
        return np.concatenate(parts)

    return chances


def with_pass(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns the probabilities of points with that of the pass behind them, which is all where there is no point."""
    import numpy as np

    if not len(points):
        return np.ones(1, np.float32)
    return np.append(points * np.float32(1 - PASS_PRIOR), np.float32(PASS_PRIOR))


def native_pattern_features(state: GoState, *, is_tree: bool) -> dict[int, set[Feature]]:
    """Returns what `philidor.evaluators.pattern_features` does, by the compiled core."""
    found: dict[int, set[Feature]] = {move: set() for move in state.legal_moves()[:-1]}
    listed = _ext.pattern_features(_ext.Go(*state.twin()), sorted(just_captured(state)), is_tree)
    for square, kind, key in listed:
        found[square].add((KINDS[kind], key))
    return found


def compile_rollouts(policy: PatternPolicy) -> PatternRollouts:
    """Returns a rollout policy that plays games out. Raises ConfigError for a tree policy."""
    try:
        return PatternRollouts(policy)
    except ValueError as error:
        raise ConfigError(str(error)) from None


def run_rollouts(rollouts: PatternRollouts, state: GoState, *, count: int, seed: int) -> tuple[int, int, int]:
    """Plays a position out; returns the moves of all games, and how many of them Black and White won."""
    moves, black, white = rollouts.run(_ext.Go(*state.twin()), sorted(just_captured(state)), count, seed)
    return moves, black, white


def playout_shares(rollouts: PatternRollouts, state: Any, *, count: int, seed: int) -> tuple[float, float]:
    """Returns Black's mean result, from -1 to 1, over uniform playouts and over rollouts of a compiled state of Go.

    Which stones the last move took is not known here, so the first move of a rollout does without the nakade feature.
    """
    scores = state.playouts(count, seed).counts
    komi = sum(state.ownership()) - state.score
    area = len(scores) // 2
    black = sum(number * ((points > komi) - (points < komi)) for points, number in enumerate(scores, -area))
    _, wins, losses = rollouts.run(state, [], count, seed)
    return black / count, (wins - losses) / count


def walk_rollout(rollouts: PatternRollouts, state: GoState, *, plies: int, seed: int) -> list[tuple[int, list[float]]]:
    """Returns the first moves of a rollout, each with the chances of all squares that it was drawn by."""
    return list(rollouts.walk(_ext.Go(*state.twin()), sorted(just_captured(state)), plies, seed))
