"""`philidor analyse`: files in, a PGN and a page out, and one position as a table."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from philidor.cli import main
from tests.reviews.reviewed import SHORT_GAME

MATE_IN_ONE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    other = SHORT_GAME.replace("Ann", "[red]").replace("3. Nc3", "3. Nf3")
    path.write_text(f"{SHORT_GAME}\n1. e4 Ke5 *\n\n{other}", encoding="utf-8")
    return path


def test_games_become_a_pgn_and_a_page(pgn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    command = ["analyse", str(pgn), "--nodes", "500", "--out", str(out), "--concurrency", "1"]
    assert main(command) == 0
    shown = capsys.readouterr()
    assert "game 2 is left out: the game cannot be read: illegal san: 'Ke5'" in shown.err
    assert "[red]" in shown.out
    assert "2 games, 18 positions" in shown.out
    assert (out / "annotated.pgn").read_text(encoding="utf-8").count("[%eval") == 16
    assert (out / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    # A second time nothing is searched; --json has the whole reviews.
    assert main([*command, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [len(game["moves"]) for game in answer["games"]] == [8, 8]


def test_a_position_becomes_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--fen", MATE_IN_ONE, "--nodes", "300", "--human", "1500"]) == 0
    table = capsys.readouterr().out
    assert "Qxf7#  mates" in table
    assert "1500" in table
    assert main(["analyse", "--fen", MATE_IN_ONE, "--nodes", "300", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    best = answer["candidates"][0]
    assert (best["san"], best["cost"]) == ("Qxf7#", 0)
    assert list(best["shares"]) == [str(rating) for rating in range(800, 2401, 200)]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "nothing to analyse: name PGN files, or a position with --fen"),
        (["no.pgn"], "cannot read 'no.pgn': No such file or directory"),
        (["GAMES", "--fen", "startpos"], "either games or --fen, not both"),
        (["--fen", "startpos", "--out", "x"], "--out would be ignored: --fen prints a table"),
        (["--fen", "8/8/8/8/8/5k2/5q2/5K2 w - - 0 1"], "the game is over"),
        (["GAMES", "--engine", "human"], "human does not search by nodes or depth"),
        (["GAMES", "--net", "no-such-net"], "no network 'no-such-net'"),
        (["GAMES", "--out", "GAMES"], "cannot write into"),
    ],
)
def test_a_wrong_command_gets_one_line(
    arguments: list[str],
    problem: str,
    pgn: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["analyse", *(str(pgn) if word == "GAMES" else word for word in arguments)]) != 0
    complaint = [line for line in capsys.readouterr().err.splitlines() if "left out" not in line]
    assert len(complaint) == 1
    assert problem in complaint[0]


def test_ctrl_c_ends_it_soon_and_the_same_command_goes_on(pgn: Path, tmp_path: Path) -> None:
    judged = tmp_path / "out" / "judged.jsonl"
    command = [sys.executable, "-m", "philidor", "analyse", str(pgn), "--out", str(judged.parent), "--movetime", "0.1"]
    process = subprocess.Popen([*command, "--concurrency", "1"], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not judged.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    # The first game is judged, and the engine is at the second.
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, complaint = process.communicate(timeout=20)
    assert time.monotonic() - began < 10  # a busy machine; judging the second game to its end would be seen below
    assert process.returncode == 130
    assert "the same command goes on" in complaint
    first = judged.read_text(encoding="utf-8")
    assert first.count("\n") == 1
    assert subprocess.run([*command, "--concurrency", "1"], capture_output=True, timeout=60).returncode == 0
    assert judged.read_text(encoding="utf-8").startswith(first)
    assert judged.read_text(encoding="utf-8").count("\n") == 2
