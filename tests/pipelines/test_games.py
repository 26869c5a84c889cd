"""From files of games to a network: what can be used is used, and what cannot is said in a line."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from philidor.cli.run import run as philidor  # noqa: E402
from philidor.core.errors import ConfigError, PgnError, RecordError  # noqa: E402
from philidor.core.runs import Run  # noqa: E402
from philidor.evaluators.loading import load_net  # noqa: E402
from philidor.games.chess import Position  # noqa: E402
from philidor.pipelines.games import GamesLoop, ready_files  # noqa: E402
from philidor.pipelines.recipes.from_games import load_games_recipe, read_games_recipe  # noqa: E402
from philidor.train.games_config import GamesRecipe, named_files  # noqa: E402
from philidor.train.matching import Predictions, band_names, band_of, equal_chances, phases_of, tables  # noqa: E402
from philidor.train.paired import paired_difference  # noqa: E402
from tests.train.rated_games import rated_game  # noqa: E402

torch.set_num_threads(1)

RECIPE = """
game = "chess"
teacher = "games"
[network]
preset = "2x32"
encoding = "{encoding}"
blocks = 1
filters = 16
[data]
batch = 32
shuffle = 256
[training]
steps = 4
ema = 0.9
norm_batches = 2
measured = 64
device = "cpu"
"""
VARIANT = '[Event "x"]\n[Variant "Atomic"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'
ILLEGAL = '[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n\n'


def recipe_of(encoding: str = "human-1") -> GamesRecipe:
    return read_games_recipe(RECIPE.format(encoding=encoding))


def write_pgn(path: Path, count: int, *, has_ratings: bool = True, more: str = "") -> Path:
    games = [rated_game(seed, plies=8) for seed in range(count)]
    if not has_ratings:
        games = [replace(game, ratings=(None, None)) for game in games]
    path.write_text("\n\n".join(game.to_pgn() for game in games) + "\n\n" + more)
    return path


def start(recipe: GamesRecipe, path: Path, folder: Path, **more: Any) -> GamesLoop:
    run = Run.resume_or_create("run", recipe, folder)
    files = ready_files(named_files((str(path),)), run, is_stopped=lambda: False)
    assert files is not None
    return GamesLoop(recipe, run, files, **more)


def warnings_of(caplog: pytest.LogCaptureFixture) -> str:
    return "\n".join(record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING)


# --- Files --------------------------------------------------------------------------------------------------------


def test_pgn_becomes_records_once_and_what_is_broken_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_pgn(tmp_path / "club.pgn", 20, more=VARIANT + ILLEGAL)
    loop = start(recipe_of(), path, tmp_path)
    said = warnings_of(caplog)
    assert "left out games (illegal move: 1, other variant: 1; first: " in said
    assert "; the other 20 are used" in said
    assert "variant" in said.lower()
    assert "illegal" in said.lower()
    shard = tmp_path / "run/shards/00-club.rec"
    before = shard.stat().st_mtime_ns
    assert loop.data.games <= 20
    start(recipe_of(), path, tmp_path)
    assert shard.stat().st_mtime_ns == before


def test_games_without_ratings_are_learned_from_and_it_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    loop = start(recipe_of(), write_pgn(tmp_path / "club.pgn", 20, has_ratings=False), tmp_path)
    assert "100 % of the positions have no rating" in warnings_of(caplog)
    assert loop.go()
    assert loop.facts()["by_rating"] == {"unrated": loop.data.positions}


def test_games_that_leave_nothing_to_measure_on_still_make_a_network(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    loop = start(recipe_of("leela-1-flat"), write_pgn(tmp_path / "few.pgn", 12), tmp_path)
    assert "games is kept to measure on" in warnings_of(caplog)
    assert loop.go()
    assert [event["held_out"] for event in loop.run.metrics() if event["event"] == "measure"] == [None]
    evaluation = load_net(loop.network_path).evaluate([Position()])[0]
    assert len(evaluation.moves) == 20


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda path: write_pgn(path / "few.pgn", 5), ConfigError, "games to learn from are too few, there must be 10"),
        (lambda path: path / "none.pgn", RecordError, "there are no games"),
        (lambda path: path, RecordError, "there are no games"),
        (lambda path: _written(path / "empty.pgn", ""), PgnError, "no games in"),
        (lambda path: _written(path / "bad.pgn", ILLEGAL), PgnError, "no games in .*bad.pgn.*Ke3"),
        (lambda path: _written(path / "bad.rec", "not records"), RecordError, "bad.rec"),
    ],
)
def test_what_cannot_be_learned_from_is_said(
    make: Callable[[Path], Path], error: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=message):
        start(recipe_of(), make(tmp_path), tmp_path / "runs")


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_no_files_at_all_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="name files of games"):
        ready_files([], Run.create("run", recipe_of(), tmp_path), is_stopped=lambda: False)


def test_reading_stops_at_once_and_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    run = Run.create("run", recipe_of(), tmp_path)
    path = write_pgn(tmp_path / "club.pgn", 20)
    assert ready_files(named_files((str(path),)), run, is_stopped=lambda: True) is None
    assert not list(run.shards.iterdir())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("steps = 4", ""), "training never ends"),
        (("steps = 4", "stesp = 4"), "did you mean 'training.steps'"),
        (("[network]", "[network]\nreply = true"), "set network.reply = false"),
        (('game = "chess"', 'game = "chss"'), "did you mean 'chess'"),
        (('game = "chess"', ""), "game is missing"),
    ],
)
def test_a_wrong_recipe_is_said_to_be_one(change: tuple[str, str], message: str) -> None:
    with pytest.raises((ConfigError, ValueError), match=message):
        read_games_recipe(RECIPE.format(encoding="leela-1-flat").replace(*change, 1))


def test_shipped_recipes_learn_as_the_facts_say() -> None:
    human = load_games_recipe("human")
    assert (human.network.encoding, human.network.filters, human.network.blocks) == ("human-1", 128, 10)
    assert human.training.value_weight == human.training.rating_dropout == human.data.drop_history == 0.1
    assert (human.data.weighting, human.data.max_weight) == ("loss", 3.0)
    supervised = load_games_recipe("chess-supervised")
    assert (supervised.training.score_share, supervised.network.encoding) == (0.7, "leela-1-flat")


# --- The command --------------------------------------------------------------------------------------------------


def test_the_command_trains_reports_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = _written(tmp_path / "tiny.toml", RECIPE.format(encoding="leela-1-flat"))
    games = write_pgn(tmp_path / "club.pgn", 150)
    command = ["train", str(recipe), "--games", str(games), "--out", str(tmp_path / "run"), "--threads", "1", "--json"]
    assert philidor([*command, "--stop-after", "0"]) == 130
    assert "the same command continues" in capsys.readouterr().err
    assert philidor(command) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["is_done"]
    assert facts["measured"]["step"] == 4
    page = (tmp_path / "run/report/report.md").read_text()
    assert "| all |" in page
    assert "equal chances" in page
    assert "<svg" in (tmp_path / "run/report/curves.svg").read_text()
    assert load_net(facts["network"]).evaluate([Position()])
    # Longer, and from there; but not another network.
    assert philidor([*command, "--training-steps", "6"]) == 0
    assert json.loads(capsys.readouterr().out)["measured"]["step"] == 6
    assert philidor([*command, "--network-filters", "32"]) == 1
    assert "started with another config" in capsys.readouterr().err


# --- Figures ------------------------------------------------------------------------------------------------------


def test_the_figures_are_those_of_a_calculation_by_hand() -> None:
    predictions = Predictions(
        log_likelihood=np.log([0.5, 0.25, 0.1, 0.05]),
        rank=np.array([0, 1, 2, 3]),
        brier=np.array([0.0, 2.0, 0.5, 0.5]),
        value_error=np.array([0.0, 4.0, 1.0, 1.0]),
    )
    ratings = np.array([0, 1399, 1400, 2500])
    phases = phases_of(np.array([3, 30, 30, 3]), np.array([24, 24, 8, 2]))
    assert phases.tolist() == ["opening", "middlegame", "endgame", "endgame"]
    found = tables(predictions, phases=phases, ratings=ratings, bands=(1400, 2500))
    assert (found["positions"], found["top1"], found["top3"]) == (4, 0.25, 0.75)
    assert found["cross_entropy"] == pytest.approx(-np.log(0.5 * 0.25 * 0.1 * 0.05) / 4)
    assert (found["brier"], found["value_error"]) == (0.75, 1.5)
    assert found["phase"]["endgame"]["positions"] == 2
    assert found["phase"]["endgame"]["cross_entropy"] == pytest.approx(-np.log(0.1 * 0.05) / 2)
    assert {name: part["positions"] for name, part in found["rating"].items()} == {
        "unrated": 1,
        "below 1400": 1,
        "1400-2499": 1,
        "2500+": 1,
    }
    assert band_names((1400, 2500))[band_of(ratings, (1400, 2500))].tolist() == list(found["rating"])
    chances = equal_chances(np.array([1, 2, 20]))
    assert chances["top1"] == pytest.approx((1 + 0.5 + 0.05) / 3)
    assert chances["top3"] == pytest.approx((1 + 1 + 0.15) / 3)
    assert chances["cross_entropy"] == pytest.approx(np.log(40) / 3)


def test_a_paired_difference_counts_games_not_positions() -> None:
    random = np.random.default_rng(5)
    games = np.repeat(np.arange(200), 10)
    shift = np.repeat(random.normal(0.0, 1.0, 200), 10)  # all positions of a game alike
    before = random.normal(size=2000)
    found = paired_difference(before, before + shift, games)
    assert found.mean == pytest.approx(shift.mean())
    assert found.margin == pytest.approx(1.96 * shift[::10].std(ddof=1) / 200**0.5, rel=1e-3)
    assert paired_difference(before, before + 0.5 + 0.1 * shift, games).is_certain
    assert not paired_difference(before, before + shift - shift.mean(), games).is_certain
    assert paired_difference(before[:10], before[:10] + 1, games[:10]).margin == float("inf")
