"""Whom one can play in the browser, and what a chosen strength means for each of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from philidor.core.config import Setting, settings
from philidor.core.errors import ConfigError
from philidor.core.game import AnyGame, AnyState
from philidor.frontends.playing.level_names import level_name
from philidor.frontends.playing.match import strength_amounts, strength_words
from philidor.frontends.playing.setup import PERSON, default_level, load_opponent
from philidor.frontends.web.requests import Strength
from philidor.frontends.web.schema import EloRange, Habit, LevelList, NoStrength, OpponentView, SettingView
from philidor.players import DEFAULT_ENGINE, Player, load_engine, player_class, rating_setting, suits
from philidor.players.player import RatingScale

_TITLES = {
    "human": "Human",
    "sparring": "Sparring partner",
    "nnue": "NNUE engine",
    "classic": "Classic engine",
    "giraffe": "Giraffe",
    "deepchess": "DeepChess",
    "alphabeta": "Alpha-beta",
    "minimax": "Minimax",
    "uct": "UCT",
    "alphago": "AlphaGo",
    "alphago-sl": "AlphaGo's policy network",
    "solver": "Perfect player",
    "random": "Random mover",
}
_WITHOUT_VERDICT = ("random",)
_ELO_STEP = 50
_HABITS: list[Habit] = ["resign", "pace", "follow"]
ENGINE_HABITS: list[Habit] = ["resign"]
"""Of those whose searches say how they stand."""
# Playing is not analysing: a small table is enough, and twenty games at once then fit into any memory.
_PLAYING_HASH_MB = 8

Kept: TypeAlias = Mapping[str, Any]
"""A strength in the form in which games keep it: at most one of "elo", "full", "level" and "settings"."""


@dataclass(frozen=True, kw_only=True)
class Opponent:
    """Somebody to play: what pages see of them, and how they come to the board."""

    view: OpponentView
    fits: Callable[[AnyGame], bool]
    """Says whether they are of use in a game."""
    make_player: Callable[[Kept, int], Player]
    """Makes the player of a game from a strength and a seed, which makes games differ, and a game after a restart the
    same. Raises a PhilidorError when the opponent cannot come."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """What can be set instead of choosing a strength."""
    refuses: Callable[[AnyState], str | None] = lambda _: None
    """Says why they cannot play from a first position of a game that they play."""
    news: Callable[[], Mapping[str, Any]] = dict
    """Returns what has become known of `view` since the start."""
    net: Path | None = None
    """Of a network: its file, which no page ever learns."""
    is_listed: bool = True
    """Whether menus name them; who is one of a group is found by name only."""

    @property
    def newest_view(self) -> OpponentView:
        """What pages see of them now."""
        return self.view.model_copy(update=dict(self.news()))

    @property
    def name(self) -> str:
        """What programs call them."""
        return self.view.name

    @property
    def title(self) -> str:
        """What people call them."""
        return self.view.title

    def check_strength(self, strength: Strength | None) -> dict[str, Any]:
        """Returns a strength in the form in which games keep it. Raises ConfigError when the opponent has none such."""
        view = self.view.strength
        given = {} if strength is None else {k: v for k, v in strength.model_dump().items() if v is not None}
        if len(given) > 1:
            raise ConfigError(f"a strength is one of elo, full, level and settings, got {' and '.join(given)}")
        if not given:
            return _default_strength(view)
        [(kind, value)] = given.items()
        if self.name == PERSON:
            raise ConfigError("a person has no strength to choose")
        if kind in ("elo", "full"):
            if not isinstance(view, EloRange):
                raise ConfigError(f"{self.title} has no {kind} strength")
            if kind == "elo" and not view.min <= value <= view.max:
                raise ConfigError(f"elo must be from {view.min} to {view.max}, got {value}")
        elif kind == "level":
            count = len(view.levels) if isinstance(view, LevelList) else 0
            if not 1 <= value <= count:
                has = f"must be from 1 to {count}" if count else f"is not for {self.title}"
                raise ConfigError(f"level {has}, got {value}")
        else:
            self._check_settings(value)
        return given

    def check_habits(self, habits: Sequence[Habit]) -> list[Habit]:
        """Returns habits in the form in which games keep them. Raises ConfigError for those that it has not."""
        for habit in habits:
            if habit not in self.view.habits:
                raise ConfigError(f"{self.title} has no habit {habit!r}")
        return [habit for habit in self.view.habits if habit in habits]

    def _check_settings(self, values: Kept) -> None:
        for key, value in values.items():
            if key not in self.settings:
                known = ", ".join(self.settings) or "none"
                raise ConfigError(f"{self.title} has no setting {key!r}; it has {known}")
            self.settings[key].check(value)

    def name_with(self, strength: Kept) -> str:
        """Writes who plays at a strength: "Sparring partner, 1200"."""
        if "elo" in strength:
            return f"{self.title}, {strength['elo']}"
        if "full" in strength:
            return f"{_TITLES[DEFAULT_ENGINE]}, full strength"
        if "settings" in strength:
            words = [f"{key.replace('_', ' ')} {value}" for key, value in strength["settings"].items()]
            return ", ".join([self.title, *words])
        view = self.view.strength
        if isinstance(view, LevelList) and 1 <= strength.get("level", 0) <= len(view.levels):
            level = view.levels[strength["level"] - 1]
            return f"{self.title}, {level[0].lower()}{level[1:]}"
        return self.title


def _default_strength(view: EloRange | LevelList | NoStrength) -> dict[str, Any]:
    if isinstance(view, EloRange):
        return {"elo": view.default}
    return {"level": view.default} if isinstance(view, LevelList) else {}


# --- Who can be an opponent --------------------------------------------------------------------------------------


def person() -> Opponent:
    """The other person at this computer."""
    view = OpponentView(
        name=PERSON,
        title="Another person",
        description="Somebody beside you, at the same board.",
        games=None,
        strength=NoStrength(),
        settings=[],
    )
    return Opponent(view=view, fits=lambda _: True, make_player=_nobody("a person moves by hand"))


def missing(name: str, advice: str) -> Opponent:
    """Who was here when a game was begun and is not now: their games can be looked at, and wait for them."""
    title = name.partition(":")[2] or name
    view = OpponentView(name=name, title=title, description=advice, games=None, strength=NoStrength(), settings=[])
    return Opponent(view=view, fits=lambda _: False, make_player=_nobody(f"{title} is not here now: {advice}"))


def _nobody(why: str) -> Callable[[Kept, int], Player]:
    def refuse(_strength: Kept, _seed: int) -> NoReturn:
        raise ConfigError(why)

    return refuse


def of_table(name: str) -> Opponent:
    """A player of ours."""
    kind = player_class(name)
    own = {setting.name: setting for setting in settings(kind.config_class) if _is_for_people(setting)}
    view = OpponentView(
        name=name,
        title=_TITLES.get(name, name.capitalize()),
        description=(kind.__doc__ or "").splitlines()[0],
        games=None if kind.games is None else list(kind.games),
        strength=_strength(kind),
        settings=setting_views(own.values()),
        habits=_HABITS if hasattr(kind, "gesture") else [] if name in _WITHOUT_VERDICT else ENGINE_HABITS,
    )
    rating = rating_setting(kind.config_class)

    def make_player(strength: Kept, seed: int) -> Player:
        if "full" in strength:
            return load_engine(DEFAULT_ENGINE, hash=_PLAYING_HASH_MB)
        config = {setting.name for setting in settings(kind.config_class)}
        given: dict[str, Any] = {"seed": seed} if "seed" in config else {}
        if "hash" in config:
            given["hash"] = _PLAYING_HASH_MB
        if "elo" in strength and rating is not None:
            return load_engine(name, **{**given, rating.name: strength["elo"]})
        return load_opponent(name, strength.get("level"), {**given, **strength.get("settings", {})})

    return Opponent(view=view, fits=lambda game: suits(name, game), make_player=make_player, settings=own)


def with_habits(player: Player, habits: Sequence[str]) -> Player:
    """Lets a player do what was chosen at the start of a game."""
    if "resign" in habits and hasattr(player.config, "resigns"):
        player.config = dataclasses.replace(player.config, resigns=True)
    return player


def menu_order(names: Iterable[str]) -> list[str]:
    """Returns players in the order of the menu; those that nobody has given a title come after."""
    known = list(_TITLES)
    return sorted(names, key=lambda name: known.index(name) if name in known else len(known))


def _strength(kind: type[Player]) -> EloRange | LevelList | NoStrength:
    rating = rating_setting(kind.config_class)
    if rating is not None:
        low, high = rating.minimum, rating.maximum
        assert low is not None
        assert high is not None
        scale: RatingScale | None = getattr(kind, "scale", None)
        return EloRange(
            min=int(low),
            max=int(high),
            step=_ELO_STEP,
            default=rating.default,
            has_full=scale is None,
            scale=None if scale is None else scale.name,
            words=[] if scale is None else list(scale.words),
            estimated_below=None if scale is None else scale.estimated_below,
        )
    if len(kind.levels) == 1:
        return NoStrength()
    levels = [_level_name(kind, level) for level in kind.levels]
    return LevelList(levels=levels, default=default_level(kind))


def _level_name(kind: type[Player], level: Any) -> str:
    amounts = strength_amounts(kind, level)
    [(quantity, amount), *more] = amounts.items()
    if more or not isinstance(amount, int | float):
        return ", ".join(strength_words(kind, level)).capitalize()
    return level_name(quantity, amount)


def _is_for_people(setting: Setting) -> bool:
    """Says whether a setting makes another opponent; memory, threads and paths are the server's business."""
    is_plain = not (setting.is_list or setting.is_table) and setting.type is not Path
    return is_plain and setting.name not in ("hash", "threads", "table_mb", "multi_pv", "move_overhead")


def setting_views(own: Iterable[Setting]) -> list[SettingView]:
    """Describes settings to pages."""
    kinds: dict[Any, Any] = {bool: "bool", int: "int", float: "float"}
    return [
        SettingView(
            name=setting.name,
            type=kinds.get(setting.type, "text"),
            min=setting.minimum,
            max=setting.maximum,
            choices=list(setting.choices),
            default=None if setting.default is dataclasses.MISSING else setting.default,
            help=setting.help,
        )
        for setting in own
    ]
