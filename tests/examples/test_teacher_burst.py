"""The script that makes an NNUE network by a teacher: all its parts in miniature, and nothing is done twice."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from philidor.pipelines.recipes.from_games import load_games_recipe
from tests.train.scored_games import scored_games, write_games

pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    found = import_module("teacher_burst")
    # On a busy machine a share of a few seconds would be over before anything is judged.
    monkeypatch.setattr(found, "JUDGING", 400.0)
    monkeypatch.setattr(found, "JUDGMENTS", "--stray-plies 3 --positions-skip-plies 2")
    monkeypatch.setattr(found, "SCORED_STRAYS", 2)
    monkeypatch.setattr(found, "QUICK_STRAYS", 1)
    return found


def _burst(script: Any, folder: Path) -> None:
    small = "--network-blocks 1 --network-filters 8 --data-batch 16 --training-measured 16 --training-device cpu"
    words = [str(folder / "games.rec"), "--minutes", "0.15", "--out", str(folder / "burst"), "--workers", "1"]
    words += ["--start", str(folder / "tower.safetensors"), "--shapes", "mirrored-256"]
    if (folder / "others.rec").exists():
        words += ["--others", str(folder / "others.rec")]
    script.main([*words, "--lessons", small, "--judging", "--device cpu"])


def test_a_small_network_comes_of_scored_games(script: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from philidor.nets.torch.files import save_network
    from philidor.train.torch.first_model import first_model

    games = scored_games(36)
    write_games(tmp_path / "games.rec", games[:24])
    write_games(tmp_path / "others.rec", games[24:])
    config = replace(load_games_recipe("chess-supervised").network, blocks=1, filters=8)
    save_network(tmp_path / "tower.safetensors", first_model(config, 4, start=None, scale_inputs=False))
    _burst(script, tmp_path)
    network = tmp_path / "burst/students/mirrored-256/checkpoints/mirrored-256.phnn"
    assert network.stat().st_size > 300_000
    assert any((tmp_path / "burst/judged/shards").glob("*.pos"))  # a second is too short for quick games
    towers = [tmp_path / "burst" / name / "checkpoints/network.safetensors" for name in ("teacher", "other")]
    judges = {
        "judged": {"engine": "nnue", "nodes": 50, "teacher": [], "strays": 2},
        "judged-quick": {"engine": "", "teacher": list(map(str, towers)), "strays": 1},
        "judged-rest": {"engine": "nnue", "nodes": 50, "teacher": [], "strays": 1},
    }
    for name, expected in judges.items():
        if name != "judged" and not (tmp_path / "burst" / name).exists():
            continue  # a busy machine has played no quick games, or too few
        config_of_run = tomllib.loads((tmp_path / "burst" / name / "config.toml").read_text())
        assert {key: config_of_run[key] for key in expected} == expected
    spreads = [
        tomllib.loads((path.parents[1] / "config.toml").read_text())["training"]["score_spread"] for path in towers
    ]
    assert spreads == [script.OUR_SPREAD, script.OTHER_SPREAD]
    before = network.read_bytes()
    capsys.readouterr()
    _burst(script, tmp_path)
    assert capsys.readouterr().out == ""
    assert network.read_bytes() == before


def test_what_fails_is_named(script: Any, tmp_path: Path) -> None:
    (tmp_path / "games.rec").write_bytes(b"no games")
    with pytest.raises(SystemExit, match=r"failed with \d; .*\.log says why"):
        _burst(script, tmp_path)
