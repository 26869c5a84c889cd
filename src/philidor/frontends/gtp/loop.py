"""Reads GTP commands until "quit" or the end of input; whatever comes in, it is answered as the standard says."""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import TextIO

from philidor import __version__
from philidor.core.analysis import Analysis
from philidor.core.errors import PhilidorError
from philidor.core.thinking import Limits
from philidor.frontends.gtp.analysis import AnalysisRequest, info_line, parse_request
from philidor.frontends.gtp.clock import Clock, named_settings, time_settings
from philidor.frontends.gtp.engine import GtpEngine
from philidor.frontends.gtp.rules import read_rules, rules_text
from philidor.games.go.rules import number_text
from philidor.protocols.gtp import (
    Command,
    GtpError,
    answer,
    parse_color,
    parse_command,
    parse_float,
    parse_int,
    parse_vertex,
    vertex,
)

_log = logging.getLogger(__name__)
_POLL_S = 0.01
_LINES_AHEAD = 10_000


class GtpLoop:
    """One conversation with a GUI. Lines are read by a thread of their own: any line ends an analysis."""

    def __init__(self, engine: GtpEngine, output: TextIO | None = None) -> None:
        self._engine = engine
        self._output = output if output is not None else sys.stdout
        self._waiting: queue.Queue[str | None] = queue.Queue(_LINES_AHEAD)
        self._is_over = threading.Event()
        self._is_heard = True
        self._started = time.process_time()
        self._commands: dict[str, Callable[[tuple[str, ...]], str]] = {
            **self._protocol_commands(),
            **self._board_commands(),
            **self._game_commands(),
        }
        self._analyses = {
            f"{prefix}{name}": (style, name == "genmove_analyze")
            for prefix, style in (("", "lz"), ("lz-", "lz"), ("kata-", "kata"))
            for name in ("analyze", "genmove_analyze")
        }

    def _protocol_commands(self) -> dict[str, Callable[[tuple[str, ...]], str]]:
        return {
            "protocol_version": lambda _: "2",
            "name": lambda _: f"philidor {self._engine.player.name}",
            "version": lambda _: __version__,
            "known_command": lambda words: str(words[:1] != () and words[0] in self._names()).lower(),
            "list_commands": lambda _: "\n".join(self._names()),
            "quit": lambda _: "",
            "clear_cache": lambda _: _done(self._engine.player.new_game),
            "cputime": lambda _: f"{time.process_time() - self._started:.3f}",
            "gogui-analyze_commands": lambda _: "string/Final Score/final_score\nstring/Show Board/showboard",
        }

    def _board_commands(self) -> dict[str, Callable[[tuple[str, ...]], str]]:
        engine = self._engine
        return {
            "boardsize": lambda words: _done(engine.set_size, *self._sides(words, 1)),
            "rectangular_boardsize": lambda words: _done(engine.set_size, *self._sides(words, 2)),
            "clear_board": lambda _: _done(engine.clear),
            "komi": lambda words: _done(engine.set_komi, parse_float(_only(words))),
            "get_komi": lambda _: number_text(engine.rules.komi),
            "play": self._play,
            "gogui-play_sequence": self._play_sequence,
            "undo": lambda _: _done(engine.undo),
            "last_move": lambda _: engine.last_move(),
            "fixed_handicap": lambda words: engine.handicap(parse_int(_only(words)), is_free=False),
            "place_free_handicap": lambda words: engine.handicap(parse_int(_only(words)), is_free=True),
            "set_free_handicap": self._set_free_handicap,
            "set_position": self._set_position,
            "loadsgf": self._load_sgf,
            "printsgf": lambda _: engine.sgf(),
            "showboard": lambda _: engine.show(),
        }

    def _game_commands(self) -> dict[str, Callable[[tuple[str, ...]], str]]:
        engine = self._engine
        return {
            "genmove": lambda words: self._genmove(words, is_played=True),
            "reg_genmove": lambda words: self._genmove(words, is_played=False),
            "kgs-genmove_cleanup": lambda words: self._genmove(words, is_played=True),
            "time_settings": lambda words: self._set_clock(time_settings(words)),
            "kgs-time_settings": lambda words: self._set_clock(named_settings(words)),
            "kata-time_settings": lambda words: self._set_clock(named_settings(words)),
            "time_left": lambda words: self._set_clock(engine.clock.told(words)),
            "final_score": lambda _: engine.final_score(),
            "final_status_list": self._final_status_list,
            "kgs-rules": self._set_rules,
            "kata-set-rules": self._set_rules,
            "kata-get-rules": lambda _: rules_text(engine.rules, engine.preset),
        }

    # 1. The conversation.

    def run(self, lines: Iterable[tuple[str, int]]) -> None:
        """Obeys lines until "quit" or the end of input; what was asked before the end is answered."""
        reader = threading.Thread(target=self._read, args=(lines,), name="gtp", daemon=True)
        reader.start()
        while (line := self._waiting.get()) is not None and self.obey(line) and self._is_heard:
            pass
        self._is_over.set()

    def _read(self, lines: Iterable[tuple[str, int]]) -> None:
        for line, _ in lines:
            self._waiting.put(line)
            if self._is_over.is_set():
                return
        self._waiting.put(None)

    def obey(self, line: str) -> bool:
        """Answers one line; returns False after "quit"."""
        command = parse_command(line)
        if command is None:
            return True
        if command.name in self._analyses:
            self._analyse(command, *self._analyses[command.name])
            return True
        try:
            handler = self._commands.get(command.name)
            if handler is None:
                raise GtpError("unknown command")
            text, is_good = handler(command.words), True
        except PhilidorError as error:
            text, is_good = str(error), False
        except Exception as error:  # whatever it was, the next command is obeyed
            _log.exception("a command broke off")
            text, is_good = f"{type(error).__name__}: {error}", False
        self._write(answer(command, text, is_good=is_good))
        return command.name != "quit"

    def _write(self, text: str) -> None:
        try:
            self._output.write(text)
            self._output.flush()
        except (OSError, ValueError):  # the GUI is gone
            self._is_heard = False

    def _names(self) -> list[str]:
        return [*self._commands, *self._analyses]

    # 2. The board.

    def _sides(self, words: tuple[str, ...], count: int) -> tuple[int, int]:
        if len(words) not in (1, count):
            raise GtpError("boardsize not an integer")
        width = parse_int(words[0])
        return width, parse_int(words[-1])

    def _stone(self, words: tuple[str, ...]) -> tuple[int, int | None]:
        if len(words) != 2:
            raise GtpError("syntax error: a color and a vertex are expected")
        return parse_color(words[0]), parse_vertex(words[1], self._engine.game.grid)

    def _play(self, words: tuple[str, ...]) -> str:
        self._engine.play(*self._stone(words))
        return ""

    def _play_sequence(self, words: tuple[str, ...]) -> str:
        if len(words) % 2:
            raise GtpError("syntax error: colors and vertices in turn are expected")
        for i in range(0, len(words), 2):
            self._engine.play(*self._stone(words[i : i + 2]))
        return ""

    def _set_free_handicap(self, words: tuple[str, ...]) -> str:
        squares = [parse_vertex(word, self._engine.game.grid) for word in words]
        if len(squares) < 2 or None in squares:
            raise GtpError("bad vertex list")
        self._engine.set_stones([square for square in squares if square is not None])
        return ""

    def _set_position(self, words: tuple[str, ...]) -> str:
        if len(words) % 2:
            raise GtpError("syntax error: colors and vertices in turn are expected")
        stones = [self._stone(words[i : i + 2]) for i in range(0, len(words), 2)]
        self._engine.set_position([(color, square) for color, square in stones if square is not None])
        return ""

    def _load_sgf(self, words: tuple[str, ...]) -> str:
        if len(words) not in (1, 2):
            raise GtpError("syntax error: loadsgf filename [move_number]")
        return self._engine.load_sgf(words[0], parse_int(words[1]) if len(words) == 2 else None)

    # 3. The game.

    def _genmove(self, words: tuple[str, ...], *, is_played: bool) -> str:
        return self._engine.choose(parse_color(_only(words)), self._is_over.is_set, is_played=is_played)

    def _set_clock(self, clock: Clock) -> str:
        self._engine.clock = clock
        return ""

    def _set_rules(self, words: tuple[str, ...]) -> str:
        self._engine.set_rules(*read_rules(" ".join(words), self._engine.rules))
        return ""

    def _final_status_list(self, words: tuple[str, ...]) -> str:
        status = self._engine.status()
        if len(words) != 1 or words[0] not in status:
            raise GtpError("syntax error: alive, dead or seki is expected")
        grid = self._engine.game.grid
        return "\n".join(" ".join(vertex(stone, grid) for stone in stones) for stones in status[words[0]])

    # 4. Analysis.

    def _analyse(self, command: Command, style: str, is_played: bool) -> None:
        try:
            request = parse_request(style, command.words)
            color = self._engine.state.to_move if request.color is None else request.color
            self._write(f"={command.id}\n")
            best = self._search(request, color, is_played)
            if is_played:
                self._engine.play(color, parse_vertex(best, self._engine.game.grid))
                self._write(f"play {best}\n")
            self._write("\n")
        except PhilidorError as error:
            self._write(answer(command, str(error), is_good=False))

    def _search(self, request: AnalysisRequest, color: int, is_played: bool) -> str:
        """Prints what is found at the interval asked for; until the next line comes, or the move is chosen."""
        engine, last = self._engine, 0.0

        def report(found: Analysis, *, is_last: bool = False) -> None:
            nonlocal last
            if not is_last and time.monotonic() - last < request.interval_s:
                return
            last = time.monotonic()
            if text := info_line(found, request, self._ownership(request, color)):
                self._write(text + "\n")

        # An analysis has no end of its own; a move is chosen within the clock or the player's settings.
        limits = engine.clock.limits(color) if is_played else Limits(is_endless=True)
        found = engine.analyse(color, lambda: not is_played and not self._waiting.empty(), report, limits)
        report(found, is_last=True)
        while not is_played and self._waiting.empty():
            time.sleep(_POLL_S)
        return found.best.upper() if found.best not in (None, "pass") else "pass"

    def _ownership(self, request: AnalysisRequest, color: int) -> list[float] | None:
        """By square from the top left, in the mover's view."""
        if not request.wants_ownership:
            return None
        grid, owners = self._engine.game.grid, self._engine.owners()
        rows = [owners[start : start + grid.width] for start in range(0, grid.size, grid.width)]
        return [share if color == 0 else -share for row in reversed(rows) for share in row]


def _done(command: Callable[..., None], *arguments: object) -> str:
    """Carries out what has nothing to say."""
    command(*arguments)
    return ""


def _only(words: tuple[str, ...]) -> str:
    if len(words) != 1:
        raise GtpError("syntax error: one argument is expected")
    return words[0]
