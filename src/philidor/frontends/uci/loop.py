"""Reads UCI commands until "quit" or the end of input; whatever comes in, it answers or says why not.

One thread of ours lets the player think and prints what it reports, so that the loop is always free to answer
"isready" and "stop". It is started once: to start a thread for each move would mean to wait for it on our own clock.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import TextIO

from philidor.core.errors import PhilidorError
from philidor.frontends.uci.engine import Job, UciEngine, broken_off, saying
from philidor.protocols.uci import UciError, parse_number, parse_position, parse_setoption, read_go

_log = logging.getLogger(__name__)


class UciLoop:
    """One conversation with a GUI."""

    def __init__(self, engine: UciEngine, output: TextIO | None = None) -> None:
        self._engine = engine
        self._output = output if output is not None else sys.stdout
        self._write_lock = threading.Lock()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._idle = threading.Event()
        self._idle.set()
        self._is_heard = True
        self._arrived_ns = 0
        self._options_to_come: list[tuple[str, str]] = []
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "isready": lambda _: self.write("readyok"),
            "ucinewgame": self._new_game,
            "setoption": self._set_option,
            "position": lambda words: self._engine.set_position(parse_position(words)),
            "go": self._go,
            "stop": lambda _: self._engine.stop(),
            "ponderhit": lambda _: self._engine.ponder_hit(self._arrived_ns / 1e9),
            "debug": self._debug,
            "register": lambda _: None,
            "d": lambda _: self.write(self._engine.describe()),
            "eval": lambda _: self.write(self._engine.explain()),
            "flip": lambda _: self._engine.flip(),
            "bench": self._bench,
            "help": lambda _: self.write(_HELP),
        }
        self._printer = threading.Thread(target=self._print_jobs, daemon=True)
        self._printer.start()

    def write(self, text: str) -> None:
        """Prints whole lines, flushed, one thread at a time."""
        with self._write_lock:
            self._engine.log("<<", text)
            try:
                self._output.write(text + "\n")
                self._output.flush()
            except (OSError, ValueError):  # the GUI is gone; the next command, or its end, ends us
                self._is_heard = False

    def run(self, lines: Iterable[tuple[str, int]]) -> None:
        """Obeys lines, each with its arrival by `time.perf_counter_ns`, until "quit" or the end."""
        try:
            for line, arrived_ns in lines:
                if not self.obey(line, arrived_ns):
                    break
        finally:
            self.close()

    def close(self) -> None:
        """Ends a search that is under way, and the thread that prints."""
        self._finish_job()
        self._jobs.put(None)
        self._printer.join()
        self._engine.close()

    def obey(self, line: str, arrived_ns: int | None = None) -> bool:
        """Carries out one command; returns False for "quit". A wrong command is reported and forgotten.

        Raises ConfigError, NetError if there is no engine to obey.
        """
        self._arrived_ns = time.perf_counter_ns() if arrived_ns is None else arrived_ns
        self._engine.log(">>", line)
        if self._idle.is_set():
            self._set_options_to_come()
        words = line.split()
        # The protocol says to skip unknown words and go on with the first known one.
        while words and words[0] not in self._commands and words[0] != "quit":
            unknown = words.pop(0)
            if not words:
                self._complain(f"unknown command {unknown[:80]!r}, 'help' lists what there is")
        if not words:
            return self._is_heard
        if words[0] == "quit":
            return False
        if words[0] in _NEED_THE_ENGINE:
            self._engine.wake()
        try:
            self._commands[words[0]](words[1:])
        except PhilidorError as error:
            self._complain(str(error))
        return self._is_heard

    def _complain(self, message: str) -> None:
        self.write("info string " + " ".join(message.split()))

    def _uci(self, _: list[str]) -> None:
        self.write("\n".join([*self._engine.introduction(), "uciok"]))

    def _new_game(self, _: list[str]) -> None:
        self._finish_job()
        self._engine.new_game()

    def _set_option(self, words: list[str]) -> None:
        """Sets an option; while a search is under way, when it has ended: nobody has asked to end it."""
        name, value = parse_setoption(words)
        if self._idle.is_set():
            self._set_one_option(name, value)
        else:
            self._options_to_come.append((name, value))
            self._complain(f"setoption: {name[:40]} is set when the search has ended")

    def _set_options_to_come(self) -> None:
        while self._options_to_come:
            self._set_one_option(*self._options_to_come.pop(0))

    def _set_one_option(self, name: str, value: str) -> None:
        try:
            self._engine.set_option(name, value)
        except PhilidorError as error:
            refusal = self._engine.refusal
            self._complain(refusal if str(error) in refusal else str(error))

    def _go(self, words: list[str]) -> None:
        """Starts what is asked for; whatever is wrong with it, a "go" is answered by a move."""
        go, problems = read_go(words)
        self._finish_job()
        for problem in problems:
            self._complain(problem)
        if go.perft:
            self._begin_job(saying(self._engine.perft(go.perft)))
            return
        try:
            job = self._engine.start(go, self._arrived_ns / 1e9)
        except Exception as error:
            job = saying([broken_off(error), self._engine.any_move()])
        self._begin_job(job)

    def _bench(self, words: list[str]) -> None:
        if len(words) > 1:
            raise UciError("bench: expected at most a depth")
        depth = parse_number("bench: the depth", words[0]) if words else None
        self._finish_job()
        self._begin_job(saying(self._engine.bench(depth)))

    def _debug(self, words: list[str]) -> None:
        if words not in (["on"], ["off"]):
            raise UciError("debug: expected 'on' or 'off'")

    def _begin_job(self, job: Job) -> None:
        self._idle.clear()
        self._jobs.put(job)

    def _print_jobs(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job(self.write)
            except Exception as error:  # whatever it was, the next command is obeyed
                if not isinstance(error, PhilidorError):
                    _log.exception("a command broke off")
                self._complain(str(error))
            finally:
                self._idle.set()

    def _finish_job(self) -> None:
        """Stops what is under way and waits until its last line is printed."""
        if not self._idle.is_set():
            self._engine.stop()
            self._idle.wait()
        self._set_options_to_come()


_NEED_THE_ENGINE = {"isready", "ucinewgame", "go", "eval", "bench"}
_HELP = """\
uci, isready, ucinewgame, quit      the protocol's own
setoption name N [value V]          see the answer to uci for names and ranges
position startpos|fen F [moves ..]  set the position
go [depth|nodes|movetime|mate N] [wtime|btime|winc|binc|movestogo N] [infinite] [ponder] [searchmoves ..]
go perft N                          count positions
stop, ponderhit                     while searching
d, eval, flip                       show the position, explain its evaluation, turn the board
bench [DEPTH]                       search fixed positions; the number of nodes is the program's signature"""
