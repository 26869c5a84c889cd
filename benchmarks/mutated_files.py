"""Reads altered files of every format and counts what comes of it: a result, a typed error of one line, or worse.

Small files are made, altered at random (bits, numbers, lengths, cuts, splices, checksums repaired) and read in worker
processes with a limit for memory and time. Some name a game that would leave a mark if it were run. Usage:
    benchmarks/mutated_files.py [--count 100000] [--workers 2] [--seed 1] [--json]
"""

import argparse
import gzip
import json
import multiprocessing
import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path

from file_kinds import Reader, Repair, check_line, make_sources
from measure import headline, machine

from philidor.core.errors import PhilidorError

RESULTS = ("loaded", "typed", "untyped", "long", "crash", "hang", "memory", "executed")
_BATCH = 500
_SECONDS = 10.0
_GROWTH_BYTES = 1 << 30
"""What reading a file may take besides four times its size."""
_CANARY = """
from pathlib import Path

from philidor.games.tictactoe import TicTacToe


class Canary(TicTacToe):
    def __init__(self):
        Path({mark!r}).touch()
        super().__init__()
"""


# --- Altering and reading ---------------------------------------------------------------------------------------------


def mutated(original: bytes, random_: random.Random, repair: Repair | None) -> bytes:
    """Returns the file with one to eight things altered; half of the time with its checksums repaired."""
    data = bytearray(original)
    for _ in range(random_.choice((1, 1, 1, 2, 3, 8))):
        _alter(data, random_)
    return repair(data) if repair is not None and random_.random() < 0.5 else bytes(data)


def _alter(data: bytearray, random_: random.Random) -> None:
    if not data:
        return
    # Heads say what follows, so they are altered more often.
    reach = len(data) if random_.random() < 0.5 else min(len(data), 200)
    at = random_.randrange(reach)
    match random_.randrange(7):
        case 0:
            data[at] ^= 1 << random_.randrange(8)
        case 1:
            data[at] = random_.choice((0, 1, 0x7F, 0x80, 0xFF, 0x1B, 0x0A))
        case 2:
            number = random_.choice((0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, random_.getrandbits(32)))
            data[at : at + 4] = number.to_bytes(4, "little")
        case 3:
            del data[at:]
        case 4:
            del data[at : at + random_.randrange(1, 40)]
        case 5:
            other = random_.randrange(len(data))
            data[at:at] = data[other : other + random_.randrange(1, 60)]
        case _:
            digits = [place for place, byte in enumerate(data[:2000]) if 0x30 <= byte <= 0x39]
            if digits:
                place = random_.choice(digits)
                data[place : place + 1] = random_.choice((b"0", b"-1", b"1e999", b"9" * 30, b"9" * 5000, b"true"))


def regzipped(original: bytes, random_: random.Random) -> bytes:
    """Alters what is inside a gzip file and packs it again."""
    return gzip.compress(mutated(gzip.decompress(original), random_, None), 1)


def outcome(read: Reader, path: Path) -> tuple[str, str]:
    """Reads a file; returns what came of it, and the error where that says more."""
    limit = _virtual_bytes() + 4 * path.stat().st_size + _GROWTH_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    try:
        read(path)
    except PhilidorError as error:
        if _is_of_memory(error):
            return "memory", f"behind {error}"
        try:
            check_line(error)
        except ValueError:
            return "long", repr(str(error))
        return "typed", str(error)
    except MemoryError:
        return "memory", ""
    except Exception as error:
        if _is_of_memory(error):
            return "memory", f"behind {type(error).__name__}"
        return "untyped", f"{type(error).__name__}: {error}"[:200]
    return "loaded", ""


def _is_of_memory(error: BaseException | None) -> bool:
    """Says whether an error stands for a MemoryError: a broad `except` would make a typed one of it."""
    while error is not None:
        if isinstance(error, MemoryError):
            return True
        error = error.__context__  # "raise ... from None" keeps it too
    return False


