"""Positions to train NNUE networks on, from scored games to shuffled batches (book, ch. 4.6.3).

The games are replayed once, in C++; what the filter lets through is kept in memory at 32 bytes a position, or stays in
files of positions (train/position_files.py), which may be larger than the memory. Whole games are trained on or held
out, by the hash of their moves, so that no held-out position has a neighbor among the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from philidor.core.config import real, spin, validate
from philidor.core.errors import ConfigError
from philidor.core.native_settings import fill
from philidor.records import PgnSource, RecordReader
from philidor.train.native import BatchMaker, NativeFilter, PositionSet
from philidor.train.position_files import SUFFIX, borrow_positions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.nets.nnue import Architecture
    from philidor.records.native import RecordBatch

_FILE_BLOCK = 1024
MAX_INPUTS = 32
"""Inputs that a view can have: one for each piece."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionFilter:
    """Which positions of a game are worth learning from."""

    skip_plies: int = field(default=8, metadata=spin(None, 0))
    """Plies at the start of each game to leave out."""
    max_score: int = field(default=2_500, metadata=spin(None, 1, 30_000))
    """Largest score (centipawns) to learn from; positions beyond it are decided and teach little."""
    only_quiet: bool = True
    """Leave out checks, and positions in which the move played is a capture, a promotion or a check."""
    needs_scores: bool = True
    """Leave out positions without a score; they are as good as others when only results are learned."""
    keep: float = field(default=1.0, metadata=real(None, 0.0, 1.0))
    """Share of the remaining positions to keep, for more games than fit into memory."""
    held_out: float = field(default=0.02, metadata=real(None, 0.0, 0.5))
    """Share of the games held out to judge the network by."""
    seed: int = field(default=1, metadata=spin(None, 0))
    """Seed of what is held out and kept."""

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Positions as a network sees them; the first axis is the position."""

    own: NDArray[np.int32]  # [n, MAX_INPUTS]
    """Inputs in the side to move's view; the rest is `padding`."""
    theirs: NDArray[np.int32]  # [n, MAX_INPUTS]
    """The same in the other side's view."""
    bucket: NDArray[np.uint8]  # [n]
    """Which set of layers judges the position."""
    score: NDArray[np.float32]  # [n]
    """Centipawns, in the side to move's view."""
    result: NDArray[np.float32]  # [n]
    """0, 0.5 or 1 for the side to move; negative for a stray, of which the game's result says nothing."""

    def __len__(self) -> int:
        return len(self.score)

    def parts(self, size: int) -> Iterator[Batch]:
        """Yields pieces of at most so many positions."""
        for at in range(0, len(self), size):
            end = at + size
            own, theirs, bucket = self.own[at:end], self.theirs[at:end], self.bucket[at:end]
            yield Batch(own, theirs, bucket, self.score[at:end], self.result[at:end])

    @classmethod
    def empty(cls, size: int) -> Batch:
        """Makes room for a batch."""
        return cls(
            np.empty((size, MAX_INPUTS), np.int32),
            np.empty((size, MAX_INPUTS), np.int32),
            np.empty(size, np.uint8),
            np.empty(size, np.float32),
            np.empty(size, np.float32),
        )


class TrainingPositions:
    """All positions of some games: those to train on, and those held out."""

    def __init__(self, filter_: PositionFilter | None = None, *, strays: int = 0, stray_plies: int = 1) -> None:
        """`strays` positions a ply lie up to `stray_plies` random moves away from the game, and have no score."""
        self.filter = filter_ or PositionFilter()
        self._strays = {"strays": strays, "stray_plies": stray_plies}
        self.train = self._set(self.filter.held_out, 1.0)
        self.held_out = self._set(0.0, self.filter.held_out)
        self.broken_games = 0

    def _set(self, from_share: float, to_share: float) -> PositionSet:
        return PositionSet(fill(NativeFilter(), self.filter, from_share=from_share, to_share=to_share, **self._strays))

    def read(self, paths: Iterable[Path], *, threads: int = 1) -> Iterator[int]:
        """Takes the games of files (.rec, or PGN with scores) and files of positions; yields the number of positions.

        Raises ConfigError if there is nothing to learn from, RecordError and PgnError.
        """
        for path in map(Path, paths):
            if path.suffix == SUFFIX:
                borrow_positions(path, self.train, self.held_out, threads)
                yield len(self)
                continue
            for batch in game_batches(path):
                self.add(batch, threads)
                yield len(self)
        if len(self.train) == 0:
            needed = "results and scores" if self.filter.needs_scores else "results"
            raise ConfigError(f"no position to learn from: the games need {needed}")

    def add(self, batch: RecordBatch, threads: int = 1) -> None:
        """Takes the positions of some games."""
        self.broken_games += self.train.add(batch, threads)
        self.held_out.add(batch, threads)

    def __len__(self) -> int:
        return len(self.train) + len(self.held_out)


