"""A chess engine of anybody's as a player: a program of its own, spoken to in UCI, that ends with its player."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, final

from philidor.core.analysis import Analysis, Line
from philidor.core.config import Dataclass, real, spin, text, validate
from philidor.core.errors import ConfigError, IllegalMoveError
from philidor.core.game import AnyState
from philidor.core.thinking import ALL_LIMITS, NO_LIMITS, Limits, Report, Stop
from philidor.games.chess import Position
from philidor.players.chess_player import chess_position
from philidor.players.external_uci import (
    START_TIMEOUT_S,
    EngineCrashError,
    EngineHangError,
    EngineMoveError,
    UciProcess,
    position_command,
)
from philidor.players.outside import OutsidePlayer, watching
from philidor.protocols.uci import Go, Info, go_of

# Where nothing else says how long.
_SECONDS_A_MOVE = 1.0
# How long a program that was told to stop may take before it is ended.
_STOP_PATIENCE_S = 3.0
# How much longer than it was told a program may think before it counts as dead; and by nodes or depth, any time at all.
_GRACE_S, _LONGEST_S = 10.0, 24 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramConfig:
    """Which program, and how long it thinks about a move; with a clock it needs no other limit."""

    command: tuple[str, ...] = field(metadata=text(None))
    """The program and its arguments."""
    options: tuple[str, ...] = field(default=(), metadata=text(None))
    """UCI options to set, as NAME=VALUE."""
    movetime: float | None = field(default=None, metadata=real(None, 0.001))
    """Seconds to think."""
    nodes: int | None = field(default=None, metadata=spin(None, 1))
    """Positions to visit."""
    depth: int | None = field(default=None, metadata=spin(None, 1))
    """Plies to search."""
    multi_pv: int = field(default=1, metadata=spin(None, 1, 256))
    """Lines to show, if the program can show several."""

    def __post_init__(self) -> None:
        validate(self)
        if not self.command:
            raise ConfigError("a program has a name, got nothing")


@final
class ProgramPlayer(OutsidePlayer[ProgramConfig, UciProcess]):
    """A chess program that speaks UCI."""

    name: ClassVar[str] = "program"
    config_class: ClassVar[type[Dataclass]] = ProgramConfig
    levels: ClassVar[tuple[Any, ...]] = ()
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = ("chess",)
    heeds: ClassVar[frozenset[str]] = ALL_LIMITS - {"clock_start"}

    def __init__(self, config: ProgramConfig, /) -> None:
        """Takes the config; nothing is started yet."""
        super().__init__(config)
        self._is_chess960 = False
        """What the program was told of its game."""

    def choose(self, state: AnyState, /) -> str:
        """Returns the program's move after the config's limit, or a second without one."""
        best = self.think(state).best
        assert best is not None, "the game is not over"
        return best

    def think(
        self,
        state: AnyState,
        /,
        limits: Limits = NO_LIMITS,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Analysis:
        """Lets the program think within the limits and the config's.

        Raises EngineCrashError, EngineHangError, EngineMoveError; the program has then ended.
        """
        position = chess_position(state)
        go = _go(self.config, limits, state.to_move)

        heard: dict[int, Info] = {}

        def hear(info: Info) -> None:
            heard[info.multipv or 1] = info
            if report is not None and 1 in heard:
                report(_analysis(position, None, heard[1], others=_others(heard)))

        try:
            process = self._process_for(position)
            with watching(stop, partial(_stop, process)):
                reply = process.go(position_command(position), go, _patience_s(go), hear=hear)
            if reply.move is None:
                raise EngineMoveError(f"{process.name} sees no move in {position.fen()!r}")
        except (EngineCrashError, EngineHangError, EngineMoveError):
            self.close()
            raise
        return _analysis(position, reply.move, reply.info, reply.time_s, _others(heard))

    def new_game(self) -> None:
        """Tells the program, if it runs, that the next position is of another game."""
        if self._process is not None:
            self._process.new_game(is_chess960=self._is_chess960)

    def _process_for(self, position: Position) -> UciProcess:
        """Returns the running program, which knows what game it plays."""
        if self._process is not None and self._is_chess960 == position.is_chess960:
            return self._process
        process = self._running(lambda: start_program(self.config))
        if position.is_chess960 and not process.knows_chess960:
            raise ConfigError(f"{process.name} does not play Chess960")
        process.new_game(is_chess960=position.is_chess960)
        self._is_chess960 = position.is_chess960
        return process


def start_program(config: ProgramConfig, timeout_s: float = START_TIMEOUT_S) -> UciProcess:
    """Starts a program and sets its options. Raises ConfigError, EngineCrashError, EngineHangError.

    The last one when it has not said "uciok", or then "readyok", within `timeout_s`.
    """
    process = UciProcess(config.command, start_timeout_s=timeout_s)
    try:
        process.set_options(_options(config))
        if config.multi_pv > 1 and "multipv" in process.options:
            process.set_options({"MultiPV": str(config.multi_pv)})
        process.ready(timeout_s)
    except BaseException:
        process.kill()
        raise
    return process


def _options(config: ProgramConfig) -> Mapping[str, str]:
    options = {}
    for text_ in config.options:
        name, equals, value = text_.partition("=")
        if not equals:
            raise ConfigError(f"options: expected NAME=VALUE, got {text_!r}")
        options[name] = value
    return options


def _go(config: ProgramConfig, limits: Limits, mover: int) -> Go:
    own = ProgramConfig(command=config.command) if limits.replace_own else config
    times = [seconds for seconds in (limits.time_s, own.movetime) if seconds is not None]
    nodes = [number for number in (limits.nodes, own.nodes) if number is not None]
    depths = [number for number in (limits.depth, own.depth) if number is not None]
    clock = limits.time_left
    if times and clock is not None:
        times.append(clock.share_s(mover))  # the clock may have less
    if not (times or nodes or depths or limits.mate or limits.is_endless) and clock is None:
        times = [_SECONDS_A_MOVE]
    return go_of(
        dataclasses.replace(
            limits,
            time_s=min(times, default=None),
            nodes=min(nodes, default=None),
            depth=min(depths, default=None),
            time_left=None if times else clock,
            clock_start=None,
        )
    )


def _patience_s(go: Go) -> float:
    """Returns after how many seconds without an answer the program counts as dead."""
    times = [limit for limit in (go.movetime, go.wtime, go.btime) if limit is not None]
    return max(times) / 1000 + _GRACE_S if times else _LONGEST_S


def _stop(process: UciProcess, has_answered: threading.Event) -> None:
    """Tells a program to stop, and ends one that does not listen."""
    with contextlib.suppress(EngineCrashError):
        process.stop()
    if not has_answered.wait(_STOP_PATIENCE_S):
        process.kill()


def _others(heard: Mapping[int, Info]) -> list[Info]:
    """Returns what was said last of the second line and the further ones."""
    return [heard[number] for number in sorted(heard) if number > 1]


def _analysis(
    position: Position, best: str | None, info: Info, time_s: float | None = None, others: Sequence[Info] = ()
) -> Analysis:
    lines = [(_legal_part(position, each.pv), each) for each in (info, *others)]
    return Analysis(
        best=best,
        score=info.score,
        wdl=info.wdl,
        lines=tuple(Line(moves, each.score, each.wdl, each.depth, each.seldepth) for moves, each in lines if moves),
        depth=info.depth,
        nodes=info.nodes or 0,
        time_s=(info.time_ms or 0) / 1000 if time_s is None else time_s,
        hash_full=info.hashfull,
        table_hits=info.tbhits,
    )


def _legal_part(position: Position, moves: Sequence[str]) -> tuple[str, ...]:
    """Returns a line up to the first move that is none: programs are known to take theirs from a table of hashes."""
    legal = []
    for move in moves:
        try:
            position = position.play(position.parse_uci(move))
        except IllegalMoveError:
            break
        legal.append(move)
    return tuple(legal)
