"""Move orders: python-chess's is reproduced, the others do what they say."""

import chess
import pytest

from philidor.core.errors import ConfigError, UnknownNameError
from philidor.core.random import SplitMix64
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.search.orders import ORDERS, load_order, python_chess

# Where the order has its corners: checks, double checks, castling, promotions, en passant out of check.
CORNERS = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "1n2k3/P7/8/8/8/8/p7/1N2K3 w - - 0 1",
    "4k3/8/8/8/1b6/8/4r3/4K2R w K - 0 1",
]


def agrees_with_python_chess(position: Position) -> None:
    expected = [move.uci() for move in chess.Board(position.fen()).legal_moves]
    assert [position.uci(move) for move in python_chess(position)] == expected, position.fen()


@pytest.mark.parametrize("fen", CORNERS)
def test_python_chess_order_in_the_corners(fen: str) -> None:
    position = Position(fen)
    agrees_with_python_chess(position)
    for move in position.legal_moves():
        agrees_with_python_chess(position.play(move))


def test_python_chess_order_on_random_games() -> None:
    random = SplitMix64(3)
    for _ in range(30):
        position = Position()
        while not position.is_over() and position.ply < 200:
            agrees_with_python_chess(position)
            moves = position.legal_moves()
            position = position.play(moves[random.below(len(moves))])


def test_python_chess_order_of_chess960_castling() -> None:
    fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"
    board = chess.Board(fen, chess960=True)
    position = Position(fen, chess960=True)
    assert [position.uci(move) for move in python_chess(position)] == [move.uci() for move in board.legal_moves]


def test_every_order_has_the_same_moves() -> None:
    position = Position(CORNERS[0])
    for name in ORDERS:
        assert sorted(load_order(name, position)(position)) == position.legal_moves()


def test_captures_come_first() -> None:
    position = Position(CORNERS[0])
    kinds = [position.is_capture(move) for move in load_order("captures-first", position)(position)]
    assert kinds == sorted(kinds, reverse=True)
    assert kinds[0]
    assert not kinds[-1]


def test_orders_that_a_game_cannot_have_are_refused() -> None:
    state = load_game("tictactoe").state()
    with pytest.raises(ConfigError, match="'captures-first' needs states that tell captures apart"):
        load_order("captures-first", state)
    with pytest.raises(UnknownNameError, match=r"did you mean 'captures-first'\?"):
        load_order("captures", state)
