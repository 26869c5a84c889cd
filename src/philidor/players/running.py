"""A program of anybody's that runs beside us: it is read within bounds, and it ends with all its children."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from typing import IO, TypeAlias

from philidor.core.errors import ConfigError
from philidor.core.programs import find_program

LONGEST_LINE = 32_768
"""Bytes of a line that are looked at; the rest of a longer one is thrown away."""
MOST_TALK, MOST_INFO = 4_000_000, 256_000_000
"""Bytes that a program may write before it has answered a question, and before it has answered with a move. The longest
searches of real engines stay a hundred times below the latter."""
_BYTES_A_LINE = 256
"""What a line counts at least, so that a million empty ones are not free."""
_LINES_AHEAD = 1_024
"""Lines that wait to be read. Then the program waits too: its pipe is full."""

_Heard: TypeAlias = tuple[float, str | None, int]
"""When a line came in, the line, and what it counts; no line at the end."""


class TooMuchTalkError(Exception):
    """The program writes and writes, and none of it is the answer."""


class RunningProgram:
    """One program and its two pipes. Not thread-safe: one thread talks to it; anyone may end it."""

    def __init__(self, command: Sequence[str]) -> None:
        """Starts it. Raises ConfigError if it cannot be run."""
        try:
            self._process = subprocess.Popen(
                (find_program(command[0]) or command[0], *command[1:]),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Ctrl-C in the terminal is for us; programs are told to quit. And its children are in the same group.
                start_new_session=True,
            )
        except OSError as error:
            raise ConfigError(f"cannot start {command[0]!r}: {(error.strerror or str(error)).lower()}") from None
        # Whoever forgets it, or ends this process with an exception: nothing of it stays.
        self._end = weakref.finalize(self, end_group, self._process)
        assert self._process.stdout is not None
        self._lines: queue.Queue[_Heard] = queue.Queue(_LINES_AHEAD)
        self._is_ended = threading.Event()
        self._left = MOST_TALK
        reading = (self._process.stdout, self._lines, self._is_ended)
        threading.Thread(target=_read_lines, args=reading, name="program", daemon=True).start()

    def send(self, line: str) -> None:
        """Sends one line. Raises OSError, ValueError when it does not listen any more."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def expect(self, most_bytes: int) -> None:
        """Begins to count what it writes before its answer."""
        self._left = most_bytes

    def next_line(self, deadline: float) -> tuple[float, str] | None:
        """Waits for the next line and returns when it came and what it is; None at the end of all.

        Raises TimeoutError, also where lines came but none before `deadline`, and TooMuchTalkError.
        """
        try:
            arrived, line, size = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            return None
        if arrived > deadline:
            raise TimeoutError
        self._left -= max(size, _BYTES_A_LINE)
        if self._left < 0:
            raise TooMuchTalkError
        return arrived, line

    def wait(self, timeout_s: float) -> int:
        """Waits for its end and returns the exit code. Raises subprocess.TimeoutExpired."""
        return self._process.wait(timeout=timeout_s)

    def kill(self) -> None:
        """Ends it and all its children without asking."""
        self._end()
        self._is_ended.set()
        # The thread that reads may wait for room, and the one that talks for a line.
        with contextlib.suppress(queue.Empty):
            while True:
                self._lines.get_nowait()
        self._lines.put((time.monotonic(), None, 0))


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends a program that was started in a session of its own, with its children."""
    # Its number is nobody else's until it was waited for, and that of its group until the last child is gone.
    kill_group(process.pid)
    process.kill()  # where there are no groups
    process.wait()
    assert process.stdin is not None
    with contextlib.suppress(OSError):  # what was not sent yet has nobody to go to
        process.stdin.close()


def kill_group(leader: int) -> None:
    """Ends all processes of a group, on systems that have them."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)


def _read_lines(stream: IO[bytes], lines: queue.Queue[_Heard], is_ended: threading.Event) -> None:
    """Puts each line with the time it came in; a thread of its own keeps the times exact."""
    is_rest = False
    with stream:
        while piece := stream.readline(LONGEST_LINE):
            text = "" if is_rest else piece.decode("utf-8", "replace").strip()
            is_rest = not piece.endswith(b"\n")
            if not is_ended.is_set():
                lines.put((time.monotonic(), text, len(piece)))
    lines.put((time.monotonic(), None, 0))
