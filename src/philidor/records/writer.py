"""Writes `.rec` files: new ones appear only when whole, old ones are appended to and mended (docs/records.md)."""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from philidor.core.errors import RecordError
from philidor.core.game import AnyGame
from philidor.core.runs import naming
from philidor.games import load_game
from philidor.records.native import RecordBatch, RecordBlockBuilder, to_native
from philidor.records.reader import RecordReader
from philidor.records.record import GameRecord


def move_width(game: AnyGame) -> int:
    """Bytes that the number of a legal move takes: one where no position can have more than 256 moves."""
    # Chess has at most 218 legal moves in any position, far less than its actions.
    return 1 if game.name == "chess" or game.action_count <= 256 else 2


class RecordWriter:
    """Writes games of one kind to a file. Use it in a `with` statement.

    A new file is written under the name `FILE.tmp` and gets its own name when the writer is closed: whoever sees the
    name sees the whole file, and an error inside the `with` statement leaves no file behind.

    With `append` games are added to the file itself (which is made if it is not there). Whole blocks are safe from
    the moment `flush` returns; a block that a crash cut off is mended by the next writer that appends.

    `starts` are positions that many games begin from, such as an opening book's: games then name them by number.
    `width` is how many bytes a move takes; it follows from the game.
    """

    def __init__(
        self,
        path: str | Path,
        game: AnyGame | str = "chess",
        *,
        starts: Sequence[str] = (),
        append: bool = False,
        width: int | None = None,
    ) -> None:
        self.path = Path(path)
        self.game = game if isinstance(game, str) else game.name
        self.games = 0
        """Games added by this writer."""
        self.mended = 0
        """Games saved from a block that was cut off."""
        self._is_append = append
        self._target = self.path if append else self.path.with_name(self.path.name + ".tmp")
        self._is_closed = False
        if width is None:
            width = move_width(load_game(game) if isinstance(game, str) else game)
        try:
            self._builder = RecordBlockBuilder(self.game, width, list(starts))
        except ValueError as error:
            raise RecordError(str(error)) from None
        try:
            self._open()
        except OSError as error:
            raise RecordError(f"cannot write {str(self._target)!r}: {error.strerror}") from error

    def _open(self) -> None:
        # Opened without emptying it: another writer may be at work on it.
        descriptor = os.open(self._target, os.O_RDWR | os.O_CREAT, 0o666)
        self._file = self._lock(os.fdopen(descriptor, "r+b"))
        header = self._builder.header()
        found = self._file.read(len(header)) if self._is_append else b""
        # A crash may have left a piece of the header; no game can be lost with it.
        is_new = len(found) < len(header) and header.startswith(found)
        try:
            self._begin(header) if is_new else self._mend()
        except BaseException:
            if is_new:
                self._target.unlink(missing_ok=True)
            self._file.close()  # last, as it tries to write once more what a full disk had no room for
            raise

    def _begin(self, header: bytes) -> None:
        self._file.seek(0)
        self._file.truncate(0)
        self._file.write(header)
        self._file.flush()

    def _mend(self) -> None:
        """Cuts off what a crash left behind the last whole block and writes its intact games again."""
        with RecordReader(self.path) as reader:
            if reader.game != self.game:
                raise RecordError(f"{str(self.path)!r} has games of {reader.game}, not {self.game}")
            self._builder = RecordBlockBuilder(reader.game, reader.move_width, reader.starts)
            last = reader.blocks[-1] if reader.blocks else None
            end = reader.first_block if last is None else last.offset + last.size
            saved = RecordBatch()
            if last is not None and not last.is_complete:
                saved, end = reader.read_block(last), last.offset
        self._file.truncate(end)
        self._file.seek(end)
        self.mended = len(saved)
        self._file.write(self._builder.add_batch(saved))
        if self.mended:
            self.flush()

    def _lock(self, file: BinaryIO) -> BinaryIO:
        try:
            import fcntl
        except ImportError:  # pragma: no cover - Windows: no two writers, on trust
            return file
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise RecordError(f"another program is writing {str(self.path)!r}") from None
        return file

    def add(self, game: GameRecord) -> None:
        """Adds one game. Raises RecordError if it does not fit the format; the file is as it was, then."""
        try:
            self._builder.add(to_native(game))
        except ValueError as error:
            raise RecordError(str(error)) from None
        self.games += 1
        if self._builder.is_full:
            self._write(self._builder.finish())

    def add_batch(self, batch: RecordBatch) -> None:
        """Adds games in bulk."""
        self._write(self._builder.add_batch(batch))
        self.games += len(batch)

    def flush(self) -> None:
        """Closes the block at hand and makes sure that it is on the disk."""
        self._write(self._builder.finish())
        with naming(self.path):
            self._file.flush()
            os.fsync(self._file.fileno())

    def _write(self, data: bytes) -> None:
        with naming(self.path):
            self._file.write(data)

    def close(self) -> None:
        """Writes what is left; a new file gets its name."""
        if self._is_closed:
            return
        self.flush()
        if not self._is_append:
            self._target.replace(self.path)
            _sync_folder(self.path.parent)
        self._file.close()
        self._is_closed = True

    def abort(self) -> None:
        """Gives a new file up; what was appended to an old one stays."""
        if self._is_closed:
            return
        if self._is_append:
            self.close()
            return
        self._target.unlink(missing_ok=True)
        self._is_closed = True
        with contextlib.suppress(OSError):  # it tries to write once more what a full disk had no room for
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.abort()
            return
        try:
            self.close()
        except OSError:
            if not self._is_append:
                self.abort()
            raise


def _sync_folder(folder: Path) -> None:
    """Makes a renaming last through a power cut, where the system allows it."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # pragma: no cover - Windows
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
