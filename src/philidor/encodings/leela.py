"""Leela's 112 planes in all their formats, readable (book, ch. 4.4.1; docs/encodings.md has the corrections).

Eight boards of 13 planes (own pawns to king, the other side's, all ones if the position had occurred before), all seen
from the side to move now; then castling, side to move or en passant, and three constants. cpp/encodings/leela.cpp is
the native twin, which `philidor.encodings.native` wraps.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum, IntFlag, StrEnum
from typing import Final

from philidor.encodings.chess_moves import FLAT_SIZE, PLANES_SIZE, leela_flat_index, leela_planes_index
from philidor.encodings.encoding import ReadableEncoding, Shape
from philidor.games.chess import BLACK, START_FEN, Move, Position

HISTORY = 8
PLANES_PER_BOARD = 13
_ALL = 2**64 - 1
_KINGSIDE, _QUEENSIDE = "king", "queen"


class LeelaInput(IntEnum):
    """The input formats, numbered as in Leela's files."""

    CLASSICAL = 1
    CASTLING_PLANE = 2
    """Castling rights as the squares of the rooks that have them: fit for Chess960."""
    CANONICAL = 3
    """Boards turned to one of up to eight equal ones; no history that cannot be repeated."""
    CANONICAL_HECTOPLIES = 4
    """The clock in hundreds of plies."""
    CANONICAL_V2 = 5
    """Earlier boards only if they are repetitions."""
    CANONICAL_HECTOPLIES_ARMAGEDDON = 132
    CANONICAL_V2_ARMAGEDDON = 133

    @property
    def is_canonical(self) -> bool:
        """Whether boards are turned and history is cut where it cannot come back."""
        return self >= LeelaInput.CANONICAL

    @property
    def is_armageddon(self) -> bool:
        """Whether a plane tells that Black, who wins draws, is to move."""
        return self >= LeelaInput.CANONICAL_HECTOPLIES_ARMAGEDDON

    @property
    def skips_unrepeated(self) -> bool:
        """Whether earlier boards are left out unless they are repetitions."""
        return self in (LeelaInput.CANONICAL_V2, LeelaInput.CANONICAL_V2_ARMAGEDDON)


class HistoryFill(StrEnum):
    """What stands in the planes of boards before the first known one; names as in lc0's option HistoryFill."""

    NO = "no"
    FEN_ONLY = "fen_only"
    """Nothing before the start position, copies of the first board before any other."""
    ALWAYS = "always"


class LeelaPolicy(StrEnum):
    """How the policy head numbers the moves."""

    FLAT = "flat"
    """A list of 1,858 moves."""
    PLANES = "planes"
    """73 planes of 64 squares."""


class Turn(IntFlag):
    """How a board is turned to its canonical form: first flipped, then mirrored, then transposed."""

    NONE = 0
    FLIP = 1
    """Left and right exchanged."""
    MIRROR = 2
    """Top and bottom exchanged."""
    TRANSPOSE = 4
    """Reflected in the diagonal from a8 to h1."""

    def square(self, square: int) -> int:
        """Returns where a square goes."""
        file, rank = square % 8, square // 8
        if self & Turn.FLIP:
            file = 7 - file
        if self & Turn.MIRROR:
            rank = 7 - rank
        if self & Turn.TRANSPOSE:
            file, rank = 7 - rank, 7 - file
        return 8 * rank + file

    def bits(self, bits: int) -> int:
        """Returns where all squares of a bitboard go."""
        if self is Turn.NONE or bits in (0, _ALL):
            return bits
        return sum(1 << self.square(square) for square in range(64) if bits >> square & 1)


