"""A chess engine of anybody's, as a program of its own that is spoken to in UCI over pipes."""

from __future__ import annotations

import contextlib
import itertools
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from philidor.core.errors import ConfigError, PhilidorError, nearest_name
from philidor.games.chess import Position
from philidor.players.running import MOST_INFO, MOST_TALK, RunningProgram, TooMuchTalkError
from philidor.protocols.uci import Go, Info, PositionCommand, UciError
from philidor.protocols.uci_client import (
    OptionLine,
    format_go,
    format_position,
    format_setoption,
    parse_best,
    parse_info,
    parse_option,
)

START_TIMEOUT_S = 30.0
"""Some engines read a large network before they say "uciok" or "readyok"."""
QUIT_TIMEOUT_S = 2.0
"""After that an engine that was asked to quit is ended."""
_REPORTS_KEPT = 1_024
"""Last lines of a search; the last word on the best move is among them, with as many lines as MultiPV may have."""
_NAME_CHARS = 200


class EngineCrashError(PhilidorError):
    """The engine's program has ended by itself."""


class EngineHangError(PhilidorError):
    """The engine does not answer in time."""


class EngineMoveError(PhilidorError):
    """The engine's answer is no move."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a "go"."""

    move: str | None
    """In UCI; None if the engine sees no move."""
    info: Info
    """The last line with a score that it sent for its best move, or an empty one."""
    time_s: float
    """From sending "go" until its answer came in."""
    resigns: bool = False
    """Whether it gives up; UCI has no word for that."""


class UciProcess:
    """One running engine. Not thread-safe: one thread talks to it."""

    def __init__(self, command: Sequence[str], *, start_timeout_s: float = START_TIMEOUT_S) -> None:
        """Starts the program. Raises ConfigError if it cannot be run, EngineCrashError, EngineHangError."""
        self.command = tuple(command)
        self.name = self.command[0]
        """What the engine calls itself."""
        self.options: dict[str, OptionLine] = {}
        """What can be set, by the name in lower case: UCI does not distinguish case."""
        self._program = RunningProgram(self.command)
        try:
            self._introduce(time.monotonic() + start_timeout_s)
        except BaseException:
            self.kill()
            raise

    def _introduce(self, deadline: float) -> None:
        self._program.expect(MOST_TALK)
        self.send("uci")
        while (words := self._next(deadline)[1].split())[:1] != ["uciok"]:
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])[:_NAME_CHARS]
            elif words[:1] == ["option"]:
                # A line that breaks the protocol is not worth an engine that plays well.
                with contextlib.suppress(UciError):
                    option = parse_option(words[1:])
                    self.options[option.name.lower()] = option

    def set_options(self, options: Mapping[str, str]) -> None:
        """Sets options by name. Raises ConfigError for one that the engine does not have."""
        for name, value in options.items():
            self.send(format_setoption(option_named(self.options, name, self.name).name, value))

    def ready(self, timeout_s: float = START_TIMEOUT_S) -> None:
        """Waits until everything sent so far has been dealt with. Raises EngineCrashError, EngineHangError.

        Raises ConfigError if the engine calls something an error, as Stockfish and ours do for a network that they
        cannot read: it would play as another than it was meant to be.
        """
        self._program.expect(MOST_TALK)
        self.send("isready")
        deadline = time.monotonic() + timeout_s
        while (words := self._next(deadline)[1].split())[:1] != ["readyok"]:
            if words[:2] == ["info", "string"] and words[2:3] in (["ERROR:"], ["ERROR"]):
                raise ConfigError(f"{self.name}: {' '.join(words[3:])}")

    @property
    def knows_chess960(self) -> bool:
        """Whether it can play from any array."""
        return "uci_chess960" in self.options

    def new_game(self, *, is_chess960: bool = False) -> None:
        """Tells the engine that the next position is of another game, and waits until it is ready."""
        if self.knows_chess960:
            self.set_options({"UCI_Chess960": "true" if is_chess960 else "false"})
        self.send("ucinewgame")
        self.ready()

    def go(
        self, position: PositionCommand, go: Go, timeout_s: float, *, hear: Callable[[Info], None] | None = None
    ) -> Reply:
        """Lets the engine think; `hear` is told each verdict on a line. Raises EngineCrashError, EngineHangError.

        The latter after `timeout_s`, or when it has written more than any search has to say.
        """
        self._program.expect(MOST_INFO)
        self.send(format_position(position))
        start = time.monotonic()
        self.send(format_go(go))
        deadline = start + timeout_s
        reports: deque[str] = deque(maxlen=_REPORTS_KEPT)
        while True:
            arrived, line = self._next(deadline)
            if line.startswith("bestmove"):
                return Reply(parse_best(line.split()[1:])[0], _last_report(reports), arrived - start)
            # Read when nobody's clock runs: with many games at a time Python would be late to see a move.
            if line.startswith("info"):
                reports.append(line)
                if hear is not None and (info := parse_info(line.split()[1:])).score is not None:
                    hear(info)

    def stop(self) -> None:
        """Asks for the best move at once; `go`, in whichever thread it waits, then returns."""
        self.send("stop")

    def send(self, line: str) -> None:
        """Sends one line. Raises EngineCrashError."""
        try:
            self._program.send(line)
        except (OSError, ValueError):
            raise self._crash() from None

    def _next(self, deadline: float) -> tuple[float, str]:
        """Waits for the next line and returns when it came and what it is."""
        try:
            heard = self._program.next_line(deadline)
        except TimeoutError:
            raise EngineHangError(f"{self.name} does not answer") from None
        except TooMuchTalkError:
            raise EngineHangError(f"{self.name} writes without end and does not answer") from None
        if heard is None:
            raise self._crash()
        return heard

    def _crash(self) -> EngineCrashError:
        try:
            code = self._program.wait(QUIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return EngineCrashError(f"{self.name} has closed its output")
        how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
        return EngineCrashError(f"{self.name} has ended ({how})")

    def quit(self) -> None:
        """Ends the engine, by force if it does not want to."""
        with contextlib.suppress(EngineCrashError):
            self.send("stop")
            self.send("quit")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._program.wait(QUIT_TIMEOUT_S)
        self.kill()

    def kill(self) -> None:
        """Ends the engine and its children without asking."""
        self._program.kill()


def position_command(position: Position) -> PositionCommand:
    """Returns how to set up a position with its past."""
    past = list(position.history())[::-1]
    moves = [before.uci(after.last_move) for before, after in itertools.pairwise(past) if after.last_move]
    return PositionCommand(past[0].fen(shredder=position.is_chess960), tuple(moves))


def _last_report(lines: deque[str]) -> Info:
    """Returns the last word on the best move."""
    return next((info for line in reversed(lines) if (info := _report(line)) is not None), Info())


def _report(line: str) -> Info | None:
    """Reads a line; None if it does not judge the best move."""
    info = parse_info(line.split()[1:])
    return info if info.score is not None and info.multipv in (None, 1) else None


def option_named(options: Mapping[str, OptionLine], name: str, engine: str) -> OptionLine:
    """Finds an option, blind to case. Raises ConfigError."""
    if name.lower() in options:
        return options[name.lower()]
    known = [option.name for option in options.values()]
    nearest = nearest_name(name, known)
    advice = f"did you mean {nearest!r}?" if nearest else f"it has {', '.join(known) or 'none'}"
    raise ConfigError(f"{engine} has no option {name!r}; {advice}")
