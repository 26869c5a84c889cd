"""The search asks the endgame tables inside the tree."""

from pathlib import Path

import pytest

from philidor.core.errors import ConfigError
from philidor.games.chess import Position
from philidor.players import load_engine
from tests.games.chess.tables import needs_tables, unpack_tables

_TABLE_WIN = 24_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(unpack_tables(tmp_path_factory.mktemp("syzygy")))


@needs_tables
@pytest.mark.parametrize(
    ("fen", "is_won"),
    [
        ("r7/4k3/8/4P3/4K3/8/8/R7 w - - 0 1", True),  # taking the rook leaves a won ending of four
        ("r7/4k3/8/4P3/4K3/8/8/R7 b - - 0 1", True),
        ("8/8/8/8/1k6/1p6/1P1b4/1K6 b - - 0 1", False),  # no way in
    ],
)
def test_tables_are_asked_where_the_root_has_more_men(fen: str, is_won: bool, folder: str) -> None:
    engine = load_engine("nnue", syzygy=(folder,))
    found = engine.analyse(Position(fen), depth=9)
    assert found.table_hits
    assert found.score is not None
    won = found.score.mate is not None or (found.score.cp or 0) > _TABLE_WIN
    assert won == is_won, found.score
    assert load_engine("nnue").analyse(Position(fen), depth=9).table_hits == 0


@needs_tables
def test_several_threads_share_the_tables(folder: str) -> None:
    engine = load_engine("classic", syzygy=(folder,), threads=3)
    found = engine.analyse(Position("r7/4k3/8/4P3/4K3/8/8/R7 w - - 0 1"), depth=9)
    assert found.table_hits
    assert found.best == "a1a8"


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="syzygy: no Syzygy tables"):
        load_engine("nnue", syzygy=(str(tmp_path),))
