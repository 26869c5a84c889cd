"""The real endgame tables with three and four men, for tests that look into them."""

import io
import os
import tarfile
from pathlib import Path

import pytest
import zstandard

needs_tables = pytest.mark.skipif("PHILIDOR_SHARED" not in os.environ, reason="needs PHILIDOR_SHARED")


def unpack_tables(path: Path) -> Path:
    """Writes the tables into a folder and returns it."""
    packed = Path(os.environ["PHILIDOR_SHARED"], "data/syzygy/syzygy_3-4_polyglot.tar.zst").read_bytes()
    data = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            # Not `extract`: it warns without a filter, and early releases of Python 3.11 know none.
            if member.name.endswith((".rtbw", ".rtbz")) and (table := archive.extractfile(member)) is not None:
                (path / Path(member.name).name).write_bytes(table.read())
    return path
