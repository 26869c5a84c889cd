"""A chess engine of anybody's as a player: a program of its own, spoken to in UCI, that ends with its player."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

from philidor.core.analysis import Analysis, Line
from philidor.core.config import Dataclass, real, spin, text, validate
from philidor.core.errors import ConfigError, IllegalMoveError
from philidor.core.game import AnyState
from philidor.core.thinking import ALL_LIMITS, NO_LIMITS, Limits, Report, Stop
from philidor.games.chess import Position
from philidor.players.chess_player import chess_position
from philidor.players.external_gtp import GtpProcess
from philidor.players.external_uci import (
    START_TIMEOUT_S,
    EngineCrashError,
    EngineHangError,
    EngineMoveError,
    UciProcess,
    position_command,
)
from philidor.players.player import with_limits
from philidor.protocols.uci import Go, Info, go_of

# Where nothing else says how long.
_SECONDS_A_MOVE = 1.0
# How often `stop` is asked, and how long a program may then take before it is ended.
_POLL_S, _STOP_PATIENCE_S = 0.02, 3.0
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
class ProgramPlayer:
    """A chess program that speaks UCI."""

    name: ClassVar[str] = "program"
    config_class: ClassVar[type[Dataclass]] = ProgramConfig
    levels: ClassVar[tuple[Any, ...]] = ()
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = ("chess",)
    heeds: ClassVar[frozenset[str]] = ALL_LIMITS - {"clock_start"}

    def __init__(self, config: ProgramConfig, /) -> None:
        """Takes the config; the program is started when it is first asked, and again after it has failed."""
        self.config = config
        self._process: UciProcess | None = None
        self._ending: weakref.finalize[[UciProcess], ProgramPlayer] | None = None
        self._is_chess960 = False
        """What the program was told of its game."""

    def __repr__(self) -> str:
        return f"ProgramPlayer({self.config!r})"

    def close(self) -> None:
        """Ends the program now, and not when the player is forgotten."""
        if self._ending is not None:
            self._ending()
        self._process = self._ending = None

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
            with _stopping(process, stop):
                reply = process.go(position_command(position), go, _patience_s(go), hear=hear)
            if reply.move is None:
                raise EngineMoveError(f"{process.name} sees no move in {position.fen()!r}")
        except (EngineCrashError, EngineHangError, EngineMoveError):
            self.close()
            raise
        return _analysis(position, reply.move, reply.info, reply.time_s, _others(heard))

    def analyse(self, state: AnyState, /, **limits: Any) -> Analysis:
        """Asks for one line; `limits` replace the config's."""
        if state.is_over():
            return Analysis(best=None)
        before = self.config
        self.config = with_limits(before, limits)
        try:
            return self.think(state)
        finally:
            self.config = before

    def new_game(self) -> None:
        """Tells the program, if it runs, that the next position is of another game."""
        if self._process is not None:
            self._process.new_game(is_chess960=self._is_chess960)

    def _process_for(self, position: Position) -> UciProcess:
        """Returns the running program, which knows what game it plays."""
        process = self._process
        if process is not None and self._is_chess960 == position.is_chess960:
            return process
        if process is None:
            process = self._process = start_program(self.config)
            self._ending = weakref.finalize(self, dismiss, process)
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


def dismiss(process: UciProcess | GtpProcess) -> None:
    """Ends a program without waiting for it, as it may take its time."""
    try:
        threading.Thread(target=process.quit, name="quit").start()
    except RuntimeError:  # no threads any more: this program ends too
        process.kill()


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


@contextlib.contextmanager
def _stopping(process: UciProcess, stop: Stop | None) -> Iterator[None]:
    """Tells the program when `stop` says so, while the caller waits for its move; ends one that does not listen."""
    if stop is None:
        yield
        return
    has_answered = threading.Event()

    def watch() -> None:
        while not has_answered.wait(_POLL_S):
            if stop():
                with contextlib.suppress(EngineCrashError):
                    process.stop()
                if not has_answered.wait(_STOP_PATIENCE_S):
                    process.kill()
                return

    watcher = threading.Thread(target=watch, name="stop", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        has_answered.set()
        watcher.join()


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
