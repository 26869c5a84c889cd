"""The book's diagrams: boards and networks, each where it belongs."""

import re
import xml.etree.ElementTree as ET

import pytest

from philidor.book.boards import board
from philidor.book.chapter4.puct import figure_4_8, one_simulation
from philidor.book.flows import flow_drawing
from philidor.core.charts import DRAWING_HEIGHT, PANEL_WIDTH, Drawing, draw_charts
from philidor.core.errors import IllegalMoveError
from philidor.games.chess import Position


def _lines(drawing: Drawing) -> list[tuple[float, float]]:
    """Returns where lines begin: x and y."""
    found = re.findall(r'<path d="M([\d.]+) ([\d.]+)V', "".join(drawing.parts))
    return [(float(x), float(y)) for x, y in found]


def test_a_line_leads_from_every_box_to_those_below_it() -> None:
    drawing = flow_drawing("T", (["a"], ["b", "c"], ["d", "e", "f", "g"], ["h"]))
    lines = _lines(drawing)
    heights = sorted({y for _, y in lines})
    assert [sum(y == height for _, y in lines) for height in heights] == [2, 4, 4]
    # Two boxes hang below the first, in the middles of the halves.
    first = sorted(x for x, y in lines if y == heights[0])
    assert first == pytest.approx([PANEL_WIDTH / 4, 3 * PANEL_WIDTH / 4], abs=4)
    assert drawing.text == "a\nb | c\nd | e | f | g\nh"


@pytest.mark.parametrize("rows", [1, 3, 12])
def test_boxes_stay_inside_their_panel(rows: int) -> None:
    drawing = flow_drawing("T", [["a long name, and a longer", "b", "c"]] * rows)
    rects = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', "".join(drawing.parts))
    assert len(rects) == 3 * rows
    for x, y, width, height in (map(float, rect) for rect in rects):
        assert x + width <= PANEL_WIDTH + 0.1
        assert y + height <= DRAWING_HEIGHT + 0.1


def test_a_board_has_its_position_and_its_arrow_and_fits() -> None:
    drawing = board("T", Position(), "e4")
    whole = ET.fromstring(draw_charts("T", "", (drawing,)))
    (inner,) = whole.iter("{http://www.w3.org/2000/svg}desc")
    assert inner.text == Position().fen()
    plain = board("T", Position())
    assert len(drawing.parts[0]) > len(plain.parts[0])
    assert f'height="{DRAWING_HEIGHT}"' in drawing.parts[0]
    assert plain.text == str(Position())
    with pytest.raises(IllegalMoveError):
        board("T", Position(), "e5")


def test_the_worked_example_is_drawn_before_and_after() -> None:
    root, _, _ = figure_4_8()
    assert root.visits == 6
    before, after = (re.findall(r">([^<>]+)</text>", "".join(panel.parts)) for panel in one_simulation().panels)  # type: ignore[union-attr]
    assert {"6", "Q 0.4", "Q 0.5"} <= set(before)
    # The numbers of Figure 4.10.
    assert {"7", "Q 0.5", "Q 0.6"} <= set(after)
