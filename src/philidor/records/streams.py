"""Reads files that may be compressed: gzip, bzip2, xz, zip and zstd, told by their first bytes, not by their name."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from io import BufferedReader
from pathlib import Path
from typing import IO, BinaryIO, cast

from philidor.core.errors import PgnError

# Databases are packed with `zstd --long`, up to a window of 2 GB; without this the library stops at 128 MB.
_MAX_ZSTD_WINDOW = 1 << 31
_CHUNK_BYTES = 1 << 20
_ZSTD_CHUNK_BYTES = 1 << 17  # of packed bytes: they become several times as many


def read_chunks(path: Path) -> Iterator[tuple[bytes, int]]:
    """Yields the plain bytes in pieces, each with how far the file itself was read; "-" is standard input.

    Raises PgnError if the file cannot be read or ends too early.
    """
    with ExitStack() as stack:
        if str(path) == "-":
            raw: BinaryIO = sys.stdin.buffer
            magic = cast(BufferedReader, raw).peek(6)
        else:
            try:
                raw = stack.enter_context(path.open("rb"))
                magic = raw.read(6)
                raw.seek(0)
            except OSError as error:
                raise PgnError(f"cannot read {str(path)!r}: {error.strerror}") from None
        done = 0
        try:
            for chunk in _plain_chunks(raw, magic):
                done += len(chunk)
                yield chunk, raw.tell() if raw.seekable() else done
        except PgnError as error:
            raise PgnError(f"{str(path)!r}: {error}") from None


def _plain_chunks(raw: BinaryIO, magic: bytes) -> Iterator[bytes]:
    done = 0
    try:
        is_zstd = magic.startswith(b"\x28\xb5\x2f\xfd")
        for chunk in _zstd_chunks(raw) if is_zstd else _stream_chunks(_opened(raw, magic)):
            done += len(chunk)
            yield chunk
    except PgnError:
        raise
    except Exception as error:
        # Each library has error types of its own.
        raise PgnError(f"damaged behind byte {done} of its text: {error}") from None


def _stream_chunks(stream: IO[bytes]) -> Iterator[bytes]:
    while chunk := stream.read(_CHUNK_BYTES):
        yield chunk


def _zstd_chunks(raw: BinaryIO) -> Iterator[bytes]:
    # The library's own stream ends without a word where the file was cut off.
    import zstandard

    decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_ZSTD_WINDOW)
    frame, packed = decompressor.decompressobj(), raw.read(_ZSTD_CHUNK_BYTES)
    while packed:
        if plain := frame.decompress(packed):
            yield plain
        packed = frame.unused_data if frame.eof else b""
        is_complete = frame.eof and not packed
        if frame.eof:
            frame = decompressor.decompressobj()
        packed = packed or raw.read(_ZSTD_CHUNK_BYTES)
        if not packed and not is_complete:
            raise EOFError("the file ends inside of compressed data")


def _opened(raw: BinaryIO, magic: bytes) -> IO[bytes]:
    if magic.startswith(b"\x1f\x8b"):
        import gzip

        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if magic.startswith(b"BZh"):
        import bz2

        return bz2.BZ2File(raw)
    if magic.startswith(b"\xfd7zXZ"):
        import lzma

        return lzma.LZMAFile(raw)
    if magic.startswith(b"PK\x03\x04"):
        return _only_game_file(raw)
    return raw


def _only_game_file(raw: BinaryIO) -> IO[bytes]:
    import zipfile

    archive = zipfile.ZipFile(raw)
    names = [name for name in archive.namelist() if name.lower().endswith((".pgn", ".epd"))]
    if len(names) != 1:
        raise PgnError(f"a zip file must hold exactly one .pgn or .epd, this one has {len(names)}")
    return archive.open(names[0])
