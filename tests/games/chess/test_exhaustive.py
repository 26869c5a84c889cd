"""The two rules that break most generators, in all their cases: en passant and castling beside every attacker."""

from collections.abc import Iterator
from itertools import combinations

import chess
import pytest

from philidor.games.chess import Position
from tests.games.chess.oracle import DisagreementError, check_against_python_chess, python_chess_key

ATTACKERS = (chess.ROOK, chess.BISHOP, chess.QUEEN, chess.KNIGHT, chess.PAWN)


def en_passant_boards(color: chess.Color) -> Iterator[chess.Board]:
    """Every capture en passant by `color`, every place of its king, and every slider of the enemy's somewhere."""
    rank, target_rank = (4, 5) if color else (3, 2)
    for file, side in ((f, s) for f in range(8) for s in (-1, 1) if 0 <= f + s < 8):
        for king in chess.SQUARES:
            for slider in chess.SQUARES:
                for kind in (chess.ROOK, chess.BISHOP):
                    board = chess.Board(None)
                    board.turn = color
                    board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, color))
                    board.set_piece_at(chess.square(file + side, rank), chess.Piece(chess.PAWN, not color))
                    board.ep_square = chess.square(file + side, target_rank)
                    if place(board, (king, chess.KING, color), (slider, kind, not color)):
                        yield board


def castling_boards(color: chess.Color) -> Iterator[chess.Board]:
    """Every Chess960 arrangement of king and rooks with both rights, and every attacker on every square."""
    back = 0 if color else 7
    for files in combinations(range(8), 3):
        for kind in ATTACKERS:
            for square in chess.SQUARES:
                board = chess.Board(None, chess960=True)
                board.turn = color
                for file, piece in zip(files, (chess.ROOK, chess.KING, chess.ROOK), strict=True):
                    board.set_piece_at(chess.square(file, back), chess.Piece(piece, color))
                board.castling_rights = board.rooks
                if place(board, (square, kind, not color)):
                    yield board


def place(board: chess.Board, *pieces: tuple[chess.Square, chess.PieceType, chess.Color]) -> bool:
    """Puts the pieces and the enemy's king on the board, if there is room for a legal position."""
    for square, kind, color in pieces:
        if board.piece_at(square) is not None or square == board.ep_square:
            return False
        board.set_piece_at(square, chess.Piece(kind, color))
    for corner in (chess.A1, chess.H8, chess.A8, chess.H1, chess.D4, chess.E5):
        if board.piece_at(corner) is None:
            board.set_piece_at(corner, chess.Piece(chess.KING, not board.turn))
            if board.status() == chess.STATUS_VALID:
                return True
            board.remove_piece_at(corner)
    return False


def check_moves_only(board: chess.Board) -> None:
    position = Position(board.fen(en_passant="fen"), chess960=board.chess960)
    ours = {python_chess_key(position, move) for move in position.legal_moves()}
    theirs = {(move.from_square, move.to_square, move.promotion) for move in board.legal_moves}
    if ours != theirs:
        check_against_python_chess(position, board)  # says what differs
        raise DisagreementError(board.fen())
    assert (position._native.en_passant is not None) == board.has_legal_en_passant()


@pytest.mark.parametrize("color", chess.COLORS)
def test_castling_beside_every_attacker(color: chess.Color) -> None:
    boards = list(castling_boards(color))[color::4]
    assert len(boards) > 3_000
    for board in boards:
        check_moves_only(board)


@pytest.mark.parametrize("color", chess.COLORS)
def test_en_passant_beside_every_king_and_slider(color: chess.Color) -> None:
    boards = 0
    for number, board in enumerate(en_passant_boards(color)):
        if number % 37 == color:
            boards += 1
            check_moves_only(board)
    assert boards > 1_500


@pytest.mark.slow
@pytest.mark.parametrize("color", chess.COLORS)
def test_all_of_castling_and_en_passant(color: chess.Color) -> None:
    boards = [*castling_boards(color), *en_passant_boards(color)]
    assert len(boards) > 70_000
    for board in boards:
        check_moves_only(board)