def check_games(paths: Iterable[Path]) -> None:
    """Refuses files that `TrainingPositions` cannot read, before work begins that needs them later.

    Raises ConfigError, RecordError, PgnError, OSError.
    """
    for path in paths:
        if path.suffix == ".rec":
            _open_records(path).close()
        elif path.suffix == SUFFIX:
            borrow_positions(path, PositionSet(NativeFilter()), PositionSet(NativeFilter()))
        else:
            next(PgnSource([path], tags=()).batches(), None)


def game_batches(path: Path) -> Iterator[RecordBatch]:
    """Yields the games of a file, .rec or PGN, in bulk. Raises ConfigError, RecordError, PgnError."""
    if path.suffix != ".rec":
        yield from PgnSource([path], tags=()).batches()
        return
    with _open_records(path) as reader:
        reader.warn_of_losses()
        yield from reader.batches()


def _open_records(path: Path) -> RecordReader:
    reader = RecordReader(path)
    if reader.game != "chess":
        reader.close()
        raise ConfigError(f"{str(path)!r} has games of {reader.game}, not chess")
    return reader


class Batches:
    """Shuffled batches of a set, made by threads while the last ones are trained on."""

    def __init__(
        self,
        positions: PositionSet,
        architecture: Architecture,
        size: int,
        *,
        threads: int = 1,
        room: Callable[[int], Batch] = Batch.empty,
    ) -> None:
        """`room` makes the arrays that a batch of so many positions goes into."""
        features = architecture.features
        self._positions = positions
        self._size = size
        self._threads = threads
        self._room = room
        # Files are shuffled by themselves, and neighbors share a page of the disk.
        self._block = _FILE_BLOCK if positions.borrowed == len(positions) else 1
        self._orders: dict[int, Future[NDArray[np.uint32]]] = {}
        self._maker = BatchMaker(
            buckets=list(features.buckets),
            black_mask=features.orientation.mask,
            is_mirrored=features.is_mirrored,
            has_kings=features.has_kings,
            spare=features.spare,
            output_buckets=architecture.output_buckets,
        )

    @property
    def padding(self) -> int:
        """What stands where a position has no further input."""
        return self._maker.padding

    def epoch(self, seed: int, *, first: int = 0, ahead: int = 4) -> Iterator[Batch]:
        """Yields every position once, in an order of its own for each seed; the last batch may be smaller.

        `first` batches are left out. The order for the next seed is drawn meanwhile: for tens of millions of
        positions that takes seconds, in which a GPU would wait.
        """
        total = len(self._positions)
        with ThreadPoolExecutor(1) as pool:
            order = self._orders.pop(seed, None)
            blocks = order.result() if order is not None else self._order(seed)
            self._orders = {seed + 1: pool.submit(self._order, seed + 1)}
            starts = range(first * self._size, total, self._size)
            yield from self._stream((self._chosen(blocks, at, min(at + self._size, total)) for at in starts), ahead)

    def _order(self, seed: int) -> NDArray[np.uint32]:
        """Draws the order of the blocks; one that is not full comes last, so that all others begin where it is easy."""
        full, rest = divmod(len(self._positions), self._block)
        order = np.arange(full + (rest > 0), dtype=np.uint32)
        np.random.default_rng(seed).shuffle(order[:full])
        return order

    def _chosen(self, blocks: NDArray[np.uint32], begin: int, end: int) -> NDArray[np.uint32]:
        """Returns the positions that stand from `begin` to `end` in the order of these blocks."""
        if self._block == 1:
            return blocks[begin:end]
        places = np.arange(begin, end)
        return (blocks[places // self._block].astype(np.int64) * self._block + places % self._block).astype(np.uint32)

    def in_order(self, *, ahead: int = 4) -> Iterator[Batch]:
        """Yields every position once, unshuffled."""
        total = len(self._positions)
        starts = range(0, total, self._size)
        yield from self._stream((np.arange(at, min(at + self._size, total), dtype=np.uint32) for at in starts), ahead)

    def _stream(self, parts: Iterator[NDArray[np.uint32]], ahead: int) -> Iterator[Batch]:
        with ThreadPoolExecutor(1) as pool:
            waiting: deque[Future[Batch]] = deque()
            for part in parts:
                waiting.append(pool.submit(self.make, part))
                if len(waiting) > ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    def make(self, indices: NDArray[np.uint32]) -> Batch:
        """Makes the batch of these positions."""
        batch = self._room(len(indices))
        self._maker.fill(
            self._positions,
            indices,
            batch.own,
            batch.theirs,
            batch.bucket,
            batch.score,
            batch.result,
            self._threads,
        )
        return batch
