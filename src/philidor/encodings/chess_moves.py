"""Chess moves as places in a policy head: Leela's 1,858, and the 73 kinds of moves from each of 64 squares.

Book: Tables 4.1 to 4.3 (AlphaZero's 8 x 8 x 73) and ch. 4.4.1 (Leela's flat list). All squares here are the mover's
view: a pawn moves up. Castling is king takes own rook, which no other move of a king can be taken for.

cpp/encodings/chess_moves.h is the native twin.
"""

from functools import cache

KNIGHT, BISHOP, ROOK, QUEEN = 2, 3, 4, 5

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""(files, ranks): north, north-east, east and on, clockwise."""
KNIGHT_JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

KINDS = 73
"""8 directions x 7 distances, 8 knight jumps, 3 directions x 3 promotions."""
_FIRST_KNIGHT_KIND = 56
_FIRST_PROMOTION_KIND = 64

FLAT_SIZE = 1858
PLANES_SIZE = KINDS * 64
# Leela names the other three pieces than AlphaZero: a pawn that arrives without a word is a knight, not a queen.
_LEELA_PIECES = (ROOK, BISHOP, QUEEN)
_ALPHAZERO_PIECES = (KNIGHT, BISHOP, ROOK)


@cache
def move_kinds() -> dict[tuple[int, int], int]:
    """Returns for each (from, to) that a queen or a knight could go which of the first 64 kinds it is."""
    kinds = {}
    for origin in range(64):
        file, rank = origin % 8, origin // 8
        for kind in range(_FIRST_PROMOTION_KIND):
            if kind < _FIRST_KNIGHT_KIND:
                (files, ranks), distance = DIRECTIONS[kind // 7], kind % 7 + 1
            else:
                (files, ranks), distance = KNIGHT_JUMPS[kind - _FIRST_KNIGHT_KIND], 1
            to_file, to_rank = file + files * distance, rank + ranks * distance
            if 0 <= to_file < 8 and 0 <= to_rank < 8:
                kinds[origin, 8 * to_rank + to_file] = kind
    return kinds


@cache
def flat_moves() -> list[tuple[int, int, int | None]]:
    """Returns Leela's list of 1,858 moves: (from, to, promotion); a promotion to a knight is the plain move."""
    moves: list[tuple[int, int, int | None]] = [(origin, target, None) for origin, target in sorted(move_kinds())]
    for file in range(8):
        for to_file in range(max(0, file - 1), min(7, file + 1) + 1):
            moves += [(48 + file, 56 + to_file, piece) for piece in (QUEEN, ROOK, BISHOP)]
    return moves


@cache
def _flat_index() -> dict[tuple[int, int, int | None], int]:
    return {move: index for index, move in enumerate(flat_moves())}


def leela_flat_index(origin: int, target: int, promotion: int | None) -> int:
    """Returns a move's place in Leela's list."""
    return _flat_index()[origin, target, None if promotion == KNIGHT else promotion]


def leela_planes_index(origin: int, target: int, promotion: int | None) -> int:
    """Returns a move's place in 73 x 8 x 8 planes, as Leela's convolution policy has them."""
    kind = move_kinds()[origin, target]
    if promotion is not None and promotion != KNIGHT:
        # By direction (left, ahead, right), then by piece.
        kind = _FIRST_PROMOTION_KIND + 3 * (target % 8 - origin % 8 + 1) + _LEELA_PIECES.index(promotion)
    return 64 * kind + origin


def alphazero_index(origin: int, target: int, promotion: int | None) -> int:
    """Returns a move's place in 8 x 8 x 73: the square first, then the kind (Tables 4.1 to 4.3)."""
    kind = move_kinds()[origin, target]
    if promotion is not None and promotion != QUEEN:
        # Ahead, captures to the left, captures to the right, as Table 4.3 lists them.
        direction = (1, 0, 2)[target % 8 - origin % 8 + 1]
        kind = _FIRST_PROMOTION_KIND + 3 * direction + _ALPHAZERO_PIECES.index(promotion)
    return KINDS * origin + kind
