"""Scoring games that are there already: what changes, what stays, and that a run survives being killed."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from philidor.cli import main
from philidor.cli.data import app
from philidor.core.errors import ConfigError, PhilidorError, RecordError, RunError
from philidor.core.runs import Run
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.players.classic import ClassicPlayer
from philidor.players.giraffe import GiraffePlayer
from philidor.players.scoring import ScoringEngine
from philidor.records import GameRecord, RecordReader, RecordWriter
from philidor.selfplay.engine_games import EngineGamesConfig, GameMaker
from philidor.selfplay.scoring import Scorer, ScoringConfig, ScoringSettings, score_games

CHESS = load_game("chess")
QUICK = ScoringSettings(nodes=60, shard_games=4, settings=("hash=1",))


@pytest.fixture(scope="module")
def games() -> list[GameRecord]:
    maker = GameMaker(EngineGamesConfig(nodes=20, settings=("hash=1",), max_plies=40))
    made = [maker.game(number) for number in range(10)]
    return [replace(game, source="a run", final_score=7) for game in made if game is not None]


@pytest.fixture
def file(games: list[GameRecord], tmp_path: Path) -> Path:
    return _write(tmp_path / "games.rec", games)


def _write(path: Path, games: list[GameRecord]) -> Path:
    with RecordWriter(path) as writer:
        for game in games:
            writer.add(game)
    return path


def test_only_the_scores_change(games: list[GameRecord]) -> None:
    scored = Scorer(QUICK).score(games[0], 0)
    assert scored is not None
    assert scored.scores is not None
    assert None not in scored.scores
    assert scored.scores != games[0].scores
    assert replace(scored, scores=games[0].scores, final_score=7) == games[0]
    assert scored.final_score is None


def test_a_score_is_what_the_engine_says(games: list[GameRecord]) -> None:
    settings = ScoringSettings(nodes=None, depth=2, settings=("hash=1",))
    scored = Scorer(settings).score(games[0], 0)
    assert scored is not None
    assert scored.scores is not None
    engine = ScoringEngine(settings)
    engine.new_game()
    for state, score in zip(games[0].states(CHESS), scored.scores, strict=False):
        assert isinstance(state, Position)
        assert score == engine.search(state)[1]


def test_positions_that_teach_nothing_are_not_searched(games: list[GameRecord]) -> None:
    settings = replace(QUICK, skip_plies=3, every=2, only_quiet=True)
    for number in (0, 1):
        scored = Scorer(settings).score(games[0], number)
        assert scored is not None
        assert scored.scores is not None
        found = 0
        for ply, (state, move) in enumerate(zip(games[0].states(CHESS), games[0].moves(CHESS), strict=False)):
            assert isinstance(state, Position)
            is_noisy = state.is_check() or state.is_capture(move) or state.gives_check(move)
            is_wanted = ply >= 3 and ply % 2 == number and not is_noisy and move.promotion is None
            assert (scored.scores[ply] is not None) == is_wanted
            found += is_wanted
        assert found > 3


def test_the_evaluation_itself_and_the_mean_of_several(games: list[GameRecord]) -> None:
    config = replace(QUICK, static=True, skip_plies=3, also=("giraffe", "giraffe hash=2"))
    scored = Scorer(config).score(games[1], 1)
    assert scored is not None
    assert scored.scores is not None
    classic, giraffe = ClassicPlayer().engine, GiraffePlayer().engine
    found = 0
    for ply, (state, score) in enumerate(zip(games[1].states(CHESS), scored.scores, strict=False)):
        assert isinstance(state, Position)
        assert (score is not None) == (ply >= 3 and not state.is_over())
        if score is not None:
            assert score == round((classic.evaluate(state.native) + 2 * giraffe.evaluate(state.native)) / 3)
            found += 1
    assert found > 10


def test_strays_leave_the_game_and_are_scored_from_there(games: list[GameRecord]) -> None:
    config = replace(QUICK, static=True, strays=5, seed=3)
    scorer, found = Scorer(config), 0
    for number, game in enumerate(games):
        stray = scorer.score(game, number)
        assert stray is not None
        assert stray.scores is not None
        assert stray == Scorer(config).score(game, number)
        first = next((ply for ply, score in enumerate(stray.scores) if score is not None), len(stray))
        assert stray.indices[: first - 1] == game.indices[: first - 1]
        assert len(stray) - first <= 4
        assert len(list(stray.states(CHESS))) == len(stray) + 1
        found += sum(score is not None for score in stray.scores)
    assert found > 20
    other = Scorer(replace(config, seed=4))
    assert [other.score(game, number) for number, game in enumerate(games)] != [
        scorer.score(game, number) for number, game in enumerate(games)
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"also": ("nobody",)}, "nobody"),
        ({"also": ("",)}, "without a name"),
        ({"also": ("classic depth",)}, "NAME=VALUE"),
    ],
)
def test_further_engines_that_are_none_are_named(
    change: dict[str, Any], words: str, file: Path, tmp_path: Path
) -> None:
    config = ScoringConfig(files=(file,), nodes=60, **change)
    with pytest.raises(PhilidorError, match=words):
        score_games(Run.create("run", config, tmp_path), config, workers=1)


def test_a_player_without_an_evaluation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = ScoringEngine(QUICK)
    monkeypatch.setattr(engine, "_player", object())  # as a program of somebody else's would be
    with pytest.raises(ConfigError, match="without a search"):
        engine.evaluate(Position())


def test_a_drawn_position_is_left_without_a_score() -> None:
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    game = GameRecord.from_moves(CHESS, [*shuffle, "e2e4"])
    scored = Scorer(QUICK).score(game, 0)
    assert scored is not None
    assert scored.scores is not None
    assert [score is None for score in scored.scores] == [False] * 8 + [True]


def test_a_run_goes_on_and_grows_with_its_files(games: list[GameRecord], file: Path, tmp_path: Path) -> None:
    other = _write(tmp_path / "other.rec", games[:2])
    config = ScoringConfig(nodes=60, shard_games=4, settings=("hash=1",), files=(file, other))
    run = Run.create("scores", config, tmp_path)
    # Stopped before the first game, then in the middle: what is there stays.
    assert score_games(run, config, workers=1, is_stopped=lambda: True).games == 0
    asked = iter([False, False, False])
    some = score_games(run, config, workers=1, is_stopped=lambda: next(asked, True)).games
    end = score_games(run, config, workers=2)
    assert (end.games, end.total, end.new_games) == (12, 12, 12 - some)
    names = ["000-000000.rec", "000-000001.rec", "000-000002.rec", "001-000000.rec"]
    assert sorted(path.name for path in run.shards.iterdir()) == names
    scored = [game for name in names for game in RecordReader(run.shards / name)]
    expected = [Scorer(QUICK).score(game, number) for number, game in [*enumerate(games), *enumerate(games[:2])]]
    assert scored == expected
    with RecordWriter(other, append=True) as writer:
        writer.add(games[2])
    assert score_games(run, config, workers=1).new_games == 1


class Elsewhere:
    """A worker on another machine: what it is told and what it answers travels as bytes."""

    def __init__(self, begin: Callable[..., Any], argument: Any, count: int) -> None:
        self._worker = begin(argument, lambda: False)

    def submit(self, task: Callable[[Any, Any], Any], item: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(task(self._worker, pickle.loads(pickle.dumps(item))))
        return future

    def ask_to_stop(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_workers_that_see_no_disk_of_ours_score_the_same(games: list[GameRecord], tmp_path: Path) -> None:
    files = (_write(tmp_path / "many.rec", games * 2), _write(tmp_path / "few.rec", games[3:7]))
    config = ScoringConfig(nodes=20, every=3, shard_games=18, settings=("hash=1",), files=files)
    run = Run.create("there", config, tmp_path)
    end = score_games(run, config, workers=3, begin_pool=Elsewhere)
    assert (end.games, end.total, end.new_games) == (24, 24, 24)
    scored = [game for path in sorted(run.shards.iterdir()) for game in RecordReader(path)]
    scorer = Scorer(config)
    assert scored == [scorer.score(game, n) for n, game in [*enumerate(games * 2), *enumerate(games[3:7])]]


def test_a_killed_run_goes_on(games: list[GameRecord], tmp_path: Path) -> None:
    file = _write(tmp_path / "many.rec", games * 12)
    command = [sys.executable, "-m", "philidor", "data", "score", str(file), "-o", str(tmp_path / "killed")]
    command += ["--nodes", "300", "--shard-games", "60", "--settings", "hash=1", "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    shards = tmp_path / "killed" / "shards"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not any(path.stat().st_size > 2_000 for path in shards.glob("*.rec")):
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert sum(len(RecordReader(path)) for path in shards.glob("*.rec") if path.stat().st_size) < 120
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "120 of 120 games" in done.stdout
    scored = [game for path in sorted(shards.glob("*.rec")) for game in RecordReader(path)]
    assert [game.indices for game in scored] == [game.indices for game in games * 12]
    scorer = Scorer(replace(QUICK, nodes=300))
    for number in (0, 59, 60, 119):
        assert scored[number] == scorer.score(games[number % len(games)], number)


def test_a_file_that_is_cut_off_is_used_and_named(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.rec"
    cut.write_bytes(file.read_bytes()[:-3])
    quick = ["--nodes", "10", "--settings", "hash=1", "--workers", "1", "--minutes", "0"]
    assert main(["data", "score", str(cut), "--out", str(tmp_path / "run"), *quick]) == 0
    captured = capsys.readouterr()
    assert "0 of 9 games" in captured.out
    assert f"{cut}: 1 games lost" in captured.err


def test_other_files_and_games_are_refused(file: Path, tmp_path: Path) -> None:
    quick = ["--nodes", "10", "--settings", "hash=1", "--workers", "1", "--minutes", "0"]
    stopped = CliRunner().invoke(app, ["score", str(file), "-o", str(tmp_path / "run"), *quick])
    assert "0 of 10 games" in stopped.stdout
    assert "time is up" in stopped.stdout
    other = _write(tmp_path / "other.rec", [])
    result = CliRunner().invoke(app, ["score", str(other), "-o", str(tmp_path / "run"), *quick])
    assert isinstance(result.exception, RunError)
    with RecordWriter(tmp_path / "hexapawn.rec", "hexapawn") as writer:
        writer.add(GameRecord(indices=(0,)))
    for path, kind in ((tmp_path / "hexapawn.rec", ConfigError), (tmp_path / "none.rec", RecordError)):
        config = ScoringConfig(files=(path,))
        with pytest.raises(kind):
            score_games(Run.create(path.stem, config, tmp_path), config, workers=1)
