"""`philidor train` with recipes: what it lists, what it shows, what it refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from philidor.cli.run import run
from philidor.core.runs import Run, no_empty_run
from philidor.pipelines.recipes import load_recipe, recipe_names
from philidor.pipelines.zero.report import History
from tests.pipelines.tiny import TEXT, tiny_recipe

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.cli.train.zero_view import ZeroView, describe, random_table_view  # noqa: E402
from philidor.pipelines.zero import Moment  # noqa: E402
from philidor.pipelines.zero.loop import open_run  # noqa: E402


def test_help_lists_the_recipes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "--help"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in recipe_names())
    assert "nnue" in said


def test_the_help_of_a_recipe_shows_its_own_values(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "hexapawn-zero", "--help-all"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    training = load_recipe("hexapawn-zero").training
    assert f"(default {training.replay_ratio};" in words  # deep in a table, and not what it is without a recipe
    assert f"(default {training.window.start};" in words


@pytest.mark.parametrize("name", ["nnue", "nnue-rounds", "giraffe", "deepchess", "personal", *recipe_names()])
def test_help_fits_a_screen_and_has_the_details_when_asked(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert run(["train", name, "--help"]) == 0
    short = capsys.readouterr().out
    assert short.count("\n") < 45
    assert f"more settings: philidor train {name} --help-all" in short
    assert run(["train", name, "--help-all"]) == 0
    whole = capsys.readouterr().out
    assert "more settings" not in whole
    detail = "--positions-skip-plies" if name in ("giraffe", "deepchess", "nnue") else "--training-learning-rate"
    assert detail in whole
    assert detail not in short


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hexapawn-zer"], "did you mean 'hexapawn-zero'"),
        (["nowhere.toml"], "cannot read 'nowhere.toml'"),
        (["nowhere.py:Game"], "nowhere.py"),
        (["hexapawn-zero", "--games", "0"], "games must be an integer from 1"),
        (["hexapawn-zero", "--network-game", "chess"], "network.game must be the recipe's game 'hexapawn'"),
        (["hexapawn-zero", "--resume", "--out", "nowhere"], "no run to go on with in 'nowhere'"),
    ],
)
def test_bad_usage_is_one_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["train", *arguments]) != 0
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_another_game_may_be_given_with_its_network(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("philidor.cli.train.zero._train", lambda recipe, *_, **__: seen.append(recipe))
    options = "--game tictactoe --network-game tictactoe --network-encoding text"
    assert run(["train", "hexapawn-zero", *options.split()]) == 0, capsys.readouterr().err
    assert (seen[0].game, seen[0].network.game) == ("tictactoe", "tictactoe")


@pytest.mark.parametrize(
    "command",
    [
        "train nnue nosuch.rec --out runs/one",
        "train giraffe nosuch.rec --out runs/one",
        "train deepchess nosuch.pgn --out runs/one",
        "train nnue-rounds --bootstrap nosuch.rec --out runs/one",
        "train nnue-rounds --bootstrap nosuch.pgn --out runs/one",
        "train nnue-rounds --training-start nosuch.phnn --out runs/one",
        "train nnue-rounds --selfplay-settings nosuch=1 --out runs/one",
        "train hexapawn-zero --rating-opponents nosuch --out runs/one",
        "data selfplay --engine nosuch --out runs/one",
        "data selfplay --settings nosuch=1 --out runs/one",
        "data score nosuch.rec --out runs/one",
    ],
)
def test_a_command_that_fails_at_once_leaves_no_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    assert run(command.split()) != 0
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert "nosuch" in said.err
    assert not list((tmp_path / "runs").iterdir())


def test_a_run_that_was_there_is_kept_when_the_command_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def fail(folder: Path, lines: int) -> None:
        with no_empty_run(folder):
            made = open_run(tiny_recipe(), folder)
            for step in range(lines):
                made.log({"step": step})
            raise ValueError("x")

    open_run(tiny_recipe(), tmp_path / "before")
    for name, lines in (("before", 0), ("new", 1), ("empty", 0)):
        with pytest.raises(ValueError, match="x"):
            fail(tmp_path / name, lines)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["before", "new"]
    assert len(Run(tmp_path / "new").metrics()) == 1


def test_a_run_shows_lines_and_tables_and_leaves_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TEXT.replace("generations = 2", "generations = 1") + 'solver = "play"\ntable = true\n')
    assert run(["train", str(path), "--out", str(tmp_path / "run")]) == 0
    said = capsys.readouterr().out
    assert "generation 0: 6 games" in said
    assert "network 1: trained" in said
    assert "random player against the" in said
    assert (tmp_path / "run" / "report" / "curves.svg").exists()
    assert "untrained network" in (tmp_path / "run" / "report" / "report.md").read_text()


def test_a_run_may_be_given_more_generations_and_nothing_else(tmp_path: Path) -> None:
    open_run(tiny_recipe(), tmp_path / "run").log({"step": 1})
    assert open_run(tiny_recipe(generations=7), tmp_path / "run").config(type(tiny_recipe())).generations == 7
    with pytest.raises(Exception, match="started with another config"):
        open_run(tiny_recipe(games=7), tmp_path / "run")


EVENTS: list[dict[str, Any]] = [
    {
        "event": "rating",
        "generation": 0,
        "against": {"random": {"score": 0.5, "error": 0.1}},
        "solver": {"search": {"mistakes": 1, "positions": 9}},
        "table": {"first": 0.6, "draw": 0.0, "second": 0.4},
    },
    {"event": "gate", "generation": 1, "score": 0.6, "against": 0, "passed": True},
    {"event": "train", "generation": 1, "steps": 5, "losses": {"loss": 1.5}, "samples_per_second": 9},
    {"event": "train", "generation": 2, "steps": 5, "losses": {"loss": 0.5}, "samples_per_second": 9},
]


def test_the_live_view_shows_ratings_stage_and_loss(tmp_path: Path) -> None:
    console = Console(force_terminal=True, width=100, record=True)
    view = ZeroView(console, tiny_recipe(), Run.create("run", tiny_recipe(), tmp_path))
    with view.shown():
        for event in EVENTS:
            view.watch(Moment(event["generation"], event["event"], event=event))
        view.watch(Moment(2, "play", 3, 6))
    shown = console.export_text()
    assert "vs random" in shown
    assert "1 of 9" in shown
    assert "loss 0.500 █▁" in shown
    assert "network 2 of 2: playing against itself" in shown


def test_events_are_told_in_words() -> None:
    assert describe(EVENTS[0]) == "network 0: 50 % against random, 1 of 9 mistakes (search)"
    assert describe(EVENTS[1]) == "network 1: 60.0% against network 0, plays from now on"
    grown = {"event": "grow", "generation": 3, "steps": 1200, "losses": {"loss": 1.25}}
    assert describe(grown) == "network 3: a network of another size learned from the window in 1,200 steps, loss 1.250"
    refused = {"event": "refused", "generation": 3, "reason": "'a.rec' is damaged"}
    assert describe(refused) == "games refused: 'a.rec' is damaged"


def test_the_table_of_chapter_5_has_the_random_player_last() -> None:
    console = Console(width=100, record=True, quiet=False)
    odds = {"first": 0.5995, "draw": 0.0, "second": 0.4005}
    with console.capture() as capture:
        console.print(random_table_view(History(EVENTS), odds, ("White", "Black")))
    lines = capture.get().splitlines()
    assert "White wins" in lines[0]
    assert lines[-1].split() == ["random", "player", "59.95", "%", "0.00", "%", "40.05", "%"]


@pytest.mark.parametrize(("wish", "found"), [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_torch_s_threads_leave_the_cores_to_others_while_they_wait(
    wish: str | None, found: str, tmp_path: Path
) -> None:
    given = {} if wish is None else {"OMP_WAIT_POLICY": wish}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_"))}
    done = subprocess.run(
        [sys.executable, "-m", "philidor", "train", "nnue", "missing.rec", "--out", str(tmp_path / "run")],
        env={**environment, **given, "OMP_DISPLAY_ENV": "TRUE"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    if "OMP_WAIT_POLICY" not in done.stderr:
        pytest.skip("torch has another OpenMP here, which does not show its settings")
    assert f"OMP_WAIT_POLICY = '{found}'" in done.stderr
