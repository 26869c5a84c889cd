"""Self-play games of an engine: what they hold, and that a run survives being killed."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from philidor.cli.data import app
from philidor.core.analysis import Score
from philidor.core.errors import ConfigError, PhilidorError, RunError
from philidor.core.runs import Run
from philidor.games import load_game
from philidor.records import RecordReader, Result
from philidor.selfplay.engine import score_number
from philidor.selfplay.engine_games import EngineGamesConfig, GameMaker
from philidor.selfplay.run import make_games
from philidor.selfplay.shards import games_in_file, shards_of

QUICK = EngineGamesConfig(nodes=60, shard_games=4, settings=("hash=1",))


def test_a_game_is_played_to_its_end_with_scores() -> None:
    maker = GameMaker(QUICK)
    for number in range(6):
        record = maker.game(number)
        assert record is not None
        assert record.scores is not None
        opening = QUICK.random_plies + number % 2
        assert record.scores[:opening] == (None,) * opening
        assert all(score is not None for score in record.scores[opening:])
        assert abs(record.scores[opening] or 0) <= QUICK.opening_limit
        assert record.result is not Result.UNKNOWN
        *_, last = record.states(load_game("chess"))
        outcome = last.outcome()
        if record.termination in ("adjudication", "max plies"):
            assert outcome is None
        else:
            assert outcome is not None
            assert (record.termination, record.result) == (outcome.reason, Result.from_outcome(outcome))


def test_won_games_are_called_for_the_side_that_wins() -> None:
    config = EngineGamesConfig(nodes=60, win_cp=600, win_plies=3, settings=("hash=1",))
    maker = GameMaker(config)
    called = [record for number in range(8) if (record := maker.game(number)) and record.termination == "adjudication"]
    assert called
    for record in called:
        assert record.scores is not None
        if record.result is Result.DRAW:
            continue
        winner = 0 if record.result is Result.FIRST_WINS else 1
        plies = len(record)
        for ply in range(plies - 3, plies):
            score = record.scores[ply]
            assert score is not None
            assert (score if ply % 2 == winner else -score) >= 600


def test_games_depend_on_seed_and_number_alone() -> None:
    maker = GameMaker(QUICK)
    first, second = maker.game(3), maker.game(4)
    assert GameMaker(QUICK).game(4) == second != first
    assert GameMaker(EngineGamesConfig(nodes=60, seed=2)).game(3) != first


def test_long_games_end_in_a_draw() -> None:
    record = GameMaker(EngineGamesConfig(nodes=30, max_plies=20, settings=("hash=1",))).game(0)
    assert record is not None
    assert len(record) <= 20
    assert record.termination != "max plies" or record.result is Result.DRAW


@pytest.mark.parametrize(
    ("score", "number"), [(Score(cp=-35), -35), (Score(mate=1), 31_999), (Score(mate=-1), -31_998)]
)
def test_scores_are_written_as_records_do(score: Score, number: int) -> None:
    assert score_number(score) == number


def test_a_run_grows_and_resumes(tmp_path: Path) -> None:
    run = Run.create("games", QUICK, tmp_path)
    assert make_games(run, QUICK, 6, workers=2).new_games == 6
    before = [RecordReader(shard.path)[0] for shard in shards_of(run.shards, 6, QUICK.shard_games)]
    again = make_games(run, QUICK, 10, workers=2)
    assert (again.games, again.new_games) == (10, 4)
    shards = shards_of(run.shards, 10, QUICK.shard_games)
    assert [len(RecordReader(shard.path)) for shard in shards] == [4, 4, 2]
    assert [RecordReader(shard.path)[0] for shard in shards[:2]] == before
    # All games at once are the same games.
    whole = Run.create("whole", QUICK, tmp_path)
    make_games(whole, QUICK, 10, workers=1)
    for ours, theirs in zip(shards, shards_of(whole.shards, 10, QUICK.shard_games), strict=True):
        assert list(RecordReader(ours.path)) == list(RecordReader(theirs.path))
    assert run.metrics()[-1]["games"] == 10


def test_a_killed_run_goes_on_with_the_same_games(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "philidor", "data", "selfplay", "-o", str(tmp_path / "killed"), "--games", "120"]
    command += ["--nodes", "40", "--shard-games", "60", "--settings", "hash=1", "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    shards = tmp_path / "killed" / "shards"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not any(path.stat().st_size > 4_000 for path in shards.glob("*.rec")):
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    finished = {path: list(RecordReader(path)) for path in shards.glob("*.rec") if path.stat().st_size}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    total = 0
    for path in sorted(shards.glob("*.rec")):
        games = list(RecordReader(path))
        total += len(games)
        assert games[: len(finished.get(path, []))] == finished.get(path, [])
        config = EngineGamesConfig(nodes=40, settings=("hash=1",))
        assert games[-1] == GameMaker(config).game(int(path.stem) * 60 + len(games) - 1)
    assert total == 120


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to catch")
@pytest.mark.parametrize("kill", [os.kill, os.killpg])
def test_a_polite_kill_keeps_every_finished_game(kill: Callable[[int, int], None], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "philidor", "data", "selfplay", "-o", str(tmp_path / "run"), "--games", "9999"]
    command += ["--nodes", "40", "--settings", "hash=1", "--workers", "2"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    shards = tmp_path / "run" / "shards"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not any(path.stat().st_size > 4_000 for path in shards.glob("*.rec")):
        time.sleep(0.05)
    kill(process.pid, signal.SIGTERM)
    said, complaints = process.communicate(timeout=60)
    assert process.returncode == 130
    assert complaints == ""
    assert "stopped; the same command goes on" in said
    games = sum(map(games_in_file, shards.glob("*.rec")))
    assert said.startswith(f"{games} games in")
    assert games >= 16


def test_another_config_is_refused(tmp_path: Path) -> None:
    Run.create("games", QUICK, tmp_path).log({"games": 1})
    result = CliRunner().invoke(app, ["selfplay", "-o", str(tmp_path / "games"), "--games", "2"])
    assert isinstance(result.exception, RunError)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"engine": "solver"}, "does not play chess"),
        ({"engine": "clasic"}, "did you mean 'classic'"),
        ({"settings": ("hash",)}, "expected NAME=VALUE"),
        ({"settings": ("hsh=1",)}, "hash"),
    ],
)
def test_wrong_engines_are_named_before_anything_is_played(
    tmp_path: Path, changes: dict[str, object], complaint: str
) -> None:
    config = EngineGamesConfig(**changes)  # type: ignore[arg-type]
    run = Run.create("games", config, tmp_path)
    with pytest.raises(PhilidorError, match=complaint):
        make_games(run, config, 2, workers=1)
    assert list(run.shards.iterdir()) == []


def test_a_player_without_scores_teaches_nothing() -> None:
    with pytest.raises(ConfigError, match="nodes"):
        EngineGamesConfig(nodes=None)


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="this system has no priorities to ask for")
def test_patient_games_are_the_same_games_at_the_lowest_priority(tmp_path: Path) -> None:
    plain, patient = (Run.create(name, QUICK, tmp_path) for name in ("plain", "patient"))
    make_games(plain, QUICK, 4, workers=1)
    seen: set[int] = set()

    def look(_: object) -> None:
        for child in multiprocessing.active_children():
            with contextlib.suppress(ProcessLookupError):
                seen.add(os.getpriority(os.PRIO_PROCESS, child.pid or 0))

    make_games(patient, QUICK, 4, workers=1, report=look, is_patient=True)
    assert max(seen) == 19
    shards = [[path.read_bytes() for path in sorted(run.shards.glob("*.rec"))] for run in (plain, patient)]
    assert shards[0] == shards[1]
