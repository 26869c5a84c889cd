"""A Go engine of anybody's, as a program of its own that is spoken to in GTP over pipes."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass

from philidor.core.errors import ConfigError
from philidor.core.thinking import Limits
from philidor.games.go import GoState
from philidor.games.go.rules import number_text
from philidor.players.external_uci import (
    QUIT_TIMEOUT_S,
    START_TIMEOUT_S,
    EngineCrashError,
    EngineHangError,
    EngineMoveError,
)
from philidor.players.running import MOST_INFO, RunningProgram, TooMuchTalkError
from philidor.protocols.gtp import GtpError, read_answer, vertex

_NAME_CHARS = 200
_COLORS = ("black", "white")


@dataclass(frozen=True, slots=True)
class GtpMove:
    """The answer to a "genmove"."""

    move: str | None
    """As our games write it: "d4" or "pass"; None for a resignation."""
    time_s: float


class GtpProcess:
    """One running engine. Not thread-safe: one thread talks to it. Its board follows ours, move by move."""

    def __init__(self, command: Sequence[str], *, start_timeout_s: float = START_TIMEOUT_S) -> None:
        """Starts the program. Raises ConfigError if it cannot be run, EngineCrashError, EngineHangError."""
        self.command = tuple(command)
        self.name = self.command[0]
        """What the engine calls itself."""
        self.commands: frozenset[str] = frozenset()
        """What it understands."""
        self._program = RunningProgram(self.command)
        self._known: GoState | None = None
        """The position on its board."""
        try:
            self.name = self.ask("name", start_timeout_s)[:_NAME_CHARS] or self.name
            self.commands = frozenset(self.ask("list_commands", start_timeout_s).split())
        except BaseException:
            self.kill()
            raise

    def ask(self, line: str, timeout_s: float = START_TIMEOUT_S) -> str:
        """Sends a command and returns the answer's text.

        Raises EngineCrashError, EngineHangError, and EngineMoveError for an answer that begins with "?" or is none.
        """
        return self._ask(line, timeout_s)[1]

    def _ask(self, line: str, timeout_s: float) -> tuple[float, str]:
        self._program.expect(MOST_INFO)
        try:
            self._program.send(line)
        except (OSError, ValueError):
            raise self._crash() from None
        deadline, lines, arrived = time.monotonic() + timeout_s, list[str](), 0.0
        while True:
            heard = self._next(deadline)
            if heard[1]:
                arrived, _ = heard if not lines else (arrived, "")
                lines.append(heard[1])
            elif lines:
                break
        try:
            is_good, text = read_answer(lines)
        except GtpError as error:
            raise EngineMoveError(f"{self.name}: {error}") from None
        if not is_good:
            raise EngineMoveError(f"{self.name} refuses {line!r}: {text[:200]}")
        return arrived, text

    def _next(self, deadline: float) -> tuple[float, str]:
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
        return EngineCrashError(f"{self.name} has ended with exit code {code}")

    def new_game(self) -> None:
        """Forgets the position on its board; the next one is set up anew."""
        self._known = None

    def genmove(self, state: GoState, limits: Limits, timeout_s: float) -> GtpMove:
        """Lets the engine think about a position. Raises EngineCrashError, EngineHangError, EngineMoveError.

        Its move is on its board then, but not on ours: whoever refuses it ends the game.
        """
        self._follow(state)
        self._tell_clock(state, limits)
        start = time.monotonic()
        arrived, text = self._ask(f"genmove {_COLORS[state.to_move]}", timeout_s)
        word = text.split()[0].lower() if text else ""
        if word == "resign":
            return GtpMove(None, arrived - start)
        move = None if word == "pass" else state.grid.square(word)
        if word != "pass" and move is None:
            raise EngineMoveError(f"{self.name} answers {text[:100]!r}, which is no move")
        square = state.pass_move if move is None else move
        self._known = state.play(square) if state.is_legal(square) else None
        return GtpMove(state.move_text(square), arrived - start)

    def _follow(self, state: GoState) -> None:
        """Brings its board to this position: by one move if it knows the one before, or from the beginning."""
        known = self._known
        moves = _moves_between(known, state) if known is not None else None
        if moves is None:
            grid = state.grid
            if grid.width != grid.height:
                raise ConfigError(f"programs play on square boards, not on {grid.width}x{grid.height}")
            self.ask(f"boardsize {grid.width}")
            self.ask("clear_board")
            self.ask(f"komi {number_text(state.rules.komi)}")
            first = state.line[0] if state.line else state
            for square, letter in enumerate(first.board):
                if letter != ".":
                    self.ask(f"play {_COLORS['XO'.index(letter)]} {vertex(square, grid)}")
            moves = _moves_between(first, state) or []
        for color, move in moves:
            self.ask(f"play {color} {move}")
        self._known = state

    def _tell_clock(self, state: GoState, limits: Limits) -> None:
        """Says how much time there is, to those who want to know."""
        clock, color = limits.time_left, _COLORS[state.to_move]
        if clock is not None and "time_left" in self.commands:
            # As if for so many stones, where the clock gives time for each move or for some.
            stones = clock.moves_to_go or 0
            seconds = clock.ms[state.to_move] / 1000
            if stones == 0 and clock.increments_ms[state.to_move]:
                seconds, stones = max(clock.share_s(state.to_move), 0.001), 1
            self.ask(f"time_left {color} {max(0, round(seconds))} {stones}")
        elif limits.time_s is not None and "time_settings" in self.commands:
            self.ask(f"time_settings 0 {max(1, round(limits.time_s))} 1")

    def quit(self) -> None:
        """Asks the program to end, and ends it if it does not."""
        with contextlib.suppress(OSError, ValueError):
            self._program.send("quit")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._program.wait(QUIT_TIMEOUT_S)
        self.kill()

    def kill(self) -> None:
        """Ends the program and its children without asking."""
        self._program.kill()


def _moves_between(before: GoState, after: GoState) -> list[tuple[str, str]] | None:
    """Returns the moves that lead from one position to a later one of the same game; None if it is none."""
    line = after.line
    facts = (before.ply, before.board, before.to_move, before.last, before.rules.komi)
    start = next((i for i, s in enumerate(line) if (s.ply, s.board, s.to_move, s.last, s.rules.komi) == facts), None)
    if start is None:
        return None
    moves = []
    for earlier, later in zip(line[start:], line[start + 1 :], strict=False):
        assert later.last is not None
        text = "pass" if later.last == earlier.pass_move else vertex(later.last, earlier.grid)
        moves.append((_COLORS[earlier.to_move], text))
    return moves
