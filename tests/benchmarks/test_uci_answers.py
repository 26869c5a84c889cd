"""Odd lines in miniature: the program answers every "go" by exactly one move, with each engine."""

import subprocess
import sys
from pathlib import Path

from philidor.nets.leela.files import save_leela
from tests.nets.leela_nets import residual_net

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "benchmarks" / "uci_answers.py"


def test_every_go_among_odd_lines_is_answered_once(tmp_path: Path) -> None:
    net = tmp_path / "small.pb.gz"
    save_leela(residual_net(), net)
    command = [sys.executable, str(PROGRAM), "--lines", "300", "--seed", "1", "--net", str(net)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.rpartition(" ")[2] for line in done.stdout.splitlines()] == ["good"] * 4
