"""Supervised or zero: one network learns in four ways, and an experiment that was stopped ends like any other."""

import json
import math
from pathlib import Path

import pytest

pytest.importorskip("torch")

from philidor.cli import main
from philidor.core.errors import RecordError
from philidor.core.runs import Run
from philidor.encodings import default_encoding
from philidor.games import load_game
from philidor.pipelines.learning.arms import ARMS, Moment
from philidor.pipelines.learning.config import LearningConfig
from philidor.pipelines.learning.experiment import Experiment
from philidor.pipelines.learning.report import charts_of, write_report
from philidor.pipelines.learning.teacher import record_games
from philidor.records import GameRecord, PlyFlag, RecordReader, RecordWriter, Result
from philidor.train.played_data import PlayedPositions, played_lessons

TINY = LearningConfig(
    game="hexapawn-4x4", turns=1, games=20, held_out=20, self_play_games=8, steps=3, pairs=1, anchors=("random",)
)
HEXAPAWN = load_game("hexapawn-4x4")


def networks(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.safetensors"))}


def test_a_stopped_experiment_ends_like_one_that_was_not(tmp_path: Path) -> None:
    whole = Experiment(TINY, Run.create("whole", TINY, tmp_path))
    assert whole.go()
    # Stopped again and again, each time a little later: within recording, learning, playing and measuring.
    run, patience = Run.create("pieces", TINY, tmp_path), 1
    stages: set[str] = set()
    while True:
        left = patience

        def is_stopped() -> bool:
            nonlocal left
            left -= 1
            return left < 0

        experiment = Experiment(TINY, run, watch=lambda moment: stages.add(name_of(moment)), is_stopped=is_stopped)
        if experiment.go():
            break
        patience *= 3
    assert patience > 20
    assert {"recording games", "games", "self-play", "games-then-self-play", "measuring"} <= stages
    pieces, others = networks(tmp_path / "pieces"), networks(tmp_path / "whole")
    assert pieces.keys() == others.keys()
    # Games of self-play end in another order after a stop; learning from recorded games does not depend on it.
    own = [name for name in pieces if name.startswith("checkpoints/games-")]
    assert len(own) == 3
    assert [pieces[name] for name in own] == [others[name] for name in own]
    ours, theirs = ([(p.arm, p.turn, p.top1) for p in each.points()] for each in (experiment, whole))
    assert [point for point in ours if point[0] == "games"] == [point for point in theirs if point[0] == "games"]
    assert {(arm, turn) for arm, turn, _ in ours} == {(arm, turn) for arm in ARMS for turn in (0, 1, 2)}


def name_of(moment: Moment) -> str:
    return moment.what.partition(",")[0].partition(" games-")[0].replace("measuring games", "measuring")


def test_arms_share_their_first_half_and_then_differ(tmp_path: Path) -> None:
    experiment = Experiment(TINY, Run.create("run", TINY, tmp_path))
    assert experiment.go()
    points = {(point.arm, point.turn): point for point in experiment.points()}
    assert points["games-then-self-play", 1].top1 == points["games", 1].top1
    assert points["self-play-then-games", 1].cpu_s == points["self-play", 1].cpu_s
    assert points["games", 0].value_error == points["self-play", 0].value_error, "all start from the same network"
    last = [points[arm, 2].value_error for arm in ARMS]
    assert len(set(last)) == len(ARMS)
    assert all(math.isfinite(point.elo.value) and 0 <= point.top1.value <= 1 for point in points.values())
    for arm in ARMS:
        times = [points[arm, turn].cpu_s for turn in (0, 1, 2)]
        assert times == sorted(times)
        assert times[0] < times[2]
    write_report(experiment)
    assert "games, then self-play" in (experiment.run.report / "report.md").read_text()
    assert [len(chart.series) for chart in charts_of(experiment.points())] == [4, 4, 4]
    # What is measured on was never learned from.
    with RecordReader(experiment.run.shards / "teacher.rec") as reader:
        seen = {state for record in reader for state in record.states(HEXAPAWN)}
    assert experiment.measured_positions > 0
    assert not any(state in seen for state, _ in experiment._sample.positions())


def test_recorded_games_teach_the_moves_that_were_chosen(tmp_path: Path) -> None:
    path = tmp_path / "a.rec"
    assert record_games(path, HEXAPAWN, "alphabeta depth=3", 5, opening_plies=2, seed=1)
    with RecordReader(path) as reader:
        games = list(reader)
    for game in games:
        assert game.flags is not None
        assert [bool(flag & PlyFlag.SAMPLED) for flag in game.flags] == [ply < 2 for ply in range(len(game))]
        lessons = list(played_lessons(game, HEXAPAWN))
        assert [lesson.moves_left for lesson in lessons] == list(range(len(game) - 2, 0, -1))
        for lesson, index in zip(lessons, game.indices[2:], strict=True):
            assert lesson.policy[index] == sum(lesson.policy) == 1
            won = (game.result is Result.FIRST_WINS) == (lesson.state.to_move == 0)
            assert lesson.wdl == ((1.0, 0.0, 0.0) if won else (0.0, 0.0, 1.0))
    positions = PlayedPositions(path, HEXAPAWN, default_encoding(HEXAPAWN), symmetries=True)
    assert positions.size == sum(len(game) - 2 for game in games)


def test_games_without_a_result_teach_nothing(tmp_path: Path) -> None:
    with RecordWriter(tmp_path / "a.rec", HEXAPAWN) as writer:
        writer.add(GameRecord(indices=(0, 0)))
    with pytest.raises(RecordError, match="has no position to learn from"):
        PlayedPositions(tmp_path / "a.rec", HEXAPAWN, default_encoding(HEXAPAWN), symmetries=False)


def test_the_command_prints_the_table_or_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny = ["--game", "hexapawn-4x4", "--turns", "1", "--games", "20", "--held-out", "20", "--self-play-games", "4"]
    tiny += ["--steps", "2", "--pairs", "1", "--anchors", "random", "--out", str(tmp_path / "run")]
    assert main(["experiment", "supervised-vs-zero", *tiny, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {point["arm"] for point in report["points"]} == set(ARMS)
    assert (tmp_path / "run" / "report" / "curves.svg").read_text().startswith("<svg")
    assert main(["experiment", "supervised-vs-zero", *tiny]) == 0, "a run that is done is shown again"
    assert "| self-play, then games | 2 |" in capsys.readouterr().out
    assert main(["experiment", "supervised-vs-zero", "--teacher", "nobody", "--out", str(tmp_path / "other")]) in (1, 2)
    assert "nobody" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()
