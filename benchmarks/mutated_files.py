"""Reads altered files of every format and counts what comes of it: a result, a typed error of one line, or worse.

Small files are made, altered at random (bits, numbers, lengths, cuts, splices, checksums repaired) and read in worker
processes with a limit for memory and time. Some name a game that would leave a mark if it were run. Usage:
    benchmarks/mutated_files.py [--count 100000] [--workers 2] [--seed 1] [--json]
"""

import argparse
import binascii
import gzip
import hashlib
import json
import multiprocessing
import os
import random
import resource
import signal
import struct
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from measure import headline, machine

from philidor.core.errors import PhilidorError

RESULTS = ("loaded", "typed", "untyped", "long", "crash", "hang", "memory", "executed")
_BATCH = 500
_SECONDS = 10.0
_GROWTH_BYTES = 1 << 30
"""What reading a file may take besides four times its size."""
_SHA256 = b'"sha256":"'
_CANARY = """
from pathlib import Path

from philidor.games.tictactoe import TicTacToe


class Canary(TicTacToe):
    def __init__(self):
        Path({mark!r}).touch()
        super().__init__()
"""

Reader = Callable[[Path], object]
Repair = Callable[[bytearray], bytes]


# --- Readers: each does with a file what a user would -----------------------------------------------------------------


def read_net(path: Path) -> object:
    """Loads a network, lets it judge, and describes it."""
    from philidor.evaluators.loading import load_net
    from philidor.evaluators.network import NetEvaluator
    from philidor.games import known_game
    from philidor.games.chess import Position
    from philidor.nets.describing import describe_net

    describe_net(path)
    net: Any = load_net(path)
    return net.evaluate([known_game(net.game).state() if isinstance(net, NetEvaluator) else Position()])


def read_records(path: Path) -> object:
    """Reads all games and replays those that can be."""
    from philidor.games import known_game
    from philidor.records import RecordReader

    with RecordReader(path) as reader:
        for record in reader:
            try:
                list(record.states(known_game(reader.game)))
            except PhilidorError:
                continue
        return reader.losses


def read_pgn_games(path: Path) -> object:
    """Reads games in PGN, packed or not."""
    from philidor.records import read_pgn

    return [record.uci_moves() for record in read_pgn(path)]


def read_fens(path: Path) -> object:
    """Reads positions, one a line."""
    from philidor.games.chess import Position

    lines = path.read_bytes().decode("utf-8", "replace").splitlines()
    found = []
    for line in lines:
        try:
            found.append(Position(line).legal_moves())
        except PhilidorError as error:
            check_line(error)
    return found


def read_recipe_file(path: Path) -> object:
    """Reads a recipe for training."""
    from philidor.pipelines.recipes import load_recipe

    return load_recipe(str(path))


def read_saved_game(path: Path) -> object:
    """Takes up a saved game, as the terminal does; it is put where that looks for it."""
    from philidor.frontends.terminal import unfinished

    place = Path(os.environ["XDG_DATA_HOME"], "philidor", "unfinished", "tictactoe.json")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(path.read_bytes())
    return unfinished.find("tictactoe")


# --- Repairs: what a file with consistent checksums looks like --------------------------------------------------------


def repair_records(data: bytearray) -> bytes:
    """Makes the checksums of the header and of the first block right."""
    body = int.from_bytes(data[12:16], "little")
    end = 20 + body
    if end + 36 > len(data):
        return bytes(data)
    data[16:20] = zlib.crc32(data[20:end], zlib.crc32(data[:16])).to_bytes(4, "little")
    strings, directory, games = struct.unpack_from("<III", data, end + 12)
    tables, rows = end + 36, end + 36 + strings
    first, last = rows + directory, rows + directory + games
    if last > len(data):
        return bytes(data)
    _repair_directory(data, rows, first, last)
    struct.pack_into("<II", data, end + 24, zlib.crc32(data[tables:first]), zlib.crc32(data[first:last]))
    struct.pack_into("<I", data, end + 32, zlib.crc32(data[end : end + 32]))
    return bytes(data)


