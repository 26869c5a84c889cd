"""Runs one slow step of the Makefile behind a single line that shows how far it is.

    python tools/step.py "[2/3] installing libraries" LOG command ...

The step's own output goes to the file LOG and is shown only when the step fails.
"""

import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

TAIL_LINES = 60  # of the output of a failed step
HEARTBEAT_S = 15.0  # how often a line is printed where there is no terminal to redraw


class Progress:
    """Keeps one line up to date: title, seconds, and the last thing the step said."""

    def __init__(self, title: str, is_alone: bool = True) -> None:
        self.title = title
        self.last = ""
        self.started = time.monotonic()
        # Steps that run side by side cannot share one line of a terminal.
        self.is_terminal = is_alone and sys.stdout.isatty()
        self.done = threading.Event()

    def run(self) -> None:
        """Redraws until `done` is set."""
        if not self.is_terminal:
            print(f"{self.title} ...", flush=True)
        while not self.done.wait(0.2 if self.is_terminal else HEARTBEAT_S):
            if self.is_terminal:
                width = shutil.get_terminal_size().columns - 1
                line = f"{self.title} ... {self.seconds:.0f} s  {self.last}"
                print(f"\r\x1b[K{line[:width]}", end="", flush=True)
            else:
                print(f"{self.title} ... {self.seconds:.0f} s  {self.last[:100]}", flush=True)

    @property
    def seconds(self) -> float:
        """Seconds since the step began."""
        return time.monotonic() - self.started

    def finish(self, word: str) -> None:
        """Prints the last state of the line."""
        start = "\r\x1b[K" if self.is_terminal else ""
        print(f"{start}{self.title} ... {word} ({self.seconds:.1f} s)", flush=True)


def run_all(title: str, log: Path, commands: Sequence[list[str]], is_alone: bool = True) -> int:
    """Runs `commands` in turn until one fails; returns the last exit code. `is_alone`: no other step runs meanwhile."""
    log.parent.mkdir(parents=True, exist_ok=True)
    progress = Progress(title, is_alone)
    drawer = threading.Thread(target=progress.run, daemon=True)
    drawer.start()
    code = 0
    with log.open("w", encoding="utf-8") as file:
        for command in commands:
            file.write(f"$ {shlex.join(command)}\n")
            code = run_logged(command, file, progress)
            if code:
                break
    progress.done.set()
    drawer.join()
    progress.finish("FAILED" if code else "done")
    if code:
        lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
        print("".join(lines[-TAIL_LINES:]))
        print(f"{title} failed with exit code {code}; the whole output is in {log}", flush=True)
    return code


def run_logged(command: list[str], file: TextIO, progress: Progress) -> int:
    """Runs one command into `file`; a program that cannot be started counts as one that failed."""
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
    except OSError as error:
        file.write(f"{error}\n")
        return 127
    assert process.stdout is not None
    for line in process.stdout:
        file.write(line)
        progress.last = line.strip() or progress.last
    return process.wait()


if __name__ == "__main__":
    try:
        sys.exit(run_all(sys.argv[1], Path(sys.argv[2]), [sys.argv[3:]]))
    except KeyboardInterrupt:
        print()
        sys.exit(130)
