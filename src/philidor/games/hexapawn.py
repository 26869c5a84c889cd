"""Hexapawn on any board: pawns step and capture as in chess; the last row or a stuck opponent wins (book, ch. 5).

White moves first and up. The numbers of the moves on 3x3 are those of the book's network outputs (ch. 5.1).
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

from philidor.core.abilities import HasTwin, StonesOnGrid, TellsCaptures
from philidor.core.descriptor import Descriptor, GridDrawing, Piece, Sizes
from philidor.core.errors import ArgumentError, FenError, IllegalMoveError, checked_text
from philidor.core.game import FIRST, IDENTITY, SECOND, Outcome, Symmetry
from philidor.core.grid import EMPTY, Grid
from philidor.core.zobrist import zobrist_numbers

_PAWNS = "Pp"
_SIDES = "wb"

HEXAPAWN = Descriptor(
    name="hexapawn",
    title="Hexapawn",
    rules=(
        "Each side has a row of pawns, which move and capture as in chess: one step straight ahead to an empty square, "
        "or one step diagonally ahead to take an enemy pawn. White begins. Whoever brings a pawn to the last row wins, "
        "and so does whoever leaves the other side without a move."
    ),
    sides=("White", "Black"),
    sizes=Sizes(usual=(3, 3), width=(1, 12), height=(3, 12)),
    encoding="hexapawn",
    native="hexapawn",
    drawing=GridDrawing(
        pieces={"P": Piece("white pawn", FIRST, "♙"), "p": Piece("black pawn", SECOND, "♟")},
        style="checkered",
        art="figures",
        has_facing_sides=True,
    ),
)


class PawnMove(NamedTuple):
    """From one square to another; ordered by (from, to), the canonical order."""

    from_square: int
    to_square: int


@dataclass(frozen=True)
class HexapawnState(StonesOnGrid, TellsCaptures, HasTwin):
    """A position: which squares each side's pawns stand on, as bits, and who is to move."""

    descriptor = HEXAPAWN

    grid: Grid
    pawns: tuple[int, int]
    to_move: int
    ply: int = field(compare=False)

    @cached_property
    def key(self) -> int:
        """A hash of the position, the same in every process."""
        numbers = zobrist_numbers("hexapawn", 1 + 2 * self.grid.size)
        key = numbers[0] if self.to_move == SECOND else 0
        for player in (FIRST, SECOND):
            for square in range(self.grid.size):
                if self.pawns[player] >> square & 1:
                    key ^= numbers[1 + 2 * square + player]
        return key

    @property
    def board_bits(self) -> tuple[int, int]:
        """Both players' pawns: bit row * width + column."""
        return self.pawns

    def twin(self) -> tuple[int, int, int, int, int]:
        """Returns width, height, both players' pawns and who is to move."""
        return self.grid.width, self.grid.height, *self.pawns, self.to_move

    def legal_moves(self) -> list[PawnMove]:
        """Returns the moves by (from, to): for each pawn its left capture, its step, its right capture."""
        return [] if self._has_promoted() else self._moves

    def play(self, move: PawnMove | str, /) -> Self:
        """Returns the position after a legal move."""
        if isinstance(move, str):
            move = self.parse_move(move)
        elif not isinstance(move, PawnMove):
            raise ArgumentError("a PawnMove, or its text such as 'a1a2'", move)
        elif move not in self.legal_moves():
            raise IllegalMoveError(f"no legal move {self.move_text(move)!r} in {self.text()!r}")
        origin, target = 1 << move.from_square, 1 << move.to_square
        mine, theirs = self.pawns[self.to_move] ^ origin ^ target, self.pawns[1 - self.to_move] & ~target
        pawns = (mine, theirs) if self.to_move == FIRST else (theirs, mine)
        return type(self)(self.grid, pawns, 1 - self.to_move, self.ply + 1)

    def is_capture(self, move: PawnMove, /) -> bool:
        """Says whether a legal move takes a pawn: pawns capture sideways only."""
        return (move.to_square - move.from_square) % self.grid.width != 0

    def outcome(self) -> Outcome | None:
        """Says who won: by a pawn on the last row, or because the side to move cannot move."""
        if self._has_promoted():
            return Outcome(1 - self.to_move, "last row reached")
        return None if self._moves else Outcome(1 - self.to_move, "no legal move")

    def is_over(self) -> bool:
        """Says whether somebody has won."""
        return self._has_promoted() or not self._moves

    def move_text(self, move: PawnMove, /) -> str:
        """Writes a move: "a1a2", "a2b3"."""
        return self.grid.name(move.from_square) + self.grid.name(move.to_square)

    def parse_move(self, text: str, /) -> PawnMove:
        """Reads a legal move: "a2b3", also with "-" or "x" between the squares."""
        plain = checked_text(text).strip().lower()
        for move in self.legal_moves():
            origin, target = self.grid.name(move.from_square), self.grid.name(move.to_square)
            if plain in (origin + target, f"{origin}-{target}", f"{origin}x{target}"):
                return move
        raise IllegalMoveError(f"no legal move {text!r} in {self.text()!r}")

    def text(self) -> str:
        """Writes the position, as FEN does for chess: rows from the top, side to move, moves made."""
        return f"{self.grid.text(self._squares())} {_SIDES[self.to_move]} {self.ply}"

    def __str__(self) -> str:
        return f"{self.grid.draw(self._squares())}\n{'White' if self.to_move == FIRST else 'Black'} to move"

    def mirrored(self) -> Self:
        """Returns the position with left and right exchanged."""
        white, black = (_mirror_bits(self.grid, pawns) for pawns in self.pawns)
        return type(self)(self.grid, (white, black), self.to_move, self.ply)

    @cached_property
    def _moves(self) -> list[PawnMove]:
        width = self.grid.width
        mine, theirs = self.pawns[self.to_move], self.pawns[1 - self.to_move]
        moves = []
        for square in range(self.grid.size):
            if not mine >> square & 1:
                continue
            ahead = square + width if self.to_move == FIRST else square - width
            if not 0 <= ahead < self.grid.size:
                continue
            column = square % width
            if column > 0 and theirs >> ahead - 1 & 1:
                moves.append(PawnMove(square, ahead - 1))
            if not (mine | theirs) >> ahead & 1:
                moves.append(PawnMove(square, ahead))
            if column < width - 1 and theirs >> ahead + 1 & 1:
                moves.append(PawnMove(square, ahead + 1))
        return moves

    def _has_promoted(self) -> bool:
        """Says whether the side that just moved has a pawn on its last row."""
        mover = 1 - self.to_move
        row = (1 << self.grid.width) - 1
        return self.pawns[mover] & (row << self.grid.size - self.grid.width if mover == FIRST else row) != 0

    def _squares(self) -> str:
        white, black = self.pawns
        return "".join(
            _PAWNS[0] if white >> square & 1 else _PAWNS[1] if black >> square & 1 else EMPTY
            for square in range(self.grid.size)
        )


