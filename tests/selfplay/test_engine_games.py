"""Self-play games of an engine: what they hold, and that a run survives being killed."""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from philidor.arena.openings import DEFAULT_BOOK
from philidor.cli.data import app
from philidor.core.analysis import Score
from philidor.core.errors import ConfigError, PhilidorError, RunError
from philidor.core.runs import Run
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.nets.shipped import find_net
from philidor.players.bench import run_bench
from philidor.players.classic import ClassicConfig, ClassicPlayer
from philidor.players.nnue import NnueConfig, NnuePlayer
from philidor.players.scoring import score_number
from philidor.records import RecordReader, Result
from philidor.selfplay.engine_games import EngineGamesConfig, GameMaker, ReadableGames
from philidor.selfplay.run import make_games, source_of
from philidor.selfplay.shard_files import games_in_file
from philidor.selfplay.shards import shards_of

QUICK = EngineGamesConfig(nodes=60, shard_games=4, settings=("hash=1",))


def test_a_game_is_played_to_its_end_with_scores() -> None:
    maker = GameMaker(QUICK)
    for number in range(6):
        record = maker.game(number)
        assert record is not None
        assert record.scores is not None
        opening = record.scores.count(None)
        assert opening - QUICK.random_plies in (0, 1)
        assert record.scores[:opening] == (None,) * opening
        assert all(score is not None for score in record.scores[opening:])
        assert abs(record.scores[opening] or 0) <= QUICK.opening_limit
        assert record.result is not Result.UNKNOWN
        *_, last = record.states(load_game("chess"))
        outcome = last.outcome()
        if record.termination in ("adjudication", "max plies"):
            # The move by which a game was called won may have been mate.
            assert outcome is None or record.result is Result.from_outcome(outcome)
        else:
            assert outcome is not None
            assert (record.termination, record.result) == (outcome.reason, Result.from_outcome(outcome))


@pytest.mark.parametrize(
    "config",
    [
        EngineGamesConfig(nodes=80, settings=("hash=1",)),
        EngineGamesConfig(nodes=150, engine="nnue", win_cp=250, win_plies=3, draw_cp=80, draw_plies=4, draw_from=20),
        EngineGamesConfig(nodes=40, overrun=1, opening_limit=60, max_plies=50),
        EngineGamesConfig(nodes=None, depth=2, random_plies=3, max_plies=80),
        EngineGamesConfig(nodes=60, book=DEFAULT_BOOK, random_plies=0, book_random_plies=0, max_plies=60),
        # Scores of nearly nothing change sides: the winner's plies are counted from the start again.
        EngineGamesConfig(nodes=40, win_cp=1, win_plies=4, draw_plies=99, settings=("hash=1",)),
    ],
    ids=["plain", "adjudicated", "balanced", "depth", "book", "undecided"],
)
def test_native_games_are_those_of_the_readable_loop(config: EngineGamesConfig) -> None:
    native, readable = GameMaker(config, source="here"), ReadableGames(config, source="here")
    games = [native.game(number) for number in range(6)]
    assert games == [readable.game(number) for number in range(6)]
    if config.win_cp == 250:
        called = {game.result for game in games if game is not None and game.termination == "adjudication"}
        assert called == {Result.FIRST_WINS, Result.DRAW, Result.SECOND_WINS}


def test_a_search_begins_no_iteration_after_its_nodes() -> None:
    engine, position = ClassicPlayer(ClassicConfig(hash=1)).engine, Position().native
    found = engine.search(position, soft_nodes=500, nodes=50_000)
    nodes = engine.nodes
    by_depth = []
    for depth in range(1, found.depth + 1):
        engine.new_game()
        engine.search(position, depth=depth)
        by_depth.append(engine.nodes)
    assert by_depth[-1] == nodes >= 500
    assert by_depth[-2] < 500


def test_a_book_begins_every_second_game(tmp_path: Path) -> None:
    book = tmp_path / "book.pgn"
    book.write_text("1. e4 c5 2. Nf3 d6 *\n\n1. d4 Nf6 2. c4 g6 *\n")
    maker = GameMaker(EngineGamesConfig(nodes=30, book=book, max_plies=20))
    records = [record for number in range(8) if (record := maker.game(number)) is not None]
    lines = [record.uci_moves()[:4] for record in records]
    assert all(line in (["e2e4", "c7c5", "g1f3", "d7d6"], ["d2d4", "g8f6", "c2c4", "g7g6"]) for line in lines[1::2])
    assert not any(line in lines[1::2] for line in lines[::2])
    openings = [(record.scores or ()).count(None) for record in records[1::2]]
    assert all(4 + 2 <= plies <= 4 + 4 for plies in openings)


