"""Whom a ruler believes: a deep search by a player of ours, or by any UCI program."""

from __future__ import annotations

import contextlib
from typing import Any, Protocol

from philidor.arena.engines import EngineSpec
from philidor.arena.native import native_player
from philidor.arena.programs import External
from philidor.core.analysis import Score
from philidor.core.errors import ConfigError
from philidor.core.thinking import Limits
from philidor.games.chess import Position
from philidor.players.engine import EnginePlayer
from philidor.players.external_uci import EngineCrashError, EngineHangError

MOST_CP = 3_000
"""Beyond it every score is a win; what a mate counts."""

# The slowest programs look at some thousand positions a second.
_SLOWEST_NODES_PER_S = 1_000
_PATIENCE_S = 60


class Reference(Protocol):
    """Judges one position at a time."""

    def score(self, position: Position) -> int:
        """Returns centipawns in the mover's view. Raises EngineCrashError, EngineHangError for a program."""

    def stop(self) -> None:
        """Ends a search under way, from any thread."""

    def close(self) -> None:
        """Ends a program that was started."""


class PlayerReference:
    """A player of ours that begins each search with empty tables."""

    def __init__(self, player: EnginePlayer[Any], nodes: int) -> None:
        self._player, self._nodes = player, nodes

    def score(self, position: Position) -> int:
        """Searches."""
        self._player.new_game()
        return self._player.engine.search(position.native, nodes=self._nodes).score

    def stop(self) -> None:
        """Ends the search."""
        self._player.engine.stop()

    def close(self) -> None:
        """Nothing runs between searches."""


class ProgramReference:
    """A UCI program that is told of a new game before each search."""

    def __init__(self, spec: EngineSpec, nodes: int) -> None:
        """Starts the program once, so that mistakes are known before the first position. Raises ConfigError."""
        self._spec, self._nodes = spec, nodes
        self._program = External(spec, {})
        try:
            self._program.start()
        except (EngineCrashError, EngineHangError) as error:
            raise ConfigError(f"{spec.name} does not start as a UCI engine: {error}") from None

    def score(self, position: Position) -> int:
        """Asks the program. Raises EngineCrashError if it ends or says no score, EngineHangError if it does not end."""
        self._program.new_game(0, is_chess960=position.is_chess960)
        timeout_s = _PATIENCE_S + self._nodes / _SLOWEST_NODES_PER_S
        found = self._program.think(position, Limits(nodes=self._nodes), timeout_s).score
        if found is None:
            raise EngineCrashError(f"{self._spec.name} gives no score for {position.fen()!r}")
        return centipawns(found)

    def stop(self) -> None:
        """Ends the program: between two positions nothing is lost with it."""
        self._program.kill()

    def close(self) -> None:
        """Asks the program to quit."""
        with contextlib.suppress(EngineCrashError, EngineHangError):
            self._program.close()


def centipawns(score: Score) -> int:
    """Returns a score as a number; a mate is the largest there is."""
    if score.cp is not None:
        return score.cp
    return MOST_CP if (score.mate or 0) > 0 else -MOST_CP


def reference(spec: EngineSpec, nodes: int) -> Reference:
    """Makes the reference that an engine's name or command stands for. Raises ConfigError."""
    if spec.player is not None:
        return PlayerReference(native_player(spec), nodes)
    if spec.protocol != "uci":
        raise ConfigError(f"a reference speaks UCI, got proto={spec.protocol}")
    return ProgramReference(spec, nodes)
