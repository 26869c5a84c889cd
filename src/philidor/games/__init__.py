"""Rules and notation: the games by name, and how to load one of your own (book, ch. 3.1, 4.3.3 and 5.5).

A game is one file or folder here and one line of the table. What the other rooms want to know of it is its descriptor
(`philidor.core.descriptor`).
"""

import re
from typing import Any

from philidor.core.descriptor import Descriptor, OptionValue, descriptor_of
from philidor.core.errors import ArgumentError, ConfigError, LoadError, UnknownNameError
from philidor.core.game import AnyGame
from philidor.core.loading import load_object

GAMES = {
    "chess": "philidor.games.chess:Chess",
    "connect4": "philidor.games.connect4:Connect4",
    "go": "philidor.games.go:Go",
    "gomoku": "philidor.games.gomoku:Gomoku",
    "hexapawn": "philidor.games.hexapawn:Hexapawn",
    "tictactoe": "philidor.games.tictactoe:TicTacToe",
}

# What a Game must have; see core/game.py.
_PARTS = ("name", "state", "action_count", "action_index", "symmetries", "max_plies", "repetition_matters")
_SIZED = re.compile(r"(.+)-([0-9]{1,4})x([0-9]{1,4})")


def load_game(name: str, **options: Any) -> AnyGame:
    """Loads a game by name ("hexapawn"), with its size ("hexapawn-4x4"), or your own ("module:Class", "file.py:Class").

    Options of a game follow its name: "go-9x9,komi=5.5". `options` go to the game's constructor, such as
    `width=4, height=5`. A game of your own is code that is run: a name that was read from a file is for `known_game`.
    """
    if not isinstance(name, str):
        raise ArgumentError("a game's name", name)
    if ":" in name:
        return _make(name, load_object(name), options)
    family, named = split_name(name)
    return _make(family, load_object(GAMES[family]), {**named, **options})


def split_name(name: str) -> tuple[str, dict[str, OptionValue]]:
    """Reads a name of the table with what follows it: the game, and the arguments of its constructor.

    Raises UnknownNameError for a game that is not in the table and ConfigError for an option that it does not have.
    """
    plain, *settings = name.split(",")
    options: dict[str, OptionValue] = {}
    if (sized := _SIZED.fullmatch(plain)) is not None:
        plain = sized[1]
        options |= {"width": int(sized[2]), "height": int(sized[3])}
    if plain not in GAMES:
        raise UnknownNameError("game", plain, GAMES)
    known = {option.name: option for option in describe(plain).options} if settings else {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if key not in known or not equals or key in options:
            has = f"it has {', '.join(f'{option}=VALUE' for option in known)}" if known else "it has none"
            raise ConfigError(f"{plain} cannot be played with the option {setting!r}; {has}")
        options[key] = known[key].parse(value)
    return plain, options


def describe(family: str) -> Descriptor:
    """Returns the descriptor of a game of the table, by its name without size and options."""
    if family not in GAMES:
        raise UnknownNameError("game", family, GAMES)
    return descriptor_of(load_object(GAMES[family]))


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
