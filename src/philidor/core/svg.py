"""The few pieces that every picture of ours is made of: colors, text, the ends of axes, a whole SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

INK, QUIET, GRID = "#1f2933", "#66727f", "#e4e7eb"
# Colors that people who do not see red and green tell apart (Okabe and Ito).
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def text(
    x: float, y: float, content: str, *, anchor: str = "start", color: str = QUIET, weight: str = "400", size: int = 11
) -> str:
    """Returns a line of text."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" font-weight="{weight}" '
        f'font-size="{size}">{escape(content)}</text>'
    )


def document(width: float, height: float, parts: Iterable[str]) -> str:
    """Returns a whole picture on white."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
            f'height="{height:g}" font-family="system-ui, sans-serif">',
            f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
            *parts,
            "</svg>\n",
        ]
    )


def round_up(value: float) -> float:
    """Returns the least 1, 1.5, 2, 3, 4, 5, 8 or 10 times a power of ten that is not below the value."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1, 1.5, 2, 3, 4, 5, 8, 10) if factor * power >= value * (1 - 1e-9))
