"""Options of a cluster: what is missing or makes no sense is said in a line, before anything is begun."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from philidor.cli import main

pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")


@pytest.mark.parametrize(
    "command",
    [
        ["train", "tictactoe-zero", "--out", "OUT"],
        ["data", "selfplay", "--out", "OUT", "--games", "2"],
        ["data", "score", "games.rec", "--out", "OUT"],
        ["match", "--engine", "classic depth=1", "--engine", "random", "--games", "2", "--out", "OUT"],
    ],
    ids=lambda command: command[0],
)
def test_without_ray_a_line_says_what_to_install(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("ray", "philidor.core.ray"):
        monkeypatch.setitem(sys.modules, name, None)
    words = [str(tmp_path / "run") if word == "OUT" else word for word in command]
    assert main([*words, "--cluster", "local"]) == 2
    assert "a cluster needs ray" in (said := capsys.readouterr().err)
    assert "pip install '.[cluster]'" in said
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--actor-cpus", "2"], "--actor-cpus would be ignored: there is no --cluster"),
        (["--cluster", "local", "--part", "actor"], "--part would be ignored: on a --cluster"),
    ],
)
def test_options_that_do_not_belong_together_are_refused(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "tictactoe-zero", "--out", str(tmp_path / "run"), *options]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_volunteer_needs_a_token_and_a_server_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contribute", "http://127.0.0.1:1"]) == 2
    assert "a token is needed" in capsys.readouterr().err
    assert main(["serve-training", str(tmp_path)]) == 1
    assert "no run in" in capsys.readouterr().err
