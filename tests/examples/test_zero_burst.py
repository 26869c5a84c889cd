"""The script for a rented GPU: it needs nothing but numpy and torch, stops when the time is up, and continues."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from philidor.pipelines.zero.packing import unpack_zero
from tests.pipelines.tiny import TEXT, played_games

pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

ROOT = Path(__file__).resolve().parents[2]
ABSENT = ("chess", "fastapi", "pydantic", "ray", "rich", "typer", "zstandard")
PROGRAM = """
import sys
from pathlib import Path
sys.modules.update(dict.fromkeys(sys.argv[2:], None))
from zero_burst import main

root = Path(sys.argv[1])
recipe = str(root / "tiny.toml")
main([recipe, "--minutes", "0", "--out", str(root / "run1"), "--pack", str(root / "packed1")])
again = ["--unpack", str(root / "packed1"), "--out", str(root / "run2"), "--pack", str(root / "packed2")]
# What is still to come may change between two bursts.
Path(recipe).write_text(Path(sys.argv[1], "later.toml").read_text())
main([recipe, "--minutes", "60", "--actors", "2", "--actor-threads", "1", *again])
"""


def test_a_burst_stops_in_time_and_the_next_one_continues_it(tmp_path: Path) -> None:
    style = 'style = "gated"\noverlap = 1'
    (tmp_path / "tiny.toml").write_text(f"{style}\n{TEXT}")
    stage = "1 training.learning_rate=0.00001 training.final_learning_rate=0.00001"
    (tmp_path / "later.toml").write_text(f'{style}\nstages = ["{stage}"]\n{TEXT}')
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), *ABSENT]
    done = subprocess.run(command, cwd=ROOT / "examples", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[0].startswith("time is up: 1 files")
    assert said[-1].startswith("done: 1 files")
    run = unpack_zero(tmp_path / "packed2", tmp_path / "home")
    assert sorted(played_games(run.shards)) == list(range(12))
    assert {path.name for path in (tmp_path / "run2" / "actors").iterdir()} == {"local", "local2"}
    trained = [event for event in run.metrics() if event["event"] == "train"]
    assert [event["generation"] for event in trained] == [1, 2]
    assert trained[1]["learning_rate"] == 0.00001
    assert not [event for event in run.metrics() if event["event"] == "rating"]
    # Nobody rates, but the gate judges every network, the last one too.
    verdicts = {path.name for path in (tmp_path / "run2" / "verdicts").iterdir()}
    assert verdicts == {"gate-0001.json", "gate-0002.json"}
