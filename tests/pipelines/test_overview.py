"""Runs at a glance: what the folder says, whatever state it is in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from philidor.cli import main
from philidor.cli.sparkline import sparkline
from philidor.core.errors import UnknownNameError
from philidor.core.runs import Run, is_held
from philidor.pipelines.nnue_rounds import RoundsConfig
from philidor.pipelines.overview import find_run, overview, overviews
from tests.pipelines.tiny import tiny_recipe

_HOLD = """
import sys
from pathlib import Path
from philidor.core.runs import Run
run = Run(Path(sys.argv[1])); run.hold(); print("held", flush=True); sys.stdin.read()
"""


def _run(root: Path, name: str = "run", trained: int = 2) -> Run:
    run = Run.create(name, tiny_recipe(generations=3), root)
    run.log({"event": "rating", "generation": 0, "against": {"random": {"score": 0.5}}})
    for generation in range(trained):
        run.log({"event": "play", "generation": generation, "games": 6, "mean_plies": 7.0 + generation, "shards": []})
        losses = {"policy": 2.0 - generation, "loss": 3.0 - generation}
        run.log({"event": "train", "generation": generation + 1, "losses": losses})
        run.log({"event": "rating", "generation": generation + 1, "against": {"random": {"score": 0.75}}})
    run.release()
    return run


def test_a_run_says_how_far_it_is_and_how_well_it_goes(tmp_path: Path) -> None:
    found = overview(_run(tmp_path))
    assert (found.state, found.generations, found.games) == ("stopped", "2/3", 12)
    assert found.losses == {"policy": 1.0, "loss": 2.0}
    assert found.verdict == "network 2: 75 % vs random"
    assert found.curves["loss"] == [3.0, 2.0]
    assert found.curves["against random"] == [0.5, 0.75, 0.75]
    assert overview(_run(tmp_path, "whole", trained=3)).state == "done"


def test_rounds_of_nnue_networks_say_how_far_they_are(tmp_path: Path) -> None:
    run = Run.create("rounds", RoundsConfig(), tmp_path)
    for number, wins in enumerate((9, 6)):
        run.log({"round": number, "stage": "games", "engine": "x", "games": 50, "games_per_second": 9.5 + number})
        run.log({"round": number, "stage": "net", "net": "x", "positions": 900, "held_out_loss": 0.2 - number / 10})
        run.log({"round": number, "stage": "match", "opponent": f"r-{number}", "wins": wins, "draws": 1, "losses": 0})
    run.log({"round": 2, "stage": "games", "engine": "x", "games": 7, "games_per_second": 3.0})
    run.log({"round": 2, "stage": "net", "net": "x", "positions": 900, "held_out_loss": None})
    run.release()
    found = overview(run)
    assert (found.kind, found.game, found.state, found.generations, found.games) == (
        "rounds",
        "chess",
        "stopped",
        "2",
        107,
    )
    assert found.losses == {}
    assert found.verdict == "round 1: 93 % vs r-1"
    assert found.curves["loss"] == pytest.approx([0.2, 0.1])
    assert found.curves["score against the last"] == pytest.approx([0.95, 6.5 / 7])
    run.log({"round": 2, "stage": "match", "opponent": "r-2", "wins": 0, "draws": 0, "losses": 0})
    assert overview(run).verdict == "round 2: no games vs r-2"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux who holds a file")
def test_a_run_that_somebody_is_at_work_on_is_running(tmp_path: Path) -> None:
    run = _run(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(run.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    with process:
        assert process.stdout.readline() == b"held\n"
        assert is_held(run.path)
        assert overview(run).state == "running"
        process.communicate(b"")
    assert overview(run).state == "stopped"


def test_a_damaged_run_is_shown_as_such_and_hides_no_other(tmp_path: Path) -> None:
    _run(tmp_path, "good")
    (_run(tmp_path, "bad").path / "metrics.jsonl").write_text("[]\n")
    Run.create("empty", tiny_recipe(), tmp_path).release()
    assert {each.name: each.state for each in overviews(tmp_path)} == {
        "good": "stopped",
        "bad": "unreadable",
        "empty": "new",
    }


def test_a_run_is_found_by_name_or_by_folder(tmp_path: Path) -> None:
    run = _run(tmp_path)
    assert find_run("run", tmp_path).path == run.path
    assert find_run(str(run.path), Path("elsewhere")).path == run.path
    with pytest.raises(UnknownNameError, match="did you mean 'run'"):
        find_run("runn", tmp_path)


def test_the_command_lists_shows_and_speaks_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run(tmp_path, "first")
    _run(tmp_path, "second", trained=1)

    def said(*arguments: str) -> str:
        assert main(["runs", *arguments, "--folder", str(tmp_path)]) == 0
        return capsys.readouterr().out

    assert "2/3" in said()
    assert "1/3" in said()
    one = said("first")
    assert "against random" in one
    assert sparkline([3.0, 2.0], 48) in one
    facts = json.loads(said("--json"))
    assert {each["name"]: each["games"] for each in facts} == {"first": 12, "second": 6}
    assert main(["runs", "third", "--folder", str(tmp_path)]) == 2
    assert "no run 'third'" in capsys.readouterr().err


def test_a_line_of_blocks_has_room_for_any_number_of_values() -> None:
    assert sparkline([0.0, 1.0], 8) == "▁█"
    assert sparkline([5.0] * 3, 8) == "▁▁▁"
    assert len(sparkline([float(n) for n in range(1000)], 48)) <= 48
