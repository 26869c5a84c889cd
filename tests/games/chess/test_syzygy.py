"""Endgame tables: wins, draws, what the clock does to them, and what is in no table."""

import io
import os
import tarfile
from pathlib import Path

import pytest
import zstandard

from philidor.core.errors import ConfigError
from philidor.core.game import Outcome
from philidor.games.chess import Position
from philidor.games.chess.syzygy import Tablebases

needs_tables = pytest.mark.skipif("PHILIDOR_SHARED" not in os.environ, reason="needs PHILIDOR_SHARED")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real tables with three and four men."""
    path = tmp_path_factory.mktemp("syzygy")
    packed = Path(os.environ["PHILIDOR_SHARED"], "data/syzygy/syzygy_3-4_polyglot.tar.zst").read_bytes()
    data = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            if member.name.endswith((".rtbw", ".rtbz")):
                member.name = Path(member.name).name
                archive.extract(member, path, filter="data")
    return path


@needs_tables
@pytest.mark.parametrize(
    ("fen", "wdl", "outcome"),
    [
        ("8/8/8/4k3/8/8/8/KR6 w - - 0 1", 2, Outcome(0, "tablebase")),
        ("8/8/8/4k3/8/8/8/KR6 b - - 0 1", -2, Outcome(0, "tablebase")),
        ("8/8/8/4k3/8/8/8/KR6 w - - 10 1", 2, Outcome(0, "tablebase")),
        ("8/8/8/4k3/8/8/8/KR6 w - - 90 1", 2, None),
        ("8/8/8/8/8/k7/p7/K7 w - - 0 1", 0, Outcome(None, "tablebase")),
        ("k7/8/8/8/8/8/8/KRr5 w - - 0 1", 2, Outcome(0, "tablebase")),
        ("8/8/8/4k3/8/8/8/KQR1r3 w - - 0 1", None, None),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None, None),
    ],
)
def test_tables_know_what_they_hold(fen: str, wdl: int | None, outcome: Outcome | None, folder: Path) -> None:
    tables, position = Tablebases([folder]), Position(fen)
    assert tables.men == 4
    assert (tables.wdl(position), tables.outcome(position)) == (wdl, outcome)


def test_folders_without_tables_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no Syzygy tables \(\.rtbw\) in"):
        Tablebases([tmp_path])
    with pytest.raises(ConfigError, match="no folder"):
        Tablebases([tmp_path / "none"])
