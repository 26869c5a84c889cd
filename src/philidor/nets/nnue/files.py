"""Loads and saves NNUE networks; the format of a file is told by its content, that of a new one by its name."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from philidor.core.errors import NetError
from philidor.core.runs import atomic_file
from philidor.nets.magic import is_nnue
from philidor.nets.nnue import own, stockfish
from philidor.nets.nnue.network import Network
from philidor.nets.nnue.source import open_source

SUFFIXES = {".nnue": stockfish.parts, ".phnn": own.parts}
_STOCKFISH_MAGIC = struct.pack("<I", stockfish.VERSION)


def load_network(path: str | Path) -> Network:
    """Reads a network, plain or packed with zstd. Raises NetError, which says what is wrong with the file."""
    with open_source(Path(path)) as source:
        magic = source.take(4, "the first number")
        if magic not in (_STOCKFISH_MAGIC, own.MAGIC):
            number = int.from_bytes(magic, "little")
            wanted = f"0x{stockfish.VERSION:08X} (Stockfish 12) or {own.MAGIC!r} (philidor)"
            what = "an NNUE network of another version" if is_nnue(magic) else "no NNUE network"
            raise source.error(f"is {what}: it begins with 0x{number:08X}, not with {wanted}")
        network = own.read(source) if magic == own.MAGIC else stockfish.read(source)
        source.expect_end()
        return network


def save_network(network: Network, path: str | Path) -> None:
    """Writes a network as .nnue (Stockfish 12's format) or .phnn (philidor's), or either with .zst behind it.

    The file appears under its name only when it is complete. Raises NetError.
    """
    path = Path(path)
    is_packed = path.suffix == ".zst"
    suffix = Path(path.stem).suffix if is_packed else path.suffix
    if suffix not in SUFFIXES:
        raise NetError(f"a network's name ends in {' or '.join(SUFFIXES)} (and .zst), got {path.name!r}")
    parts: Iterator[bytes] = SUFFIXES[suffix](network)
    try:
        with atomic_file(path) as file:
            if not is_packed:
                file.writelines(parts)
                return
            import zstandard

            with zstandard.ZstdCompressor(level=19).stream_writer(file, closefd=False) as packer:
                for part in parts:
                    packer.write(part)
    except OSError as error:
        raise NetError(f"cannot write {str(path)!r}: {error.strerror}") from error