@pytest.mark.parametrize(("text", "complaint"), [("", "no openings"), ("e4 e5", "neither EPD nor PGN")])
def test_a_book_that_is_none_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    book = tmp_path / "book.epd"
    book.write_text(text)
    with pytest.raises(ConfigError, match=complaint):
        GameMaker(EngineGamesConfig(nodes=30, book=book))


def test_a_search_by_the_clock_is_refused() -> None:
    with pytest.raises(ConfigError, match="movetime"):
        GameMaker(EngineGamesConfig(settings=("movetime=0.1",)))


def test_a_long_search_ends_soon_after_the_order_to_stop() -> None:
    asked: list[float] = []

    def is_stopped() -> bool:
        asked.append(time.monotonic())
        return len(asked) > 3

    assert GameMaker(EngineGamesConfig(nodes=None, depth=60), is_stopped).game(0) is None
    assert time.monotonic() - asked[3] < 10


class _Told:
    """An engine that plays any move and sees what it is told: White's centipawns, ply by ply, the last one for ever."""

    def __init__(self, white_scores: list[int]) -> None:
        self._scores = white_scores

    def new_game(self) -> None:
        pass

    def search(self, position: Position) -> tuple[str, int]:
        score = self._scores[min(position.ply, len(self._scores) - 1)]
        return position.uci(position.legal_moves()[0]), score if position.turn else -score


def _called(white_scores: list[int], **settings: Any) -> tuple[int, Result]:
    maker = ReadableGames(EngineGamesConfig(random_plies=0, opening_limit=1000, win_cp=600, **settings))
    maker._engine = _Told(white_scores)  # type: ignore[assignment]
    record = maker.game(0)
    assert record is not None
    assert record.termination == "adjudication"
    return len(record), record.result


def test_a_winner_who_changes_begins_from_the_start() -> None:
    assert _called([700], win_plies=3) == (3, Result.FIRST_WINS)
    assert _called([-700], win_plies=3) == (3, Result.SECOND_WINS)
    assert _called([700, 700, -700], win_plies=3) == (5, Result.SECOND_WINS)
    assert _called([700, 700, 0, 700], win_plies=3) == (6, Result.FIRST_WINS)


def test_draws_are_not_called_before_their_time() -> None:
    assert _called([5], draw_cp=8, draw_plies=3, draw_from=2) == (3, Result.DRAW)
    assert _called([5], draw_cp=8, draw_plies=3, draw_from=9) == (9, Result.DRAW)
    assert _called([5, 20, 5], draw_cp=8, draw_plies=3, draw_from=2) == (5, Result.DRAW)


def test_a_player_without_scores_plays_too_and_leaves_results() -> None:
    config = EngineGamesConfig(engine="deepchess", settings=("depth=1", "quiescence=false"), max_plies=14)
    record = GameMaker(config).game(0)
    assert record is not None
    assert record.scores is None
    assert (len(record.indices), record.result, record.termination) == (14, Result.DRAW, "max plies")


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


def test_games_say_who_played_them() -> None:
    config = EngineGamesConfig(engine="nnue", nodes=60, settings=("net=philidor-4",))
    source = source_of(config)
    bench = run_bench(NnuePlayer(NnueConfig(net=Path("philidor-4"))), 8).nodes
    digest = hashlib.sha256(find_net("philidor-4").read_bytes()).hexdigest()[:16]
    assert source == f"self-play engine=nnue nodes=60 net=philidor-4.phnn net_sha256={digest} bench8={bench}"
    record = GameMaker(config, source=source).game(0)
    assert record is not None
    assert record.source == source


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
        maker = GameMaker(config, source=source_of(config))
        assert games[-1] == maker.game(int(path.stem) * 60 + len(games) - 1)
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
    assert complaints == "philidor: stopping after the work at hand (Ctrl-C once more: at once)\n"
    assert "stopped; the same command continues" in said
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
    policies: set[int] = set()

    def look(_: object) -> None:
        for child in multiprocessing.active_children():
            with contextlib.suppress(ProcessLookupError):
                seen.add(os.getpriority(os.PRIO_PROCESS, child.pid or 0))
                if hasattr(os, "SCHED_IDLE"):
                    policies.add(os.sched_getscheduler(child.pid or 0))

    make_games(patient, QUICK, 4, workers=1, report=look, is_patient=True)
    assert max(seen) == 19
    assert not hasattr(os, "SCHED_IDLE") or os.SCHED_IDLE in policies
    shards = [[path.read_bytes() for path in sorted(run.shards.glob("*.rec"))] for run in (plain, patient)]
    assert shards[0] == shards[1]
