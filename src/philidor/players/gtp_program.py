"""A Go engine of anybody's as a player: a program of its own, spoken to in GTP, that ends with its player."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

from philidor.core.analysis import Analysis
from philidor.core.config import Dataclass, real, text, validate
from philidor.core.errors import ConfigError
from philidor.core.game import AnyState
from philidor.core.thinking import NO_LIMITS, Limits, Report, Stop
from philidor.games.go import GoState
from philidor.players.external_gtp import GtpProcess
from philidor.players.external_uci import EngineCrashError, EngineHangError, EngineMoveError
from philidor.players.outside import OutsidePlayer, watching
from philidor.players.searching import CLOCKS

# A program without a clock thinks as long as its own settings say.
_GRACE_S, _LONGEST_S = 30.0, 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GtpProgramConfig:
    """Which program, and how long it thinks about a move, if it can be told."""

    command: tuple[str, ...] = field(metadata=text(None))
    """The program and its arguments."""
    movetime: float | None = field(default=None, metadata=real(None, 0.001))
    """Seconds to think."""

    def __post_init__(self) -> None:
        validate(self)
        if not self.command:
            raise ConfigError("a program has a name, got nothing")


@final
class GtpProgramPlayer(OutsidePlayer[GtpProgramConfig, GtpProcess]):
    """A Go program that speaks GTP. One that resigns has no best move."""

    name: ClassVar[str] = "gtp-program"
    config_class: ClassVar[type[Dataclass]] = GtpProgramConfig
    levels: ClassVar[tuple[Any, ...]] = ()
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = None
    heeds: ClassVar[frozenset[str]] = CLOCKS

    def choose(self, state: AnyState, /) -> str:
        """Returns the program's move. Raises EngineMoveError when it resigns."""
        best = self.think(state).best
        if best is None:
            raise EngineMoveError(f"{self.config.command[0]} resigns")
        return best

    def think(
        self,
        state: AnyState,
        /,
        limits: Limits = NO_LIMITS,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Analysis:
        """Lets the program think within the limits and the config's. Told to stop, it is ended: GTP has no word for it.

        Raises EngineCrashError, EngineHangError, EngineMoveError; the program has then ended.
        """
        if not isinstance(state, GoState):
            raise ConfigError(f"a GTP program plays Go, not the game of a {type(state).__name__}")
        if self.config.movetime is not None and limits.time_left is None and limits.time_s is None:
            limits = dataclasses.replace(limits, time_s=self.config.movetime)
        try:
            process = self._running(lambda: GtpProcess(self.config.command))
            with watching(stop, lambda has_answered: process.kill()):
                reply = process.genmove(state, limits, _patience_s(limits))
            if reply.move is not None and not state.is_legal(_square(state, reply.move)):
                raise EngineMoveError(f"{process.name} plays {reply.move}, which is not legal by {state.rules.ko} ko")
        except (EngineCrashError, EngineHangError, EngineMoveError):
            self.close()
            raise
        return Analysis(best=reply.move, time_s=reply.time_s)

    def new_game(self) -> None:
        """Has the program, if it runs, forget the board."""
        if self._process is not None:
            self._process.new_game()


def _square(state: GoState, move: str) -> int:
    square = state.grid.square(move)
    return state.pass_move if square is None else square


def _patience_s(limits: Limits) -> float:
    """Returns after how many seconds without an answer the program counts as dead."""
    if limits.time_left is not None:
        return max(limits.time_left.ms) / 1000 + _GRACE_S
    return _LONGEST_S if limits.time_s is None else limits.time_s + _GRACE_S
