"""The value network against playouts, by move number, in miniature; and the tournament's table of variants."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from philidor.arena.engines import parse_engines  # noqa: E402
from philidor.cli.experiment.alphago_variants import VARIANTS, engine_of  # noqa: E402
from philidor.evaluators.network import NetEvaluator  # noqa: E402
from philidor.evaluators.patterns import PatternEvaluator  # noqa: E402
from philidor.evaluators.patterns.native import playout_shares  # noqa: E402
from philidor.games import load_game  # noqa: E402
from philidor.games.go import Go  # noqa: E402
from philidor.nets.network_config import NetworkConfig  # noqa: E402
from philidor.nets.patterns import FIXED_FEATURES, PatternNet  # noqa: E402
from philidor.nets.torch.files import save_network  # noqa: E402
from philidor.nets.torch.model import build  # noqa: E402
from philidor.pipelines.alphago_errors import measure_errors  # noqa: E402
from philidor.players.alphago_policy import load_policy  # noqa: E402
from philidor.train.native import native_root  # noqa: E402
from tests.train.test_policy_gradient import TINY  # noqa: E402

torch.set_num_threads(1)
NONE = np.zeros(0, np.uint64)
ROLLOUT = PatternEvaluator(PatternNet("rollout", NONE, NONE, NONE, np.zeros(FIXED_FEATURES, np.float32)))


def test_late_positions_are_foreseen_better_than_early_ones(tmp_path: Path) -> None:
    game = load_game("go-5x5,komi=0.5")
    assert isinstance(game, Go)
    path = tmp_path / "value.safetensors"
    fields = {"game": "go-5x5", "encoding": "alphago-49", "body": "plain", "policy": "none", "value": "tanh"}
    save_network(path, build(NetworkConfig(**fields, blocks=1, filters=4), seed=1))  # type: ignore[arg-type]
    value = load_policy(path, game)
    assert isinstance(value, NetEvaluator)
    rows = measure_errors(build(TINY, seed=1).eval(), value, ROLLOUT, game, games=12, playouts=8, width=10)
    assert [row.first_ply for row in rows] == [10 * number for number in range(len(rows))]
    assert sum(row.positions for row in rows[:2]) == 24
    assert all(0 <= error <= 1 for row in rows for error in (row.value_network, row.uniform_playouts, row.rollouts))
    # At the end a playout has hardly a choice left; the network knows nothing.
    assert rows[-1].uniform_playouts < rows[0].uniform_playouts
    assert rows[-1].rollouts < 0.1 < rows[-1].value_network


def test_playouts_know_who_has_won() -> None:
    for text, komi, sign in (("X.X.X/XXXXX/X.X.X/XXXXX/.X.X. O", 3, 1), ("O.O.O/OOOOO/O.O.O/OOOOO/.O.O. X", 3, -1)):
        state = load_game(f"go-5x5,komi={komi}").state(text)
        assert playout_shares(ROLLOUT.rollouts, native_root(state), count=4, seed=1) == (sign, sign)


def test_the_variants_are_engines_of_a_match() -> None:
    specs = parse_engines([engine_of(name, text, 10) for name, text, _ in VARIANTS])
    assert [spec.name for spec in specs] == [name for name, _, _ in VARIANTS]
    assert specs[0].settings["simulations"] == "10"
