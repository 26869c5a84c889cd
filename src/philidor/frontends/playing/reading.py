"""Reads what a person types as a move, forgives case and signs, and explains what cannot be played."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Any

from philidor.core.abilities import move_name
from philidor.core.errors import IllegalMoveError
from philidor.core.game import AnyState

_SIGNS = str.maketrans("", "", "x+#=!?-–—. ")
_CHESS_MOVE = re.compile(r"([nbrqk]?)([a-h]?[1-8]?)x?([a-h][1-8])[=(]?([nbrq]?)\)?[+#!?]*", re.IGNORECASE)
_PIECES = {"": "pawn", "p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
_MAX_SUGGESTIONS = 4
_LONGEST_SHOWN = 30


def read_move(state: AnyState, text: str, advice: str = "") -> Any:
    """Returns the legal move that `text` means. Raises IllegalMoveError with an explanation for a person.

    The explanation ends with the legal moves that look alike, or else with `advice`.
    """
    try:
        return state.parse_move(text)
    except IllegalMoveError:
        pass
    meant = [move for move in state.legal_moves() if _fold(text) in _spellings(state, move)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise IllegalMoveError(f"{text} could be {_listed(state, meant)}: which one?")
    text = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
    near = suggestions(state, text)
    if near:
        advice = f"Did you mean {_listed(state, near)}?"
    raise IllegalMoveError(f"{explain(state, text)} {advice}".rstrip())


def suggestions(state: AnyState, text: str) -> list[Any]:
    """Returns the legal moves that look most like `text`, the most alike first."""
    folded = _fold(text)
    if not folded:
        return []
    rated = []
    for order, move in enumerate(state.legal_moves()):
        likeness = max(SequenceMatcher(None, folded, spelling).ratio() for spelling in _spellings(state, move))
        if likeness >= 0.6:
            rated.append((-likeness, order, move))
    return [move for _, _, move in sorted(rated, key=lambda item: item[:2])[:_MAX_SUGGESTIONS]]


def moves_from(state: AnyState, square: str) -> list[Any]:
    """Returns the legal moves whose text begins with a square."""
    return [move for move in state.legal_moves() if state.move_text(move).startswith(square.lower())]


def explain(state: AnyState, text: str) -> str:
    """Says in a sentence why `text` is no move here."""
    from philidor.games.chess import Position

    match = _CHESS_MOVE.fullmatch(text.strip())
    if match is None or not isinstance(state, Position):
        return f"{text!r} is not a move here."
    piece, origin, target, _ = (part.lower() for part in match.groups())
    mine = str.isupper if state.turn else str.islower
    if len(origin) == 2 and not piece:
        there = state.piece_at(_square(origin))
        if there is None:
            return f"There is no piece on {origin}."
        if not mine(there):
            return f"The {_PIECES[there.lower()]} on {origin} is not yours."
        piece = there.lower()
    # A bishop's letter is a file's letter too: "b4" is the pawn, "Bb4" the bishop.
    name = _PIECES[piece]
    if _is_almost_legal(state, name, origin, target):
        return f"{text} would leave your king in check."
    return f"No {name} of yours can go {f'from {origin} ' if origin else ''}to {target}."


def _is_almost_legal(state: Any, name: str, origin: str, target: str) -> bool:
    """Says whether only the king's safety forbids such a move."""
    board = state.to_board()
    for move in board.pseudo_legal_moves:
        squares = move.uci()
        kind = _PIECES[board.piece_at(move.from_square).symbol().lower()]
        is_meant = kind == name and squares[2:4] == target and all(mark in squares[:2] for mark in origin)
        if is_meant and not board.is_legal(move):
            return True
    return False


def _square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def _fold(text: str) -> str:
    """Drops what people write in different ways; zeros in castling are letters to some."""
    folded = text.lower().translate(_SIGNS)
    return folded.replace("0", "o") if set(folded) <= {"0", "o"} else folded


def _spellings(state: AnyState, move: Any) -> set[str]:
    """All ways to write a move; a promotion also without its piece, so that the question is to what."""
    name, text = move_name(state, move), state.move_text(move)
    bare = {_fold(name.partition("=")[0]), text[:4]} if "=" in name else set()
    return {_fold(name), _fold(text), *bare}


def _listed(state: AnyState, moves: list[Any]) -> str:
    names = [move_name(state, move) for move in moves]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
