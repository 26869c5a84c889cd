"""The script that makes an NNUE network by a teacher: all its parts in miniature, and nothing is done twice."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from philidor.pipelines.recipes.from_games import load_games_recipe
from tests.train.scored_games import scored_games, write_games

pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

ROOT = Path(__file__).resolve().parents[2]


def _burst(folder: Path) -> subprocess.CompletedProcess[str]:
    small = "--network-blocks 1 --network-filters 8 --data-batch 16 --training-measured 16 --training-device cpu"
    command = [sys.executable, str(ROOT / "examples/teacher_burst.py"), str(folder / "games.rec"), "--minutes", "0.15"]
    command += ["--out", str(folder / "burst"), "--start", str(folder / "tower.safetensors"), "--workers", "1"]
    command += ["--shapes", "mirrored-256", "--lessons", small, "--judging", "--device cpu"]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_small_network_comes_of_scored_games(tmp_path: Path) -> None:
    from philidor.nets.torch.files import save_network
    from philidor.train.torch.first_model import first_model

    write_games(tmp_path / "games.rec", scored_games(24))
    config = replace(load_games_recipe("chess-supervised").network, blocks=1, filters=8)
    save_network(tmp_path / "tower.safetensors", first_model(config, 4, start=None, scale_inputs=False))
    done = _burst(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    network = tmp_path / "burst/students/mirrored-256/checkpoints/mirrored-256.phnn"
    assert network.stat().st_size > 300_000
    before = network.read_bytes()
    again = _burst(tmp_path)
    assert (again.returncode, again.stdout) == (0, "")
    assert network.read_bytes() == before


def test_what_fails_is_named(tmp_path: Path) -> None:
    (tmp_path / "games.rec").write_bytes(b"no games")
    done = _burst(tmp_path)
    assert done.returncode == 1
    assert "failed with" in done.stderr
    assert ".log says why" in done.stderr
