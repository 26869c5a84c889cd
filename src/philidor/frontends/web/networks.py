"""Network files as opponents. They are looked for once, at the start, and a page knows them by safe names only: what a
request says never becomes a path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from philidor.core.config import settings
from philidor.core.errors import ConfigError, NetError, PhilidorError
from philidor.encodings.human import is_human
from philidor.evaluators.network import is_for
from philidor.frontends.playing.level_names import level_name
from philidor.frontends.web.opponents import ENGINE_HABITS, Kept, Opponent, of_table, setting_views
from philidor.frontends.web.schema import LevelList, OpponentView
from philidor.games import split_name
from philidor.nets.loading import NetFormat, net_format
from philidor.players import Player, load_engine, player_class

PREFIX = "net:"
"""Begins the names of all opponents that are networks."""
_ENDINGS = re.compile(r"\.(pb|pb\.gz|onnx|nnue|nnue\.zst|phnn|phnn\.zst|safetensors)$", re.IGNORECASE)
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")
_LONGEST_NAME = 60
_MAIA = re.compile(r"net:maia-?([0-9]{3,4})")
MAIA = "net:maia"
"""All of Maia's networks as one."""


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
        "By instinct (no search)": {"simulations": 1, "policy_temperature": 1.0},
        "At a glance (10 simulations)": {"simulations": 10},
        **{level_name("simulations", count): {"simulations": count} for count in (100, 800)},
    },
    default=1,
    settings=("simulations", "c_puct", "policy_temperature", "temperature", "temperature_moves"),
    given={"cache": 20_000, "memory_mb": 256, "temperature": 0.6, "temperature_moves": 12},
)
_POLICY = _Kind(
    player="alphago-sl",
    description="A policy of AlphaGo's: plays the move that a strong player would likely play, without looking ahead.",
    levels={"draws its moves by likelihood": {"temperature": 1.0}, "plays the likeliest move": {"temperature": 0.0}},
    default=2,
    settings=("temperature",),
    given={},
)
_ALPHABETA = _Kind(
    player="nnue",
    description="The classic engine's search with a small network for the evaluation.",
    levels={level_name("nodes", nodes): {"nodes": nodes} for nodes in (100, 1_000, 10_000, 100_000, 1_000_000)},
    default=3,
    settings=("nodes", "depth", "movetime", "hybrid"),
    given={"hash": 8},
)


_STORIES = {
    "games-1": "A network that learned from masters' games; plays alone, or looks ahead where it expects something.",
    "go-9x9-zero-1": "A network that learned Go from nothing but its rules, by playing itself.",
    "self-taught-1": "A network that learned to judge chess from nothing but its rules, by playing itself.",
}
"""What is told of networks that philidor ships, by their names."""


def network_opponents(
    folders: Iterable[Path], left_out: Callable[[str], None], shipped: Sequence[Path] = ()
) -> list[Opponent]:
    """Returns an opponent for each shipped network and for each of the folders, for each file one.

    `left_out` is told of files that are no networks. Raises ConfigError for a folder that cannot be read.
    """
    found: dict[str, Opponent] = {}
    own = {path.resolve() for path in shipped}
    files = [*shipped, *(path for folder in folders for path in _files(folder))]
    for path in {each.resolve(): each for each in files}.values():
        try:
            opponent = network_opponent(path, found)
        except NetError as error:
            left_out(str(error))
            continue
        found[opponent.name] = _with_story(opponent) if path.resolve() in own else opponent
    return list(grouped(found.values()))


def _with_story(opponent: Opponent) -> Opponent:
    """Returns a shipped network with what is told of it."""
    story = _STORIES.get(_plain(opponent.name))
    if story is None:
        return opponent
    return replace(opponent, view=opponent.view.model_copy(update={"description": story}))


def network_opponent(path: Path, taken: Iterable[str]) -> Opponent:
    """Makes an opponent of a file, under a name that is not taken. Raises NetError."""
    return named_network(_safe_name(path, taken), path)


