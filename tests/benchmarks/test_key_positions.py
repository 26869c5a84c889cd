"""The book's key positions are those of its game, and every engine has an opinion of them."""

import subprocess
import sys
from pathlib import Path

from philidor.book.chapter4.games import ALPHAZERO_GAME, KEY_POSITIONS

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "benchmarks" / "key_positions.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(PROGRAM), *arguments], capture_output=True, text=True, timeout=60)


def test_the_table_has_a_row_for_each_position_and_time() -> None:
    result = run("--engine", "classic hash=1", "--seconds", "0.01,0.02")
    assert result.returncode == 0, result.stderr
    rows = [line for line in result.stdout.splitlines() if line.startswith(("| Figure", "| after"))]
    assert len(rows) == 8
    assert all("classic" not in row and ", depth " in row for row in rows)


def test_an_engine_that_is_not_ours_is_refused() -> None:
    result = run("--engine", "stockfish")
    assert result.returncode == 2
    assert "'stockfish' is no engine of philidor's" in result.stderr


def test_the_game_leads_to_the_positions_of_the_text() -> None:
    assert [f"{key.position.fen()} {ALPHAZERO_GAME[key.ply]}" for key in KEY_POSITIONS] == [
        "r2q1rk1/pb1nbppp/2p1p3/1p2P3/1PpPN1Q1/2B3P1/P4PBP/R4RK1 w - - 6 17 Nc5",
        "4qbk1/1b1r1p1p/2p1pQp1/1pP1P2P/1Pp1B3/2B3P1/5PK1/7R w - - 7 32 hxg6",
        "5rk1/1b2bppp/2p1p3/1pP1P3/1Pp3Q1/2Bq2P1/5PBP/2R3K1 b - - 2 22 Ra8",
        "r2q2k1/1b2bppp/2p1p3/1pP1P3/1Pp3QP/2B3P1/5PB1/2R3K1 w - - 1 24 Be4",
    ]
