"""The compiled reader of endgame tables says what python-chess says, and survives damaged files."""

import random
from pathlib import Path

import chess
import chess.syzygy
import pytest

from philidor.games.chess import Position
from philidor.games.chess.native import SyzygyTables
from tests.games.chess.tables import needs_tables, unpack_tables


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack_tables(tmp_path_factory.mktemp("syzygy"))


def _random_board(name: str, rng: random.Random) -> chess.Board | None:
    """Puts the men of a table somewhere; None where that is no legal position."""
    white, black = rng.sample(name.split("v"), 2)
    board = chess.Board(None)
    board.turn = rng.random() < 0.5
    for square, letter in zip(rng.sample(range(64), len(white + black)), white + black.lower(), strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    return board if board.is_valid() else None


@needs_tables
def test_every_table_agrees_with_python_chess(folder: Path) -> None:
    rng, native, seen = random.Random(3), SyzygyTables([str(folder)]), set()
    assert native.men == 4
    with chess.syzygy.open_tablebase(str(folder)) as oracle:
        for path in sorted(folder.glob("*.rtbw")):
            boards = [board for _ in range(150) if (board := _random_board(path.stem, rng))]
            assert len(boards) > 10, path.stem
            for board in boards:
                expected = oracle.probe_wdl(board)
                assert native.probe(Position(board.fen()).native) == expected, board.fen()
                seen.add(expected)
    assert seen == {-2, 0, 2}


@needs_tables
@pytest.mark.parametrize("kings", ["8/8/8/8/8/8/8/K1k5", "k7/8/8/8/8/8/8/7K", "8/2k5/8/8/8/8/8/4K3"])
def test_en_passant_is_seen(folder: Path, kings: str) -> None:
    """The tables know nothing of it: it must be looked for."""
    native, found = SyzygyTables([str(folder)]), 0
    with chess.syzygy.open_tablebase(str(folder)) as oracle:
        for file in range(1, 8):
            board = chess.Board(f"{kings} b - - 0 1")
            for square, piece in ((32 + file, "P"), (32 + file - 1, "p")):
                board.set_piece_at(square, chess.Piece.from_symbol(piece))
            board.turn, board.ep_square = chess.WHITE, 40 + file - 1
            if not board.is_valid():
                continue
            found += 1
            assert native.probe(Position(board.fen()).native) == oracle.probe_wdl(board), board.fen()
    assert found > 3


@needs_tables
def test_what_is_in_no_table_is_unknown(folder: Path, tmp_path: Path) -> None:
    native = SyzygyTables([str(folder)])
    assert native.probe(Position().native) is None
    assert native.probe(Position("4k3/8/8/8/8/8/8/4K2R w K - 0 1").native) is None  # castling is possible
    assert native.probe(Position("4k3/8/8/8/8/8/8/4K3 w - - 0 1").native) == 0
    (tmp_path / "KQvKR.rtbw").write_bytes((folder / "KQvKR.rtbw").read_bytes())
    (tmp_path / "notes.rtbw").write_bytes(b"KQvKR")
    alone = SyzygyTables([str(tmp_path)])
    assert alone.probe(Position("7k/8/8/8/8/8/1q6/K2R4 w - - 0 1").native) is None, "Kxb2 leads into a missing table"
    assert alone.probe(Position("7k/8/8/8/3q4/K7/8/3R4 b - - 0 1").native) is None


@needs_tables
@pytest.mark.parametrize("seed", range(4))
def test_damaged_tables_answer_or_not_but_never_crash(folder: Path, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    for name in ("KQvKR", "KPvKP", "KBBvK", "KPPvK"):
        data = bytearray((folder / f"{name}.rtbw").read_bytes())
        for _ in range(12):
            damaged = bytearray(data[: rng.randrange(1, len(data))] if rng.random() < 0.3 else data)
            for _ in range(rng.choice((1, 20))):
                place = rng.randrange(min(len(damaged), rng.choice((40, 2_000, len(damaged)))))
                damaged[place] = rng.randrange(256)
            (tmp_path / f"{name}.rtbw").write_bytes(damaged)
            native = SyzygyTables([str(tmp_path)])
            for board in filter(None, (_random_board(name, rng) for _ in range(20))):
                assert native.probe(Position(board.fen()).native) in {-2, -1, 0, 1, 2, None}


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"no Syzygy tables \(\.rtbw\)"):
        SyzygyTables([str(tmp_path)])
    with pytest.raises(RuntimeError, match="cannot read the folder"):
        SyzygyTables([str(tmp_path / "none")])
