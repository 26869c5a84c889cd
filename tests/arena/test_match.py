"""A whole match: pairs, openings, standings, workers, what is kept and how it goes on after a kill."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from philidor.arena.game import GameResult
from philidor.arena.match import Match, MatchConfig
from philidor.arena.openings import DEFAULT_BOOK, Opening, read_openings, shuffled
from philidor.arena.report import data_report, text_report
from philidor.arena.standings import Standings
from philidor.arena.statistics import PairStatistics
from philidor.core.errors import ConfigError, RunError
from philidor.records import PgnSource

FAKE = Path(__file__).with_name("fake_engine.py")
FAST = {"engines": ("classic", "classic without=null_move"), "nodes": 100}
PHILIDOR = [sys.executable, "-m", "philidor"]


def ignore(_: GameResult) -> None:
    pass


def facts(match: Match) -> list[tuple[object, ...]]:
    """What must not depend on who played a game and when: number, result, reason, length."""
    assert match.run is not None
    lines = match.run.metrics()
    return sorted((line["number"], line["result"], line["reason"], line["plies"]) for line in lines)


def played(config: MatchConfig, folder: Path, games: int, concurrency: int = 1) -> Match:
    match = Match(config, folder)
    match.play(games, concurrency, ignore)
    return match


def result(number: int, white: int, black: int, score: str, fault: str | None = None) -> GameResult:
    return GameResult(number, white, black, score, fault or "checkmate", fault, "", 40, 1.0, "")


def test_games_come_in_pairs_with_one_opening_and_colors_changed() -> None:
    match = Match(MatchConfig(engines=("random", "random", "random")))
    games = [match.pairing(number) for number in range(12)]
    for one, two in zip(games[::2], games[1::2], strict=True):
        assert (one.white, one.black, one.opening) == (two.black, two.white, two.opening)
    assert [(game.white, game.black) for game in games[:6:2]] == [(0, 1), (0, 2), (1, 2)]
    # Every encounter of a round has the same opening, the next round another one.
    assert len({game.opening for game in games[:6]}) == 1
    assert games[0].opening != games[6].opening


def test_a_gauntlet_is_one_against_all() -> None:
    match = Match(MatchConfig(engines=("random", "random", "random"), mode="gauntlet"))
    assert match.encounters == [(0, 1), (0, 2)]


def test_the_same_match_twice_is_the_same_however_many_workers(tmp_path: Path) -> None:
    config = MatchConfig(**FAST)  # type: ignore[arg-type]
    one = played(config, tmp_path / "one", 6)
    two = played(config, tmp_path / "two", 6, concurrency=2)
    assert facts(one) == facts(two)
    assert len(facts(one)) == 6
    assert one.standings.between(0, 1).pairs.pairs == 3


def test_games_are_kept_as_pgn_that_can_be_read(tmp_path: Path) -> None:
    match = played(MatchConfig(**FAST), tmp_path / "run", 4)  # type: ignore[arg-type]
    assert match.pgn_path is not None
    source = PgnSource([match.pgn_path], evals="mover", tags=("*",))
    records = list(source)
    assert not source.skipped
    in_log = {line["number"]: line for line in match.run.metrics()} if match.run else {}
    assert len(records) == len(in_log) == 4
    for record in records:
        pair, game = map(int, record.tags["Round"].split("."))
        line = in_log[2 * (pair - 1) + game - 1]
        assert (record.result.text, len(record)) == (line["result"], line["plies"])
        assert record.scores is not None
        assert None not in record.scores


def test_a_match_goes_on_where_it_was(tmp_path: Path) -> None:
    config = MatchConfig(**FAST)  # type: ignore[arg-type]
    whole = played(config, tmp_path / "whole", 4)
    first = played(config, tmp_path / "parts", 2)
    assert first.pgn_path is not None
    # Killed in the middle of writing the third game.
    with first.pgn_path.open("a") as file:
        file.write('[Event "half a ga')
    with (tmp_path / "parts" / "metrics.jsonl").open("a") as file:
        file.write('{"number": 2, "whi')
    second = played(config, tmp_path / "parts", 4)
    assert second.standings.games == 4
    assert facts(second) == facts(whole)
    source = PgnSource([first.pgn_path])
    assert len(list(source)) == 4
    assert not source.skipped


def test_another_match_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    Match(MatchConfig(engines=("random", "random")), tmp_path / "run")
    (tmp_path / "run" / "report" / "games.pgn").touch()
    with pytest.raises(RunError, match="another config"):
        Match(MatchConfig(engines=("random", "random"), seed=2), tmp_path / "run")


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.02)


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the workers by /proc")
def test_a_killed_match_leaves_no_process_and_loses_nothing(tmp_path: Path) -> None:
    options = ["--engine", "classic", "--engine", f"{sys.executable} {FAKE} plays", "--nodes", "1000"]
    command = [*PHILIDOR, "match", *options, "--concurrency", "1", "--out", str(tmp_path / "run"), "--json"]
    process = subprocess.Popen([*command, "--games", "1000"], stdout=subprocess.DEVNULL)
    metrics = tmp_path / "run" / "metrics.jsonl"
    wait_for(lambda: metrics.exists() and metrics.read_bytes().count(b"\n") >= 2)
    workers = children(process.pid)
    everyone = workers + [engine for worker in workers for engine in children(worker)]
    assert len(everyone) >= 2
    process.kill()
    process.wait()
    wait_for(lambda: not any(is_running(pid) for pid in everyone))
    kept = [json.loads(line) for line in metrics.read_text().splitlines() if line.endswith("}")]
    done = subprocess.run([*command, "--games", str(len(kept) + 2)], capture_output=True, text=True, timeout=60)
    report = json.loads(done.stdout)
    assert report["games"] >= len(kept) + 2
    assert [json.loads(line) for line in metrics.read_text().splitlines()][: len(kept)] == kept


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
@pytest.mark.parametrize("signal_", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_a_polite_kill_say_how_to_go_on(signal_: signal.Signals, tmp_path: Path) -> None:
    options = ["--engine", "classic", "--engine", "classic", "--nodes", "300", "--games", "1000", "--concurrency", "1"]
    process = subprocess.Popen(
        [*PHILIDOR, "match", *options, "--out", str(tmp_path / "run")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    metrics = tmp_path / "run" / "metrics.jsonl"
    wait_for(lambda: metrics.exists() and metrics.read_bytes().count(b"\n") >= 2)
    os.kill(process.pid, signal_)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "continues" in err
    assert "Traceback" not in err
    assert "leaked" not in err
    assert "Results of classic vs classic (2)" in out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_shows_the_standings_while_games_are_played(tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    options = ["--engine", "classic name=New", "--engine", f"{sys.executable} {FAKE} cheats name=Bad", "--nodes", "50"]
    command = [*PHILIDOR, "match", *options, "--games", "4", "--concurrency", "1", "--out", str(tmp_path / "run")]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, text=True, env={**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    )
    os.close(theirs)
    shown = b""
    # The other end of a pseudo-terminal that was closed is an error, not an end.
    with contextlib.suppress(OSError):
        while chunk := os.read(ours, 4096):
            shown += chunk
    os.close(ours)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert b"4 of 4 games" in shown
    assert b"illegal move by Bad" in shown
    for column in (b"engine", b"opponent", b"+ = -", b"LOS", b"New", b"100.0 %"):
        assert column in shown
    assert "Results of New vs Bad" in out


def test_programs_play_each_other_and_their_faults_are_counted(tmp_path: Path) -> None:
    engines = tuple(f"{sys.executable} {FAKE} {mode} name={mode}" for mode in ("plays", "cheats"))
    match = played(MatchConfig(engines=engines, depth=1, options=("Hash=4",)), tmp_path / "run", 4, concurrency=2)
    score = match.standings.between(0, 1)
    assert (score.wins, score.games) == (4, 4)
    assert match.standings.faults(1) == {"illegal move": 4}
    assert not match.standings.faults(0)
    assert text_report(match).count("Faults of cheats: illegal move 4") == 1
    data = data_report(match)
    assert data["faults"] == {"cheats": {"illegal move": 4}}
    assert (data["encounters"][0]["faults"], data["encounters"][0]["opponent_faults"]) == ({}, {"illegal move": 4})


def test_every_kind_of_fault_is_counted_by_name_and_opponent(tmp_path: Path) -> None:
    modes = ("plays", "crashes", "hangs", "cheats", "sleeps")
    engines = tuple(f"{sys.executable} {FAKE} {mode} name={mode}" for mode in modes)
    config = MatchConfig(engines=engines, tc="0.3+0.01", mode="gauntlet", hang_time=0.5)
    match = played(config, tmp_path / "run", 2, concurrency=2)
    faults = {name: dict(match.standings.faults(i)) for i, name in enumerate(modes)}
    assert faults == {
        "plays": {},
        "crashes": {"crash": 2},
        "hangs": {"hang": 2},
        "cheats": {"illegal move": 2},
        "sleeps": {"time forfeit": 2},
    }
    report = text_report(match)
    for name, kind in (("crashes", "crash"), ("hangs", "hang"), ("cheats", "illegal move"), ("sleeps", "time forfeit")):
        assert report.count(f"Faults of {name}: {kind} 2") == 2  # in its block, and in the list of all


def test_time_is_kept_and_the_match_goes_on_later(tmp_path: Path) -> None:
    config = MatchConfig(**FAST)  # type: ignore[arg-type]
    match = Match(config, tmp_path / "run")
    match.play(10_000, 1, ignore, seconds=1.0)
    first = match.standings.games
    assert first < 10_000
    assert played(config, tmp_path / "run", 2 * (first // 2 + 1)).standings.games == 2 * (first // 2 + 1)


def test_a_sequential_test_stops_the_match(tmp_path: Path) -> None:
    config = MatchConfig(
        engines=("classic nodes=200", "random"), sprt=(0.0, 100.0), sprt_alpha=0.4, sprt_beta=0.4, max_moves=60
    )
    match = played(config, tmp_path / "run", 1000)
    assert match.decision() == "H1"
    assert match.standings.games < 100
    assert "- 100 accepted" in text_report(match)
    # It stays decided.
    assert played(config, tmp_path / "run", 1000).standings.games == match.standings.games


def test_pairs_are_counted_in_whatever_order_games_end() -> None:
    games = [
        result(0, 0, 1, "1-0"),
        result(1, 1, 0, "0-1"),
        result(2, 0, 1, "1/2-1/2"),
        result(3, 1, 0, "1-0"),
        result(4, 0, 1, "0-1", "crash"),
    ]
    for order in (games, games[::-1]):
        standings = Standings(2)
        for game in [*order, games[0]]:
            standings.add(game)
        score = standings.between(0, 1)
        assert (score.wins, score.draws, score.losses, score.points) == (2, 1, 2, 2.5)
        assert score.pairs == PairStatistics((0, 1, 0, 0, 1))
        assert standings.between(1, 0).pairs == score.pairs.mirrored()
        assert standings.total(1).points == 2.5
        assert standings.faults(0) == standings.faults(0, 1) == {"crash": 1}
        assert not standings.faults(1)


def test_the_report_is_the_block_that_developers_know() -> None:
    match = Match(MatchConfig(engines=("random name=New", "random name=Base"), sprt=(0.0, 3.0), sprt_beta=0.1))
    for number, (first, second) in enumerate([("1-0", "0-1"), ("1-0", "1-0"), ("1/2-1/2", "0-1")]):
        match.standings.add(result(2 * number, 0, 1, first))
        match.standings.add(result(2 * number + 1, 1, 0, second))
    lines = text_report(match).splitlines()
    assert lines[1] == "Results of New vs Base (10+0.1, UHO_4060_v4_500.epd):"
    assert lines[2].startswith("Elo: 190.85 +/- ")
    assert lines[3] == "LOS: 98.31 %, DrawRatio: 33.33 %, PairsRatio: inf"
    assert lines[4] == "Games: 6, Wins: 4, Losses: 1, Draws: 1, Points: 4.5 (75.00 %)"
    assert lines[5] == "Ptnml(0-2): [0, 0, 1, 1, 1]"
    assert lines[6].endswith("(-2.25, 2.89) [0.00, 3.00]")
    assert json.loads(json.dumps(data_report(match), allow_nan=False))["encounters"][0]["wins"] == 4


def test_many_engines_get_a_rating_list() -> None:
    match = Match(MatchConfig(engines=("random name=a", "random name=b", "random name=c")))
    for number in range(12):
        pairing = match.pairing(number)
        strongest = max(pairing.white, pairing.black)
        match.standings.add(
            result(number, pairing.white, pairing.black, "1-0" if strongest == pairing.white else "0-1")
        )
    lines = text_report(match, {"a": 1000.0}).splitlines()
    assert [line.split()[:2] for line in lines[2:5]] == [["1", "c"], ["2", "b"], ["3", "a"]]
    assert lines[4].split()[2:] == ["1000.00", "0.00", "8", "0.0", "0.0", "%"]
    assert [line for line in lines if line.startswith("Results of")] == [
        f"Results of {pair} (10+0.1, UHO_4060_v4_500.epd):" for pair in ("a vs b", "a vs c", "b vs c")
    ]
    assert data_report(match, {"a": 1000.0})["ratings"]["a"] == {"value": 1000.0, "error": 0.0}


EPD = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4"
PGN = '[Event "?"]\n\n1. e4 c5 2. Nf3 1/2-1/2\n\n[Event "?"]\n\n1. d4 *\n'


@pytest.mark.parametrize(
    "name", ["book.epd", "book.epd.zip", "book.epd.zst", "book.pgn", "book.pgn.zip", "book.pgn.zst"]
)
def test_books_are_read_in_all_their_forms(name: str, tmp_path: Path) -> None:
    path, is_pgn = tmp_path / name, "pgn" in name
    text = PGN if is_pgn else f'# a comment\n{EPD}\n\n{EPD} ; id "x";\n'
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(path.stem, text)
    else:
        data = text.encode()
        path.write_bytes(zstandard.compress(data) if name.endswith(".zst") else data)
    openings = read_openings(path, plies=2 if is_pgn else None)
    assert len(openings) == 2
    assert openings[0] == (Opening("startpos", ("e2e4", "c7c5")) if is_pgn else Opening(EPD))
    for opening in openings:
        opening.position()


@pytest.mark.parametrize("text", ["", "hello\n", "8/8/8/8/8/8/8/8 w - - 0 1\n"])
def test_what_is_no_book_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "book.epd").write_text(text)
    with pytest.raises(ConfigError, match="book"):
        read_openings(tmp_path / "book.epd")


def test_a_missing_book_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        read_openings(tmp_path / "none.epd")


def test_the_shipped_openings_are_playable_and_different() -> None:
    openings = read_openings(DEFAULT_BOOK)
    assert len({opening.position().key for opening in openings}) == 500
    assert not any(opening.position().is_over() for opening in openings)


def test_the_order_of_openings_is_the_seeds() -> None:
    openings = read_openings(DEFAULT_BOOK)
    assert shuffled(openings, 1) == shuffled(openings, 1) != shuffled(openings, 2)
    assert set(shuffled(openings, 1)) == set(openings)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--engine", "classic"], "at least two engines"),
        (["--engine", "clasic", "--engine", "random"], "did you mean 'classic'?"),
        (["--engine", "classic", "--engine", "random", "--tc", "soon"], "such as 10+0.1"),
        (["--engine", "classic", "--engine", "random", "--option", "Hush=1"], "has an option 'Hush'"),
        (["--engine", "classic", "--engine", "random", "--option", "Hash"], "NAME=VALUE"),
        (["--engine", "classic", "--engine", "random", "--sprt", "5", "0"], "elo0 must be less"),
        (["--engine", "classic without=thinking", "--engine", "random"], "thinking"),
        (["--engine", "classic", "--engine", "random", "--anchor", "clasic=2000"], "did you mean 'classic'?"),
        (["--engine", "classic", "--engine", "random", "--anchor", "classic=nan"], "NAME=ELO"),
        (["--engine", "true", "--engine", "random"], "does not start as a UCI engine"),
        (["--engine", "classic", "--engine", "random", "--syzygy", "nowhere"], "no folder 'nowhere'"),
        (["--engine", "classic", "--engine", "random", "--openings", "none.epd"], "none.epd"),
    ],
)
def test_mistakes_are_named_before_anything_is_played(arguments: list[str], complaint: str, tmp_path: Path) -> None:
    done = subprocess.run([*PHILIDOR, "match", *arguments], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())