def _repair_directory(data: bytearray, at: int, first: int, last: int) -> None:
    """Makes the checksum of each game right, as far as the directory makes sense."""
    game, end = first, first
    while at < end and game <= last:
        size = shift = 0
        while at < end:
            size |= (data[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 0x80:
                break
        if at + 2 > end:
            return
        data[at : at + 2] = binascii.crc_hqx(bytes(data[game : game + size]), 0xFFFF).to_bytes(2, "little")
        game, at = game + size, at + 2


def repair_dense(data: bytearray) -> bytes:
    """Makes the SHA-256 of a network of floats right."""
    end = 12 + int.from_bytes(data[8:12], "little")
    at = data.find(_SHA256, 0, end) + len(_SHA256)
    if at >= len(_SHA256):
        data[at : at + 64] = hashlib.sha256(data[end:]).hexdigest().encode()
    return bytes(data)


def regzipped(original: bytes, random_: random.Random) -> bytes:
    """Alters what is inside a gzip file and packs it again."""
    return gzip.compress(mutated(gzip.decompress(original), random_, None), 1)


# --- The files --------------------------------------------------------------------------------------------------------


def make_sources(folder: Path, canary: str) -> dict[str, tuple[str, bytes, Reader, Repair | None]]:
    """Returns small files by format: a file's ending, its bytes, its reader and what repairs its checksums."""
    from philidor.games.chess import Chess
    from philidor.records import GameRecord, RecordWriter

    chess = Chess()
    game = GameRecord.from_moves(chess, ["f3", "e5", "g4", "Qh4#"], ratings=(900, 1100), source="Café")
    with RecordWriter(folder / "games.rec", chess, starts=["8/8/8/4k3/8/8/3QK3/8 w - - 0 1"]) as writer:
        for _ in range(3):
            writer.add(game)
    fens = "\n".join(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/8/4k3/8/8/3QK3/8 w - - 0 1"])
    recipe = 'game = "tictactoe"\ngenerations = 2\n[network]\npreset = "mlp"\nfilters = 8\n[rating]\npairs = 2\n'
    saved = {"version": 1, "game": "tictactoe", "start": ".../.../... X", "chess960": False, "moves": ["b2"]}
    saved |= {"person": 0, "opponent": {"name": "uct", "config": {"iterations": 5}}}
    named = saved | {"game": canary, "opponent": {"name": "net", "config": {"game": canary}}}
    pgn = (game.to_pgn() * 3).encode()
    return {
        "rec": (".rec", (folder / "games.rec").read_bytes(), read_records, repair_records),
        "pgn": (".pgn", pgn, read_pgn_games, None),
        "pgn.gz": (".pgn.gz", gzip.compress(pgn), read_pgn_games, None),
        "fen": (".fen", fens.encode(), read_fens, None),
        "recipe": (".toml", recipe.encode(), read_recipe_file, None),
        "recipe, code": (".toml", recipe.replace("tictactoe", canary).encode(), read_recipe_file, None),
        "saved game": (".json", json.dumps(saved).encode(), read_saved_game, None),
        "saved game, code": (".json", json.dumps(named).encode(), read_saved_game, None),
        **_networks(folder, canary),
    }


def _networks(folder: Path, canary: str) -> dict[str, tuple[str, bytes, Reader, Repair | None]]:
    import numpy as np

    sys.path.insert(0, str(Path(__file__).parents[1]))
    from philidor.nets.dense.files import save_dense
    from philidor.nets.leela.files import save_leela
    from philidor.nets.network_config import NetworkConfig, preset
    from philidor.nets.network_files import StoredNetwork, save_stored
    from philidor.nets.network_weights import weight_shapes
    from philidor.nets.nnue import save_network
    from tests.nets.dense_networks import made_up_giraffe
    from tests.nets.leela_nets import residual_net
    from tests.nets.networks import SHAPES, made_up
    from tests.nets.onnx_nets import tictactoe_net

    config = preset("2x32", "tictactoe", filters=4, blocks=1)
    shapes = weight_shapes(config, config.load_encoding().shape)
    arrays: dict[str, Any] = {name: np.full(shape, 0.01, np.float32) for name, shape in shapes.items()}
    fields = {name: getattr(config, name) for name in NetworkConfig.__dataclass_fields__ if name != "game"}
    save_stored(folder / "net.safetensors", StoredNetwork(config, arrays, {}))
    save_stored(folder / "code.safetensors", StoredNetwork(NetworkConfig(**fields, game=canary), arrays, {}))
    save_dense(made_up_giraffe(), folder / "net.phfl")
    save_leela(residual_net(), folder / "net.pb.gz")
    save_network(made_up(SHAPES["tiny"]), folder / "net.phnn")
    found = {
        name: (f".{name}", (folder / f"net.{name}").read_bytes()) for name in ("safetensors", "phfl", "pb.gz", "phnn")
    }
    found["safetensors, code"] = (".safetensors", (folder / "code.safetensors").read_bytes())
    found["onnx"] = (".onnx", tictactoe_net())
    found["onnx, code"] = (".onnx", tictactoe_net(canary))
    save_network(made_up(SHAPES["halfkp-256"]), folder / "net.nnue")
    # Twenty megabytes would take their time; what decides how they are read stands at their beginning.
    found["nnue, cut"] = (".nnue", (folder / "net.nnue").read_bytes()[: 1 << 16])
    repairs = {"phfl": repair_dense}
    return {name: (ending, data, read_net, repairs.get(name)) for name, (ending, data) in found.items()}


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


def check_line(error: PhilidorError) -> None:
    """Raises ValueError unless the message is one printable line of fewer than 300 characters."""
    text = str(error)
    if not text.isprintable() or len(text) >= 300:
        raise ValueError("a long message")


def outcome(read: Reader, path: Path) -> tuple[str, str]:
    """Reads a file; returns what came of it, and the error where that says more."""
    try:
        read(path)
    except PhilidorError as error:
        try:
            check_line(error)
        except ValueError:
            return "long", repr(str(error))
        return "typed", str(error)
    except MemoryError:
        return "memory", ""
    except Exception as error:
        return "untyped", f"{type(error).__name__}: {error}"[:200]
    return "loaded", ""


def work(connection: Connection, folder: Path, canary: str, mark: Path) -> None:
    """Reads altered files in a process of its own: takes (format, seeds) and answers after each file."""
    os.environ["XDG_DATA_HOME"] = str(folder)
    sources = make_sources(folder, canary)
    for name in sources:  # what the libraries need for themselves
        ending, data, read, _ = sources[name]
        path = folder / f"file{ending}"
        path.write_bytes(data)
        found, why = outcome(read, path)
        assert found == "loaded" or ", " in name, f"{name}: {why}"
    mark.unlink(missing_ok=True)
    resource.setrlimit(resource.RLIMIT_AS, (_virtual_bytes() + _GROWTH_BYTES, resource.RLIM_INFINITY))
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
