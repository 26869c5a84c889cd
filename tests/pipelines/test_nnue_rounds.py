"""Rounds of self-play, training and a match: what comes out of each, and that a run goes on where it was left."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from philidor.cli.train import app
from philidor.core.errors import ConfigError, RunError
from philidor.core.runs import Run
from philidor.nets.nnue import load_network, save_network
from philidor.pipelines.nnue_rounds import STAGES, Rounds, RoundsConfig, StageReport
from philidor.records import RecordReader
from philidor.selfplay.engine_games import EngineGamesConfig
from philidor.train.nnue_config import NnueTrainingConfig
from philidor.train.nnue_data import PositionFilter

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")
torch.set_num_threads(1)

from philidor.train.torch.nnue import random_network  # noqa: E402

QUICK = RoundsConfig(
    games=4,
    window=1,
    match_games=2,
    match_nodes=30,
    selfplay=EngineGamesConfig(nodes=30, shard_games=2, max_plies=40, settings=("hash=1",)),
    training=NnueTrainingConfig(
        shape="mirrored-256",
        epochs=2,
        batch=64,
        positions=PositionFilter(skip_plies=0, held_out=0.2, only_quiet=False),
        device="cpu",
    ),
)


def test_each_round_is_played_by_the_network_of_the_last(tmp_path: Path) -> None:
    run = Run.create("run", QUICK, tmp_path)
    reports: list[StageReport] = []
    assert Rounds(QUICK, run, workers=2, report=reports.append).play(2)
    lines = run.metrics()
    assert [(line["round"], line["stage"]) for line in lines] == [(n, stage) for n in (0, 1) for stage in STAGES]
    assert [line["engine"] for line in lines if line["stage"] == "games"] == ["classic", "run-0"]
    assert [line["opponent"] for line in lines if line["stage"] == "match"] == ["classic", "run-0"]
    for line in lines:
        if line["stage"] == "match":
            assert line["wins"] + line["draws"] + line["losses"] == 2
            assert {"elo", "elo_error"} < set(line)
        elif line["stage"] == "games":
            assert line["games"] == 4
        else:
            assert load_network(Path(line["net"])).architecture.width == 256
            assert line["positions"] > 0
    played = run.path / "games-1"
    settings = Run(played).config(EngineGamesConfig).settings
    assert settings == ("hash=1", f"net={run.checkpoints / 'run-0.phnn'}")
    assert sum(len(RecordReader(path)) for path in (played / "shards").iterdir()) == 4
    assert [(now.round, now.stage) for now in reports if now.done == 1] == [
        (n, stage) for n in (0, 1) for stage in STAGES
    ]
    # All is done: there is nothing to go on with, and a third round builds on the second.
    assert Rounds(QUICK, run, workers=2).play(2)
    assert run.metrics() == lines
    assert Rounds(QUICK, run, workers=2).player(2).settings[-1] == f"net={run.checkpoints / 'run-1.phnn'}"


@pytest.mark.parametrize("stage", list(STAGES))
def test_a_run_stopped_anywhere_goes_on(stage: str, tmp_path: Path) -> None:
    run = Run.create("run", QUICK, tmp_path)
    seen: list[StageReport] = []

    def is_stopped() -> bool:
        return any(now.stage == stage and now.done < 1 for now in seen)

    assert not Rounds(QUICK, run, workers=1, report=seen.append, is_stopped=is_stopped).play(1)
    assert [line["stage"] for line in run.metrics()] == list(STAGES)[: list(STAGES).index(stage)]
    assert Rounds(QUICK, run, workers=1).play(1)
    assert [line["stage"] for line in run.metrics()] == list(STAGES)
    assert run.metrics()[0]["games"] == 4


def test_without_time_each_stage_does_what_it_must(tmp_path: Path) -> None:
    endless = dataclasses.replace(QUICK.training, epochs=100_000)
    many = dataclasses.replace(QUICK, games=100_000, training=endless, gated=True)
    run = Run.create("run", many, tmp_path)
    assert Rounds(many, run, workers=1).play(1, seconds=0.0)
    games, net, match = run.metrics()
    assert 0 < games["games"] < many.games
    assert net["epochs"] == 1
    assert (match["wins"], match["draws"], match["losses"], match["elo_error"]) == (0, 0, 0, None)
    assert not match["plays_on"]


def test_time_is_dealt_out_to_what_is_left(tmp_path: Path) -> None:
    run = Run.create("run", QUICK, tmp_path)
    rounds = Rounds(QUICK, run, workers=1)
    assert rounds.share(None, 0, 2, "games") is None
    assert rounds.share(100.0, 0, 2, "games") == pytest.approx(100 * STAGES["games"] / 2)
    run.log({"round": 0, "stage": "games"})
    later = Rounds(QUICK, run, workers=1)
    rest = 1 - STAGES["games"]
    assert later.share(100.0, 0, 1, "net") == pytest.approx(100 * STAGES["net"] / rest)
    assert later.share(100.0, 0, 3, "net") == pytest.approx(100 * STAGES["net"] / (rest + 2))


def test_a_network_that_loses_does_not_play_on(tmp_path: Path) -> None:
    gated = dataclasses.replace(QUICK, gated=True)
    run = Run.create("run", gated, tmp_path)
    for number, plays_on in enumerate((True, False, False)):
        run.log({"round": number, "stage": "match", "plays_on": plays_on})
    rounds = Rounds(gated, run, workers=1)
    players = [rounds.player(number) for number in range(4)]
    assert [player.engine for player in players] == ["classic", "nnue", "nnue", "nnue"]
    assert [player.settings[-1] for player in players[1:]] == [f"net={run.checkpoints / 'run-0.phnn'}"] * 3
    assert len({player.seed for player in players}) == 4


def test_from_nothing_results_alone_teach_the_first_network_and_each_continues_from_the_last(tmp_path: Path) -> None:
    nothing = dataclasses.replace(
        QUICK, from_nothing=True, training=dataclasses.replace(QUICK.training, result_share=0.2)
    )
    run = Run.create("run", nothing, tmp_path)
    assert Rounds(nothing, run, workers=1).play(2)
    lines = run.metrics()
    assert [line["engine"] for line in lines if line["stage"] == "games"] == ["run-random", "run-0"]
    assert [line["opponent"] for line in lines if line["stage"] == "match"] == ["run-random", "run-0"]
    trained = [Run(run.path / f"net-{number}").config(NnueTrainingConfig) for number in (0, 1)]
    assert [(each.result_share, each.final_result_share) for each in trained] == [(1.0, 1.0), (0.7, 0.7)]
    assert [each.start and each.start.stem for each in trained] == ["run-random", "run-0"]
    random, first, second = ((run.checkpoints / f"run-{name}.phnn").read_bytes() for name in ("random", "0", "1"))
    for seed, is_same in ((1, True), (2, False)):
        save_network(random_network(dataclasses.replace(nothing.training, seed=seed)), tmp_path / "again.phnn")
        assert ((tmp_path / "again.phnn").read_bytes() == random) is is_same
    assert first != random != second != first
    # A second look at the folder writes no other network.
    written = (run.checkpoints / "run-random.phnn").stat().st_mtime_ns
    assert Rounds(nothing, run, workers=1).play(2)
    assert (run.checkpoints / "run-random.phnn").stat().st_mtime_ns == written


def test_games_from_nothing_are_played_to_the_end_until_scores_mean_something() -> None:
    nothing = dataclasses.replace(
        QUICK, from_nothing=True, training=dataclasses.replace(QUICK.training, result_share=0.2)
    )
    games = [nothing.games_of(number) for number in range(6)]
    assert [each.win_cp for each in games] == [31_000] * 3 + [QUICK.selfplay.win_cp] * 3
    assert [each.draw_from for each in games] == [QUICK.selfplay.max_plies] * 3 + [QUICK.selfplay.draw_from] * 3
    assert [each.opening_limit for each in games] == [31_000] * 3 + [QUICK.selfplay.opening_limit] * 3
    assert {each.engine for each in games} == {"nnue"}
    shares = [nothing.training_of(number, None).final_result_share for number in range(6)]
    assert shares == pytest.approx([1, 0.7, 0.49, 0.343, 0.2401, 0.2])
    assert [nothing.games_of(number).nodes for number in (0, 9, 10, 15, 20)] == [30, 30, 30, 45, 60]
    rates = [nothing.training_of(number, None) for number in (0, 10, 20, 10_000)]
    first = QUICK.training.learning_rate
    assert [each.learning_rate for each in rates] == pytest.approx([first, first, first / 2, first / 1000])
    assert all(each.final_learning_rate <= each.learning_rate for each in rates)
    assert rates[0].final_learning_rate == QUICK.training.final_learning_rate
    by_depth = dataclasses.replace(nothing, selfplay=dataclasses.replace(QUICK.selfplay, nodes=None, depth=2))
    assert by_depth.games_of(20).nodes is None
    assert QUICK.games_of(20).nodes == QUICK.selfplay.nodes
    assert QUICK.training_of(0, Path("x.phnn")) == QUICK.training
    assert QUICK.games_of(0).win_cp == QUICK.selfplay.win_cp


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bootstrap": (Path("old.rec"),)}, "neither other games"),
        ({"training": dataclasses.replace(QUICK.training, start=Path("x.phnn"))}, "nor a network to start from"),
        ({"selfplay": dataclasses.replace(QUICK.selfplay, engine="nnue")}, "a network of random weights, got engine"),
    ],
)
def test_what_is_not_nothing_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        dataclasses.replace(QUICK, from_nothing=True, **change)


def test_the_window_moves_on(tmp_path: Path) -> None:
    config = dataclasses.replace(QUICK, window=2, bootstrap=(Path("old.rec"),))
    run = Run.create("run", config, tmp_path)
    for folder in ("games-0", "games-0-late", "games-1", "games-1-late", "games-2", "games-2-late"):
        shards = run.path / folder / "shards"
        shards.mkdir(parents=True)
        (shards / "000000.rec").write_bytes(b"games")
        (shards / "000001.rec").touch()
    rounds = Rounds(config, run, workers=1)
    found = [[path.parts[-3] if len(path.parts) > 1 else path.name for path in rounds.files(n)] for n in range(3)]
    assert found[0] == ["old.rec", "games-0"]
    assert found[1] == ["games-0", "games-0-late", "games-1"]
    assert found[2] == ["games-1", "games-1-late", "games-2"]


def test_the_command_prints_a_line_for_each_stage(tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["nnue-rounds", "-o", str(out), "--rounds", "1", "--workers", "1", "--games", "3", "--match-games", "2"]
    command += ["--match-nodes", "20", "--selfplay-nodes", "20", "--selfplay-settings", "hash=1"]
    command += ["--selfplay-max-plies", "30", "--training-shape", "mirrored-256", "--training-epochs", "1"]
    command += ["--training-batch", "64", "--training-positions-skip-plies", "0", "--training-device", "cpu"]
    result = CliRunner().invoke(app, command, catch_exceptions=False)
    lines = [line for line in result.stdout.splitlines() if line.startswith("round 0")]
    assert [line.split()[2] for line in lines] == ["games:", "net:", "match:"]
    other = CliRunner().invoke(app, [*command, "--window", "2"])
    assert isinstance(other.exception, RunError)
    wrong = CliRunner().invoke(app, [*command, "--selfplay-settings", "net=x.nnue"])
    assert isinstance(wrong.exception, ConfigError)


def test_a_command_begins_from_nothing(tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["nnue-from-nothing", "-o", str(out), "--rounds", "1", "--workers", "1", "--games", "3"]
    command += ["--match-games", "2", "--match-nodes", "20", "--selfplay-nodes", "20", "--selfplay-max-plies", "30"]
    command += ["--training-positions-skip-plies", "0", "--training-device", "cpu"]
    result = CliRunner().invoke(app, command, catch_exceptions=False)
    lines = [line for line in result.stdout.splitlines() if line.startswith("round 0")]
    assert lines[0].startswith("round 0 games: engine run-random")
    config = Run(out).config(RoundsConfig)
    assert config.from_nothing
    assert config.selfplay.settings == ("parameters=late_moves_history=-1000",)
    for more in (["--training-start", "x.phnn"], ["--training-final-result-share", "0.5"]):
        assert isinstance(CliRunner().invoke(app, [*command, *more]).exception, ConfigError)
