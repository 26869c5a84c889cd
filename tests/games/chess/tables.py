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
            if member.name.endswith((".rtbw", ".rtbz")):
                member.name = Path(member.name).name
                archive.extract(member, path, filter="data")
    return path
