"""What the networks of chapter 4 see and answer: Go's 17 planes, AlphaZero's pieces and 4,672 moves."""

from __future__ import annotations

from philidor.book.items import Exhibit, Finding, Item
from philidor.core.charts import Image
from philidor.encodings.alphazero import ALPHAZERO_SHAPE, AlphaZeroEncoding
from philidor.encodings.boards import BoardEncoding
from philidor.encodings.chess_moves import KINDS, alphazero_index, move_kinds
from philidor.games import load_game
from philidor.games.chess import Position

_OPENING = "q16 d4 d17 q3 r5 c14"
"""Six moves of an opening, as every Go player knows one."""
_KINDS = ("pawns", "knights", "bishops", "rooks", "queens", "king")


def _plane(title: str, bits: int, side: int) -> Image:
    rows = tuple(
        tuple(float(bits >> (row * side + column) & 1) for column in range(side)) for row in reversed(range(side))
    )
    return Image(title, rows, 0.0, 1.0)


def go_planes() -> Exhibit:
    """Figure 4.6: a position of Go as 17 planes."""
    game = load_game("go-19x19")
    state = game.state()
    for move in _OPENING.split():
        state = state.play(move)
    encoding = BoardEncoding(game)
    planes, constants = encoding.planes(state)
    stones = [plane.bit_count() for plane in planes]
    own, theirs = stones[:8], stones[8:]
    findings = (
        Finding("planes", "17", str(encoding.shape.planes), encoding.shape.planes == 17),
        Finding("size of a plane", "19 x 19", f"{encoding.shape.height} x {encoding.shape.width}", len(planes) == 16),
        Finding("own stones now and before", "", ", ".join(map(str, own)), own == [3, 3, 2, 2, 1, 1, 0, 0]),
        Finding("their stones now and before", "", ", ".join(map(str, theirs)), theirs == [3, 2, 2, 1, 1, 0, 0, 0]),
        Finding("the last plane: Black to play", "1", f"{constants[0]:g}", constants == [1.0]),
        Finding("outputs: every point, and the pass", "362", str(game.action_count), game.action_count == 19 * 19 + 1),
    )
    panels = _plane("own stones", planes[0], 19), _plane("the other side's stones", planes[8], 19)
    return Exhibit(findings, (f"After {_OPENING}.",), panels)


def chess_planes() -> Exhibit:
    """Figure 4.11: a position of chess as AlphaZero's planes."""
    position = Position().play("e2e4").play("e7e5").play("g1f3").play("d7d6")
    planes, constants = AlphaZeroEncoding().planes(position)
    counts = [plane.bit_count() for plane in planes[:12]]
    shape = ALPHAZERO_SHAPE
    findings = (
        Finding("planes: 8 boards of 14, and 7", "119", str(shape.planes), shape.planes == 8 * 14 + 7 == 119),
        Finding("own pieces by kind", "", ", ".join(map(str, counts[:6])), counts[:6] == [8, 2, 2, 2, 1, 1]),
        Finding("castling rights, own and theirs", "", f"{constants[2:6]}", constants[2:6] == [1.0] * 4),
    )
    panels = tuple(_plane(f"own {kind}", planes[number], 8) for number, kind in enumerate(_KINDS))
    return Exhibit(findings, ("After 1. e4 e5 2. Nf3 d6.",), panels, columns=3)


def chess_outputs() -> Exhibit:
    """Tables 4.1 to 4.3: how many outputs there are, and that moves share none."""
    kinds = 8 * 7 + 8 + 3 * 3
    legal = 0
    used: dict[int, tuple[int, int, int | None]] = {}
    for origin, target in move_kinds():
        used[alphazero_index(origin, target, None)] = origin, target, None
        legal += 1
    for file in range(8):
        for to_file in range(max(0, file - 1), min(7, file + 1) + 1):
            for piece in (2, 3, 4):
                used[alphazero_index(48 + file, 56 + to_file, piece)] = 48 + file, 56 + to_file, piece
                legal += 1
    findings = (
        Finding("lines, jumps and underpromotions from a square", "73", str(kinds), KINDS == kinds == 73),
        Finding("outputs", "4,672", f"{ALPHAZERO_SHAPE.policy_size:,}", ALPHAZERO_SHAPE.policy_size == 64 * 73),
        Finding("outputs that a move can ever have", "", f"{len(used):,}", len(used) == legal == 1858),
    )
    note = "The rest would leave the board, or promote from elsewhere. Leela's flat policy has just the 1,858 (4.4.1)."
    return Exhibit(findings, (note,))


_SHAPES = "src/philidor/encodings/alphazero.py"
ITEMS = (
    Item(
        name="fig-4.6",
        title="A position of Go as 17 planes",
        section="4.2",
        status="same",
        code="src/philidor/encodings/boards.py",
        run=go_planes,
    ),
    Item(
        name="fig-4.11",
        title="A position of chess as 119 planes",
        section="4.3",
        status="same",
        code=_SHAPES,
        run=chess_planes,
    ),
    Item(
        name="table-4.1",
        also=("table-4.2", "table-4.3"),
        title="AlphaZero's 4,672 moves",
        section="4.3",
        status="same",
        code="src/philidor/encodings/chess_moves.py",
        run=chess_outputs,
    ),
)
