"""Reads UCI commands until "quit" or the end of input; whatever comes in, it answers or says why not.

Searching happens in the engine's own threads. One thread of ours prints what a search reports, so that the loop
is always free to answer "isready" and "stop".
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from typing import TextIO

from philidor.core.errors import PhilidorError
from philidor.frontends.uci.engine import UciEngine
from philidor.protocols.uci import UciError, parse_go, parse_position, parse_setoption


class UciLoop:
    """One conversation with a GUI."""

    def __init__(self, engine: UciEngine, output: TextIO | None = None) -> None:
        self._engine = engine
        self._output = output if output is not None else sys.stdout
        self._write_lock = threading.Lock()
        self._printer: threading.Thread | None = None
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "isready": lambda _: self.write("readyok"),
            "ucinewgame": self._new_game,
            "setoption": self._set_option,
            "position": lambda words: self._engine.set_position(parse_position(words)),
            "go": self._go,
            "stop": lambda _: self._engine.stop(),
            "ponderhit": lambda _: self._engine.ponder_hit(),
            "debug": self._debug,
            "register": lambda _: None,
            "d": lambda _: self.write(self._engine.describe()),
            "eval": lambda _: self.write(self._engine.explain()),
            "flip": lambda _: self._engine.flip(),
            "bench": self._bench,
            "help": lambda _: self.write(_HELP),
        }

    def write(self, text: str) -> None:
        """Prints whole lines, flushed, one thread at a time."""
        with self._write_lock:
            self._output.write(text + "\n")
            self._output.flush()

    def run(self, lines: Iterable[str]) -> None:
        """Obeys until "quit" or the end."""
        try:
            for line in lines:
                if not self.obey(line):
                    break
        finally:
            self._finish_search()

    def obey(self, line: str) -> bool:
        """Carries out one command; returns False for "quit". A wrong command is reported and forgotten."""
        words = line.split()
        # The protocol says to skip unknown words and go on with the first known one.
        while words and words[0] not in self._commands and words[0] != "quit":
            unknown = words.pop(0)
            if not words:
                self.write(f"info string unknown command {unknown[:80]!r}, 'help' lists what there is")
        if not words:
            return True
        if words[0] == "quit":
            return False
        try:
            self._commands[words[0]](words[1:])
        except PhilidorError as error:
            self.write(f"info string {error}")
        return True

    def _uci(self, _: list[str]) -> None:
        self.write("\n".join([*self._engine.introduction(), "uciok"]))

    def _new_game(self, _: list[str]) -> None:
        self._finish_search()
        self._engine.new_game()

    def _set_option(self, words: list[str]) -> None:
        self._finish_search()
        name, value = parse_setoption(words)
        self._engine.set_option(name, value)

    def _go(self, words: list[str]) -> None:
        go = parse_go(words)
        self._finish_search()
        if go.perft is not None:
            self.write(self._engine.perft(go.perft))
            return
        reports = self._engine.start(go)
        self._printer = threading.Thread(target=self._print_all, args=(reports,), daemon=True)
        self._printer.start()

    def _print_all(self, reports: Iterable[str]) -> None:
        for line in reports:
            self.write(line)

    def _bench(self, words: list[str]) -> None:
        self._finish_search()
        if not all(word.isdigit() for word in words) or len(words) > 1:
            raise UciError("bench: expected at most a depth")
        self._engine.bench(int(words[0]) if words else None, self.write)

    def _debug(self, words: list[str]) -> None:
        if words not in (["on"], ["off"]):
            raise UciError("debug: expected 'on' or 'off'")

    def _finish_search(self) -> None:
        """Stops a running search and waits until its best move is printed."""
        if self._printer is not None:
            self._engine.stop()
            self._printer.join()
            self._printer = None


_HELP = """\
uci, isready, ucinewgame, quit      the protocol's own
setoption name N [value V]          see the answer to uci for names and ranges
position startpos|fen F [moves ..]  set the position
go [depth|nodes|movetime|mate N] [wtime|btime|winc|binc|movestogo N] [infinite] [ponder] [searchmoves ..]
go perft N                          count positions
stop, ponderhit                     while searching
d, eval, flip                       show the position, explain its evaluation, turn the board
bench [DEPTH]                       search fixed positions; the number of nodes is the program's signature"""