class LeelaEncoding(ReadableEncoding[Position]):
    """Leela's input and policy, one position at a time."""

    def __init__(
        self,
        input_format: LeelaInput = LeelaInput.CLASSICAL,
        fill: HistoryFill = HistoryFill.FEN_ONLY,
        policy: LeelaPolicy = LeelaPolicy.FLAT,
    ) -> None:
        self.input_format = input_format
        self.fill = fill
        self.policy = policy
        self.name = leela_name(input_format, policy)
        self.shape = leela_shape(policy)
        self._place: Final[Callable[[int, int, int | None], int]] = (
            leela_flat_index if policy is LeelaPolicy.FLAT else leela_planes_index
        )

    def planes(self, state: Position) -> tuple[list[int], list[float]]:
        """Returns planes 0 to 108 and the constants of 109 to 111: the clock, zero (or Black to move), one."""
        is_black = state.to_move == BLACK
        boards = self._boards(state)
        planes = [plane for board in boards for plane in board]
        planes += [0] * (PLANES_PER_BOARD * (HISTORY - len(boards)))
        planes += self._castling(state)
        if self.input_format.is_canonical:
            planes.append(_en_passant_flag(state, is_black))
            turn = canonical_turn(state)
            planes = [turn.bits(plane) for plane in planes]
        else:
            planes.append(_ALL if is_black else 0)
        clock = float(state.halfmove_clock)
        if self.input_format >= LeelaInput.CANONICAL_HECTOPLIES:
            clock /= 100
        return planes, [clock, float(self.input_format.is_armageddon and is_black), 1.0]

    def policy_index(self, state: Position, move: Move) -> int:
        """Returns the place of a legal move, turned as the board is."""
        turn = canonical_turn(state) if self.input_format.is_canonical else Turn.NONE
        flip = 56 if state.to_move == BLACK else 0
        origin, target = turn.square(move.from_square ^ flip), turn.square(move.to_square ^ flip)
        return self._place(origin, target, move.promotion)

    def _boards(self, state: Position) -> list[list[int]]:
        """Returns up to eight boards of 13 planes, the newest first."""
        black_view = state.to_move == BLACK
        boards: list[list[int]] = []
        for position in state.history():
            is_newest = position is state
            if self.input_format.is_canonical and not is_newest and not _may_come_back(position, state):
                return boards
            is_repeated = is_repetition(position)
            if is_newest or is_repeated or not self.input_format.skips_unrepeated:
                boards.append(_board(position, black_view, is_repeated))
            if len(boards) == HISTORY or (self.input_format.is_canonical and position.halfmove_clock == 0):
                return boards
        return boards + self._before(state.root(), black_view, HISTORY - len(boards))

    def _before(self, root: Position, black_view: bool, count: int) -> list[list[int]]:
        """Returns the boards that stand for the unknown ones before the first."""
        # No copy of the first board is a repetition, and one that shows en passant is never copied in these formats.
        if self.input_format.skips_unrepeated:
            return []
        flag = root.native.en_passant_raw
        if self.input_format.is_canonical and flag is not None:
            return []
        if self.fill is HistoryFill.NO:
            count = min(count, 0 if flag is None else 1)
        elif self.fill is HistoryFill.FEN_ONLY and root.fen(raw_en_passant=True).split()[:4] == START_FEN.split()[:4]:
            return []
        board = _board(root, black_view, is_repeated=False)
        if flag is not None:
            # A pawn has just made a double step: in the board before it stood on its first square.
            is_own = (root.to_move == BLACK) != black_view
            board[0 if is_own else 6] ^= _seen(1 << flag - 8 | 1 << flag + 8, black_view)
        return [board] * count

    def _castling(self, state: Position) -> list[int]:
        """Returns planes 104 to 107."""
        rights = castling_rooks(state)
        own, other = state.to_move, 1 - state.to_move
        if self.input_format is LeelaInput.CLASSICAL:
            order = ((own, _QUEENSIDE), (own, _KINGSIDE), (other, _QUEENSIDE), (other, _KINGSIDE))
            return [_ALL if each in rights else 0 for each in order]
        planes = []
        for side in (_QUEENSIDE, _KINGSIDE):
            rooks = sum(1 << square for (_, wing), square in rights.items() if wing == side)
            planes.append(_seen(rooks, state.to_move == BLACK))
        return [*planes, 0, 0]


def leela_name(input_format: LeelaInput, policy: LeelaPolicy) -> str:
    """Writes the name of an encoding, such as "leela-1-flat"."""
    return f"leela-{int(input_format)}-{policy}"


def leela_shape(policy: LeelaPolicy) -> Shape:
    """Returns the sizes, which all formats share."""
    size = FLAT_SIZE if policy is LeelaPolicy.FLAT else PLANES_SIZE
    return Shape(packed_planes=109, scalar_planes=3, height=8, width=8, policy_size=size)


