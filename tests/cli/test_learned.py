"""The small float networks on the command line: described, verified, asked, trained and played."""

import json
from pathlib import Path

import pytest

from philidor.cli import main
from philidor.nets.dense import save_dense
from tests.nets.dense_networks import made_up_deepchess, made_up_giraffe


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_networks_are_described_verified_and_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    judge, comparer = tmp_path / "judge.phfl", tmp_path / "comparer.phfl"
    save_dense(made_up_giraffe(), judge)
    save_dense(made_up_deepchess(), comparer)
    facts = json.loads(output(capsys, "net", "info", str(judge), "--json"))
    assert (facts["format"], facts["kind"], facts["description"]) == ("dense", "giraffe", "made up")
    assert json.loads(output(capsys, "net", "info", str(comparer), "--json"))["kind"] == "deepchess"
    for path in (judge, comparer):
        assert "agrees with the reference" in output(capsys, "net", "verify", str(path))
    assert "agrees with the reference" in output(capsys, "net", "verify", "giraffe")
    assert json.loads(output(capsys, "net", "info", "amateur", "--json"))["kind"] == "giraffe"
    assert main(["net", "info", "amatuer"]) == 2
    assert "did you mean 'amateur'?" in capsys.readouterr().err
    found = json.loads(output(capsys, "eval", "--fen", "startpos", "--net", str(judge), "--json"))
    assert found["policy"] == {}
    assert found["score_cp"] == round(300 * found["raw"])
    assert "to move" in output(capsys, "eval", "--fen", "startpos", "--net", str(judge))
    assert main(["eval", "--fen", "startpos", "--net", str(comparer)]) == 2
    assert "cannot judge one" in capsys.readouterr().err


def test_they_meet_in_a_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    engines = ("--engine", "giraffe hash=1", "--engine", "deepchess depth=1")
    options = ("--nodes", "50", "--games", "2", "--max-moves", "12", "--concurrency", "1", "--out", str(tmp_path / "m"))
    assert "Results of giraffe" in output(capsys, "match", *engines, *options)
