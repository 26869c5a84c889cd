"""Endgame tables: wins, draws, what the clock does to them, and what is in no table."""

from pathlib import Path

import chess
import chess.syzygy
import pytest

from philidor.core.errors import ConfigError
from philidor.core.game import Outcome
from philidor.games.chess import Position
from philidor.games.chess.syzygy import Tablebases
from tests.games.chess.tables import needs_tables, unpack_tables


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack_tables(tmp_path_factory.mktemp("syzygy"))


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


@needs_tables
@pytest.mark.parametrize(
    ("fen", "wdl", "moves"),
    [
        ("7k/R7/6K1/8/8/8/8/8 w - - 0 1", 2, ["a7a8"]),
        ("7k/R7/6K1/8/8/8/8/8 w - - 98 90", 2, ["a7a8"]),  # mate comes before the fifty-move rule
        ("8/8/8/4k3/8/8/8/KR6 w - - 90 90", 1, None),
        ("8/8/8/8/8/k7/p7/K7 w - - 0 1", None, None),  # stalemate: nothing to choose
        ("8/8/8/8/1k6/8/1p6/1K6 w - - 0 1", 0, ["b1c2", "b1a2", "b1b2"]),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", -2, None),
        ("8/8/8/4k3/8/8/8/KQR1r3 w - - 0 1", None, None),
    ],
)
def test_the_right_moves_are_known(fen: str, wdl: int | None, moves: list[str] | None, folder: Path) -> None:
    verdict = Tablebases([folder]).verdict(Position(fen))
    if wdl is None:
        assert verdict is None
        return
    assert verdict is not None
    assert verdict.wdl == wdl
    assert verdict.probes > 0
    if moves is not None:
        assert sorted(verdict.moves) == sorted(moves)


@needs_tables
@pytest.mark.parametrize(
    "fen", ["8/8/8/4k3/8/8/8/KR6 w - - 0 1", "8/2k5/8/8/8/3K4/3P4/8 w - - 0 1", "k7/8/8/8/8/8/1r6/K2Q4 w - - 0 1"]
)
def test_the_right_moves_win(fen: str, folder: Path) -> None:
    tables, position = Tablebases([folder]), Position(fen)
    while not position.is_over():
        verdict = tables.verdict(position)
        assert verdict is not None
        assert verdict.wdl == (2 if position.turn else -2), position.fen()
        position = position.play(verdict.moves[-1])
    assert position.is_checkmate(), position.fen()


@needs_tables
def test_the_quickest_moves_are_python_chesss(folder: Path) -> None:
    tables, position = Tablebases([folder]), Position("8/8/8/4k3/8/8/8/KR6 w - - 0 1")
    verdict = tables.verdict(position)
    assert verdict is not None
    with chess.syzygy.open_tablebase(str(folder)) as oracle:
        distances = {}
        for move in chess.Board(position.fen()).legal_moves:
            board = chess.Board(position.fen())
            board.push(move)
            distances[move.uci()] = oracle.probe_dtz(board)
    won = {move: -distance for move, distance in distances.items() if distance < 0}
    assert set(verdict.moves) == {move for move, distance in won.items() if distance == min(won.values())}