def canonical_turn(state: Position) -> Turn:
    """Returns how the canonical formats turn a position: the own king goes to the right, then down, then right again.

    Pawns allow only the first, castling rights nothing at all.
    """
    if castling_rooks(state):
        return Turn.NONE
    planes = _board(state, state.to_move == BLACK, is_repeated=False)
    king = planes[5].bit_length() - 1
    turn = Turn.FLIP if king % 8 < 4 else Turn.NONE
    if planes[0] | planes[6]:
        return turn
    if king // 8 >= 4:
        turn |= Turn.MIRROR
    square = turn.square(king)
    above_diagonal = square % 8 + square // 8 - 7
    if above_diagonal > 0 or (above_diagonal == 0 and _prefers_transposed(planes, turn)):
        turn |= Turn.TRANSPOSE
    return turn


def castling_rooks(state: Position) -> dict[tuple[int, str], int]:
    """Returns the rook's square by (color, wing) for each castling right."""
    rooks = {}
    for letter in state.fen(shredder=True).split()[2].replace("-", ""):
        color = BLACK if letter.islower() else 1 - BLACK
        file = "abcdefgh".index(letter.lower())
        king_file = state.pieces("k" if color == BLACK else "K")[0] % 8
        rooks[color, _KINGSIDE if file > king_file else _QUEENSIDE] = file + (56 if color == BLACK else 0)
    return rooks


def is_repetition(position: Position) -> bool:
    """Says whether the position occurred before as Leela counts it: the same en passant flag, legal or not."""
    key, reach = position.key, position.halfmove_clock
    for plies, earlier in enumerate(position.history()):
        if plies > reach:
            return False
        if plies >= 4 and plies % 2 == 0 and earlier.key == key and not _en_passant_flag(earlier, False):
            return True
    return False


def _en_passant_flag(position: Position, black_view: bool) -> int:
    """Returns a bit on the last rank of the side that made a double step, or 0.

    Leela sets it where a pawn stands ready to take, whether it may or not; in a FEN it is set if it is written.
    """
    raw = position.native.en_passant_raw
    if raw is None:
        return 0
    if position.parent is not None and not _pawn_stands_ready(position, raw):
        return 0
    return _seen(1 << raw % 8 + (0 if position.to_move == BLACK else 56), black_view)


def _pawn_stands_ready(position: Position, target: int) -> bool:
    """Says whether a pawn of the side to move attacks the square behind the double step."""
    rank = target // 8 + (1 if position.to_move == BLACK else -1)
    pawns = position.pieces("p" if position.to_move == BLACK else "P")
    return any(8 * rank + file in pawns for file in (target % 8 - 1, target % 8 + 1) if 0 <= file < 8)


def _may_come_back(earlier: Position, state: Position) -> bool:
    """Says whether nothing final has happened since: a lost castling right, a chance to take en passant."""
    return castling_rooks(earlier) == castling_rooks(state) and not _en_passant_flag(earlier, False)


def _board(position: Position, black_view: bool, is_repeated: bool) -> list[int]:
    """Returns the 13 planes of one board."""
    colors = (1, 0) if black_view else (0, 1)
    pieces = [position.native.pieces(color, kind) for color in colors for kind in range(1, 7)]
    return [*(_seen(bits, black_view) for bits in pieces), _ALL if is_repeated else 0]


def _seen(bits: int, black_view: bool) -> int:
    """Returns a bitboard as its viewer sees it: Black's has the ranks reversed."""
    return int.from_bytes(bits.to_bytes(8, "little"), "big") if black_view else bits


def _prefers_transposed(planes: list[int], turn: Turn) -> bool:
    """Decides for a king on the diagonal: of the first bitboards that differ, the smaller one wins."""
    own, other = planes[:6], planes[6:12]
    everything = [a | b for a, b in zip(own, other, strict=True)]
    pawns, knights, bishops, rooks, queens, kings = everything
    del pawns  # there are none
    for bits in (sum(everything), sum(own), kings, queens, rooks, knights, bishops):
        straight, transposed = turn.bits(bits), (turn | Turn.TRANSPOSE).bits(bits)
        if straight != transposed:
            return transposed < straight
    return False