def grouped(opponents: Iterable[Opponent]) -> Iterator[Opponent]:
    """Lists networks that differ in the rating of their players only, such as Maia's, as one with a rating to choose.

    Each is still found by its own name, which games of before have.
    """
    everybody = list(opponents)
    family = {int(match[1]): each for each in everybody if (match := _MAIA.fullmatch(each.name))}
    if len(family) < 2:
        yield from everybody
        return
    ratings = sorted(family)
    yield _family(ratings, [family[rating] for rating in ratings])
    yield from (replace(each, is_listed=False) if each in family.values() else each for each in everybody)


def _family(ratings: list[int], members: list[Opponent]) -> Opponent:
    view = members[0].view.model_copy(
        update={
            "name": MAIA,
            "title": "Maia",
            "description": f"Networks that play as people do who are rated {ratings[0]} to {ratings[-1]} on Lichess.",
            "strength": LevelList(levels=[f"Rated {rating}" for rating in ratings], default=(len(ratings) + 1) // 2),
            "settings": [],
        }
    )

    def make_player(strength: Kept, seed: int) -> Player:
        chosen = members[strength.get("level", 1) - 1]
        player: Player = chosen.make_player({"level": 1}, seed)
        return player

    return Opponent(view=view, fits=members[0].fits, make_player=make_player)


def shipped_files() -> list[Path]:
    """Returns the networks of the engine net and the self-taught one; others are in the menu by their engines."""
    from philidor.nets.shipped import GAMES_NET, GO_ZERO_NET, SELF_TAUGHT_NET, shipped_nets

    known = shipped_nets()
    return [known[name] for name in (GAMES_NET, SELF_TAUGHT_NET, GO_ZERO_NET) if name in known]


def named_network(name: str, path: Path) -> Opponent:
    """Returns a network file as the opponent of this name. Raises NetError for what is none."""
    kind, game = _look_into(path)
    has_ratings = kind is _SEARCHING and _has_ratings(path)
    return _human(name, path) if has_ratings else _opponent(name, path, kind, game)


def is_network_file(path: Path) -> bool:
    """Says whether a file's name is that of a network."""
    return _ENDINGS.search(path.name) is not None and path.is_file()


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if is_network_file(path))
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
    kind = _SEARCHING
    if form is NetFormat.OWN:
        game, encoding = _own_game(path)
        kind = _POLICY if encoding.startswith("alphago-") else kind
    else:
        game = _onnx_game(path)
    # A file may have come from anywhere, and a game such as "file.py:Class" would be run.
    try:
        split_name(game)
    except PhilidorError:
        raise NetError(f"{str(path)!r} is for a game that is not offered: {game[:40]!r}") from None
    return kind, game


def _own_game(path: Path) -> tuple[str, str]:
    """Returns the game and the encoding of a network of ours."""
    from philidor.nets.network_files import load_stored

    config = load_stored(path).config
    return config.game, config.encoding


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
        title=f"Network {_plain(name)}",
        description=kind.description,
        games=[game],
        strength=LevelList(levels=list(kind.levels), default=kind.default),
        settings=setting_views(own.values()),
        habits=ENGINE_HABITS,
    )
    return Opponent(
        view=view,
        fits=partial(is_for, game),
        make_player=partial(_make_player, path, kind),
        settings=own,
        net=path,
    )


def _plain(name: str) -> str:
    """Returns an opponent's name without what it begins with, which says where it comes from."""
    return name.partition(":")[2]


def _human(name: str, path: Path) -> Opponent:
    """The player human with a network of the user's."""
    own = of_table("human")
    news: dict[str, object] = {
        "name": name,
        "title": f"Network {_plain(name)}",
        "description": "A network trained on people's games: plays like a person of the rating you choose.",
        # The level that follows is that of the one opponent everybody has.
        "habits": [habit for habit in own.view.habits if habit != "follow"],
    }

    def make_player(strength: Kept, seed: int) -> Player:
        given = strength.get("settings") or {"rating": strength["elo"]}
        return _loaded("human", path, {**given, "seed": seed})

    view = own.view.model_copy(update=news)
    return Opponent(view=view, fits=own.fits, make_player=make_player, settings=own.settings, net=path)


def _make_player(path: Path, kind: _Kind, strength: Kept, seed: int) -> Player:
    levels = list(kind.levels.values())
    chosen = strength.get("settings") or levels[strength.get("level", kind.default) - 1]
    given = {**kind.given, **({} if kind is _ALPHABETA else {"seed": seed}), **chosen}
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
