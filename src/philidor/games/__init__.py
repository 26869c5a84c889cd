"""Rules and notation: the games by name, and how to load one of your own (book, ch. 3.1, 4.3.3 and 5.5)."""

import re
from typing import Any

from philidor.core.errors import ArgumentError, ConfigError, LoadError, UnknownNameError
from philidor.core.game import AnyGame
from philidor.core.loading import load_object

GAMES = {
    "chess": "philidor.games.chess:Chess",
    "connect4": "philidor.games.connect4:Connect4",
    "gomoku": "philidor.games.gomoku:Gomoku",
    "hexapawn": "philidor.games.hexapawn:Hexapawn",
    "tictactoe": "philidor.games.tictactoe:TicTacToe",
}

# What a Game must have; see core/game.py.
_PARTS = ("name", "state", "action_count", "action_index", "symmetries", "max_plies", "repetition_matters")
_SIZED = re.compile(r"(.+)-([0-9]{1,4})x([0-9]{1,4})")


def load_game(name: str, **options: Any) -> AnyGame:
    """Loads a game by name ("hexapawn"), with its size ("hexapawn-4x4"), or your own ("module:Class", "file.py:Class").

    `options` go to the game's constructor, such as `width=4, height=5`. A game of your own is code that is run: a name
    that was read from a file is for `known_game`.
    """
    if not isinstance(name, str):
        raise ArgumentError("a game's name", name)
    if ":" in name:
        return _make(name, load_object(name), options)
    sized = _SIZED.fullmatch(name)
    if sized is not None:
        name = sized[1]
        options = {"width": int(sized[2]), "height": int(sized[3]), **options}
    if name not in GAMES:
        raise UnknownNameError("game", name, GAMES)
    return _make(name, load_object(GAMES[name]), options)


def known_game(name: str, source: str = "the file") -> AnyGame:
    """Loads the game that a file names: one of the table. `source` says which file, in errors.

    Files come from anywhere and never run code, so "file.py:Class" is a LoadError: only the user can name it.
    """
    if ":" in name:
        raise LoadError(
            f"{source} is for the game {name!r}, which is code that no file can have run; "
            "name it yourself if you trust it (--game on the command line, game= in Python)"
        )
    return load_game(name)


def _make(name: str, game_class: Any, options: dict[str, Any]) -> AnyGame:
    try:
        game = game_class(**options)
    except TypeError as error:
        raise LoadError(f"cannot make a game of {name!r} with {options}: {error}") from error
    except ValueError as error:
        raise ConfigError(f"{name}: {error}") from error
    missing = [part for part in _PARTS if not hasattr(game, part)]
    if missing:
        raise LoadError(f"{name!r} is not a game: it has no {', '.join(missing)}")
    loaded: AnyGame = game
    return loaded
