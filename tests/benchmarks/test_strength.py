"""The strength measurements in miniature: played, reported, continued, and stopped in time."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import strength as measured

from philidor.players.native import search_features

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "benchmarks" / "strength.py"


def strength(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), *arguments, "--concurrency", "1"]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=100, env={**os.environ, **environment}, cwd=ROOT
    )


def test_a_set_is_played_reported_and_gone_on_with(tmp_path: Path) -> None:
    # The margin is for machines that are busy with other tests.
    options = ("stability", "--tc", "0.1+0.01", "--time-margin", "5", "--out", str(tmp_path))
    first = strength(*options, "--games", "2")
    assert first.returncode == 0, first.stderr
    assert "Results of first vs second (0.1+0.01, " in first.stdout
    kept = (tmp_path / "stability" / "metrics.jsonl").read_text()
    second = strength(*options, "--games", "4")
    assert "2 of 4 games are there" in second.stdout
    assert (tmp_path / "stability" / "metrics.jsonl").read_text().startswith(kept)
    data = json.loads((tmp_path / "stability.json").read_text())
    assert (data["games"], data["limit"], data["faults"]) == (4, "0.1+0.01", {})
    table = (tmp_path / "strength.md").read_text().splitlines()
    assert table[2].startswith("| stability | 0.1+0.01 | first | second | 4 | ")
    assert table[2].endswith(" | none |")


def test_every_feature_is_measured_and_time_is_kept(tmp_path: Path) -> None:
    done = strength("features", "--nodes", "50", "--games", "2", "--minutes", "0", "--out", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 of 48 games are there" in done.stdout
    config = (tmp_path / "features" / "config.toml").read_text()
    assert "classic without=quiescence name=-quiescence" in config
    assert "nodes = 50" in config


def test_the_page_on_the_search_has_a_row_for_every_feature() -> None:
    page = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
    for name, _, meaning in search_features():
        assert f"| `{name}` | {meaning} | " in page


def test_a_peer_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there: set[str] = set()
    monkeypatch.setattr(measured, "find_program", lambda name: name if name in there else None)
    given = ["peers", "--peers", "toga2", "--out", str(tmp_path / "x")]
    with pytest.raises(SystemExit) as end:
        measured.parse_arguments(given)
    assert end.value.code == 2
    assert "toga2 is neither on the PATH nor in /usr/games" in capsys.readouterr().err
    there.add("toga2")
    assert measured.parse_arguments(given).peers == ["toga2"]
    assert "no peer 'toga'" in strength("peers", "--peers", "toga", "--out", str(tmp_path / "x")).stderr
