"""Measures how quickly the UCI engine answers: the time between a line sent and its answer read, by the clock.

    python benchmarks/uci.py [--json] [--repeats 2000] [--peer stockfish]

`go nodes 1` is what remains when there is nothing to search; `stop` ends a search with a full table; `isready` asks
while it searches. `uciok, CPU` is the processor time, user and system, of a program that starts, introduces itself and
ends. The engine runs as a program of its own, as chess programs run it, and a peer, when named, in turn
with it. On a busy machine the median tells what the engine needs and the rest what it had to wait.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from measure import as_json, headline, machine

PHILIDOR = (sys.executable, "-c", "from philidor.cli.uci_program import serve; serve('classic')")
INTRODUCED = "uciok, CPU"
# What a GUI starts; the engine of the other questions needs no network.
PROGRAM = (sys.executable, "-c", "from philidor.cli.uci_program import main; main()")
# (question, times as often as said, median and 99.9th percentile to reach in ms).
TARGETS = {
    INTRODUCED: (150.0, None),
    "go nodes 1": (1.0, 5.0),
    "stop": (10.0, None),
    "isready while searching": (10.0, None),
}


class Program:
    """An engine whose answers are timed."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ask("uci", "uciok")
        self.ask("isready", "readyok")

    def send(self, line: str) -> None:
        """Sends a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def ask(self, line: str, answer: str) -> float:
        """Returns the milliseconds until a line that begins with `answer` is read."""
        assert self._process.stdout is not None
        start = time.perf_counter()
        self.send(line)
        while not self._process.stdout.readline().startswith(answer.encode()):
            pass
        return 1000 * (time.perf_counter() - start)

    def quit(self) -> None:
        """Ends the program."""
        self.send("quit")
        self._process.wait(timeout=10)


def introduction(command: Sequence[str]) -> float:
    """Returns the milliseconds of processor time that a program takes to say "uciok" and end."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"uci\nquit\n")
    process.stdin.close()
    assert b"uciok" in process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return 1000 * (used.ru_utime + used.ru_stime)


def one_node(program: Program) -> float:
    """A search that has nothing to do."""
    program.send("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6")
    return program.ask("go nodes 1", "bestmove")


def stop(program: Program) -> float:
    """The end of a search."""
    program.send("go infinite")
    time.sleep(0.02)
    return program.ask("stop", "bestmove")


def is_ready(program: Program) -> float:
    """A question in the middle of a search."""
    program.send("go infinite")
    time.sleep(0.02)
    used = program.ask("isready", "readyok")
    program.ask("stop", "bestmove")
    return used


QUESTIONS: dict[str, Callable[[Program], float]] = {
    "go nodes 1": one_node,
    "stop": stop,
    "isready while searching": is_ready,
}


def summary(engine: str, question: str, times: Sequence[float]) -> dict[str, object]:
    """Returns a row of the table."""
    ordered = sorted(times)
    places = {"median": 0.5, "p99": 0.99, "p99.9": 0.999, "max": 1.0}
    values = {name: ordered[min(int(share * len(ordered)), len(ordered) - 1)] for name, share in places.items()}
    return {"engine": engine, "question": question, "times": len(ordered), "unit": "ms", **values}


def main() -> int:
    """Prints a table or JSON."""
    parser = argparse.ArgumentParser(description="how quickly the UCI engine answers")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--repeats", type=int, default=2000, help="of go nodes 1; a twentieth of it for the others")
    parser.add_argument("--peer", help="another UCI engine, to compare with")
    arguments = parser.parse_args()
    commands = {"philidor": PHILIDOR, **({arguments.peer: (arguments.peer,)} if arguments.peer else {})}
    where, rows = machine(), []
    for name, command in {**commands, "philidor": PROGRAM}.items():
        times_used = [introduction(command) for _ in range(max(1, arguments.repeats // 100))]
        rows.append(summary(name, INTRODUCED, times_used))
    programs = {name: Program(command) for name, command in commands.items()}
    for question, ask in QUESTIONS.items():
        times: dict[str, list[float]] = {name: [] for name in programs}
        for _ in range(max(1, arguments.repeats if question == "go nodes 1" else arguments.repeats // 20)):
            for name, program in programs.items():
                times[name].append(ask(program))
        rows += [summary(name, question, times[name]) for name in programs]
    for program in programs.values():
        program.quit()
    if arguments.json:
        print(as_json("uci", where, rows))
        return 0
    print(f"{headline(where)}; milliseconds")
    for row in rows:
        median, tail = TARGETS[str(row["question"])]
        goal = f"target: median {median:g}" + (f", p99.9 {tail:g}" if tail else "")
        figures = ", ".join(f"{name} {row[name]:.2f}" for name in ("median", "p99", "p99.9", "max"))
        print(f"{row['engine']:>10} {row['question']:<24} {figures} ({row['times']} times; {goal})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
