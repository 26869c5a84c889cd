"""The oracle is worth something: generators with one classic bug each are caught, by position and move."""

import random
from collections.abc import Callable, Iterator

import chess
import pytest

from philidor.games.chess import Move, Position
from tests.games.chess.oracle import DisagreementError, check_against_python_chess
from tests.games.chess.walks import start_board, walk

EN_PASSANT = 2  # the kind of a move, in its lowest four bits
CASTLING = 1
Generator = Callable[[Position], list[Move]]


def with_moves(position: Position, extra: Iterator[Move]) -> list[Move]:
    return sorted({*position.legal_moves(), *extra})


def forgets_en_passant_discoveries(position: Position) -> list[Move]:
    """Looks at pins before taking en passant, but not at the rank that two pawns leave at once."""

    def captures() -> Iterator[Move]:
        board = position.to_board()
        if board.ep_square is None or board.is_check():
            return
        for move in board.generate_pseudo_legal_ep():
            if not board.is_pinned(board.turn, move.from_square):
                yield Move(move.from_square << 10 | move.to_square << 4 | EN_PASSANT)

    return with_moves(position, captures())


def castles_through_check(position: Position) -> list[Move]:
    """Looks only at where the king stands and where it arrives."""

    def castling() -> Iterator[Move]:
        board = position.to_board()
        if board.is_check():
            return
        king = board.king(board.turn)
        assert king is not None
        for rook in chess.scan_forward(board.clean_castling_rights() & board.occupied_co[board.turn]):
            between = chess.between(king, rook)
            target = king + 2 if rook > king else king - 2
            if not between & board.occupied and not board.is_attacked_by(not board.turn, target):
                yield Move(king << 10 | rook << 4 | CASTLING)

    return with_moves(position, castling())


def forgets_underpromotions(position: Position) -> list[Move]:
    return [move for move in position.legal_moves() if move.promotion in (None, chess.QUEEN)]


def forgets_en_passant_as_an_evasion(position: Position) -> list[Move]:
    """Blocks or takes the checker on its own square only."""
    return [move for move in position.legal_moves() if not (position.is_check() and move.is_en_passant)]


def moves_pinned_knights(position: Position) -> list[Move]:
    def jumps() -> Iterator[Move]:
        board = position.to_board()
        if board.is_check():
            return
        for square in board.pieces(chess.KNIGHT, board.turn):
            for to in board.attacks(square) & ~board.occupied:
                yield Move(square << 10 | to << 4)

    return with_moves(position, jumps())


def generates_in_wrong_order(position: Position) -> list[Move]:
    return list(reversed(position.legal_moves()))


@pytest.mark.parametrize(
    ("generator", "fen", "difference"),
    [
        (forgets_en_passant_discoveries, "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "illegal ['e5d6']"),
        (forgets_en_passant_discoveries, "8/8/8/8/R2pPk2/8/8/7K b - e3 0 1", "illegal ['d4e3']"),
        (castles_through_check, "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", "illegal ['e1g1']"),
        (castles_through_check, "r3k3/8/8/8/8/3R4/8/4K3 b q - 0 1", "illegal ['e8c8']"),
        (forgets_underpromotions, "8/P7/8/8/8/8/8/K1k5 w - - 0 1", "missing ['a7a8b', 'a7a8n', 'a7a8r']"),
        (forgets_en_passant_as_an_evasion, "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "missing ['e4d3']"),
        (moves_pinned_knights, "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "illegal ['e2c1', 'e2c3', 'e2d4', "),
        (generates_in_wrong_order, "startpos", "not in canonical order"),
    ],
)
def test_a_planted_bug_is_caught_where_it_shows(generator: Generator, fen: str, difference: str) -> None:
    position = Position(fen)
    board = position.to_board()
    check_against_python_chess(position, board)
    with pytest.raises(DisagreementError) as caught:
        check_against_python_chess(position, board, legal_moves=generator)
    assert position.fen(raw_en_passant=True) in str(caught.value)
    assert difference in str(caught.value)


def compare_standard_walks(generator: Generator, source: str, walks: int) -> None:
    rng = random.Random(1)
    for _ in range(walks):
        for step in walk(start_board(source, rng), rng, 12):
            if not step.position.is_chess960:  # the planted castling knows only the standard squares
                check_against_python_chess(step.position, step.board, legal_moves=generator)


@pytest.mark.parametrize(
    ("generator", "source", "walks"),
    [
        (forgets_en_passant_discoveries, "en passant", 400),
        (castles_through_check, "castling", 100),
        (forgets_underpromotions, "promotions", 20),
        (forgets_en_passant_as_an_evasion, "en passant", 400),
        (moves_pinned_knights, "pins", 50),
    ],
)
def test_random_walks_meet_the_planted_bug(generator: Generator, source: str, walks: int) -> None:
    with pytest.raises(DisagreementError, match="legal moves differ"):
        compare_standard_walks(generator, source, walks)


@pytest.mark.parametrize(
    ("ours", "theirs", "what"),
    [
        ("startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 1", "FEN: "),
        ("8/8/8/8/8/2k5/8/K6R w - - 0 1", "8/8/8/8/8/2k5/8/K6R w - - 100 1", "FEN: "),
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "legal moves differ: missing ['d4e3']",
        ),
        ("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "FEN with raw en passant"),
    ],
)
def test_positions_that_differ_are_told_apart(ours: str, theirs: str, what: str) -> None:
    with pytest.raises(DisagreementError) as caught:
        check_against_python_chess(Position(ours), chess.Board(theirs))
    assert what in str(caught.value)
