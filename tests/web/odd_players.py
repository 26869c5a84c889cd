"""`philidor` with three more players, none of which anybody would want: for the tests of what a server must bear.

    python odd_players.py play ...

Each search writes a line "WHAT SECONDS" to the file that PHILIDOR_TEST_LOG names, by the system's clock.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import Any

from philidor import cli
from philidor.core.analysis import Analysis
from philidor.core.game import AnyState
from philidor.core.thinking import NO_LIMITS, Limits, Report, Stop
from philidor.players import PLAYERS
from philidor.players.random import RandomPlayer

_lock = threading.Lock()


def note(what: str) -> None:
    with _lock, open(os.environ["PHILIDOR_TEST_LOG"], "a", encoding="utf-8") as log:  # noqa: PTH123
        log.write(f"{what} {time.clock_gettime(time.CLOCK_MONOTONIC)}\n")


class SleepyPlayer(RandomPlayer):
    """Thinks until it is told to stop."""

    name = "sleepy"

    def think(
        self,
        state: AnyState,
        /,
        limits: Limits = NO_LIMITS,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Analysis:
        note("start")
        while stop is None or not stop():
            time.sleep(0.005)
        note("stop")
        return super().think(state)


class BriefPlayer(RandomPlayer):
    """Notes when it begins and answers after a moment."""

    name = "brief"

    def think(self, state: AnyState, /, *how: Any, **else_: Any) -> Analysis:
        note("start")
        time.sleep(0.02)
        return super().think(state)


class MortalPlayer(RandomPlayer):
    """Dies at its first move; the next one of its kind lives."""

    name = "mortal"
    deaths = 0

    def think(self, state: AnyState, /, *how: Any, **else_: Any) -> Analysis:
        type(self).deaths += 1
        if type(self).deaths % 2:
            raise OSError("the engine has <b>died</b>\nof something")
        return super().think(state)


class CheatingPlayer(RandomPlayer):
    """Makes moves that there are not."""

    name = "cheating"

    def think(self, state: AnyState, /, *how: Any, **else_: Any) -> Analysis:
        return Analysis(best="a1h8")


if __name__ == "__main__":
    for player in (SleepyPlayer, BriefPlayer, MortalPlayer, CheatingPlayer):
        PLAYERS[player.name] = f"{__file__}:{player.__name__}"
    sys.exit(cli.main(sys.argv[1:]))
