"""Static exchange evaluation once more, square by square in plain Python: the oracle for the bitboard one."""

from philidor.games.chess import Move, Position

VALUES = {"P": 100, "N": 300, "B": 300, "R": 500, "Q": 900, "K": 0}
CHEAPEST_FIRST = "PNBRQK"
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]

Square = tuple[int, int]
"""(file, rank), each from 0."""
Pieces = dict[Square, str]
"""What stands where, by FEN letter."""


def exchange_value(position: Position, move: Move) -> int:
    """Returns what `move` wins for its mover when both sides capture on its target as long as it pays."""
    if move.is_castling:
        return 0
    pieces = {named(square): letter for square in range(64) if (letter := position.piece_at(square)) is not None}
    origin, target = named(move.from_square), named(move.to_square)
    # 1. The move itself.
    gain = VALUES[pieces[target].upper()] if target in pieces else 0
    piece = pieces.pop(origin)
    if move.is_en_passant:
        gain = VALUES[pieces.pop((target[0], origin[1])).upper()]
    if move.promotion is not None:
        promoted = " PNBRQK"[move.promotion]
        gain += VALUES[promoted] - VALUES["P"]
        piece = promoted if position.turn else promoted.lower()
    pieces[target] = piece
    # 2. The answers. Pins are those after the first move.
    pins = {**pins_against(True, pieces, target), **pins_against(False, pieces, target)}
    return gain - best_capture(pieces, target, not position.turn, pins)


def best_capture(pieces: Pieces, target: Square, white: bool, pins: dict[Square, Square]) -> int:
    """Returns what the side wins by capturing on `target` with its cheapest piece; 0 when that does not pay."""
    candidates = [
        square
        for square in attackers(pieces, target, white)
        if square not in pins or pins[square] not in pieces  # the pinner has taken part and left
    ]
    if not candidates:
        return 0
    capturer = min(candidates, key=lambda square: (CHEAPEST_FIRST.index(pieces[square].upper()), square[1], square[0]))
    after = {square: letter for square, letter in pieces.items() if square != capturer}
    after[target] = pieces[capturer]
    if pieces[capturer].upper() == "K" and attackers(after, target, not white):
        return 0
    gain = VALUES[pieces[target].upper()] - best_capture(after, target, not white, pins)
    return max(0, gain)


def attackers(pieces: Pieces, target: Square, white: bool) -> list[Square]:
    """Returns the squares of one side's pieces that attack `target`."""
    found = []
    for square, letter in pieces.items():
        if letter.isupper() == white and square != target and attacks(pieces, square, target):
            found.append(square)
    return found


def attacks(pieces: Pieces, square: Square, target: Square) -> bool:
    kind = pieces[square].upper()
    step = (target[0] - square[0], target[1] - square[1])
    if kind == "P":
        return abs(step[0]) == 1 and step[1] == (1 if pieces[square] == "P" else -1)
    if kind == "N":
        return step in JUMPS
    if kind == "K":
        return max(abs(step[0]), abs(step[1])) == 1
    return any(first_on_ray(pieces, square, direction) == target for direction in directions(kind))


def directions(kind: str) -> list[Square]:
    return {"R": STRAIGHT, "B": DIAGONAL, "Q": STRAIGHT + DIAGONAL}.get(kind, [])


def first_on_ray(pieces: Pieces, square: Square, direction: Square) -> Square | None:
    """Returns the first occupied square in a direction."""
    file, rank = square[0] + direction[0], square[1] + direction[1]
    while 0 <= file < 8 and 0 <= rank < 8:
        if (file, rank) in pieces:
            return file, rank
        file, rank = file + direction[0], rank + direction[1]
    return None


def pins_against(white: bool, pieces: Pieces, target: Square) -> dict[Square, Square]:
    """Returns the side's pinned pieces and their pinners, but for pieces that would capture their pinner."""
    king = next(square for square, letter in pieces.items() if letter == ("K" if white else "k"))
    pins = {}
    for direction in STRAIGHT + DIAGONAL:
        shield = first_on_ray(pieces, king, direction)
        if shield is None or pieces[shield].isupper() != white:
            continue
        pinner = first_on_ray(pieces, shield, direction)
        if pinner is None or pieces[pinner].isupper() == white or direction not in directions(pieces[pinner].upper()):
            continue
        if pinner != target:
            pins[shield] = pinner
    return pins


def named(square: int) -> Square:
    return square % 8, square // 8
