"""The oracle: what python-chess says about a position, compared with what philidor says."""

from collections.abc import Callable, Iterable, Sequence

import chess
import chess.polyglot

from philidor.core.game import Outcome
from philidor.games.chess import Move, Position

MoveKey = tuple[int, int, int | None]
"""(from, to, promotion) as python-chess has them."""


class DisagreementError(AssertionError):
    """philidor and python-chess differ; the message has the position and the difference."""


def check_against_python_chess(
    position: Position,
    board: chess.Board,
    legal_moves: Callable[[Position], Sequence[Move]] = Position.legal_moves,
) -> None:
    """Compares everything that belongs to a position: moves, text, keys, checks and endings.

    `legal_moves` may be replaced by a generator with a bug in it, to see the bug caught. Raises DisagreementError.
    """
    ours = legal_moves(position)
    theirs = {(move.from_square, move.to_square, move.promotion) for move in board.legal_moves}
    _check_moves(position, ours, theirs)
    is_repetition = board.is_repetition(3)
    _require(position, "FEN", position.fen(), board.fen())
    _require(position, "FEN with raw en passant", position.fen(raw_en_passant=True), board.fen(en_passant="fen"))
    _require(position, "check", position.is_check(), board.is_check())
    _require(position, "Polyglot key", position.polyglot_key(), chess.polyglot.zobrist_hash(board))
    _require(position, "halfmove clock", position.halfmove_clock, board.halfmove_clock)
    _require(position, "ply", position.ply, board.ply())
    _require(position, "repetition", position.is_repetition(), is_repetition)
    _require(position, "outcome", position.outcome(), _outcome(board, bool(theirs), is_repetition))
    _require(position, "consistency", position._native.is_consistent(), True)


def check_moves_against_python_chess(position: Position, board: chess.Board, moves: Iterable[Move]) -> None:
    """Compares what belongs to a legal move: UCI and SAN both ways, check, capture. Raises DisagreementError."""
    for move in moves:
        text = position.uci(move)
        theirs = board.parse_uci(text)
        san = board.san(theirs)
        _require(position, f"{text} in UCI", text, board.uci(theirs))
        _require(position, f"{text} read from UCI", position.parse_uci(text), move)
        _require(position, f"{text} in SAN", position.san(move), san)
        _require(position, f"{text} read from SAN", position.parse_san(san), move)
        _require(position, f"{text} gives check", position.gives_check(move), board.gives_check(theirs))
        _require(position, f"{text} is a capture", position.is_capture(move), board.is_capture(theirs))
        _require(position, f"{text} takes en passant", move.is_en_passant, board.is_en_passant(theirs))
        _require(position, f"{text} is castling", move.is_castling, board.is_castling(theirs))


def python_chess_key(position: Position, move: Move) -> MoveKey:
    """Returns the move as python-chess generates it: its castling in standard chess is the king's two-step."""
    to_square = move.to_square
    if move.is_castling and not position.is_chess960:
        to_square = move.from_square + (2 if to_square > move.from_square else -2)
    return move.from_square, to_square, move.promotion


def _check_moves(position: Position, ours: Sequence[Move], theirs: set[MoveKey]) -> None:
    keys = [python_chess_key(position, move) for move in ours]
    if len(keys) == len(theirs) and set(keys) == theirs:
        if sorted(ours, key=lambda move: (move.from_square, move.to_square, move.promotion or 0)) != list(ours):
            raise DisagreementError(f"{_name(position)}: moves are not in canonical order: {[m.uci() for m in ours]}")
        return
    twice = {key for key in keys if keys.count(key) > 1}
    raise DisagreementError(
        f"{_name(position)}: legal moves differ: missing {_texts(theirs - set(keys))}, "
        f"illegal {_texts(set(keys) - theirs)}, given twice {_texts(twice)}"
    )


def _outcome(board: chess.Board, has_move: bool, is_repetition: bool) -> Outcome | None:
    """The rules of the design, asked of python-chess one by one; mate and stalemate come before any claim."""
    if not has_move and board.is_check():
        return Outcome(int(board.turn), "checkmate")  # chess.WHITE is True, and our White is 0
    if not has_move:
        return Outcome(None, "stalemate")
    if board.is_insufficient_material():
        return Outcome(None, "insufficient material")
    if board.halfmove_clock >= 100:
        return Outcome(None, "fifty moves")
    return Outcome(None, "threefold repetition") if is_repetition else None


def _require(position: Position, what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise DisagreementError(f"{_name(position)}: {what}: philidor has {ours!r}, python-chess {theirs!r}")


def _name(position: Position) -> str:
    variant = ", Chess960" if position.is_chess960 else ""
    return f"in {position.fen(raw_en_passant=True)!r}{variant}"


def _texts(keys: Iterable[MoveKey]) -> list[str]:
    return sorted(chess.Move(*key).uci() for key in keys)
