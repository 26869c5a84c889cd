"""Networks and instructions as pictures: rows of boxes, each joined to those below it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from philidor.core.charts import DRAWING_HEIGHT, PANEL_WIDTH, Drawing
from philidor.core.svg import INK, QUIET, text

_GAP_X, _GAP_Y = 8.0, 14.0
_TALLEST = 30.0
_LETTER = 6.2
"""Width of a letter of 10 points, on average."""

Span = tuple[float, float]
"""Where a box begins and ends, from left to right."""


def flow_drawing(title: str, rows: Sequence[Sequence[str]]) -> Drawing:
    """Draws the rows from the top; the boxes of a row share its width, and a line goes to every box that lies below."""
    height = min(_TALLEST, (DRAWING_HEIGHT - _GAP_Y * (len(rows) - 1)) / len(rows))
    parts = []
    for number, (row, below) in enumerate(pairwise([*rows, ()])):
        top = number * (height + _GAP_Y)
        for name, (left, right) in zip(row, _spans(len(row)), strict=True):
            # A long name is squeezed into its box rather than drawn over its neighbor.
            size = 10 if len(name) * _LETTER < right - left - 4 else 7
            parts += [
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{height:.1f}" rx="4" '
                f'fill="white" stroke="{INK}"/>',
                text((left + right) / 2, top + height / 2 + 3.5, name, anchor="middle", color=INK, size=size),
            ]
            parts += [_line(x, top + height) for x in _joints((left, right), _spans(len(below)))]
    return Drawing(title, tuple(parts), "\n".join(" | ".join(row) for row in rows))


def _spans(boxes: int) -> list[Span]:
    width = (PANEL_WIDTH + _GAP_X) / max(1, boxes)
    return [(width * number, width * (number + 1) - _GAP_X) for number in range(boxes)]


def _joints(box: Span, below: Sequence[Span]) -> list[float]:
    """Returns where lines leave a box: in the middle of what it shares with each box below."""
    shared = [(max(box[0], left), min(box[1], right)) for left, right in below]
    return [(left + right) / 2 for left, right in shared if right > left]


def _line(x: float, y: float) -> str:
    end = y + _GAP_Y
    return f'<path d="M{x:.1f} {y:.1f}V{end:.1f}m-3 -4l3 4l3 -4" fill="none" stroke="{QUIET}"/>'
