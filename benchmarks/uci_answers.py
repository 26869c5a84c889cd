"""Checks that the UCI engine answers and goes on, whatever it is told and however busy the machine is.

    python benchmarks/uci_answers.py [--lines 10000] [--seed 1] [--net FILE]
    python benchmarks/uci_answers.py --busy 600 --net FILE [--load 15]

The first sends odd lines to the program with each engine, and counts: every "go" is answered by exactly one "bestmove",
and at the end it is ready. The second lets `net` search without end beside `--load` processes that only
compute, and fails when its nodes stop growing. The engine `net` needs a network; without one it is left out.
"""

import argparse
import multiprocessing
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from odd_lines import odd_lines

PROGRAM = (sys.executable, "-c", "from philidor.cli.uci_program import main; main()")
ENGINES: dict[str, tuple[str, ...]] = {
    "nnue": (),
    "classic": ("setoption name Engine value classic",),
    "sparring": ("setoption name UCI_LimitStrength value true",),
    "net": ("setoption name Engine value net",),
}
# A search that says nothing for so long has stopped, even on a machine where it seldom has its turn.
_SILENCE_S = 30.0


def beginning(engine: str, net: Path | None) -> list[str]:
    """Returns the lines that choose an engine."""
    network = [f"setoption name WeightsFile value {net}"] if engine == "net" else []
    return ["uci", *network, *ENGINES[engine], "isready"]


def answer_all(engine: str, net: Path | None, count: int, seed: int, timeout_s: float) -> tuple[int, int, bool]:
    """Sends odd lines; returns how many "go" were among them, how many best moves came, and whether it was ready."""
    lines = list(odd_lines(count, seed))
    text = "\n".join([*beginning(engine, net), *lines, "stop", "isready", "quit", ""])
    done = subprocess.run(PROGRAM, input=text.encode(), capture_output=True, timeout=timeout_s, check=False)
    said = done.stdout.decode("utf-8", "replace").splitlines()
    asked = sum(line.split()[:1] == ["go"] for line in lines)
    ready = done.returncode == 0 and not done.stderr and said.count("readyok") >= 2
    return asked, sum(line.startswith("bestmove ") for line in said), ready


def check_odd_lines(net: Path | None, count: int, seed: int) -> int:
    """Prints a line for each engine; returns how many failed."""
    failures = 0
    for engine in ENGINES:
        if engine == "net" and net is None:
            continue
        start = time.perf_counter()
        asked, answered, ready = answer_all(engine, net, count, seed, 60 + count)
        is_good = ready and asked == answered
        failures += not is_good
        verdict = "good" if is_good else "FAILED"
        print(
            f"{engine:>10}: {asked} go, {answered} bestmove in {time.perf_counter() - start:.0f} s: {verdict}",
            flush=True,
        )
    return failures


def _compute(end: float) -> None:
    while time.time() < end:
        sum(range(10_000))


def _nodes(lines: Iterator[str]) -> Iterator[int]:
    for line in lines:
        words = line.split()
        if words[:1] == ["info"] and "nodes" in words:
            yield int(words[words.index("nodes") + 1])


def check_busy(net: Path, seconds: float, load: int) -> int:
    """Lets `net` search beside busy processes; returns 1 if it stops by itself."""
    end = time.time() + seconds
    others = [multiprocessing.Process(target=_compute, args=(end,), daemon=True) for _ in range(load)]
    for other in others:
        other.start()
    program = subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write("\n".join([*beginning("net", net), "position startpos", "go infinite", ""]))
    program.stdin.flush()
    seen = [(time.time(), 0)]
    reader = threading.Thread(target=_watch, args=(program.stdout, seen), daemon=True)
    reader.start()
    longest = 0.0
    while time.time() < end and longest < _SILENCE_S and reader.is_alive():
        time.sleep(0.2)
        longest = max(longest, time.time() - seen[-1][0])
    is_good = reader.is_alive() and longest < _SILENCE_S
    print(
        f"net beside {load} processes for {seconds:.0f} s: {seen[-1][1]} nodes, longest silence {longest:.1f} s",
        flush=True,
    )
    program.kill()
    return int(not is_good)


def _watch(output: Iterator[str], seen: list[tuple[float, int]]) -> None:
    """Notes when the nodes grow; ends with the search."""
    for line in output:
        if line.startswith("bestmove"):
            return
        for nodes in _nodes(iter([line])):
            if nodes > seen[-1][1]:
                seen.append((time.time(), nodes))


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 0 if all is answered."""
    parser = argparse.ArgumentParser(description="whether the UCI engine always answers")
    parser.add_argument("--lines", type=int, default=10_000, help="odd lines for each engine")
    parser.add_argument("--seed", type=int, default=1, help="of the lines")
    parser.add_argument("--net", type=Path, help="a network for the engine net")
    parser.add_argument("--busy", type=float, metavar="SECONDS", help="let net search beside busy processes instead")
    parser.add_argument("--load", type=int, default=15, help="how many of them")
    given = parser.parse_args(arguments)
    if given.busy is None:
        return min(1, check_odd_lines(given.net, given.lines, given.seed))
    if given.net is None:
        parser.error("--busy needs --net")
    return check_busy(given.net, given.busy, given.load)


if __name__ == "__main__":
    sys.exit(main())
