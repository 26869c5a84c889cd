"""Bytes of a network file, plain or packed with zstd, taken piece by piece and never more than asked for."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
import numpy.typing as npt

from philidor.core.errors import NetError

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_CHUNK_BYTES = 1 << 20
# A network is tens of megabytes; a frame that wants a larger window than this is no network.
_MAX_WINDOW_BYTES = 1 << 27
# What unpacks to more than this and the file's own size was made to fill the memory.
_UNPACKED_BYTES = 1 << 28


class Source:
    """Reads forward and says what was missing where the file ended too early."""

    def __init__(self, stream: IO[bytes], name: str, most: int) -> None:
        """`most` is how many bytes there may be, plain ones."""
        self._stream = stream
        self._name = name
        self._most = most
        self.position = 0

    def error(self, problem: str) -> NetError:
        """Returns an error that names the file."""
        return NetError(f"{self._name}: {problem}")

    def take(self, count: int, what: str) -> bytes:
        """Returns the next `count` bytes; they are held only as far as the file really goes."""
        if self.position + count > self._most:
            raise self.error(f"{what} should be {count:,} bytes, the whole network can have {self._most:,}")
        parts, missing = [], count
        while missing:
            part = self._read(min(missing, _CHUNK_BYTES))
            if not part:
                raise self.error(f"cut off: {what} should be {count} bytes, the file ends after {count - missing}")
            parts.append(part)
            missing -= len(part)
        self.position += count
        return b"".join(parts)

    def take_u32(self, what: str) -> int:
        """Returns a little-endian number."""
        number: int = struct.unpack("<I", self.take(4, what))[0]
        return number

    def take_array(self, dtype: str, shape: tuple[int, ...], what: str) -> npt.NDArray[Any]:
        """Returns a little-endian array of numpy's kind, such as "i2" or "f4", in this machine's byte order."""
        kind = np.dtype(f"<{dtype}")
        data = self.take(kind.itemsize * int(np.prod(shape)), what)
        return np.frombuffer(data, kind).reshape(shape).astype(kind.newbyteorder("="))

    def expect_end(self) -> None:
        """Raises NetError if there is more."""
        if self._read(1):
            raise self.error(f"has more bytes behind the network, which ends at byte {self.position}")

    def _read(self, count: int) -> bytes:
        try:
            return self._stream.read(count)
        except Exception as error:  # zstandard has an error type of its own, disks have others
            raise self.error(f"cannot be read behind byte {self.position}: {error}") from None


@contextmanager
def open_source(path: Path) -> Iterator[Source]:
    """Opens a file; zstd is told by the first bytes, not by the name. Raises NetError."""
    with ExitStack() as stack:
        try:
            raw: IO[bytes] = stack.enter_context(path.open("rb"))
            magic = raw.read(4)
            size = raw.seek(0, io.SEEK_END)
            raw.seek(0)
        except OSError as error:
            raise NetError(f"cannot read {str(path)!r}: {error.strerror}") from None
        most = max(size, _UNPACKED_BYTES)
        if magic == ZSTD_MAGIC:
            most = size + _UNPACKED_BYTES
            import zstandard

            decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW_BYTES)
            raw = cast(IO[bytes], stack.enter_context(decompressor.stream_reader(raw, read_across_frames=True)))
        yield Source(raw, repr(str(path)), most)
