"""Random games from many kinds of start positions, so that rare rules are met often."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import chess

from philidor.games.chess import Move, Position

# Positions that have broken move generators before: castling, promotions, pins, en passant and double checks.
TRICKY = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
    "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1",
    "R6r/8/8/2K5/5k2/8/8/r6R w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",  # 218 moves, the most there are
]


@dataclass(frozen=True, slots=True)
class Step:
    """One position of a walk, held by both libraries, and the move that is played next (None at the end)."""

    position: Position
    board: chess.Board
    move: Move | None


def start_board(source: str, rng: random.Random) -> chess.Board:
    """Returns a random start position of one kind of SOURCES; it is legal."""
    while True:
        board = SOURCES[source](rng)
        if board.status() == chess.STATUS_VALID:
            return board


def walk(board: chess.Board, rng: random.Random, plies: int) -> Iterator[Step]:
    """Plays random moves on both libraries. A piece sometimes steps back, so that positions repeat.

    The game goes on after a draw, as the rules of movement do.
    """
    position = Position.from_board(board)
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        move = _choose(position, moves, rng)
        yield Step(position, board, move)
        board.push(board.parse_uci(position.uci(move)))
        position = position.play(move)
    yield Step(position, board, None)


def _choose(position: Position, moves: list[Move], rng: random.Random) -> Move:
    before = position.parent.last_move if position.parent is not None else None
    if before is not None and rng.random() < 0.2:
        back = [m for m in moves if (m.from_square, m.to_square) == (before.to_square, before.from_square)]
        if back:
            return back[0]
    move = rng.choice(moves)
    # Kings and rooks stay at home a little longer, so that castling is still possible when the way is free.
    if position._native.castling_rights and not move.is_castling and rng.random() < 0.5:
        castling = [m for m in moves if m.is_castling]
        return rng.choice(castling) if castling and rng.random() < 0.3 else rng.choice(moves)
    return move


def _standard(rng: random.Random) -> chess.Board:
    return chess.Board()


def _tricky(rng: random.Random) -> chess.Board:
    return chess.Board(rng.choice(TRICKY))


def _chess960(rng: random.Random) -> chess.Board:
    return chess.Board.from_chess960_pos(rng.randrange(960))


def _scatter(board: chess.Board, letters: str, squares: list[chess.Square], rng: random.Random) -> None:
    """Puts the pieces on random free squares; pawns that would land on a last rank are left out."""
    free = [square for square in squares if board.piece_at(square) is None]
    for letter, square in zip(letters, rng.sample(free, min(len(letters), len(free))), strict=False):
        if letter not in "Pp" or 0 < chess.square_rank(square) < 7:
            board.set_piece_at(square, chess.Piece.from_symbol(letter))


def _empty(rng: random.Random) -> chess.Board:
    board = chess.Board(None)
    board.turn = rng.choice([chess.WHITE, chess.BLACK])
    board.halfmove_clock = rng.choice([0, 0, 0, 60, 95])
    board.fullmove_number = 60
    return board


def _ending(rng: random.Random) -> chess.Board:
    """A few pieces on an open board: mates, stalemates, insufficient material."""
    board = _empty(rng)
    _scatter(board, "Kk" + "".join(rng.choices("PNBRQpnbrq", k=rng.randint(0, 4))), list(chess.SQUARES), rng)
    return board


def _bare_king(rng: random.Random) -> chess.Board:
    """A lone king at the edge against a few strong pieces: mostly mates and stalemates."""
    board = _empty(rng)
    king, pieces = ("k", "KQRQP") if board.turn else ("K", "kqrqp")
    _scatter(board, king, [s for s in chess.SQUARES if chess.BB_SQUARES[s] & chess.BB_BACKRANKS], rng)
    _scatter(board, pieces[: rng.randint(2, 5)], list(chess.SQUARES), rng)
    board.turn = rng.choice([chess.WHITE, chess.BLACK])
    return board


def _promotions(rng: random.Random) -> chess.Board:
    """Pawns one or two steps from promotion, and queens already there."""
    board = _empty(rng)
    _scatter(board, "Kk" + "Q" * rng.randint(0, 4) + "q" * rng.randint(0, 4), list(chess.SQUARES), rng)
    _scatter(board, "P" * rng.randint(1, 4), list(chess.SQUARES[40:56]), rng)
    _scatter(board, "p" * rng.randint(1, 4), list(chess.SQUARES[8:24]), rng)
    return board


def _pins(rng: random.Random) -> chess.Board:
    """A king among its own pieces with enemy sliders on the lines beyond them."""
    board = _empty(rng)
    king = rng.choice(list(chess.SQUARES))
    board.set_piece_at(king, chess.Piece(chess.KING, board.turn))
    own, enemy = ("PNBRQ", "brq") if board.turn else ("pnbrq", "BRQ")
    near = [s for s in chess.SQUARES if 1 <= chess.square_distance(s, king) <= 2]
    lines = [s for s in chess.SQUARES if chess.ray(king, s) and chess.square_distance(s, king) > 2]
    _scatter(board, "".join(rng.choices(own, k=6)), near, rng)
    _scatter(board, "".join(rng.choices(enemy, k=4)), lines, rng)
    _scatter(board, "k" if board.turn else "K", list(chess.SQUARES), rng)
    return board


def _en_passant(rng: random.Random) -> chess.Board:
    """A double step has just been made beside an enemy pawn; kings and sliders stand where that may matter."""
    board = _empty(rng)
    board.halfmove_clock = 0
    us, file = board.turn, rng.randrange(8)
    rank, behind, origin = (4, 5, 6) if us else (3, 2, 1)
    board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, not us))
    for side in (-1, 1):
        if 0 <= file + side < 8 and rng.random() < 0.7:
            board.set_piece_at(chess.square(file + side, rank), chess.Piece(chess.PAWN, us))
    kept_free = {chess.square(file, behind), chess.square(file, origin)}
    squares = [s for s in chess.SQUARES if s not in kept_free]
    row = [s for s in squares if chess.square_rank(s) == rank]
    _scatter(board, "K" if us else "k", row if rng.random() < 0.6 else squares, rng)
    _scatter(board, rng.choice("rqb") if us else rng.choice("RQB"), row if rng.random() < 0.6 else squares, rng)
    _scatter(board, ("k" if us else "K") + "".join(rng.choices("RBQrbqPp", k=rng.randint(0, 4))), squares, rng)
    board.ep_square = chess.square(file, behind)
    return board


def _castling(rng: random.Random) -> chess.Board:
    """Chess960 rights on half-empty back ranks, with attackers about; one in three is standard chess."""
    is_chess960 = rng.random() < 0.67
    board = chess.Board(None, chess960=is_chess960)
    board.turn = rng.choice([chess.WHITE, chess.BLACK])
    files = sorted(rng.sample(range(8), 3)) if is_chess960 else [0, 4, 7]
    for color in chess.COLORS:
        for file, piece in zip(files, (chess.ROOK, chess.KING, chess.ROOK), strict=True):
            board.set_piece_at(chess.square(file, 0 if color else 7), chess.Piece(piece, color))
    rooks = [chess.BB_SQUARES[chess.square(file, rank)] for file in (files[0], files[2]) for rank in (0, 7)]
    board.castling_rights = sum(rook for rook in rooks if rng.random() < 0.9)
    _scatter(board, "".join(rng.choices("PNBRQpnbrq", k=rng.randint(1, 8))), list(chess.SQUARES), rng)
    return board


SOURCES: dict[str, Callable[[random.Random], chess.Board]] = {
    "standard": _standard,
    "tricky": _tricky,
    "chess960": _chess960,
    "ending": _ending,
    "bare king": _bare_king,
    "promotions": _promotions,
    "pins": _pins,
    "en passant": _en_passant,
    "castling": _castling,
}
