"""Reads files that may be compressed: gzip, bzip2, xz, zip and zstd, told by their first bytes, not by their name."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from io import SEEK_END, BufferedReader
from pathlib import Path
from typing import IO, BinaryIO, cast

from philidor.core.errors import PgnError

# Databases are packed with `zstd --long`, up to a window of 2 GB; without this the library stops at 128 MB.
_MAX_ZSTD_WINDOW = 1 << 31
_CHUNK_BYTES = 1 << 20
# Packed bytes to unpack at a time: they become a few times as many, or 128 MB in a file made to fill the memory.
_ZSTD_CHUNK_BYTES = 1 << 12
# A window is held in memory, and so is the dictionary of xz: more than this and four times the file is not for it.
_WINDOW_BYTES = 1 << 29


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
        for chunk in _unpacked_chunks(raw, magic):
            done += len(chunk)
            yield chunk
    except PgnError:
        raise
    except Exception as error:
        # Each library has error types of its own.
        raise PgnError(f"damaged behind byte {done} of its text: {error}") from None


def _unpacked_chunks(raw: BinaryIO, magic: bytes) -> Iterator[bytes]:
    if magic.startswith(b"\x28\xb5\x2f\xfd"):
        return _zstd_chunks(raw)
    return _xz_chunks(raw) if magic.startswith(b"\xfd7zXZ") else _stream_chunks(_opened(raw, magic))


def _stream_chunks(stream: IO[bytes]) -> Iterator[bytes]:
    while chunk := stream.read(_CHUNK_BYTES):
        yield chunk


def _zstd_chunks(raw: BinaryIO) -> Iterator[bytes]:
    # The library's own stream ends without a word where the file was cut off.
    import zstandard

    decompressor = zstandard.ZstdDecompressor(max_window_size=min(_MAX_ZSTD_WINDOW, _window_for(raw)))
    frame, packed = decompressor.decompressobj(), raw.read(_ZSTD_CHUNK_BYTES)
    parts: list[bytes] = []
    while packed:
        parts.append(frame.decompress(packed))
        if sum(map(len, parts)) >= _CHUNK_BYTES:
            yield b"".join(parts)
            parts = []
        packed = frame.unused_data if frame.eof else b""
        is_complete = frame.eof and not packed
        if frame.eof:
            frame = decompressor.decompressobj()
        packed = packed or raw.read(_ZSTD_CHUNK_BYTES)
        if not packed and parts:
            yield b"".join(parts)
        if not packed and not is_complete:
            raise EOFError("the file ends inside of compressed data")


def _window_for(raw: BinaryIO) -> int:
    """Returns how much memory unpacking may take: for a file as it is large, for standard input as databases need."""
    if not raw.seekable():
        return _MAX_ZSTD_WINDOW
    here = raw.tell()
    size = raw.seek(0, SEEK_END)
    raw.seek(here)
    return _WINDOW_BYTES + 4 * size


def _xz_chunks(raw: BinaryIO) -> Iterator[bytes]:
    """Unpacks xz by hand: the library's own stream has no limit for the memory that a file may ask for."""
    import lzma

    limit = _window_for(raw)
    packed = raw.read(_CHUNK_BYTES)
    while packed:
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=limit)
        while not stream.eof:
            if stream.needs_input and not packed and not (packed := raw.read(_CHUNK_BYTES)):
                raise EOFError("the file ends inside of compressed data")
            if plain := stream.decompress(packed, _CHUNK_BYTES):
                yield plain
            packed = b""
        # Several streams may stand one behind the other, with zeros between them.
        packed = stream.unused_data.lstrip(b"\0")
        while not packed and (more := raw.read(_CHUNK_BYTES)):
            packed = more.lstrip(b"\0")


def _opened(raw: BinaryIO, magic: bytes) -> IO[bytes]:
    if magic.startswith(b"\x1f\x8b"):
        import gzip

        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if magic.startswith(b"BZh"):
        import bz2

        return bz2.BZ2File(raw)
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
