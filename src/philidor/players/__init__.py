"""Players: one file per system of the book, each a way to choose a move and to say what it thinks of a position."""

from __future__ import annotations

from typing import Any

from philidor.core.config import from_dict
from philidor.core.errors import ArgumentError, UnknownNameError
from philidor.core.loading import load_object
from philidor.players.player import Player, can_play

# A player's module must stay light to import: menus and `--help` ask all of them for their settings and levels.
PLAYERS = {
    "random": "philidor.players.random:RandomPlayer",
    "minimax": "philidor.players.minimax:MinimaxPlayer",
    "alphabeta": "philidor.players.alphabeta:AlphaBetaPlayer",
    "uct": "philidor.players.uct:UctPlayer",
    "nnue": "philidor.players.nnue:NnuePlayer",
    "classic": "philidor.players.classic:ClassicPlayer",
    "giraffe": "philidor.players.giraffe:GiraffePlayer",
    "deepchess": "philidor.players.deepchess:DeepChessPlayer",
    "sparring": "philidor.players.sparring:SparringPlayer",
    "solver": "philidor.players.solver:SolverPlayer",
}

DEFAULT_ENGINE = "nnue"
"""Who plays and judges chess at full strength where nobody else is named."""

# What needs a network of the user's is in no menu; it is found by name like all others.
NETWORK_PLAYERS = {"net": "philidor.players.net:NetPlayer"}


def player_class(name: str) -> type[Player]:
    """Returns the class of a player. Raises UnknownNameError, which names the nearest one."""
    if not isinstance(name, str):
        raise ArgumentError("a player's name", name)
    known = {**PLAYERS, **NETWORK_PLAYERS}
    if name not in known:
        raise UnknownNameError("player", name, known)
    found: type[Player] = load_object(known[name])
    return found


def load_engine(name: str, **config: Any) -> Player:
    """Loads a player by name; `config` are settings of its config class, such as `depth=4`."""
    kind = player_class(name)
    return kind(from_dict(kind.config_class, config))


__all__ = ["DEFAULT_ENGINE", "NETWORK_PLAYERS", "PLAYERS", "Player", "can_play", "load_engine", "player_class"]
