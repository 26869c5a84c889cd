"""Reads `.rec` files: in order, by number, and what is left of damaged ones (docs/records.md has the format)."""

from __future__ import annotations

import logging
import mmap
import operator
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self, SupportsIndex, overload

from philidor.core.errors import ArgumentError, RecordError
from philidor.records.native import (
    RecordBatch,
    decode_record_block,
    from_native,
    read_record_header,
    scan_record_blocks,
)
from philidor.records.record import GameRecord

if TYPE_CHECKING:
    from philidor.records.columns import Columns

_log = logging.getLogger(__name__)


class Block(NamedTuple):
    """Where a block stands in the file and what it still holds."""

    offset: int
    size: int
    declared: int
    """How many games were written."""
    games: int
    """How many of them are intact."""
    is_complete: bool
    """The file does not end inside the block."""
    is_intact: bool


@dataclass(frozen=True, slots=True)
class Losses:
    """What a damaged or cut-off file has lost; false if that is nothing."""

    games: int = 0
    """Games known to be missing from blocks that were hit."""
    damaged_blocks: int = 0
    stray_bytes: int = 0
    """Bytes that belong to no block: further games may have stood there."""
    header: str | None = None
    """What is wrong with the file's header."""

    def __bool__(self) -> bool:
        return bool(self.damaged_blocks or self.stray_bytes or self.header)

    def __str__(self) -> str:
        parts = [self.header] if self.header else []
        if self.damaged_blocks:
            parts.append(f"{self.games} games lost in {self.damaged_blocks} damaged blocks")
        if self.stray_bytes:
            parts.append(f"{self.stray_bytes} bytes that belong to no block")
        return "; ".join(parts) or "nothing lost"


def map_file(path: Path) -> mmap.mmap:
    """Maps a file into memory; raises RecordError."""
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except ValueError:
        raise RecordError(f"{str(path)!r} is empty, not a .rec file") from None
    except OSError as error:
        raise RecordError(f"cannot read {str(path)!r}: {error.strerror}") from None


class RecordReader:
    """The games of a `.rec` file as a sequence. Games that were damaged are left out; `losses` says what is missing.

    `game` is the name to assume if the file's header is damaged; without it such a file is refused.
    """

    def __init__(self, path: str | Path, *, game: str | None = None) -> None:
        if not isinstance(path, str | Path):
            raise ArgumentError("the path of a .rec file", path)
        self.path = Path(path)
        self._file = map_file(self.path)
        try:
            name, self.move_width, self.starts, first_block, error_text = read_record_header(self._file)
        except UnicodeDecodeError:
            self._file.close()
            raise RecordError(f"{str(path)!r}: the header has a text that is not UTF-8") from None
        # Only a header that is damaged can be done without: a later version's blocks may mean something else.
        can_do_without = first_block == 0 and game is not None and bool(scan_record_blocks(self._file, 0, 1)[0])
        if error_text and not can_do_without:
            self._file.close()
            raise RecordError(f"{str(path)!r}: {error_text}")
        self.game: str = name if not error_text else str(game)
        """The name of the game that was played, as `load_game` reads it."""
        self._header_error = error_text or None
        self.first_block = first_block
        """Where the header ends."""
        found, stray = scan_record_blocks(self._file, first_block)
        self.blocks = [Block(*facts) for facts in found]
        self._stray_bytes = sum(size for _, size in stray)
        if error_text and self.blocks:
            self.move_width = self._move_width_of_first_block()
        self._ends = list(accumulate(block.games for block in self.blocks))

    def _move_width_of_first_block(self) -> int:
        return self._file[self.blocks[0].offset + 4]

    @property
    def losses(self) -> Losses:
        """What is missing from the file."""
        damaged = [block for block in self.blocks if not block.is_intact]
        lost = sum(block.declared - block.games for block in damaged)
        # The header's own bytes are no block's, but they are accounted for by its message.
        stray = self._stray_bytes - (self.blocks[0].offset if self._header_error and self.blocks else 0)
        return Losses(lost, len(damaged), stray, self._header_error)

    def warn_of_losses(self) -> None:
        """Logs what is missing, for those who go on with the rest."""
        if losses := self.losses:
            _log.warning("%s: %s; the other games are used", self.path, losses)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {str(self.path)!r}: {len(self):,} games of {self.game}>"

    @overload
    def __getitem__(self, index: SupportsIndex) -> GameRecord: ...
    @overload
    def __getitem__(self, index: slice) -> list[GameRecord]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> GameRecord | list[GameRecord]:
        if isinstance(index, slice):
            return self._games(range(len(self))[index])
        try:
            place = operator.index(index)
        except TypeError:
            raise ArgumentError("the number of a game, or a slice", index) from None
        if not -len(self) <= place < len(self):
            raise IndexError(f"no game {place} in {str(self.path)!r}, which has {len(self)}")
        return self._games([place % len(self)])[0]

    def _games(self, places: Iterable[int]) -> list[GameRecord]:
        """Returns games by number; neighbors are decoded together."""
        found = []
        for number, group in groupby(places, lambda place: bisect_right(self._ends, place)):
            block = self.blocks[number]
            batch = self.read_block(block)
            if len(batch) != block.games:
                raise RecordError(f"{str(self.path)!r}: a game of the block at byte {block.offset} cannot be decoded")
            first = self._ends[number] - block.games
            found += [from_native(batch[place - first]) for place in group]
        return found

    def columns(self) -> Columns:
        """Returns all games as numpy arrays."""
        from philidor.records.columns import columns_of

        return columns_of(self.batches())

    def batches(self) -> Iterator[RecordBatch]:
        """Yields the games in bulk, in order."""
        for block in self.blocks:
            if block.games:
                yield self.read_block(block)

    def __iter__(self) -> Iterator[GameRecord]:
        for batch in self.batches():
            for index in range(len(batch)):
                yield from_native(batch[index])

    def read_block(self, block: Block) -> RecordBatch:
        """Returns the intact games of one of `blocks`."""
        return decode_record_block(self._file, block.offset, self.starts)

    def close(self) -> None:
        """Lets go of the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
