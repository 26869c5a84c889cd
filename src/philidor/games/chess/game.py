"""Chess as one of the games: the rules of the world chess federation, and Chess960 start positions."""

from collections.abc import Sequence
from typing import Any, Final

from philidor.core.errors import ArgumentError, ConfigError
from philidor.core.game import IDENTITY, Symmetry
from philidor.games.chess.descriptor import CHESS
from philidor.games.chess.native import Move
from philidor.games.chess.position import Position

_QUEEN: Final = 5
# (piece, from file, file step): 3 pieces x 22 steps for each color.
_UNDERPROMOTIONS = [
    (piece, file, step) for piece in (2, 3, 4) for file in range(8) for step in (-1, 0, 1) if 0 <= file + step < 8
]
_UNDERPROMOTION_INDEX = {promotion: index for index, promotion in enumerate(_UNDERPROMOTIONS)}


class Chess:
    """The game of chess."""

    descriptor: Final = CHESS
    name: Final = CHESS.name
    # from x to, a queen where a pawn promotes, and the other promotions of each color. Networks have encodings of
    # their own (philidor.encodings); this numbering serves everything that only needs one.
    action_count: Final = 64 * 64 + 2 * len(_UNDERPROMOTIONS)
    # A game ends after at most 5,898 moves by the seventy-five-move rule; far less by the rules applied here.
    max_plies: Final = None
    repetition_matters: Final = True
    # Castling rights break the left-right symmetry, and pawns the others.
    symmetries: Sequence[Symmetry[Position, Any]] = (IDENTITY,)

    def __repr__(self) -> str:
        return f"load_game({self.name!r})"

    def state(self, text: str | None = None, /) -> Position:
        """Returns the start position, or the one of a FEN. Raises FenError."""
        return Position(text if text is not None else "startpos")

    def action_index(self, state: Position, move: Move, /) -> int:
        """Returns the number of a move, below `action_count`."""
        promotion = move.promotion
        if promotion is None or promotion == _QUEEN:
            return 64 * move.from_square + move.to_square
        file = move.from_square % 8
        place = _UNDERPROMOTION_INDEX[promotion, file, move.to_square % 8 - file]
        return 64 * 64 + len(_UNDERPROMOTIONS) * state.to_move + place


def chess960_position(number: int) -> Position:
    """Returns the Chess960 start position with this number (0 to 959; 518 is the usual one), by Scharnagl's method."""
    if not isinstance(number, int):
        raise ArgumentError("the number of a Chess960 start position, 0 to 959", number)
    if not 0 <= number < 960:
        raise ConfigError(f"a Chess960 start position has a number from 0 to 959, got {number}")
    rank = [""] * 8
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    rest, queen = divmod(rest, 6)
    rank[2 * light + 1] = "b"
    rank[2 * dark] = "b"
    rank[_free(rank)[queen]] = "q"
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    first, second = pairs[rest]
    free = _free(rank)
    rank[free[first]] = rank[free[second]] = "n"
    for square, letter in zip(_free(rank), "rkr", strict=True):
        rank[square] = letter
    pieces = "".join(rank)
    files = "".join("abcdefgh"[file] for file in (7 - pieces[::-1].index("r"), pieces.index("r")))
    return Position(
        f"{pieces}/pppppppp/8/8/8/8/PPPPPPPP/{pieces.upper()} w {files.upper()}{files} - 0 1", chess960=True
    )


def is_chess960(state: object) -> bool:
    """Says whether this is a position of Chess960, and not one of chess as usual or of another game."""
    return isinstance(state, Position) and state.is_chess960


def _free(rank: list[str]) -> list[int]:
    return [square for square, letter in enumerate(rank) if not letter]
