"""Recipes with `teacher = "games"`: networks that learn from recorded games instead of their own."""

from __future__ import annotations

import tomllib
from typing import Any

from philidor.core.config import from_dict
from philidor.core.errors import ConfigError
from philidor.games import known_game, load_game
from philidor.pipelines.recipes import recipe_network, recipe_text
from philidor.train.games_config import GamesRecipe

TEACHER = "games"


def learns_from_games(name: str) -> bool:
    """Says whether a recipe is one of these; one that is no TOML is none. Raises ConfigError for an unknown name."""
    try:
        return tomllib.loads(recipe_text(name)).get("teacher") == TEACHER
    except (ValueError, RecursionError):
        return False


def load_games_recipe(name: str, game: str | None = None) -> GamesRecipe:
    """Reads a recipe by its name or path; `game` takes the place of its own. Raises ConfigError, LoadError."""
    try:
        return read_games_recipe(recipe_text(name), game)
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}") from error


def read_games_recipe(text: str, game: str | None = None) -> GamesRecipe:
    """Reads a recipe's text: `preset` and a missing encoding are filled in. Raises ConfigError, LoadError."""
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"not TOML: {error}") from error
    name = game or data.get("game")
    if not isinstance(name, str):
        raise ConfigError("game is missing: it must be text" if name is None else f"game must be text, got {name!r}")
    rules = known_game(name, "the recipe") if game is None else load_game(game)
    table = data.get("network", {})
    if isinstance(table, dict):
        data["network"] = recipe_network({**table, "game": name}, name, rules)
    return from_dict(GamesRecipe, {**data, "game": name})
