"""The toy pawn ending of Figures 3.2 to 3.4: the trees of minimax and alpha-beta, move by move (book, ch. 3.1, 3.2).

The corner of the board counts alone, without kings. White wins by placing a pawn on the third rank, Black by blocking
or capturing all white pawns. The evaluation is 10 where White wins and 0 where Black does.

The book shows the position as a picture. This is the only one on three by three squares in which the moves and
values that the text names come out: White has four moves; after the left pawn's step Black has three replies, which
capture the right pawn, step with the middle pawn and capture the left pawn; after the right pawn's capture Black has
two, of which one captures back; the step is worth 10 and everything else 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from philidor.core.errors import IllegalMoveError
from philidor.core.game import Outcome
from philidor.core.grid import EMPTY, Grid
from philidor.search.solver import game_value

GRID = Grid(3, 3)
FIGURE_3_2 = "pp./.p./P.P"
Step = tuple[int, int]


@dataclass(frozen=True)
class Corner:
    """A position of the corner: one character a square, from a1 to c3. A move is (from, to)."""

    squares: str
    ply: int = 0

    @property
    def to_move(self) -> int:
        """White is 0."""
        return self.ply % 2

    @property
    def key(self) -> int:
        """The squares as a number in base 3, and the side to move: no two positions share it."""
        return 2 * int(self.squares.translate(str.maketrans(".Pp", "012")), 3) + self.to_move

    def legal_moves(self) -> list[Step]:
        """By (from, to); none when the game is over."""
        return [] if self.is_over() else self._steps(self.to_move)

    def play(self, move: Step | str, /) -> Self:
        """Returns the position after a legal move."""
        origin, target = self.parse_move(move) if isinstance(move, str) else move
        board = list(self.squares)
        board[target], board[origin] = board[origin], EMPTY
        return type(self)("".join(board), self.ply + 1)

    def outcome(self) -> Outcome | None:
        """White wins on the third rank; Black as soon as no white pawn can move any more."""
        if "P" in self.squares[6:]:
            return Outcome(0, "third rank reached")
        if not self._steps(0):
            return Outcome(1, "all white pawns blocked or captured")
        return None if self._steps(self.to_move) else Outcome(0, "Black cannot move")

    def is_over(self) -> bool:
        """Says whether there is a winner."""
        return self.outcome() is not None

    def move_text(self, move: Step, /) -> str:
        """Writes "a1a2"."""
        return GRID.name(move[0]) + GRID.name(move[1])

    def parse_move(self, text: str, /) -> Step:
        """Reads "a1a2"."""
        for move in self.legal_moves():
            if self.move_text(move) == text:
                return move
        raise IllegalMoveError(f"no legal move {text!r} in {self.text()!r}")

    def text(self) -> str:
        """Writes the rows from the top."""
        return f"{GRID.text(self.squares)} {self.ply}"

    def __str__(self) -> str:
        return GRID.draw(self.squares)

    def _steps(self, player: int) -> list[Step]:
        """Pawn moves of a player: ahead onto empty squares, diagonally onto the other's pawns."""
        own, other, ahead = ("P", "p", 3) if player == 0 else ("p", "P", -3)
        return [
            (square, square + ahead + side)
            for square in range(9)
            for side in (-1, 0, 1)
            if self.squares[square] == own and 0 <= square + ahead < 9 and 0 <= square % 3 + side < 3
            if self.squares[square + ahead + side] == (other if side else EMPTY)
        ]


def figure_3_2() -> Corner:
    """Returns the position of Figure 3.2."""
    return Corner(GRID.parse(FIGURE_3_2, "Pp"))


def evaluate(position: Corner, /) -> int:
    """The evaluation of which the book says "we will just assume it is there": it plays the rest out."""
    value = game_value(position)
    white_wins = value > 0 if position.to_move == 0 else value < 0
    return 10 if white_wins else 0
