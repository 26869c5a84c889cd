"""Games of our own engines, played in C++ to the end: a search of a millisecond leaves no time for Python."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

from philidor._native._ext import EngineGames, GameSettings
from philidor.core.native_settings import fill
from philidor.players.scoring import search_limits
from philidor.records.native import from_native
from philidor.selfplay.openings import read_book

if TYPE_CHECKING:
    from philidor.players.engine import EnginePlayer
    from philidor.records import GameRecord
    from philidor.selfplay.engine_games import EngineGamesConfig

# How soon an order to stop, or Ctrl-C, is heard.
_POLL_S = 0.05


class NativeGames:
    """The twin of `ReadableGames` for players that search in C++."""

    def __init__(
        self, config: EngineGamesConfig, player: EnginePlayer[Any], is_stopped: Callable[[], bool], source: str
    ) -> None:
        book = read_book(config.book) if config.book is not None else []
        self._is_stopped = is_stopped
        self._pool = ThreadPoolExecutor(1, "self-play")
        self._games = EngineGames(
            player.engine,
            [(line.start or "", line.indices) for line in book],
            fill(GameSettings(), config, source=source),
            **search_limits(config, player),
        )

    def game(self, number: int) -> GameRecord | None:
        """Plays the game of this number; None if it was told to stop."""
        if self._is_stopped():
            return None
        # In another thread: this one hears of Ctrl-C and of an order to stop.
        playing = self._pool.submit(self._games.play, number)
        try:
            while wait([playing], _POLL_S).not_done:
                if self._is_stopped():
                    self._games.stop()
        finally:
            if not playing.done():
                self._games.stop()
        record = playing.result()
        return None if record is None else from_native(record)