def work(connection: Connection, folder: Path, canary: str, mark: Path) -> None:
    """Reads altered files in a process of its own: takes (format, seeds) and answers after each file."""
    os.environ["XDG_DATA_HOME"] = str(folder)
    sources = make_sources(folder, canary)
    for name, kind in sources.items():  # what the libraries need for themselves
        path = folder / f"file{kind.ending}"
        path.write_bytes(kind.data)
        found, why = outcome(kind.read, path)
        is_refused = name.endswith((", code", ", cut"))
        assert found == ("typed" if is_refused else "loaded"), f"{name}: {found} {why}"
    mark.unlink(missing_ok=True)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # libraries complain of what is to be expected
    while True:
        name, seeds = connection.recv()
        ending, original, read, repair = sources[name]
        path = folder / f"file{ending}"
        for seed in seeds:
            random_ = random.Random(f"{name} {seed}")
            is_inside = name == "pb.gz" and random_.random() < 0.5
            path.write_bytes(regzipped(original, random_) if is_inside else mutated(original, random_, repair))
            connection.send(("begin", seed, ""))
            found, why = outcome(read, path)
            if mark.exists():
                mark.unlink()
                found = "executed"
            connection.send((found, seed, why))


def _virtual_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


class Worker:
    """A process that reads files, and is begun again when it has died of one."""

    def __init__(self, root: Path, number: int) -> None:
        self.folder = root / f"worker{number}"
        self.folder.mkdir()
        self._mark = root / f"mark{number}"
        code = root / f"canary{number}.py"
        code.write_text(_CANARY.format(mark=str(self._mark)))
        self._canary = f"{code}:Canary"
        self.begin()

    def begin(self) -> None:
        """Begins the process."""
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        arguments = (theirs, self.folder, self._canary, self._mark)
        self.process = context.Process(target=work, args=arguments, daemon=True)
        self.process.start()
        theirs.close()

    def read(self, name: str, seeds: list[int], counts: Counter[str], faults: list[str]) -> None:
        """Has files read and counts what came of them."""
        todo = list(seeds)
        while todo:
            self.connection.send((name, todo))
            seed, is_begun = todo[0], False
            while todo:
                # The first files wait for the process to begin.
                patience = _SECONDS if is_begun else 600.0
                try:
                    kind, seed, why = self.connection.recv() if self.connection.poll(patience) else ("hang", seed, "")
                except EOFError:
                    kind, why = "crash", f"exit code {self._exit_code()}"
                if kind == "begin":
                    is_begun = True
                    continue
                counts[kind] += 1
                todo.remove(seed)
                if kind not in ("loaded", "typed"):
                    faults.append(f"{name} {seed}: {kind} {why}".strip())
                if kind in ("hang", "crash"):
                    self.end()
                    self.begin()
                    break

    def _exit_code(self) -> int | None:
        self.process.join(5)
        return self.process.exitcode

    def end(self) -> None:
        """Ends the process."""
        if self.process.pid is not None and self.process.is_alive():
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.join()
        self.connection.close()


def run(count: int, workers: int, seed: int) -> tuple[dict[str, Counter[str]], list[str]]:
    """Reads `count` altered files; returns what came of them by format, and each fault in a line."""
    from concurrent.futures import ThreadPoolExecutor

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "sources").mkdir()
        names = list(make_sources(root / "sources", f"{root / 'nowhere.py'}:Canary"))
        counts: dict[str, Counter[str]] = {name: Counter() for name in names}
        faults: list[str] = []
        each = -(-count // len(names))
        jobs = [
            (name, list(range(seed * count + at, seed * count + min(at + _BATCH, each))))
            for at in range(0, each, _BATCH)
            for name in names
        ]

        def drain(number: int) -> None:
            worker = Worker(root, number)
            try:
                for name, seeds in jobs[number::workers]:
                    worker.read(name, seeds, counts[name], faults)
            finally:
                worker.end()

        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(drain, range(workers)))
    return counts, faults


def main() -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="altered files, of all formats together")
    parser.add_argument("--workers", type=int, default=2, help="processes that read them")
    parser.add_argument("--seed", type=int, default=1, help="of the alterations")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    began = time.monotonic()
    counts, faults = run(arguments.count, arguments.workers, arguments.seed)
    seconds = time.monotonic() - began
    if arguments.json:
        rows = [{"format": name, **{kind: found[kind] for kind in RESULTS}} for name, found in counts.items()]
        result = {"benchmark": "mutated_files", "machine": machine(), "threads": arguments.workers, "rows": rows}
        print(json.dumps({**result, "seconds": round(seconds, 1), "faults": faults[:200]}, indent=2))
        return 0
    print(f"{headline(machine())}; {seconds:.0f} s")
    print(f"{'format':<20}" + "".join(f"{kind:>10}" for kind in RESULTS))
    for name, found in counts.items():
        print(f"{name:<20}" + "".join(f"{found[kind]:>10,}" for kind in RESULTS))
    print("\n".join(faults[:40]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
