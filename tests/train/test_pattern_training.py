"""Training of AlphaGo's linear policies: it learns, stops and goes on to the same weights, and says what is wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from philidor.cli.run import run as philidor
from philidor.core.errors import RunError
from philidor.core.runs import Run
from philidor.evaluators.patterns import PatternEvaluator
from philidor.games import load_game
from philidor.nets.patterns import PatternKind, load_patterns
from philidor.train.game_data import GameFile
from philidor.train.pattern_config import PatternTrainingConfig
from philidor.train.pattern_training import PatternLoop
from tests.train.go_games import write_go_games

CONFIG = PatternTrainingConfig(
    epochs=2.0, passes=2, least_squares=1, least_responses=1, least_diamonds=1, counted=1.0, measure_every=1.0
)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_go_games(tmp_path_factory.mktemp("games") / "games.rec", 220)


def start(
    games: Path, folder: Path, kind: PatternKind = "rollout", config: PatternTrainingConfig = CONFIG
) -> PatternLoop:
    run = Run.resume_or_create("run", config, folder)
    return PatternLoop(kind, config, run, [GameFile(games)])


@pytest.mark.parametrize("kind", ["rollout", "tree"])
def test_it_learns_what_is_played(games: Path, tmp_path: Path, kind: PatternKind) -> None:
    loop = start(games, tmp_path, kind)
    assert loop.go()
    first, *_, last = [event for event in loop.run.metrics() if event["event"] == "measure"]
    # Two moves of three follow the rule; the others are drawn.
    assert first["part"] == "validation"
    assert last["positions"] > 10
    assert last["top1"] > 0.5
    state = load_game("go-5x5").state().play("c3")
    (judged,) = PatternEvaluator(loop.network()).evaluate([state])
    assert set(list(judged.policy)[:4]) == {"c2", "b3", "d3", "c4"}
    assert len(loop.network().diamonds) == 0 if kind == "rollout" else len(loop.network().diamonds) > 0


def test_passes_are_not_learned_and_every_position_is_seen_once_an_epoch(games: Path, tmp_path: Path) -> None:
    loop = start(games, tmp_path, config=replace(CONFIG, epochs=0.1))
    loop.go()
    # 14 plies a game, one of them a pass, that the index counts and the policy leaves out.
    trainer = loop._trainer
    total = trainer.measure(loop.data.index, loop._whole, 0, loop.data.games)[0]
    assert total == 13 * loop.data.games
    assert (
        sum(
            trainer.measure(loop.data.index, loop._walk, first, first + loop.data.games)[0]
            for first in range(0, 2 * loop.data.games, loop.data.games)
        )
        == total
    )
    assert loop.data.positions == 14 * loop.data.games


def test_stopped_and_gone_on_ends_at_the_same_weights(games: Path, tmp_path: Path) -> None:
    whole = start(games, tmp_path / "whole")
    whole.go()
    parts = start(games, tmp_path / "parts")
    asked = iter(range(10**6))
    assert not parts.go(is_stopped=lambda: next(asked) >= 10)
    assert 0 < parts.visits < parts.total
    again = start(games, tmp_path / "parts")
    assert again.visits == parts.visits
    assert again.go()
    for name in ("squares", "responses", "weights"):
        np.testing.assert_array_equal(getattr(again.network(), name), getattr(whole.network(), name))


def test_a_damaged_state_and_other_games_are_refused(games: Path, tmp_path: Path) -> None:
    loop = start(games, tmp_path)
    loop.go(is_stopped=lambda: loop.visits > 0)
    other = write_go_games(tmp_path / "other.rec", 30)
    with pytest.raises(RunError, match="games, now there are"):
        start(other, tmp_path)
    checkpoint = loop.run.checkpoints / "trainer.npz"
    checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    with pytest.raises(RunError, match="cannot go on"):
        start(games, tmp_path)


def test_the_command_writes_a_policy(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "rollout"
    assert philidor(["train", "alphago-rollout", str(games), "--out", str(out), "--epochs", "0.5", "--json"]) == 0
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert said["is_done"]
    assert load_patterns(said["network"]).kind == "rollout"
    assert [event["part"] for event in said["measured"]] == ["validation", "test"]


def test_a_missing_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert philidor(["train", "alphago-tree", str(tmp_path / "nothing.rec"), "--out", str(tmp_path / "run")]) == 2
    assert "there are no games" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
