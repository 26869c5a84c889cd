"""What plays the games of a match: one worker in each process, whose engines live on from game to game.

Engines of ours play inside the worker, with no pipes between them and the rules: at fixed nodes this is the fast way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from philidor.arena.adjudication import GameRules
from philidor.arena.competitors import Competitor, competitor
from philidor.arena.engines import EngineSpec
from philidor.arena.game import GameResult, Pairing, play_game
from philidor.arena.limits import Limit


@dataclass(frozen=True, slots=True)
class Lineup:
    """All that a worker must know to play any game of a match."""

    engines: tuple[EngineSpec, ...]
    limit: Limit
    """For engines without one of their own."""
    rules: GameRules
    options: dict[str, str] = field(default_factory=dict)
    """UCI options for every engine that has them."""
    game: str = "chess"
    """As `load_game` reads it."""


class Worker:
    """Does one thing at a time; its engines live on from game to game."""

    def __init__(self, lineup: Lineup, is_stopped: Callable[[], bool]) -> None:
        self._lineup, self._is_stopped = lineup, is_stopped
        self._engines: dict[int, Competitor] = {}

    def play(self, pairing: Pairing) -> GameResult:
        """Plays a game. Raises AbandonedError, ConfigError."""
        white, black = pairing.white, pairing.black
        return play_game(
            pairing,
            (self.engine(white), self.engine(black)),
            (self._lineup.engines[white].name, self._lineup.engines[black].name),
            (self.limit(white), self.limit(black)),
            self.rules,
            self._is_stopped,
        )

    def is_stopped(self) -> bool:
        """Says whether whoever began the work wants it to end."""
        return self._is_stopped()

    @property
    def rules(self) -> GameRules:
        """When a game ends, and when an engine hangs."""
        return self._lineup.rules

    def limit(self, index: int) -> Limit:
        """Returns what an engine may use."""
        return self._lineup.engines[index].limit or self._lineup.limit

    def engine(self, index: int) -> Competitor:
        """Returns an engine of this worker."""
        if index not in self._engines:
            self._engines[index] = competitor(self._lineup.engines[index], self._lineup.options, self._lineup.game)
        return self._engines[index]

    def close(self) -> None:
        """Ends the engines."""
        for engine in self._engines.values():
            engine.close()
        self._engines.clear()

    def kill(self) -> None:
        """Ends the engines without asking them; another thread may be in the middle of a game."""
        for engine in list(self._engines.values()):
            engine.kill()
