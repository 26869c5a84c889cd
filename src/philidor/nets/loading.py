"""Tells the formats of network files apart by their content, whatever their names say."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO

from philidor.core.errors import NetError
from philidor.nets.magic import DENSE, is_leela, is_nnue, is_safetensors

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_PEEK_BYTES = 64


class NetFormat(StrEnum):
    """The formats that are known."""

    NNUE = "nnue"
    LEELA = "leela"
    ONNX = "onnx"
    OWN = "philidor"
    """A network of our own: safetensors with the config inside."""
    DENSE = "dense"
    """A small network of floats: philidor's .phfl."""


def net_format(path: str | Path) -> NetFormat:
    """Returns the format of a network file, packed with gzip or zstd or not. Raises NetError."""
    with open_net(path) as file:
        return format_of_file(file, path)


@contextmanager
def open_net(path: str | Path) -> Iterator[IO[bytes]]:
    """Opens a network file. Raises NetError."""
    try:
        with Path(path).open("rb") as file:
            yield file
    except FileNotFoundError:
        raise NetError(f"there is no network {str(path)!r}") from None
    except (OSError, EOFError, zlib.error) as error:
        raise NetError(f"cannot read {str(path)!r}: {getattr(error, 'strerror', None) or error}") from None


def format_of_file(file: IO[bytes], path: str | Path) -> NetFormat:
    """Returns the format of an open network file, and goes back to its beginning. Raises NetError."""
    start = _first_bytes(file, path)
    file.seek(0)
    if start.startswith(DENSE):
        return NetFormat.DENSE
    if is_leela(start):
        return NetFormat.LEELA
    if is_nnue(start):
        return NetFormat.NNUE
    if _is_onnx(start):
        return NetFormat.ONNX
    if is_safetensors(start):
        return NetFormat.OWN
    if start[:2] in (b"1\n", b"2\n"):
        raise NetError(f"{str(path)!r} is a network in lc0's old text format, which is not read")
    kinds = ("Stockfish's and philidor's NNUE", "Leela's .pb and .pb.gz", "ONNX", "our safetensors and .phfl")
    known = ", ".join(kinds)
    raise NetError(f"{str(path)!r} is no network of a known format ({known})")


def _is_onnx(start: bytes) -> bool:
    """Says whether a file begins as ONNX models do: with a version of the format, then the producer or the graph."""
    return len(start) > 3 and start[0] == 0x08 and 3 <= start[1] <= 20 and start[2] in (0x12, 0x1A, 0x3A, 0x42)


def _first_bytes(file: IO[bytes], path: str | Path) -> bytes:
    start = file.read(_PEEK_BYTES)
    file.seek(0)
    if start.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=file).read(_PEEK_BYTES)
    return _unpacked(file, path) if start.startswith(_ZSTD_MAGIC) else start


def _unpacked(file: IO[bytes], path: str | Path) -> bytes:
    import zstandard

    try:
        return bytes(zstandard.ZstdDecompressor().stream_reader(file).read(_PEEK_BYTES))
    except zstandard.ZstdError as error:
        raise NetError(f"cannot read {str(path)!r}: {error}") from None
