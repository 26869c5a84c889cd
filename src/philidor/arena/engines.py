"""Who plays: an engine as the user writes it, "classic without=null_move" or "stockfish option.Hash=64".

The first word is the name of a player of ours, which then plays inside this program, or else a program that speaks
UCI, or with proto=xboard CECP, or with proto=gtp, for Go, GTP. Of the words after it, those of the form key=value that
we know are ours; the rest belongs to the program.
"""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from philidor.arena.limits import LIMIT_WORDS, NO_LIMIT, Limit, limit_from_words
from philidor.core.config import Dataclass, settings
from philidor.core.errors import ConfigError
from philidor.core.game import AnyGame
from philidor.core.options import override
from philidor.games.go import Go
from philidor.players import NETWORK_PLAYERS, PLAYERS, can_play, player_class

_OPTION = "option."
PROTOCOLS = ("uci", "xboard", "gtp")
"""What programs may speak."""


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """One engine of a match."""

    name: str
    """How reports and PGN call it."""
    player: str | None = None
    """A name of the table of players, or None for a program."""
    command: tuple[str, ...] = ()
    """The program and its arguments."""
    settings: dict[str, str] = field(default_factory=dict)
    """Settings of the player's config, or options of the program."""
    limit: Limit = NO_LIMIT
    """Its own limit; an empty one for that of the match."""
    protocol: str = "uci"
    """What the program speaks."""

    @property
    def is_in_process(self) -> bool:
        """Whether it plays inside this program."""
        return self.player is not None

    def config(self) -> Dataclass:
        """Returns the player's config. Raises ConfigError."""
        assert self.player is not None
        config = player_class(self.player).config_class()
        return override(config, dict(self.settings))


def parse_engine(text: str) -> EngineSpec:
    """Reads an engine. Raises ConfigError."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ConfigError(f"engine {text!r}: {str(error).lower()}") from None
    if not words:
        raise ConfigError("an engine is a player's name or a command, got nothing")
    return _player(words) if words[0] in (*PLAYERS, *NETWORK_PLAYERS) else _program(words)


def _player(words: Sequence[str]) -> EngineSpec:
    kind = player_class(words[0])
    if kind.games is not None and "chess" not in kind.games:
        raise ConfigError(f"{words[0]} does not play chess")
    values: dict[str, str] = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals:
            raise ConfigError(f"engine {words[0]}: expected setting=value, got {word!r}")
        values[key.replace("-", "_")] = value
    name = values.pop("name", " ".join(words))
    limits = {key: values.pop(key) for key in _limit_words(words[0]) if key in values}
    spec = EngineSpec(name=name, player=words[0], settings=values, limit=limit_from_words(limits))
    spec.config()  # what is wrong should be known before the first game
    return spec


def _program(words: Sequence[str]) -> EngineSpec:
    command: list[str] = []
    options: dict[str, str] = {}
    limits: dict[str, str] = {}
    own: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if equals and key.startswith(_OPTION):
            options[key.removeprefix(_OPTION)] = value
        elif equals and key in LIMIT_WORDS:
            limits[key] = value
        elif equals and key in ("name", "proto"):
            own[key] = value
        else:
            command.append(word)
    if not command:
        raise ConfigError(f"no program in the engine {' '.join(words)!r}")
    protocol = own.get("proto", "uci")
    if protocol not in PROTOCOLS:
        raise ConfigError(f"proto= is one of {', '.join(PROTOCOLS)}, got {protocol!r}")
    extra = [f"{key}={value}" for key, value in {**limits, **options}.items()]
    name = own.get("name") or " ".join([PurePath(command[0]).name, *command[1:], *extra])
    return EngineSpec(
        name=name, command=tuple(command), settings=options, limit=limit_from_words(limits), protocol=protocol
    )


def _limit_words(player: str) -> set[str]:
    """Returns the words that limit a player; the others are settings, such as the depth without which some search none.

    A limit that is also among the settings is optional there: it stands for "none".
    """
    kind = player_class(player)
    fixed = {setting.name for setting in settings(kind.config_class) if not setting.is_optional}
    return {word for word in LIMIT_WORDS if LIMIT_WORDS[word] in kind.heeds and word not in fixed}


def check_plays(spec: EngineSpec, game: AnyGame) -> None:
    """Refuses an engine that is of no use in a game. Raises ConfigError."""
    if spec.player is None and not _speaks_of(spec.protocol, game):
        needed = "proto=gtp plays Go" if isinstance(game, Go) else "programs play chess and Go"
        raise ConfigError(f"{needed}, and {game.name} is for our players; got the program {spec.name!r}")
    if spec.player is not None and not can_play(player_class(spec.player), game):
        raise ConfigError(f"{spec.player} is of no use in {game.name}")


def _speaks_of(protocol: str, game: AnyGame) -> bool:
    """Says whether a protocol has words for a game."""
    return isinstance(game, Go) if protocol == "gtp" else game.name == "chess"


def parse_engines(texts: Sequence[str]) -> tuple[EngineSpec, ...]:
    """Reads the engines of a match and gives equal ones different names. Raises ConfigError."""
    if len(texts) < 2:
        raise ConfigError(f"a match needs at least two engines, got {len(texts)}")
    specs: list[EngineSpec] = []
    for text in texts:
        spec = parse_engine(text)
        # Reports and PGN headers have a line for a name.
        spec = dataclasses.replace(spec, name=" ".join(spec.name.split()) or spec.player or spec.command[0])
        taken = {other.name for other in specs}
        number, name = 2, spec.name
        while name in taken:
            name, number = f"{spec.name} ({number})", number + 1
        specs.append(dataclasses.replace(spec, name=name))
    return tuple(specs)
