"""A running UCI program to be measured beside ours.

It is started once, so that loading its network and filling its tables is not counted.
"""

import subprocess
import time

from philidor.core.programs import find_program

NOT_FOUND = "no stockfish on the PATH or in /usr/games; on Debian: apt install stockfish"


def find_stockfish() -> str | None:
    """Returns the path of the program, if it is installed."""
    return find_program("stockfish")


class Peer:
    """The process and its CPU time."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.ask("isready", until="readyok")

    def ask(self, command: str, until: str) -> str:
        """Sends a command; returns the line of the answer that begins with `until`."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(command, file=self.process.stdin, flush=True)
        return next(line for line in self.process.stdout if line.startswith(until))

    def used_s(self) -> float:
        """The CPU seconds of all its threads so far, those that have ended too."""
        # What clock_getcpuclockid(3) returns for another process; Python has it only for threads.
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def end(self) -> None:
        """Closes its input, which ends it."""
        self.process.communicate()
