"""Builds a match from what a person has chosen: game, start, opponent, level, side."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from philidor.core.config import settings, to_dict
from philidor.core.descriptor import descriptor_of
from philidor.core.errors import ConfigError, UnknownNameError
from philidor.core.game import FIRST, SECOND, AnyGame, AnyState
from philidor.frontends.playing.match import Match
from philidor.games import load_game
from philidor.players import (
    NETWORK_PLAYERS,
    PLAYERS,
    Player,
    can_play,
    check_networks,
    load_engine,
    offered_players,
    player_class,
    rating_setting,
    suits,
)

PERSON = "person"
"""The opponent who sits at the same keyboard."""


@dataclass(frozen=True, kw_only=True)
class GameChoice:
    """All that makes a new game; what is left open gets a sensible value."""

    game: str = "chess"
    start: str | None = None
    """A FEN, or the text of a state of the game."""
    chess960: int | None = None
    """The number of a Chess960 start position."""
    opponent: str | None = None
    level: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the opponent, on top of its level's."""
    side: str | None = None
    """A side's name ("white"), "first", "second" or "random"."""


def new_match(choice: GameChoice) -> Match:
    """Sets up a game. Raises a PhilidorError for what does not exist or does not fit."""
    game = load_game(choice.game)
    start = start_state(game, choice)
    person = parse_side(choice.side, descriptor_of(game).sides)
    name = choice.opponent or default_opponent(game)
    if name == PERSON:
        if choice.settings or choice.level is not None:
            raise ConfigError("a person has no level and no settings")
        return Match(game, start, None)
    # A game of the user's own is code: a network's file cannot name it, and has to be told.
    own = game if ":" in choice.game and name in NETWORK_PLAYERS else None
    opponent = load_opponent(name, choice.level, choice.settings, own)
    check_networks(opponent, game)
    if opponent.games is not None and game.name not in opponent.games:
        raise ConfigError(f"{name} plays {' and '.join(opponent.games)} only, not {game.name}")
    if not can_play(type(opponent), game):
        length = "may go on for ever" if game.max_plies is None else f"may take {game.max_plies}"
        raise ConfigError(f"{name} plays games of at most {opponent.longest_game} moves, {game.name} {length}")
    return Match(game, start, person, opponent)


def start_state(game: AnyGame, choice: GameChoice) -> AnyState:
    """Returns where the game begins."""
    if choice.chess960 is None:
        state: AnyState = game.state(choice.start)
        return state
    if "chess960" not in descriptor_of(game).features or choice.start is not None:
        raise ConfigError("--chess960 takes the place of a FEN, and of no other game's start")
    from philidor.games.chess import chess960_position

    return chess960_position(choice.chess960)


def default_opponent(game: AnyGame) -> str:
    """Names the opponent of people who choose none: one that answers at once and makes mistakes to learn from."""
    # Alpha-beta knows nothing but what its heuristic tells.
    teacher = "alphabeta" if descriptor_of(game).heuristic is not None else "uct"
    offered = [name for name in offered_players() if suits(name, game)]
    return next(name for name in ("human", teacher, *offered) if name in offered)


def default_level(kind: type[Player]) -> int:
    """Returns the level in the middle, rounded up."""
    return (len(kind.levels) + 2) // 2 if len(kind.levels) > 1 else 1


def load_opponent(name: str, level: int | None, given: Mapping[str, Any], game: AnyGame | None = None) -> Player:
    """Loads a player at a level, with some settings replaced. Its seed is a new one unless it was given.

    A large level is a rating, of a player that has one. `game` is for a network of a game of the user's own.
    """
    if name not in (*PLAYERS, *NETWORK_PLAYERS):
        raise UnknownNameError("opponent", name, [*PLAYERS, PERSON])
    kind = player_class(name)
    rating = rating_setting(kind.config_class)
    if level is not None and rating is not None and level > len(kind.levels):
        level, given = None, {rating.name: rating.check(level), **given}
    if level is not None and not kind.levels:
        raise ConfigError(f"{name} has no levels, got {level}; its strength is a setting")
    if level is None and rating is None:
        level = default_level(kind)
    if level is not None and kind.levels and not 1 <= level <= len(kind.levels):
        raise ConfigError(f"{name} has levels 1 to {len(kind.levels)}, got {level}")
    chosen = to_dict(kind.levels[level - 1]) if kind.levels and level is not None else {}
    seed: dict[str, Any] = {}
    if any(setting.name == "seed" for setting in settings(kind.config_class)):
        seed = {"seed": secrets.randbits(32)}
    return load_engine(name, game=game, **{**chosen, **seed, **given})


def parse_side(text: str | None, sides: tuple[str, str]) -> int:
    """Reads a side; the first player's when none is named."""
    if text is None:
        return FIRST
    word = text.strip().lower()
    if word == "random":
        return secrets.randbelow(2)
    for side, others in ((FIRST, ("first", "1")), (SECOND, ("second", "2"))):
        name = sides[side].lower()
        # "w" is White, but never is an abbreviation read that both sides share.
        if word in (name, *others) or (word == name[0] and sides[0][0].lower() != sides[1][0].lower()):
            return side
    raise UnknownNameError("side", text, [*(side.lower() for side in sides), "random"])
