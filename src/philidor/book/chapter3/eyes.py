"""Eyes and the vital point: which groups of stones live, found by letting the attacker try everything (Go; 3.5, 4.1).

The figures are drawn in a corner of 5x5 whose other points are the attacker's, so that nothing else matters.
"""

from __future__ import annotations

from dataclasses import dataclass

from philidor.book.items import Exhibit, Finding, Item
from philidor.core.charts import PANEL_HEIGHT, Drawing
from philidor.core.svg import INK
from philidor.games.go import Go, GoState

_OUTSIDE = ("OOOOO", "OO.O.")


@dataclass(frozen=True, slots=True)
class Shape:
    """A black group in the corner, and what the book says of it."""

    figure: str
    title: str
    rows: tuple[str, ...]
    lives: bool

    def state(self, to_move: str = "O") -> GoState:
        """Returns the board with the outside filled."""
        return Go(5, 5, ko="simple").state(f"{'/'.join((*self.rows, *_OUTSIDE))} {to_move}")


SHAPES = (
    Shape("fig-3.7", "two eyes", (".X.XO", "XXXXO", "OOOOO"), True),
    Shape("fig-3.8", "one eye", (".XXXO", "XXXXO", "OOOOO"), False),
    Shape("fig-3.9", "an eye that is false", (".XO.O", "XX.XO", "OOXXO"), False),
    Shape("fig-3.10", "two free points, but one eye", ("..XXO", "XXXXO", "OOOOO"), False),
)
NAKADE = Shape("fig-4.4", "three points in a row", ("...XO", "XXXXO", "OOOOO"), False)
"""Figure 4.4: whoever plays the middle point first decides."""


def can_be_taken(state: GoState, target: int) -> bool:
    """Says whether White, who alone moves, can take the stone."""
    stack, seen = [state], set[str]()
    while stack:
        position = stack.pop()
        if position.board[target] != "X":
            return True
        for move in position.legal_moves()[:-1]:
            following = position.play(move).with_turn(1)
            if following.board not in seen:
                seen.add(following.board)
                stack.append(following)
    return False


def _stone(state: GoState, name: str) -> int:
    square = state.grid.square(name)
    assert square is not None
    return square


def _word(lives: bool) -> str:
    return "lives" if lives else "is taken"


def _picture(shape: Shape) -> Drawing:
    """Draws the corner with its stones; the attacker's stones around it go on below and to the right."""
    step = PANEL_HEIGHT / 5.5
    ends = step / 2, step * 4.5
    parts = [f'<rect width="{5 * step:.1f}" height="{5 * step:.1f}" fill="#e8c98a"/>']
    for line in range(5):
        at = step * (line + 0.5)
        parts.append(
            f'<path d="M{ends[0]:.1f} {at:.1f}H{ends[1]:.1f}M{at:.1f} {ends[0]:.1f}V{ends[1]:.1f}" stroke="{INK}"/>'
        )
    for row, points in enumerate((*shape.rows, *_OUTSIDE)):
        for column, point in enumerate(points):
            if point != ".":
                x, y = step * (column + 0.5), step * (row + 0.5)
                fill = INK if point == "X" else "white"
                parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.46 * step:.1f}" fill="{fill}" stroke="{INK}"/>')
    return Drawing(f"{shape.figure}: {shape.title}", tuple(parts))


def groups_judged() -> Exhibit:
    """Figures 3.7 to 3.10: which groups live."""
    findings = []
    for shape in SHAPES:
        state = shape.state()
        lives = not can_be_taken(state, _stone(state, "b5"))
        findings.append(Finding(shape.title, _word(shape.lives), _word(lives), lives == shape.lives))
    note = "White plays alone and tries every order of moves: a group with two true eyes cannot be taken even so."
    return Exhibit(tuple(findings), (note,), tuple(map(_picture, SHAPES)))


def vital_point() -> Exhibit:
    """Figure 4.4: White inside kills, Black inside lives."""
    state = NAKADE.state()
    target = _stone(state, "d5")
    inside = state.play("b5")
    replies = [inside.play(move).reopened().with_turn(1) for move in inside.legal_moves()]
    dies = all(can_be_taken(reply, target) for reply in replies)
    lives = not can_be_taken(state.with_turn(0).play("b5"), target)
    findings = (
        Finding("White plays in the middle first", _word(False), _word(not dies), dies),
        Finding("Black plays in the middle first", _word(True), _word(lives), lives),
        Finding("replies of Black that were tried", "", str(len(replies))),
    )
    return Exhibit(findings, panels=(_picture(NAKADE),))


_HERE = "src/philidor/book/chapter3/eyes.py"
ITEMS = (
    Item(
        name="fig-3.7",
        also=("fig-3.8", "fig-3.9", "fig-3.10"),
        title="Groups of stones that live and die",
        section="3.5",
        status="same",
        code=_HERE,
        run=groups_judged,
    ),
    Item(name="fig-4.4", title="Nakade", section="4.1", status="same", code=_HERE, run=vital_point),
)
