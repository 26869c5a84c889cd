"""Recipes: the shipped ones are sound, and what is wrong with one's own is said in a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from philidor.core.errors import ConfigError, PhilidorError, UnknownNameError
from philidor.core.toml import config_from_toml, config_to_toml
from philidor.games import load_game
from philidor.pipelines.recipes import ZeroRecipe, load_recipe, read_recipe, recipe_names, recipe_summary
from philidor.pipelines.recipes.from_games import learns_from_games, load_games_recipe
from philidor.pipelines.zero.rating import Rating
from philidor.train.games_config import GamesRecipe
from tests.pipelines.tiny import TEXT


@pytest.mark.parametrize("name", recipe_names())
def test_shipped_recipes_are_sound(name: str) -> None:
    recipe: ZeroRecipe | GamesRecipe = load_games_recipe(name) if learns_from_games(name) else load_recipe(name)
    assert recipe_summary(name)
    assert config_from_toml(type(recipe), config_to_toml(recipe)) == recipe
    recipe.network.load_encoding()


def test_the_books_recipes_are_there() -> None:
    assert {"hexapawn-supervised", "hexapawn-zero", "tictactoe-zero", "hexapawn-4x4-zero"} <= set(recipe_names())


def test_a_recipe_can_be_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TEXT)
    recipe = load_recipe(str(path))
    assert (recipe.network.game, recipe.network.encoding, recipe.network.filters) == ("tictactoe", "boards-1", 32)


def test_a_game_of_ones_own_needs_no_recipe() -> None:
    recipe = load_recipe("examples/last_stone.py:LastStone")
    assert recipe.network.encoding == "text"
    assert recipe.game == recipe.network.game == "examples/last_stone.py:LastStone"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("games = 6", "gams = 6"), "no setting 'gams'; did you mean 'games'"),
        (("simulations = 6", "simulatoins = 6"), "did you mean 'self_play.simulations'"),
        (("filters = 32", "filers = 32"), "did you mean 'network.filters'"),
        (('preset = "mlp"', 'preset = "mpl"'), "did you mean 'mlp'"),
        (("games = 6", "games = 0"), "games must be an integer from 1"),
        (('game = "tictactoe"', 'game = "tictactow"'), "did you mean 'tictactoe'"),
        (('game = "tictactoe"', ""), "game is missing"),
        (("[network]", '[network]\ngame = "chess"\nencoding = "alphazero"'), "network.game must be the recipe's game"),
        (("generations = 2", 'generations = 2\nteacher = "solver"\nstyle = "gated"'), "makes no sense"),
        (("[rating]", '[rating]\nstop_when_perfect = "search"'), "needs a solver"),
        (("[rating]", "[rating]\nfirst_ply = 9\nlast_ply = 3"), "last_ply must not be below first_ply"),
        (("replay_ratio = 2.0", "replay_ratio = true"), "replay_ratio must be a number"),
        (("games = 6", "games = "), "not TOML"),
    ],
)
def test_what_is_wrong_is_said(change: tuple[str, str], message: str) -> None:
    with pytest.raises(PhilidorError, match=message):
        read_recipe(TEXT.replace(*change, 1))


def test_an_unknown_recipe_is_not_guessed() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'hexapawn-zero'"):
        load_recipe("hexapawn-zer")
    with pytest.raises(ConfigError, match=r"cannot read .*nowhere.toml"):
        load_recipe("nowhere.toml")


@pytest.mark.parametrize(
    ("opponent", "message"),
    [
        ("solver", "of no use in connect4"),
        ("stockfish", "one of our players"),
        ("uct iteratoins=3", "did you mean 'iterations'"),
    ],
)
def test_opponents_that_cannot_be_are_refused(opponent: str, message: str) -> None:
    text = TEXT.replace("tictactoe", "connect4").replace('["random"]', f'["{opponent}"]')
    with pytest.raises(ConfigError, match=message):
        Rating(read_recipe(text), load_game("connect4"))
