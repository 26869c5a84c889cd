"""Engines at the board: ours inside this program and others over UCI, CECP or GTP, seen by the game in the same way."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from typing import Any, Protocol

from philidor.arena.engines import EngineSpec
from philidor.arena.go_programs import GoProgram
from philidor.arena.programs import External
from philidor.arena.thought import Thought
from philidor.core.config import settings
from philidor.core.errors import ConfigError
from philidor.core.game import AnyState
from philidor.core.options import set_uci_option
from philidor.core.thinking import Limits
from philidor.games import load_game
from philidor.players import Player, check_networks, player_class
from philidor.players.external_uci import EngineCrashError, EngineHangError

CHESS = "chess"


class Competitor(Protocol):
    """An engine at the board."""

    def new_game(self, number: int, *, is_chess960: bool) -> None:
        """Prepares for the game of this number; the same number gives the same game again."""

    def think(self, position: AnyState, limits: Limits, timeout_s: float) -> Thought:
        """Chooses a move. Raises EngineCrashError, EngineMoveError and, after `timeout_s`, EngineHangError."""

    def close(self) -> None:
        """Ends it; the next game would start it again."""

    def kill(self) -> None:
        """Ends it without asking."""


class InProcess:
    """A player of ours. It cannot be stopped when it hangs, and a crash is everybody's."""

    def __init__(self, spec: EngineSpec, options: Mapping[str, str], game: str = CHESS) -> None:
        """Makes the player. Raises ConfigError, also for a network of another game than `game`."""
        assert spec.player is not None
        config = spec.config()
        known = {setting.uci_name.lower() for setting in settings(type(config)) if setting.uci_name}
        self.known_options = {name for name in options if name.lower() in known}
        for name in self.known_options:
            config = set_uci_option(config, name, options[name])
        self._config = config
        self._seed: int | None = getattr(config, "seed", None)
        self._player = _player(spec.player, config, game)

    def new_game(self, number: int, *, is_chess960: bool) -> None:
        """Forgets the last game. A player with a seed gets another one for each game, or all would be alike."""
        if self._seed is None:
            self._player.new_game()
        else:
            self._player.config = dataclasses.replace(self._config, seed=self._seed + number)

    def think(self, position: AnyState, limits: Limits, timeout_s: float) -> Thought:
        """Thinks within the limits that the player heeds, and within its own settings."""
        start = time.monotonic()
        try:
            found = self._player.think(position, limits)
        # Whatever a player raises, it has lost this game and not the match.
        except Exception as error:
            raise EngineCrashError(f"{type(error).__name__}: {error}") from error
        return Thought(found.best, time.monotonic() - start, found.score, found.depth, found.nodes or None)

    def close(self) -> None:
        """Nothing runs between searches."""

    def kill(self) -> None:
        """It ends with this process."""


def _player(name: str, config: Any, game: str) -> Player:
    rules = load_game(game)
    player: Player
    if name == "net":
        from philidor.players.net import NetPlayer

        # A game of the user's own is code: a network's file cannot name it, and has to be told.
        player = NetPlayer(config, rules if ":" in game else None)
    else:
        player = player_class(name)(config)
    check_networks(player, rules)
    return player


def competitor(spec: EngineSpec, options: Mapping[str, str], game: str = CHESS) -> InProcess | External | GoProgram:
    """Makes the competitor for an engine; `options` are for every engine that has them. Raises ConfigError.

    `game` is what is played, as `load_game` reads it: a network of another one is refused.
    """
    if spec.is_in_process:
        return InProcess(spec, options, game)
    return GoProgram(spec) if spec.protocol == "gtp" else External(spec, options)


def check_engines(specs: tuple[EngineSpec, ...], options: Mapping[str, str], game: str = CHESS) -> None:
    """Starts each engine once, so that mistakes are known before the first game. Raises ConfigError."""
    known: set[str] = set()
    for spec in specs:
        entrant = competitor(spec, options, game)
        try:
            if not isinstance(entrant, InProcess):
                entrant.start()
        except (EngineCrashError, EngineHangError) as error:
            protocol = {"uci": "UCI", "gtp": "GTP"}.get(spec.protocol, spec.protocol)
            raise ConfigError(f"{spec.name} does not start as a {protocol} engine: {error}") from None
        finally:
            entrant.close()
        known |= entrant.known_options
    for name in options:
        if name not in known:
            raise ConfigError(f"none of the engines has an option {name!r}")
