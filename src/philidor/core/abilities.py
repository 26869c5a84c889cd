"""What states of some games can do besides the rules; a state declares an ability by deriving from its class.

Nobody asks for methods by name: `isinstance(state, WritesSan)` is the question, and the class is the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from philidor.core.game import AnyState
    from philidor.core.grid import Grid

# Properties are for the type checker only: a data class may have fields of these names, which an inherited property
# would refuse to be set.


class WritesSan:
    """Writes moves as people do, besides the plain text that programs exchange."""

    __slots__ = ()

    def san(self, move: Any, /) -> str:
        """Writes a legal move in the game's usual notation, such as "Nf3"."""
        raise NotImplementedError


class TellsCaptures:
    """Tells captures from other moves, so that searches can try them first."""

    __slots__ = ()

    def is_capture(self, move: Any, /) -> bool:
        """Says whether a legal move takes something."""
        raise NotImplementedError


class TellsCheck:
    """Has a piece that must not be left in danger."""

    __slots__ = ()

    def is_check(self) -> bool:
        """Says whether it is in danger now."""
        raise NotImplementedError

    def checked_square(self) -> int | None:
        """Returns where it stands if it is, as the board's squares are numbered; None if it is safe."""
        raise NotImplementedError


class TellsExchanges(TellsCaptures, TellsCheck):
    """Knows what a capture is worth after all recaptures, so that searches can follow the good ones to their end."""

    __slots__ = ()

    def see(self, move: Any, /) -> int:
        """Returns the material that a legal move wins, in centipawns, negative if it loses some."""
        raise NotImplementedError


class RemembersPast:
    """Knows the states before it, because they can decide the game: positions may repeat."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def parent(self) -> RemembersPast | None:
            """The state before the last move; None where the known past begins."""


class MayPass:
    """Has a pass among its legal moves, always as the last of them."""

    __slots__ = ()


def moves_but_pass(state: AnyState) -> Sequence[Any]:
    """Returns the legal moves, without the pass if there is one and another move is legal."""
    moves = state.legal_moves()
    return moves[:-1] if isinstance(state, MayPass) and len(moves) > 1 else moves


class StonesOnGrid:
    """Shows both players' stones on a board of squares, for AlphaGo Zero's planes."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def grid(self) -> Grid:
            """The board's shape."""

        @property
        def board_bits(self) -> tuple[int, int]:
            """Both players' stones: square row * width + column is that bit, row 0 at the bottom."""


class TellsOwnership:
    """Knows whose each square is in the end, so that networks can learn it."""

    __slots__ = ()

    def ownership(self) -> tuple[int, ...]:
        """Returns by square 1 for the first player's, -1 for the other's and 0 for nobody's, as the board stands."""
        raise NotImplementedError


class HasTwin:
    """Can be held by the compiled core too, under the name that the class's own descriptor gives as `native`."""

    __slots__ = ()

    twin_history: ClassVar[int] = 1
    """Boards that the compiled state shows encoders: the last one, or some of the past too."""

    def twin(self) -> tuple[Any, ...]:
        """Returns the arguments from which the compiled core makes the same state: numbers, and lists of numbers."""
        raise NotImplementedError


def move_name(state: AnyState, move: Any) -> str:
    """Writes a legal move as people do: in the game's usual notation where it has one, or else as its text."""
    return state.san(move) if isinstance(state, WritesSan) else state.move_text(move)


def words(bits: int, size: int) -> list[int]:
    """Splits a board of `size` squares into words of 64 bits, the lowest first, as the compiled core takes them."""
    return [bits >> first & 0xFFFF_FFFF_FFFF_FFFF for first in range(0, size, 64)]
