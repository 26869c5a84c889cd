"""Keeps unfinished games between two starts of the program, one per kind of game, in the user's data folder."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from philidor.core.config import to_dict
from philidor.core.errors import PhilidorError
from philidor.core.game import FIRST, SECOND
from philidor.core.runs import write_atomic
from philidor.frontends.playing.folder import data_folder
from philidor.frontends.playing.match import Match
from philidor.games import load_game
from philidor.games.chess import is_chess960
from philidor.players import PLAYERS, Player, load_engine

_VERSION = 1


def _path(game: str) -> Path:
    # A user's own game is named "file.py:Class"; its path must not lead out of the folder.
    plain = "".join(c if c.isalnum() or c in "-_." else "_" for c in game)
    return data_folder() / "unfinished" / f"{plain}.json"


def can_keep(match: Match) -> bool:
    """Says whether `find` would return the match again: not with an opponent that its file would have to name."""
    return match.opponent is None or match.opponent.name in PLAYERS


def keep(match: Match, game: str) -> Path:
    """Writes the match down under the name its game was loaded by. Raises OSError."""
    opponent = match.opponent
    data = {
        "version": _VERSION,
        "game": game,
        "start": match.start.text(),
        "chess960": is_chess960(match.start),
        "moves": [state.move_text(move) for state, move in zip(match.states, match.moves, strict=False)],
        "person": match.person,
        "opponent": None if opponent is None else {"name": opponent.name, "config": to_dict(opponent.config)},
    }
    path = _path(game)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(data, indent=1))
    return path


def forget(game: str) -> None:
    """Drops the unfinished game, if there is one; where nothing can be written, there is none."""
    with contextlib.suppress(OSError):
        _path(game).unlink()


def find(game: str) -> Match | None:
    """Returns the unfinished game of this kind; None when there is none, or none that this version can read."""
    try:
        return _read(json.loads(_path(game).read_text(encoding="utf-8")), game)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, PhilidorError):
        # A file from another version, or altered by hand, must never keep anybody from playing.
        return None


def _read(data: dict[str, Any], name: str) -> Match:
    """Returns the match of a file; `name` is what the person called the game, as a file may not name code."""
    if data["game"] != name:
        raise ValueError(f"a game of {data['game']}, not of {name}")
    game = load_game(name)
    start = game.state(data["start"])
    if data["chess960"]:
        from philidor.games.chess import Position

        start = Position(data["start"], chess960=True)
    opponent, person = data["opponent"], data["person"]
    player = None if opponent is None else _opponent(opponent["name"], opponent["config"])
    if player is not None and person not in (FIRST, SECOND):
        raise ValueError(f"no side {person!r}")
    match = Match(game, start, None if player is None else int(person), player)
    for text in data["moves"]:
        match.play(match.state.parse_move(text))
    if data["version"] != _VERSION or match.outcome() is not None:
        raise ValueError("not an unfinished game of this version")
    return match


def _opponent(name: str, config: dict[str, Any]) -> Player:
    if name not in PLAYERS:  # what the menu offers; the others read files that this one would name
        raise ValueError(f"no opponent {name!r}")
    return load_engine(name, **config)
