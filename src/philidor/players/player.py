"""What every player can do, whatever is inside it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from philidor.core.analysis import Analysis
from philidor.core.config import C, Dataclass, Setting, from_dict, settings, to_dict
from philidor.core.errors import ArgumentError, ConfigError
from philidor.core.game import AnyGame, AnyState
from philidor.core.thinking import NO_LIMITS, Limits, Report, Stop


@dataclass(frozen=True, slots=True)
class RatingScale:
    """What the ratings of a player mean to people."""

    name: str
    """Whose ratings they are like."""
    words: tuple[tuple[int, str], ...]
    """What people call a player below each of these ratings."""
    estimated_below: int | None = None
    """Ratings below are not measured."""


class Player(Protocol):
    """Plays the games of the table. The first line of a player's docstring introduces it to the user."""

    name: ClassVar[str]
    config_class: ClassVar[type[Dataclass]]
    levels: ClassVar[tuple[Any, ...]]
    """Configs from the weakest to the strongest, for people who want an opponent and not settings."""
    longest_game: ClassVar[int | None]
    """The most moves a game may have for this player to be of use; None for any."""
    games: ClassVar[tuple[str, ...] | None]
    """The names of the games it plays; None for every game."""
    heeds: ClassVar[frozenset[str]]
    """Which limits of `think` it keeps, of ALL_LIMITS; it takes no notice of the others."""

    def __init__(self, config: Any = None, /) -> None:
        """Takes a config of `config_class`; None is the default one."""

    @property
    def config(self) -> Any:
        """The settings in force; they may be changed while it does not think, which may raise ConfigError."""

    @config.setter
    def config(self, config: Any, /) -> None: ...

    def choose(self, state: AnyState, /) -> str:
        """Returns the `best` of what `think` answers without limits, which `play` takes; `state` must not be over."""

    def think(
        self,
        state: AnyState,
        /,
        limits: Limits = NO_LIMITS,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Analysis:
        """Chooses a move: it is the analysis's `best`, with what was found on the way. One question at a time.

        The limits hold together with those among the settings. `stop` may be asked from time to time, in any thread,
        and ends the search; the move is then whatever was best so far. `report` is called in this thread, with
        analyses that have no `best` yet. Raises IllegalMoveError for moves of the limits that are none.
        """

    def analyse(self, state: AnyState, /, **limits: Any) -> Analysis:
        """Returns what the player thinks of `state`; `limits` replace settings for this call."""

    def new_game(self) -> None:
        """Forgets what was learned from earlier positions."""


class HasNetworks:
    """A player that plays what its networks were made for, which its class alone does not say."""

    __slots__ = ()

    def check_plays(self, game: AnyGame, /) -> None:
        """Loads what a game needs. Raises ConfigError or NetError where the networks are for another game or board."""
        raise NotImplementedError


def check_networks(player: Player, game: AnyGame) -> None:
    """Refuses a game that a player's networks, if it has some, were not made for. Raises ConfigError, NetError."""
    if isinstance(player, HasNetworks):
        player.check_plays(game)


def can_play(kind: type[Player], game: AnyGame) -> bool:
    """Says whether a player is of use in a game."""
    if kind.games is not None and game.name not in kind.games:
        return False
    if kind.longest_game is None:
        return True
    return game.max_plies is not None and game.max_plies <= kind.longest_game


def rating_setting(config_class: type[Dataclass]) -> Setting | None:
    """Returns the setting by which a player plays at a rating, if it does."""
    return next((setting for setting in settings(config_class) if setting.name in ("rating", "elo")), None)


def check_state(state: object) -> None:
    """Raises ArgumentError for what is no position of any game."""
    if not hasattr(state, "legal_moves"):
        raise ArgumentError("a position, such as philidor.chess.Position()", state)


def check_lines(lines: int) -> None:
    """Raises ConfigError for a number of lines that no analysis can show."""
    if not isinstance(lines, int) or lines < 1:
        raise ConfigError(f"lines must be at least 1, got {lines!r}")


def player_text(name: str, config: Dataclass) -> str:
    """Returns the call that loads such a player: its name, and the settings that are not the default ones."""
    values = [(field, getattr(config, field.name)) for field in dataclasses.fields(config)]
    changed = [f"{field.name}={value!r}" for field, value in values if value != field.default]
    return f"load_engine({', '.join([repr(name), *changed])})"


def with_limits(config: C, limits: dict[str, Any]) -> C:
    """Returns the config with some settings replaced; raises ConfigError for what is not one of them."""
    return from_dict(type(config), {**to_dict(config), **limits}) if limits else config
