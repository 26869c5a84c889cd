"""Where games are won and lost, with a judge that always sees the mover twelve centipawns ahead."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from match_phases import main

from philidor.arena.ruler import expected_score

FAKE = Path(__file__).resolve().parents[1] / "arena" / "fake_engine.py"
PROGRAM = Path(__file__).resolve().parents[2] / "benchmarks" / "match_phases.py"
GAMES = """[White "other"]
[Black "ours"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[White "ours"]
[Black "other"]
[Result "1/2-1/2"]

1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. d4 Bg4 5. Be2 Bxe2 6. Ngxe2 Nf6 7. O-O 1/2-1/2

[White "ours"]
[Black "other"]
[Result "*"]

1. d4 *

[White "somebody"]
[Black "other"]
[Result "1-0"]

1. d4 1-0
"""
MOVER = expected_score(12)


def judge_in(folder: Path) -> Path:
    """A judge's program and the games, in a folder of their own."""
    (folder / "games.pgn").write_text(GAMES)
    return Path(shutil.copy(FAKE, folder / "judge.py"))


def arguments(folder: Path, *more: str) -> list[str]:
    judge = f"{sys.executable} {folder / 'judge.py'} plays"
    given = [str(folder / "games.pgn"), "--player", "ours", "--judge", judge, "--out", str(folder / "out"), "--json"]
    return [*given, "--every", "3", *more]


def test_changes_add_up_to_the_result_less_what_the_start_promised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge_in(tmp_path)
    assert main(arguments(tmp_path, "--concurrency", "2")) == 0
    rows = {row["phase"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    # Ours has Black in the first game and wins, White in the second and draws; plies 0, 3 and 0, 3, 6, 9, 12.
    assert rows["all"]["positions"] == 2 + 5
    assert rows["all"]["points"] == pytest.approx(((1 - (1 - MOVER)) + (0.5 - MOVER)) / 2)
    assert rows["plies 0-19"]["points"] == pytest.approx(rows["all"]["points"])
    by_pieces = {name: row for name, row in rows.items() if "pieces" in name}
    assert {name: row["positions"] for name, row in by_pieces.items()} == {"32-29 pieces": 6, "28-25 pieces": 1}
    assert sum(row["points"] for row in by_pieces.values()) == pytest.approx(rows["all"]["points"])
    # Plies 9 (Black to move) to 12 (White to move, the last one), and from there to the draw.
    assert by_pieces["28-25 pieces"]["points"] == pytest.approx((0.5 - MOVER) / 2)


def test_judged_games_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = judge_in(tmp_path)
    assert main(arguments(tmp_path)) == 0
    first = json.loads(capsys.readouterr().out)["rows"]
    program.write_text("raise SystemExit")
    assert main(arguments(tmp_path)) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == first
    kept = tmp_path / "out" / "phases.jsonl"
    kept.write_text(kept.read_text().splitlines(keepends=True)[0])
    with pytest.raises(SystemExit) as end:
        main(arguments(tmp_path))
    assert end.value.code == 2
    assert "does not start as a UCI engine" in capsys.readouterr().err


def test_ctrl_c_ends_a_judge_that_hangs_and_keeps_what_was_judged(tmp_path: Path) -> None:
    judge_in(tmp_path)
    given = [argument.replace("judge.py plays", "judge.py hangs") for argument in arguments(tmp_path)]
    kept = tmp_path / "out" / "phases.jsonl"
    with subprocess.Popen([sys.executable, str(PROGRAM), *given], stderr=subprocess.PIPE, text=True) as running:
        deadline = time.monotonic() + 60
        while not (kept.exists() and kept.read_text().endswith("\n")):  # the first game, too short to hang in
            assert running.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=20)  # the judge sleeps for a minute
    assert (running.returncode, errors) == (130, "stopped; the same command continues\n")
    assert len(kept.read_text().splitlines()) == 1


def test_games_of_others_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judge_in(tmp_path)
    with pytest.raises(SystemExit) as end:
        main([*arguments(tmp_path), "--player", "nobody"])
    assert end.value.code == 2
    assert "no finished game of 'nobody'" in capsys.readouterr().err


def test_the_table_is_markdown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judge_in(tmp_path)
    given = [argument for argument in arguments(tmp_path, "--first", "1") if argument != "--json"]
    assert main(given) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"| all | 2 | {100 * MOVER:+.1f} |" in lines
