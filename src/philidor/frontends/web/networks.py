"""Network files as opponents. They are looked for once, at the start, and a page knows them by safe names only: what a
request says never becomes a path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from philidor.core.config import settings
from philidor.core.errors import ConfigError, NetError, PhilidorError
from philidor.encodings.human import is_human
from philidor.frontends.web.opponents import Kept, Opponent, of_table, setting_views
from philidor.frontends.web.schema import LevelList, OpponentView
from philidor.games import split_name
from philidor.nets.loading import NetFormat, net_format
from philidor.players import Player, load_engine, player_class

PREFIX = "net:"
"""Begins the names of all opponents that are networks."""
_ENDINGS = re.compile(r"\.(pb|pb\.gz|onnx|nnue|nnue\.zst|phnn|phnn\.zst|safetensors)$", re.IGNORECASE)
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")
_LONGEST_NAME = 60


@dataclass(frozen=True)
class _Kind:
    """What networks of one format have in common."""

    player: str
    description: str
    levels: dict[str, dict[str, int | float]]
    """Settings of the player by what people call them."""
    default: int
    settings: tuple[str, ...]
    """What can be set instead."""
    given: dict[str, int | float]
    """What is set for all games: twenty at once must fit into the memory."""


_SEARCHING = _Kind(
    player="net",
    description="A network that plays by itself, or looks ahead where it expects something.",
    levels={
        # Without a search the likeliest move would be the same in every game: it is drawn while the opening lasts.
        "no search": {"simulations": 1, "policy_temperature": 1.0},
        "10 simulations": {"simulations": 10},
        "100 simulations": {"simulations": 100},
        "800 simulations": {"simulations": 800},
    },
    default=1,
    settings=("simulations", "c_puct", "policy_temperature", "temperature", "temperature_moves"),
    given={"cache": 20_000, "memory_mb": 256, "temperature": 0.6, "temperature_moves": 12},
)
_ALPHABETA = _Kind(
    player="nnue",
    description="The classic engine's search with a small network for the evaluation.",
    levels={f"{nodes:,} positions": {"nodes": nodes} for nodes in (100, 1_000, 10_000, 100_000, 1_000_000)},
    default=3,
    settings=("nodes", "depth", "movetime", "hybrid"),
    given={"hash": 8},
)


def network_opponents(folders: Iterable[Path], left_out: Callable[[str], None]) -> list[Opponent]:
    """Returns an opponent for each network of the folders; `left_out` is told of files that are none.

    Raises ConfigError for a folder that cannot be read.
    """
    found: dict[str, Opponent] = {}
    for folder in folders:
        for path in _files(folder):
            try:
                kind, game = _look_into(path)
                has_ratings = kind is _SEARCHING and _has_ratings(path)
            except NetError as error:
                left_out(str(error))
                continue
            name = _safe_name(path, found)
            found[name] = _human(name, path) if has_ratings else _opponent(name, path, kind, game)
    return list(found.values())


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if _ENDINGS.search(path.name) and path.is_file())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigError(f"cannot look for networks in {str(folder)!r}: {reason}") from None


def _look_into(path: Path) -> tuple[_Kind, str]:
    """Returns how a network plays, and what. Raises NetError."""
    form = net_format(path)
    if form is NetFormat.NNUE:
        return _ALPHABETA, "chess"
    if form is NetFormat.LEELA:
        return _SEARCHING, "chess"
    if form is NetFormat.DENSE:
        raise NetError(f"{str(path)!r} is a network of giraffe or deepchess, which have it already")
    game = _own_game(path) if form is NetFormat.OWN else _onnx_game(path)
    # A file may have come from anywhere, and a game such as "file.py:Class" would be run.
    try:
        split_name(game)
    except PhilidorError:
        raise NetError(f"{str(path)!r} is for a game that is not offered: {game[:40]!r}") from None
    return _SEARCHING, game


def _own_game(path: Path) -> str:
    from philidor.nets.network_files import load_stored

    return load_stored(path).config.game


def _has_ratings(path: Path) -> bool:
    """Says whether a network plays like people of any rating."""
    from philidor.nets.network_files import load_stored

    return net_format(path) is NetFormat.OWN and is_human(load_stored(path).config.encoding)


def _onnx_game(path: Path) -> str:
    from philidor.nets.onnx.files import read_metadata
    from philidor.nets.onnx.signature import ENCODING_KEY, GAME_KEY

    try:
        metadata = read_metadata(path.read_bytes(), repr(str(path)))
    except OSError as error:
        raise NetError(f"cannot read {str(path)!r}: {error.strerror}") from None
    if ENCODING_KEY not in metadata:
        raise NetError(f"{str(path)!r} does not say what its encoding is")
    return metadata.get(GAME_KEY, "chess")


def _safe_name(path: Path, taken: Iterable[str]) -> str:
    stem = _UNSAFE.sub("-", _ENDINGS.sub("", _name_in_run(path))).strip("-.")[:_LONGEST_NAME] or "network"
    name, number = PREFIX + stem, 2
    while name in taken:
        name, number = f"{PREFIX}{stem}-{number}", number + 1
    return name


def _name_in_run(path: Path) -> str:
    """Returns the file's name; that of a run's checkpoint begins with the run, as all runs call theirs network."""
    if path.parent.name == "checkpoints" and path.name.startswith("network"):
        return path.resolve().parent.parent.name + path.name.removeprefix("network")
    return path.name


def _opponent(name: str, path: Path, kind: _Kind, game: str) -> Opponent:
    own = {
        setting.name: setting
        for setting in settings(player_class(kind.player).config_class)
        if setting.name in kind.settings
    }
    view = OpponentView(
        name=name,
        title=f"Network {name.removeprefix(PREFIX)}",
        description=kind.description,
        games=[game],
        strength=LevelList(levels=list(kind.levels), default=kind.default),
        settings=setting_views(own.values()),
    )
    return Opponent(
        view=view, fits=lambda played: played.name == game, make_player=partial(_make_player, path, kind), settings=own
    )


def _human(name: str, path: Path) -> Opponent:
    """The player human with a network of the user's."""
    own = of_table("human")
    news: dict[str, object] = {
        "name": name,
        "title": f"Network {name.removeprefix(PREFIX)}",
        "description": "A network trained on people's games: plays like a person of the rating you choose.",
        # The level that follows is that of the one opponent everybody has.
        "habits": [habit for habit in own.view.habits if habit != "follow"],
    }

    def make_player(strength: Kept, seed: int) -> Player:
        given = strength.get("settings") or {"rating": strength["elo"]}
        return _loaded("human", path, {**given, "seed": seed})

    view = own.view.model_copy(update=news)
    return Opponent(view=view, fits=own.fits, make_player=make_player, settings=own.settings)


def _make_player(path: Path, kind: _Kind, strength: Kept, seed: int) -> Player:
    levels = list(kind.levels.values())
    chosen = strength.get("settings") or levels[strength.get("level", kind.default) - 1]
    given = {**kind.given, **({"seed": seed} if kind is _SEARCHING else {}), **chosen}
    return _loaded(kind.player, path, given)


def _loaded(player: str, path: Path, given: Mapping[str, Any]) -> Player:
    """Loads a player with a network. Raises ConfigError."""
    try:
        return load_engine(player, net=str(path), **given)
    except PhilidorError as error:
        # Where the file lies is nobody's business but the server's owner's.
        raise ConfigError(f"the network {path.name} cannot be used: {_without_folder(str(error), path)}") from error


def _without_folder(text: str, path: Path) -> str:
    return text.replace(str(path), path.name)
