"""Searches judge the positions that an NNUE network learns from (book, ch. 4.6.3).

A search of a few hundred nodes is nearer to a deep one than any network of ours without a search, and what remains of a
position's cost is that search, in C++ on all cores.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from philidor.core.errors import ConfigError
from philidor.players.engine import EnginePlayer
from philidor.players.scoring import SearchSettings, search_limits
from philidor.train.native import PositionJudge

if TYPE_CHECKING:
    from philidor.train.native import PositionSet

# How soon an order to stop, or Ctrl-C, is heard.
_POLL_S = 0.05


class SearchTeacher:
    """An engine of ours that judges positions, in some threads; the scores do not depend on how many."""

    def __init__(self, settings: SearchSettings, *, largest: int, threads: int = 1) -> None:
        """No score will be beyond `largest` centipawns. Raises ConfigError."""
        player = settings.player()
        if not isinstance(player, EnginePlayer):
            raise ConfigError(f"the player {settings.engine!r} cannot judge positions: it does not search in C++")
        engines = [player.another().engine for _ in range(threads)]
        self._judge = PositionJudge(engines, largest=largest, **search_limits(settings, player))

    def judge(self, positions: PositionSet, *, is_stopped: Callable[[], bool] = lambda: False) -> bool:
        """Gives scores to the positions that have none; False if it was stopped, and then it judges no more."""
        # In another thread: this one hears of Ctrl-C and of an order to stop.
        with ThreadPoolExecutor(1, "judge") as pool:
            judging = pool.submit(self._judge.judge, positions)
            try:
                while wait([judging], _POLL_S).not_done:
                    if is_stopped():
                        self._judge.stop()
            finally:
                while not judging.done():
                    self._judge.stop()
                    wait([judging], _POLL_S)
            return judging.result()
