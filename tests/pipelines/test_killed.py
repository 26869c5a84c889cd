"""Killed, stopped or out of space: a training run goes on, and no finished game is lost or doubled."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.pipelines.tiny import TEXT, played_games

pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

ROOT = Path(__file__).parents[2]


def _killed_runs(*arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "tests.pipelines.killed_runs", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks Linux how long a process has computed")
@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)], ids=["three times", "twenty times"])
def test_kill_9_at_random_moments_loses_and_doubles_nothing(tmp_path: Path, kills: int) -> None:
    assert f"killed {kills} times" in _killed_runs("kill", str(tmp_path / "run"), "1", str(kills))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for the size of files")
@pytest.mark.parametrize("stage", ["play", "train"])
def test_a_full_disk_is_said_and_the_run_goes_on_later(tmp_path: Path, stage: str) -> None:
    said = _killed_runs("full", str(tmp_path / "run"), stage)
    assert "cannot write" in said
    assert "File too large" in said


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to catch")
def test_sigterm_stops_the_command_and_the_same_command_goes_on(tmp_path: Path) -> None:
    recipe = tmp_path / "mine.toml"
    recipe.write_text(TEXT.replace("games = 6", "games = 40"))
    command = [sys.executable, "-m", "philidor", "train", str(recipe), "--out", str(tmp_path / "run")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    shards, actor = tmp_path / "run" / "shards", tmp_path / "run" / "actors" / "local"
    while not (actor / "finished.rec").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 130, said
    assert "stopped; the same command continues" in said
    assert (actor / "unfinished.rec").exists()
    before = played_games(shards)
    assert len(before) < 80
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    after = played_games(shards)
    assert sorted(after) == list(range(80))
    assert {number: after[number] for number in before} == before
