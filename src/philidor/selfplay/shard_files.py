"""One numbered file of a run's games: its name, the games in it, and a writer that goes on where it was left."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from philidor.core.game import AnyGame
from philidor.records import GameRecord, RecordReader, RecordWriter
from philidor.records.native import RecordBatch


def shard_path(folder: Path, number: int, prefix: str = "") -> Path:
    """Returns the file of this number; names sort as numbers do."""
    return folder / f"{prefix}{number:06d}.rec"


def games_in_file(path: Path, *, with_torn: bool = False) -> int:
    """Counts the games in whole blocks of a shard; 0 if it is not there.

    Those that are intact in a block that a kill has torn are counted `with_torn`: the next writer keeps them.
    """
    if not path.exists() or path.stat().st_size == 0:
        return 0
    with RecordReader(path) as reader:
        return len(reader) if with_torn else sum(block.games for block in reader.blocks if block.is_complete)


class ShardWriter:
    """Adds games to a shard, new or begun, and counts them. Use it in a `with` statement, or close it."""

    def __init__(self, path: Path, game: AnyGame | str) -> None:
        self._writer = RecordWriter(path, game, append=True)
        # Not before: opening a file that a kill has torn mends it.
        self.games = games_in_file(path)
        """Games in the file, those included that are not safe yet."""

    def add(self, record: GameRecord) -> None:
        """Adds a game, which is safe after the next `flush` and when the file is closed."""
        self._writer.add(record)
        self.games += 1

    def add_batch(self, batch: RecordBatch) -> None:
        """Adds games in bulk, as `add` does."""
        self._writer.add_batch(batch)
        self.games += len(batch)

    def flush(self) -> None:
        """Makes sure that all games are on the disk."""
        self._writer.flush()

    def close(self) -> None:
        """Closes the file."""
        self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.__exit__(kind, error, trace)
