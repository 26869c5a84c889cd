"""The compiled APV-MCTS against the reference: the same counts, sums and priors at every move of the root."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from philidor.core.errors import ConfigError
from philidor.core.evaluation import Evaluation, Wdl
from philidor.core.random import SplitMix64
from philidor.encodings import load_encoding
from philidor.encodings.encoding import Batch
from philidor.evaluators.pattern_features import just_captured
from philidor.evaluators.patterns import PatternEvaluator
from philidor.evaluators.patterns.native import linear_chances
from philidor.games import load_game
from philidor.games.go import GoState
from philidor.nets.patterns import FIXED_FEATURES, PatternKind, PatternNet
from philidor.players.alphago import sensible_priors
from philidor.search.apv import ApvConfig, ApvParts, ApvTree
from philidor.search.apv.native import CompiledApv, CompiledParts

GAME = load_game("go-5x5,suicide=yes")


def hashed_priors(batch: Batch, row: int) -> NDArray[np.float32]:
    """Returns probabilities that look random and depend on the planes alone."""
    seed = int.from_bytes(hashlib.blake2b(batch.planes[row].tobytes(), digest_size=8).digest(), "little")
    powers = np.random.default_rng(seed).random(len(batch.legal(row))) ** 3 + 1e-3
    return np.asarray(powers / powers.sum(), dtype=np.float32)


def hashed_value(batch: Batch, row: int) -> float:
    planes = batch.planes[row].tobytes() + batch.scalars[row].tobytes()
    return hashlib.blake2b(planes, digest_size=1).digest()[0] / 128 - 1


class Hashed:
    """A policy for the reference."""

    encoding = load_encoding("alphago-48", GAME)

    def evaluate(self, states: Any, /) -> list[Evaluation[Any]]:
        batch = self.encoding.encode(states)
        even = Wdl(0.5, 0.0, 0.5)
        return [Evaluation(state.legal_moves(), hashed_priors(batch, row), even) for row, state in enumerate(states)]


def linear(kind: PatternKind, seed: int) -> PatternEvaluator:
    none = np.zeros(0, np.uint64)
    weights = np.random.default_rng(seed).normal(0, 1, FIXED_FEATURES).clip(-3, 3).astype(np.float32)
    return PatternEvaluator(PatternNet(kind, none, none, none, weights))


ROLLOUT, TREE, LINEAR = linear("rollout", 1), linear("tree", 2), linear("tree", 3)


def position(plies: int, seed: int) -> GoState:
    state, random = GAME.state(), SplitMix64(seed)
    for _ in range(plies):
        moves = state.legal_moves()
        following = state.play(moves[random.below(max(1, len(moves) - 1))])
        state = state if following.is_over() else following
    assert isinstance(state, GoState)
    return state


def both(state: GoState, config: ApvConfig, *, is_linear: bool = False, threads: int = 1) -> tuple[Any, Any]:
    values = load_encoding("alphago-49", GAME)

    def judged(states: Any) -> list[float]:
        batch = values.encode(states)
        return [hashed_value(batch, row) for row in range(len(batch))]

    policy: Any = LINEAR if is_linear else Hashed()
    reference = ApvTree(
        state,
        ApvParts(
            policy=lambda states: sensible_priors(policy, states),
            tree_policy=lambda state: sensible_priors(TREE, [state])[0],
            value=judged,
            rollout=lambda state, random: ROLLOUT.play_out(state, random),  # type: ignore[arg-type]
        ),
        config,
    )
    compiled = CompiledApv(
        state,
        sorted(just_captured(state)),
        CompiledParts(
            planes=0 if is_linear else 48,
            policy=lambda batch: np.concatenate([hashed_priors(batch, row) for row in range(len(batch))]),
            linear_policy=linear_chances(LINEAR.compiled),
            value=lambda batch: np.array([hashed_value(batch, row) for row in range(len(batch))], np.float32),
            rollout=ROLLOUT.compiled,
            tree_policy=TREE.compiled,
        ),
        config,
        threads,
    )
    assert reference.run(config.simulations) == compiled.run(config.simulations)
    rows = [
        (e.move, e.rollout_count, e.rollout_sum, e.prior, e.value_count, e.value_sum, e.mean(config.mixing))
        for e in reference.root.edges
    ]
    return rows, compiled.rows


@pytest.mark.parametrize(
    ("config", "plies", "options"),
    [
        (ApvConfig(simulations=300, threshold=2, seed=1), 0, {}),
        (ApvConfig(simulations=300, threshold=0, mixing=0.3, batch=5, lag=0, seed=2), 9, {}),
        (ApvConfig(simulations=301, threshold=3, batch=16, lag=2, virtual_loss=1, seed=3), 14, {"threads": 3}),
        (ApvConfig(simulations=200, threshold=1, mixing=1.0, c_puct=1.0, seed=4), 20, {}),
        (ApvConfig(simulations=200, threshold=1, mixing=0.0, policy_temperature=1.5, seed=5), 6, {}),
        (ApvConfig(simulations=200, threshold=2, batch=4, seed=6), 11, {"is_linear": True}),
    ],
    ids=["plain", "at once", "late and threaded", "rollouts", "values", "linear policy"],
)
def test_the_compiled_search_makes_the_same_tree(config: ApvConfig, plies: int, options: dict[str, Any]) -> None:
    reference, compiled = both(position(plies, config.seed), config, **options)
    assert compiled == reference
    assert sum(row[1] for row in compiled) == config.simulations


def test_a_missing_part_is_told() -> None:
    state = position(0, 0)
    parts = CompiledParts(planes=0, linear_policy=linear_chances(LINEAR.compiled), rollout=ROLLOUT.compiled)
    with pytest.raises(ConfigError, match="value network"):
        CompiledApv(state, [], parts, ApvConfig())
    with pytest.raises(ConfigError, match="rollout policy"):
        CompiledApv(state, [], CompiledParts(planes=0, value=lambda batch: np.zeros(0, np.float32)), ApvConfig())
