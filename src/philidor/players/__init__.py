"""Players: one file per system of the book, each a way to choose a move and to say what it thinks of a position."""

from __future__ import annotations

from typing import Any

from philidor.core.config import from_dict
from philidor.core.errors import ArgumentError, ConfigError, UnknownNameError
from philidor.core.game import AnyGame
from philidor.core.loading import load_object
from philidor.players.player import Player, can_play, check_networks, rating_setting

# A player's module must stay light to import: menus and `--help` ask all of them for their settings and levels.
ENGINES = {
    "nnue": "philidor.players.nnue:NnuePlayer",
    "classic": "philidor.players.classic:ClassicPlayer",
    "net": "philidor.players.net:NetPlayer",
    "giraffe": "philidor.players.giraffe:GiraffePlayer",
    "deepchess": "philidor.players.deepchess:DeepChessPlayer",
    "human": "philidor.players.human:HumanPlayer",
    "sparring": "philidor.players.sparring:SparringPlayer",
}
"""The players that a GUI can choose over UCI too: they play chess, and `explain` what they see."""

# What plays the game of its network is in no table of menus; it is found by name like all others, and offered where a
# network of ours fits (BOARDS).
NETWORK_PLAYERS = {
    "net": ENGINES["net"],
    "alphago": "philidor.players.alphago:AlphaGoPlayer",
    "alphago-sl": "philidor.players.alphago_policy:AlphaGoPolicyPlayer",
}

PLAYERS = {
    "human": ENGINES["human"],
    "random": "philidor.players.random:RandomPlayer",
    "minimax": "philidor.players.minimax:MinimaxPlayer",
    "alphabeta": "philidor.players.alphabeta:AlphaBetaPlayer",
    "uct": "philidor.players.uct:UctPlayer",
    **{name: spec for name, spec in ENGINES.items() if name not in NETWORK_PLAYERS},
    "solver": "philidor.players.solver:SolverPlayer",
}

DEFAULT_ENGINE = "nnue"
"""Who plays and judges chess at full strength where nobody else is named."""


BOARDS = {
    "alphago": {"go-9x9": "alphago-9x9-value"},
    "alphago-sl": {"go-9x9": "alphago-9x9-policy", "go": "alphago-19x19-policy"},
}
"""The boards for which a player has networks of ours, and one of these; with files of the user's it plays on any."""


def offered_players() -> list[str]:
    """Names the players that menus offer: those whose network, if they have one, ships with philidor.

    The default engine is offered in any case: that its network is missing must not pass unnoticed.
    """
    found = [name for name in PLAYERS if name == DEFAULT_ENGINE or _has_network(name)]
    return [*found, *(name for name in BOARDS if _has_network(name))]


def suits(name: str, game: AnyGame) -> bool:
    """Says whether a player that menus offer is of use in a game, with the networks that ship."""
    if name not in BOARDS:
        return can_play(player_class(name), game)
    from philidor.nets.shipped import shipped_nets

    return BOARDS[name].get(game.name.partition(",")[0]) in shipped_nets()


def _has_network(name: str) -> bool:
    from philidor.nets.shipped import shipped_nets

    if name in BOARDS:
        return any(net in shipped_nets() for net in BOARDS[name].values())
    net = getattr(player_class(name).config_class(), "net", None)
    return net is None or str(net) in shipped_nets()


def player_class(name: str) -> type[Player]:
    """Returns the class of a player. Raises UnknownNameError, which names the nearest one."""
    if not isinstance(name, str):
        raise ArgumentError("a player's name", name)
    known = {**PLAYERS, **NETWORK_PLAYERS}
    if name not in known:
        raise UnknownNameError("player", name, known)
    found: type[Player] = load_object(known[name])
    return found


def load_engine(name: str, *, game: AnyGame | None = None, **config: Any) -> Player:
    """Loads a player by name; `config` are settings of its config class, such as `depth=4`.

    `game`, as `load_game` returned it, is for the player "net" with a network of a game of your own. It is no setting,
    and never a name, so that a file with settings cannot have code run.
    """
    kind = player_class(name)
    settings = from_dict(kind.config_class, config)
    if game is None:
        return kind(settings)
    if name != "net" or isinstance(game, str):
        raise ConfigError(f"only 'net' is told its game, as load_game returned it; got {game!r} for {name!r}")
    own: Any = kind
    player: Player = own(settings, game)
    return player


__all__ = [
    "BOARDS",
    "DEFAULT_ENGINE",
    "ENGINES",
    "NETWORK_PLAYERS",
    "PLAYERS",
    "Player",
    "can_play",
    "check_networks",
    "load_engine",
    "offered_players",
    "player_class",
    "rating_setting",
    "suits",
]
