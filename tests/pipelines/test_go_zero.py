"""AlphaGo Zero on Go: a miniature run plays by its rules, and a longer one finds the center of 5x5."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest

from philidor.core.runs import Run
from philidor.games import load_game
from philidor.pipelines.recipes import ZeroRecipe, load_recipe
from philidor.records import RecordReader, Result

pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.evaluators.loading import load_net
from philidor.pipelines.zero import ZeroLoop
from philidor.pipelines.zero.files import ZeroFiles

GAME = load_game("go-5x5")


def _miniature(style: Literal["continuous", "gated"]) -> ZeroRecipe:
    recipe = load_recipe("go-5x5-zero")
    return dataclasses.replace(
        recipe,
        style=style,
        generations=1,
        games=4,
        network=dataclasses.replace(recipe.network, blocks=1, filters=8, more_heads=("ownership", "score")),
        self_play=dataclasses.replace(recipe.self_play, simulations=6, cheap_simulations=2),
        gate=dataclasses.replace(recipe.gate, pairs=1),
        rating=dataclasses.replace(recipe.rating, opponents=()),
    )


@pytest.mark.parametrize("style", ["continuous", "gated"])
def test_a_miniature_of_go_learns_from_scored_games_without_early_passes(
    style: Literal["continuous", "gated"], tmp_path: Path
) -> None:
    run = Run.create("run", _miniature(style), tmp_path)
    assert ZeroLoop(_miniature(style), run).go()
    games = [game for path in sorted(run.shards.glob("*.rec*")) for game in RecordReader(path)]
    assert len(games) == 4
    for game in games:
        assert game.termination in ("two passes", "move limit")
        states: list[Any] = list(game.states(GAME))
        *line, end = states
        winner = {Result.FIRST_WINS: 0, Result.SECOND_WINS: 1, Result.DRAW: None}[game.result]
        assert end.outcome() is not None
        assert end.outcome().winner == winner
        passes = [state.ply for state, after in pairwise(states) if after.last == 25]
        assert all(ply >= 12 for ply in passes if len(line[ply].legal_moves()) > 1)
    (taught,) = [event for event in run.metrics() if event["event"] == "train"]
    assert {"policy", "wdl", "ownership", "score"} <= set(taught["losses"])
    newest = ZeroFiles(run).network(1)
    for board in ("go-5x5", "go-9x9"):
        (judged,) = load_net(newest, game=board).evaluate([load_game(board).state()])
        assert len(judged.moves) == load_game(board).action_count


@pytest.mark.slow
def test_the_center_of_5x5_is_found(tmp_path: Path) -> None:
    recipe = load_recipe("go-5x5-zero")
    run = Run.create("run", recipe, tmp_path)
    assert ZeroLoop(recipe, run).go()
    (judged,) = load_net(ZeroFiles(run).network(recipe.generations)).evaluate([GAME.state()])
    # By the proof of van der Werf and others (2003) the center wins the whole board, and with komi 7 nothing else wins.
    assert next(iter(judged.policy)) == "c3"
    assert judged.value > 0
