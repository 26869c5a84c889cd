"""PGN with full legality: games per second of the native reader, against python-chess on the same games.

    python benchmarks/pgn.py [--json] [FILE.pgn[.gz|.zst]]

Without a file it takes the human games of PHILIDOR_SHARED, or makes some of random moves. One thread; seconds are of
CPU time, so that a busy machine does not spoil the numbers, with wall time beside them.
"""

import argparse
import io
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from philidor.records import PgnSource, RecordReader, RecordWriter
from philidor.records.native import PgnReader
from philidor.records.streams import read_chunks

PYTHON_CHESS_GAMES = 300


@dataclass
class Timing:
    """How long something took."""

    games: int
    cpu_s: float
    wall_s: float

    def as_dict(self) -> dict[str, float]:
        """For JSON."""
        speed = round(self.games / self.cpu_s) if self.cpu_s else 0
        return {"games": self.games, "games_per_second": speed, "cpu_s": self.cpu_s, "wall_s": self.wall_s}


def timed(work: Callable[[], int]) -> Timing:
    """Times a function that returns how many games it worked on."""
    cpu, wall = time.process_time(), time.perf_counter()
    games = work()
    return Timing(games, time.process_time() - cpu, time.perf_counter() - wall)


def random_games(count: int) -> Iterator[str]:
    """Games for machines without a database."""
    from philidor.games.chess import Chess, Move
    from philidor.records import GameRecord

    generator = random.Random(0)
    for _ in range(count):
        state = Chess().state()
        moves: list[Move] = []
        while not state.is_over() and len(moves) < 80:
            moves.append(generator.choice(state.legal_moves()))
            state = state.play(moves[-1])
        yield GameRecord.from_moves(Chess(), moves).to_pgn()


def find_input(argument: Path | None, folder: Path) -> Path:
    """The file to read."""
    if argument is not None:
        return argument
    shared = os.environ.get("PHILIDOR_SHARED")
    if shared:
        return Path(shared, "data/games/human_otb_rated.pgn.zst")
    path = folder / "random.pgn"
    path.write_text("".join(random_games(2000)), encoding="utf-8")
    return path


def read_all(chunks: list[bytes]) -> int:
    """Parses text that is in memory already."""
    reader = PgnReader(False, True, ["Date", "White", "Black"])
    return sum(len(reader.feed(chunk)) for chunk in chunks) + len(reader.finish())


def convert(path: Path, output: Path) -> int:
    """What `philidor data pgn` does: decompress, parse, write."""
    source = PgnSource([path])
    with RecordWriter(output) as writer:
        for batch in source.batches():
            writer.add_batch(batch)
    return source.games


def read_records(path: Path) -> int:
    """Decodes every game of a record file."""
    with RecordReader(path) as reader:
        return sum(len(batch) for batch in reader.batches())


def replay_records(path: Path) -> int:
    """Decodes every game and plays all its moves."""
    with RecordReader(path) as reader:
        return sum(batch.replay() for batch in reader.batches())


def python_chess(text: bytes) -> int:
    """The field's library on the first games."""
    import chess.pgn

    stream = io.StringIO(text.decode("utf-8", "replace"))
    games = 0
    while games < PYTHON_CHESS_GAMES and chess.pgn.read_game(stream) is not None:
        games += 1
    return games


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="Measures the PGN reader and the record format.")
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = find_input(arguments.file, Path(folder))
        output = Path(folder, "games.rec")
        chunks = [chunk for chunk, _ in read_chunks(path)]
        timings = {
            "parse (text in memory)": timed(lambda: read_all(chunks)),
            "decompress, parse, write .rec": timed(lambda: convert(path, output)),
            "read .rec": timed(lambda: read_records(output)),
            "read .rec and play every move": timed(lambda: replay_records(output)),
            "python-chess": timed(lambda: python_chess(b"".join(chunks[:2]))),
        }
        size = output.stat().st_size
    parse, peer = timings["parse (text in memory)"], timings["python-chess"]
    ratio = (parse.games / parse.cpu_s) / (peer.games / peer.cpu_s)
    if arguments.json:
        result = {name: timing.as_dict() for name, timing in timings.items()}
        print(json.dumps({"file": path.name, "rec_bytes": size, "ratio_to_python_chess": ratio, **result}))
        return 0
    print(f"{path.name}: {parse.games:,} games, {sum(map(len, chunks)):,} bytes of text, {size:,} bytes of .rec")
    for name, timing in timings.items():
        seconds = f"{timing.cpu_s:.2f} s CPU, {timing.wall_s:.2f} s wall"
        print(f"{name:32} {timing.games / timing.cpu_s:12,.0f} games/s  ({seconds})")
    print(f"{ratio:.0f} times python-chess")
    return 0


if __name__ == "__main__":
    sys.exit(main())
