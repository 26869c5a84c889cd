"""Whom one can play in the browser, and what a chosen strength means for each of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from philidor.core.config import Setting, settings
from philidor.core.errors import ConfigError
from philidor.core.game import AnyGame
from philidor.frontends.playing.match import strength_words
from philidor.frontends.playing.setup import PERSON, default_level, load_opponent
from philidor.frontends.web.requests import Strength
from philidor.frontends.web.schema import EloRange, LevelList, NoStrength, OpponentView, SettingView
from philidor.players import PLAYERS, Player, can_play, load_engine, player_class

# The order of the menu; what is in the table of players and not here comes after.
_TITLES = {
    "sparring": "Sparring partner",
    "classic": "Classic engine",
    "alphabeta": "Alpha-beta",
    "minimax": "Minimax",
    "uct": "UCT",
    "solver": "Perfect player",
    "random": "Random mover",
    PERSON: "Another person",
}
_ELO_STEP = 50
_STRONGEST = "classic"
"""Who plays in place of an opponent of a chosen rating, when full strength is wanted."""
# Playing is not analysing: a small table is enough, and twenty games at once then fit into any memory.
_PLAYING_HASH_MB = 8


def names() -> list[str]:
    """All opponents in the order of the menu."""
    known = [name for name in _TITLES if name in PLAYERS]
    return [*known, *(name for name in PLAYERS if name not in _TITLES), PERSON]


def title(name: str) -> str:
    """What people call an opponent."""
    return _TITLES.get(name, name.capitalize())


def fitting(game: AnyGame) -> list[str]:
    """The opponents that are of use in a game."""
    return [name for name in names() if name == PERSON or can_play(player_class(name), game)]


def default_for(game: AnyGame) -> str:
    """Whom to offer first: one whose rating can be chosen, or else one that answers at once."""
    fits = fitting(game)
    rated = [name for name in fits if name != PERSON and _elo_range(player_class(name)) is not None]
    return next(name for name in (*rated, "uct", *fits) if name in fits)


def describe(name: str) -> OpponentView:
    """Introduces an opponent."""
    if name == PERSON:
        return OpponentView(
            name=name,
            title=title(name),
            description="Somebody beside you, at the same board.",
            games=None,
            strength=NoStrength(),
            settings=[],
        )
    kind = player_class(name)
    return OpponentView(
        name=name,
        title=title(name),
        description=(kind.__doc__ or "").splitlines()[0],
        games=None if kind.games is None else list(kind.games),
        strength=_strength(kind),
        settings=[_setting(setting) for setting in settings(kind.config_class) if _is_for_people(setting)],
    )


def _elo_range(kind: type[Player]) -> EloRange | None:
    """Returns the ratings to choose from; None for a player that has none."""
    found = [setting for setting in settings(kind.config_class) if setting.name == "elo"]
    if not found:
        return None
    low, high = found[0].minimum, found[0].maximum
    assert low is not None
    assert high is not None
    return EloRange(min=int(low), max=int(high), step=_ELO_STEP, default=found[0].default, has_full=True)


def _strength(kind: type[Player]) -> EloRange | LevelList | NoStrength:
    elo = _elo_range(kind)
    if elo is not None:
        return elo
    if len(kind.levels) == 1:
        return NoStrength()
    levels = [", ".join(strength_words(kind, level)) for level in kind.levels]
    return LevelList(levels=levels, default=default_level(kind))


def _is_for_people(setting: Setting) -> bool:
    """Says whether a setting makes another opponent; memory, threads and paths are the server's business."""
    is_plain = not (setting.is_list or setting.is_table) and setting.type is not Path
    return is_plain and setting.name not in ("hash", "threads", "table_mb", "multi_pv", "move_overhead")


def _setting(setting: Setting) -> SettingView:
    kind: Any = {bool: "bool", int: "int", float: "float"}.get(setting.type, "text")
    default = None if setting.default is dataclasses.MISSING else setting.default
    return SettingView(
        name=setting.name,
        type=kind,
        min=setting.minimum,
        max=setting.maximum,
        choices=list(setting.choices),
        default=default,
        help=setting.help,
    )


def check_strength(name: str, strength: Strength | None) -> dict[str, Any]:
    """Returns a strength in the form in which games keep it; raises ConfigError when the opponent has none such."""
    view = describe(name).strength
    given = {} if strength is None else {k: v for k, v in strength.model_dump().items() if v is not None}
    if len(given) > 1:
        raise ConfigError(f"a strength is one of elo, full, level and settings, got {' and '.join(given)}")
    if not given:
        return _default_strength(view)
    [(kind, value)] = given.items()
    if name == PERSON:
        raise ConfigError("a person has no strength to choose")
    if kind in ("elo", "full"):
        if not isinstance(view, EloRange):
            raise ConfigError(f"{title(name)} has no {kind} strength")
        if kind == "elo" and not view.min <= value <= view.max:
            raise ConfigError(f"elo must be from {view.min} to {view.max}, got {value}")
    elif kind == "level":
        count = len(player_class(name).levels)
        if not 1 <= value <= count:
            raise ConfigError(f"level must be from 1 to {count}, got {value}")
    else:
        _check_settings(name, value)
    return given


def _default_strength(view: EloRange | LevelList | NoStrength) -> dict[str, Any]:
    if isinstance(view, EloRange):
        return {"elo": view.default}
    return {"level": view.default} if isinstance(view, LevelList) else {}


def _check_settings(name: str, values: Mapping[str, Any]) -> None:
    known = {setting.name: setting for setting in settings(player_class(name).config_class) if _is_for_people(setting)}
    for key, value in values.items():
        if key not in known:
            raise ConfigError(f"{title(name)} has no setting {key!r}; it has {', '.join(known) or 'none'}")
        known[key].check(value)


def make_player(name: str, strength: Mapping[str, Any], seed: int) -> Player:
    """Makes the opponent of a game; `seed` makes games differ, and the same game the same after a restart."""
    if "full" in strength:
        return load_engine(_STRONGEST, hash=_PLAYING_HASH_MB)
    config = {setting.name for setting in settings(player_class(name).config_class)}
    given: dict[str, Any] = {"seed": seed} if "seed" in config else {}
    if "hash" in config:
        given["hash"] = _PLAYING_HASH_MB
    if "elo" in strength:
        return load_engine(name, elo=strength["elo"], **given)
    return load_opponent(name, strength.get("level"), {**given, **strength.get("settings", {})})


def name_of(name: str, strength: Mapping[str, Any]) -> str:
    """Writes an opponent with its strength: "Classic engine, 1200"."""
    if "elo" in strength:
        return f"{title(name)}, {strength['elo']}"
    if "full" in strength:
        return f"{title(_STRONGEST)}, full strength"
    if "settings" in strength:
        words = [f"{key.replace('_', ' ')} {value}" for key, value in strength["settings"].items()]
        return ", ".join([title(name), *words])
    view = describe(name).strength
    if isinstance(view, LevelList) and "level" in strength:
        return f"{title(name)}, {view.levels[strength['level'] - 1]}"
    return title(name)
