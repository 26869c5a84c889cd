"""The book's diagrams: a position of chess as a panel of an item."""

from __future__ import annotations

from philidor.core.charts import DRAWING_HEIGHT, Drawing
from philidor.games.chess import Position


def board(title: str, position: Position, *arrows: str) -> Drawing:
    """Draws a position, with an arrow for each of the moves."""
    return Drawing(title, (position.svg(arrows=arrows, size=DRAWING_HEIGHT),), str(position))
