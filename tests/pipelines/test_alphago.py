"""AlphaGo's policy network from games of Go: symmetric forms, passes left out, a tiny one that learns and plays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from philidor.core.errors import ConfigError  # noqa: E402
from philidor.core.runs import Run  # noqa: E402
from philidor.encodings import load_encoding  # noqa: E402
from philidor.encodings.encoding import expand  # noqa: E402
from philidor.games import load_game  # noqa: E402
from philidor.pipelines.games import GamesLoop, preparation, ready_files  # noqa: E402
from philidor.pipelines.recipes.from_games import load_games_recipe, read_games_recipe  # noqa: E402
from philidor.players import load_engine  # noqa: E402
from philidor.train.game_data import GameData, GameDataConfig  # noqa: E402
from philidor.train.games_config import named_files  # noqa: E402
from tests.train.go_games import GAME, write_go_games  # noqa: E402

torch.set_num_threads(1)

RECIPE = f"""
game = "{GAME}"
teacher = "games"
[network]
preset = "alphago-128"
encoding = "alphago-48"
blocks = 2
filters = 24
[data]
batch = 64
symmetries = true
shuffle = 1024
[training]
steps = 120
learning_rate = 0.004
ema = 0.9
norm_batches = 0
measured = 200
measure_every = 1000
device = "cpu"
"""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_go_games(tmp_path_factory.mktemp("games") / "games.rec", 300)


def test_every_row_is_one_of_its_symmetric_forms(games: Path) -> None:
    game = load_game(GAME)
    encoding = load_encoding("alphago-48", game)
    config = GameDataConfig(batch=200, order="recorded")
    plain, formed = (
        next(GameData([games], game, encoding, each, part="all").batches())
        for each in (config, replace(config, symmetries=True))
    )
    before, after = (expand(batch.inputs, encoding.shape).reshape(200, 48, 25) for batch in (plain, formed))
    used = set()
    for row in range(200):
        matching = []
        for number, symmetry in enumerate(game.symmetries):
            squares = list(range(25)) if number == 0 else list(symmetry.squares or ())
            places = [*squares, 25]
            image = np.zeros_like(before[row])
            image[:, squares] = before[row]
            is_same = (image == after[row]).all() and places[plain.played[row]] == formed.played[row]
            if is_same and [places[place] for place in plain.inputs.legal(row)] == formed.inputs.legal(row).tolist():
                matching.append(number)
        assert matching, row
        used |= set(matching) if len(matching) == 1 else set()
    assert used == set(range(8))
    np.testing.assert_array_equal(plain.wdl, formed.wdl)


def test_the_same_seed_shows_the_same_forms(games: Path) -> None:
    game = load_game(GAME)
    encoding = load_encoding("alphago-48", game)
    config = GameDataConfig(batch=100, symmetries=True)
    first, second = (next(GameData([games], game, encoding, config).batches(threads=threads)) for threads in (1, 2))
    np.testing.assert_array_equal(first.inputs.planes, second.inputs.planes)
    np.testing.assert_array_equal(first.played, second.played)


def test_games_without_symmetric_forms_say_so(tmp_path: Path) -> None:
    game = load_game("chess")
    with pytest.raises(ConfigError, match="symmetric forms"):
        # Chess has none but the identity, so only an encoding that cannot be turned is refused: text.
        GameData([], load_game(GAME), load_encoding("text", load_game(GAME)), GameDataConfig(symmetries=True))
    assert len(game.symmetries) == 1


def test_a_tiny_network_learns_what_is_played_and_plays_it(games: Path, tmp_path: Path) -> None:
    recipe = read_games_recipe(RECIPE)
    run = Run.resume_or_create("run", recipe, tmp_path)
    files = ready_files(named_files((str(games),)), run, is_stopped=lambda: False)
    assert files is not None
    loop = GamesLoop(recipe, run, files)
    assert loop.go()
    measured = run.metrics()[-1]["held_out"]
    chance = run.metrics()[0]["equal_chances"]["top1"]
    assert measured["top1"] > 0.4 > 4 * chance
    player = load_engine("alphago-sl", net=loop.network_path)
    state = load_game("go-5x5").state().play("c3")
    assert player.choose(state) in {"c2", "b3", "d3", "c4"}
    for _ in range(80):
        if state.is_over():
            break
        state = state.play(player.choose(state))
    assert state.is_over()


def test_passes_do_not_count(games: Path) -> None:
    recipe = read_games_recipe(RECIPE)
    game = load_game(GAME)
    data = GameData(
        [games], game, load_encoding("alphago-48", game), GameDataConfig(batch=140, order="recorded"), part="all"
    )
    batch = preparation(recipe)(next(data.batches()))
    assert (batch.played == 25).sum() == 10
    np.testing.assert_array_equal(batch.weight == 0, batch.played == 25)


@pytest.mark.parametrize("name", ["alphago-19x19-policy", "alphago-9x9-sl"])
def test_the_recipes_are_read(name: str) -> None:
    recipe = load_games_recipe(name)
    assert recipe.network.policy == "points"
    assert recipe.data.symmetries


def test_the_player_wants_go_and_a_policy(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no policy network for a board of 7x7"):
        load_engine("alphago-sl").choose(load_game("go-7x7").state())
    path = tmp_path / "none.phpt"
    path.write_bytes(b"PHPTnothing")
    with pytest.raises(ConfigError, match="plays Go"):
        load_engine("alphago-sl", net=path).choose(load_game("gomoku").state())
