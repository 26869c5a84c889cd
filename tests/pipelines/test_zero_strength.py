"""What zero training is for: the book's tables of chapter 5, and perfect play by the solver's word."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from philidor.core.runs import Run
from philidor.games import load_game
from philidor.pipelines.recipes import ZeroRecipe, load_recipe
from philidor.pipelines.zero.rating import is_perfect, random_table

pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.pipelines.zero import ZeroLoop


def _ratings(recipe: ZeroRecipe, root: Path) -> list[dict[str, Any]]:
    run = Run.create("run", recipe, root)
    assert ZeroLoop(recipe, run).go()
    return [event for event in run.metrics() if event["event"] == "rating"]


def _shorter(name: str, generations: int, **rating: Any) -> ZeroRecipe:
    recipe = load_recipe(name)
    return dataclasses.replace(
        recipe, generations=generations, rating=dataclasses.replace(recipe.rating, pairs=2, **rating)
    )


def test_random_against_random_is_exactly_known() -> None:
    odds = random_table(load_game("hexapawn"), None)
    assert odds["first"] == pytest.approx(259 / 432)  # 59.95 %; the book drew 62 of 100
    assert odds["second"] == pytest.approx(173 / 432)


@pytest.mark.parametrize(("name", "generations"), [("hexapawn-supervised", 4), ("hexapawn-zero", 4)])
def test_the_books_networks_win_every_game_as_black(tmp_path: Path, name: str, generations: int) -> None:
    ratings = _ratings(_shorter(name, generations, every=generations), tmp_path)
    untrained, trained = ratings[0]["table"], ratings[-1]["table"]
    assert untrained["second"] == pytest.approx(0.648, abs=0.01)  # the book's own untrained network: 66 of 100
    assert trained == {"first": 0.0, "draw": 0.0, "second": 1.0}


def test_tic_tac_toe_is_learned_nearly_perfectly_in_seconds(tmp_path: Path) -> None:
    ratings = _ratings(_shorter("tictactoe-zero", 6, every=6, opponents=()), tmp_path)
    before, after = ratings[0]["solver"], ratings[-1]["solver"]
    assert before["policy"]["mistakes"] > 100
    assert after["policy"]["mistakes"] < 0.05 * after["policy"]["positions"]
    assert after["search"]["mistakes"] <= 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe-zero", "hexapawn-4x4-zero"])
def test_small_games_are_learned_to_perfect_play(tmp_path: Path, name: str) -> None:
    last = _ratings(load_recipe(name), tmp_path)[-1]
    assert is_perfect(last, "search")
    assert last["solver"]["policy"]["mistakes"] <= 5


@pytest.mark.slow
@pytest.mark.parametrize(("name", "title"), [("hexapawn-supervised", "5.1"), ("hexapawn-zero", "5.2")])
def test_the_whole_tables(tmp_path: Path, name: str, title: str) -> None:
    tables = [rating["table"] for rating in _ratings(load_recipe(name), tmp_path)]
    assert tables[-1]["second"] == 1.0, title


def test_a_miniature_of_chess_runs_from_end_to_end(tmp_path: Path) -> None:
    ratings = _ratings(dataclasses.replace(load_recipe("chess-zero-mini"), generations=1, games=4), tmp_path)
    assert [rating["generation"] for rating in ratings] == [0, 1]
