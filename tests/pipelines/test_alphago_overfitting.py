"""The value network on one position a game and on whole games, in miniature."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from philidor.cli import main  # noqa: E402
from philidor.nets.patterns import FIXED_FEATURES, PatternNet, save_patterns  # noqa: E402
from philidor.pipelines.alphago_overfitting import Twin, train_twins  # noqa: E402
from philidor.train.value_config import ValueTrainingConfig  # noqa: E402

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> ValueTrainingConfig:
    path, none = tmp_path_factory.mktemp("nets") / "even.phpt", np.zeros(0, np.uint64)
    save_patterns(path, PatternNet("rollout", none, none, none, np.zeros(FIXED_FEATURES, np.float32)))
    return ValueTrainingConfig(
        sl=path,
        rl=path,
        game="go-5x5,komi=0.5",
        games=240,
        games_at_once=8,
        last_ply=12,
        blocks=1,
        filters=16,
        steps=90,
        batch=32,
        measure_every=30,
        device="cpu",
    )


def trained(config: ValueTrainingConfig, folder: Path) -> list[Twin]:
    found = train_twins(config, folder)
    assert found is not None
    return found


def test_whole_games_are_learned_by_heart(config: ValueTrainingConfig, tmp_path: Path) -> None:
    one, whole = trained(config, tmp_path)
    assert (one.name, whole.name) == ("one-position", "whole-games")
    assert one.steps == whole.steps == (30, 60, 90)
    assert one.positions == one.games
    assert whole.positions >= one.positions
    assert whole.games < one.games / 5
    assert one.common_error == one.test_errors[-1] < whole.common_error
    assert whole.test_errors[-1] - whole.train_errors[-1] > one.test_errors[-1] - one.train_errors[-1]


def test_a_stopped_experiment_continues(config: ValueTrainingConfig, tmp_path: Path) -> None:
    small, asked, stops = replace(config, games=40, steps=20, measure_every=5), iter(range(10**6)), 0
    while (found := train_twins(small, tmp_path / "parts", is_stopped=lambda: next(asked) % 110 == 109)) is None:
        stops += 1
    assert stops > 2
    assert found == trained(small, tmp_path / "whole") == trained(small, tmp_path / "parts")


def test_the_command_shows_both(
    config: ValueTrainingConfig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ["--game", "go-4x4,komi=0.5", "--games", "2", "--steps", "2", "--measurements", "1", "--filters", "4"]
    command = ["experiment", "alphago-overfitting", "--out", str(tmp_path / "run"), "--policy", str(config.sl), *small]
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert [line.split(":")[0] for line in shown.splitlines()[:2]] == ["one-position", "whole-games"]
    assert shown.count("others") == 4
    assert main(["experiment", "alphago-overfitting", "--out", str(tmp_path / "no"), "--policy", "games-1"]) == 2
    assert "alphago-48" in capsys.readouterr().err
    assert not (tmp_path / "no" / "one-position").exists()