class Hexapawn:
    """The game on one size of board; the book's is 3x3."""

    descriptor = HEXAPAWN
    repetition_matters = False

    def __init__(self, width: int = 3, height: int = 3) -> None:
        if height < 2:
            raise ValueError(f"hexapawn needs at least 2 rows, got {height}")
        self.grid = Grid(width, height)
        self.name = HEXAPAWN.full_name(width=width, height=height)
        # Per row that a side can leave: `width` steps and 2 * width - 2 captures.
        self._steps = width * (height - 1)
        self._captures = (2 * width - 2) * (height - 1)
        self.action_count = 2 * (self._steps + self._captures)
        # Every pawn may walk to the row before the last; one more step ends the game.
        self.max_plies = 2 * width * (height - 2) + 1
        self.symmetries = (
            IDENTITY,
            Symmetry[HexapawnState, PawnMove](
                "mirror",
                HexapawnState.mirrored,
                self._mirror_move,
                squares=tuple(map(self.grid.mirrored, range(self.grid.size))),
                actions=self._mirrored_actions(),
            ),
        )

    def __repr__(self) -> str:
        return f"load_game({self.name!r})"

    def state(self, text: str | None = None, /) -> HexapawnState:
        """Returns the initial position, or reads one such as "p.p/.p./PPP w"; the moves made may be left out."""
        if text is None:
            row = (1 << self.grid.width) - 1
            return HexapawnState(self.grid, (row, row << self.grid.size - self.grid.width), FIRST, 0)
        fields = checked_text(text).split()
        if len(fields) not in (2, 3):
            raise FenError(f"expected 'BOARD SIDE [PLY]', got {text!r}")
        squares = self.grid.parse(fields[0], _PAWNS)
        if fields[1] not in ("w", "b"):
            raise FenError(f"the side to move must be 'w' or 'b', got {fields[1]!r} in {text!r}")
        to_move = _SIDES.index(fields[1])
        ply = _parse_ply(fields[2], to_move, text) if len(fields) == 3 else to_move
        state = HexapawnState(self.grid, (_bits(squares, _PAWNS[0]), _bits(squares, _PAWNS[1])), to_move, ply)
        self._check(state, text)
        return state

    def action_index(self, state: HexapawnState, move: PawnMove, /) -> int:
        """Numbers White's steps, Black's steps, White's captures, Black's captures, each from the mover's first row."""
        width, height = self.grid.width, self.grid.height
        row, column = divmod(move.from_square, width)
        rows_behind = row if state.to_move == FIRST else height - 1 - row
        sideways = move.to_square % width - column
        if sideways == 0:
            return state.to_move * self._steps + rows_behind * width + column
        # The first column has only a right capture, hence the - 1.
        place = 2 * column - 1 + (sideways > 0)
        return 2 * self._steps + state.to_move * self._captures + rows_behind * (2 * width - 2) + place

    def _mirrored_actions(self) -> tuple[int, ...]:
        """Mirrors each row of numbers in itself: first the steps of both sides, then their captures."""
        width = self.grid.width
        rows = [width] * (2 * self._steps // width) + [2 * width - 2] * (2 * (self.grid.height - 1))
        numbers: list[int] = []
        for length in rows:
            numbers += reversed(range(len(numbers), len(numbers) + length))
        return tuple(numbers)

    def _mirror_move(self, move: PawnMove) -> PawnMove:
        return PawnMove(self.grid.mirrored(move.from_square), self.grid.mirrored(move.to_square))

    def _check(self, state: HexapawnState, text: str) -> None:
        """Refuses positions that no game can reach by counting."""
        for player, name in ((FIRST, "White"), (SECOND, "Black")):
            count = state.pawns[player].bit_count()
            if count > self.grid.width:
                raise FenError(f"{name} has at most {self.grid.width} pawns, got {count} in {text!r}")
        row = (1 << self.grid.width) - 1
        last_rows = (row << self.grid.size - self.grid.width, row)
        if state.pawns[state.to_move] & last_rows[state.to_move]:
            raise FenError(f"the side to move has a pawn on its last row already in {text!r}")


def _parse_ply(field: str, to_move: int, text: str) -> int:
    if not (field.isascii() and field.isdigit() and len(field) < 10) or int(field) % 2 != to_move:
        kind = "an even" if to_move == FIRST else "an odd"
        raise FenError(f"the moves made must be {kind} number, got {field!r} in {text!r}")
    return int(field)


def _bits(squares: str, piece: str) -> int:
    return sum(1 << square for square, character in enumerate(squares) if character == piece)


def _mirror_bits(grid: Grid, bits: int) -> int:
    return sum(1 << grid.mirrored(square) for square in range(grid.size) if bits >> square & 1)
