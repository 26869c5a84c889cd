"""Move orders for alpha-beta: the better the first move, the more is cut off (book, ch. 3.2 and 3.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from philidor.core.abilities import TellsCaptures
from philidor.core.descriptor import descriptor_of
from philidor.core.errors import ConfigError, UnknownNameError
from philidor.core.game import AnyState

if TYPE_CHECKING:
    from philidor.games.chess import Move, Position

Order: TypeAlias = Callable[[Any], Sequence[Any]]
"""Returns the legal moves of a state in the order in which they are to be tried."""


def canonical(state: AnyState) -> Sequence[Any]:
    """The order that records, ties and the native twins use: for chess by (from, to, promotion)."""
    return state.legal_moves()


def backwards(state: AnyState) -> Sequence[Any]:
    """The canonical order from its end."""
    return state.legal_moves()[::-1]


def captures_first(state: Any) -> Sequence[Any]:
    """Captures before all else, for games that tell them apart."""
    return sorted(state.legal_moves(), key=lambda move: not state.is_capture(move))


def python_chess(position: Position) -> list[Move]:
    """The order of python-chess's `Board.legal_moves`, on which the book's count of 9,050 positions rests.

    It walks its bitboards from the highest square down, first over the origins, then over the targets, one
    kind of move after the other; out of check, the king's moves come first.
    """
    is_check = position.is_check()

    def place(move: Move) -> tuple[int, int, int, int]:
        piece = (position.piece_at(move.from_square) or "").upper()
        steps = abs(move.to_square - move.from_square) // 8
        is_straight = move.to_square % 8 == move.from_square % 8
        if is_check and piece == "K":
            kind = 0
        elif move.is_castling:
            kind = 2
        elif piece != "P":
            kind = 1
        elif move.is_en_passant:
            kind = 6
        elif not is_straight:
            kind = 3
        else:
            kind = 4 if steps == 1 else 5
        return kind, -move.from_square, -move.to_square, -(move.promotion or 0)

    return sorted(position.legal_moves(), key=place)


ORDERS: dict[str, Order] = {
    "canonical": canonical,
    "backwards": backwards,
    "captures-first": captures_first,
    "python-chess": python_chess,
}

# Which game an order is for, if it is one's own, and what the states of any other order must be able to tell.
_GAMES = {"python-chess": "chess"}
_NEEDS = {"captures-first": TellsCaptures}


def load_order(name: str, state: AnyState) -> Order:
    """Returns the order of this name; raises ConfigError if the game of `state` has nothing to order by."""
    if name not in ORDERS:
        raise UnknownNameError("move order", name, ORDERS)
    if not isinstance(state, _NEEDS.get(name, object)):
        raise ConfigError(f"move order {name!r} needs states that tell captures apart; use 'canonical'")
    if descriptor_of(state).name != _GAMES.get(name, descriptor_of(state).name):
        raise ConfigError(f"move order {name!r} is for {_GAMES[name]} only; use 'canonical'")
    return ORDERS[name]
