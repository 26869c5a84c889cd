"""Search trees as pictures: one circle a position, the moves on the lines, what was cut off dashed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from philidor.core.charts import PANEL_HEIGHT, PANEL_WIDTH, Drawing
from philidor.core.svg import COLORS, INK, QUIET, text

_RADIUS = 11
_MARGIN = _RADIUS + 4
_FOOT = 12
"""Room for the moves below the last row."""


@dataclass(slots=True)
class Twig:
    """A node of a picture."""

    label: str
    """Inside the circle."""
    move: str = ""
    """Beside the line that leads here."""
    is_marked: bool = False
    """Drawn bold: the path of a step."""
    is_cut: bool = False
    """Drawn dashed and without a value: never visited."""
    children: list[Twig] = field(default_factory=list)

    def depth(self) -> int:
        """Returns how many levels there are, this one included."""
        return 1 + max((child.depth() for child in self.children), default=0)

    def leaves(self) -> int:
        """Returns how many nodes have nothing below."""
        return sum(child.leaves() for child in self.children) or 1

    def walk(self) -> Iterator[Twig]:
        """Yields this node and all below."""
        yield self
        for child in self.children:
            yield from child.walk()


def tree_drawing(title: str, root: Twig) -> Drawing:
    """Draws a tree from the top; every leaf gets the same width."""
    step = (PANEL_HEIGHT - 2 * _MARGIN - _FOOT) / max(1, root.depth() - 1)
    width = (PANEL_WIDTH - 2 * _MARGIN) / max(1, root.leaves() - 1)
    places: dict[int, tuple[float, float]] = {}
    next_leaf = 0

    def place(twig: Twig, level: int) -> float:
        nonlocal next_leaf
        if twig.children:
            columns = [place(child, level + 1) for child in twig.children]
            x = (columns[0] + columns[-1]) / 2
        else:
            x = _MARGIN + width * next_leaf if root.leaves() > 1 else PANEL_WIDTH / 2
            next_leaf += 1
        places[id(twig)] = x, _MARGIN + step * level
        return x

    place(root, 0)
    radius = min(_RADIUS, 0.3 * step)
    lines = [part for twig in root.walk() for child in twig.children for part in _line(twig, child, places, radius)]
    circles = [part for twig in root.walk() for part in _circle(twig, places[id(twig)], radius)]
    return Drawing(title, (*lines, *circles))


def _line(parent: Twig, child: Twig, places: dict[int, tuple[float, float]], radius: float) -> list[str]:
    """Draws a line and its move: below a leaf, where there is room, or else at the lower end of the line."""
    (x1, y1), (x2, y2) = places[id(parent)], places[id(child)]
    style = f'stroke="{COLORS[1]}" stroke-width="2"' if child.is_marked else f'stroke="{QUIET}"'
    dashes = ' stroke-dasharray="3 3" opacity="0.6"' if child.is_cut else ""
    parts = [f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" {style}{dashes}/>']
    if child.move and not child.children:
        parts.append(text(x2, y2 + radius + 9, child.move, anchor="middle", size=7))
    elif child.move:
        parts.append(text(x2 + radius + 2, y2 + 3, child.move, size=7))
    return parts


def _circle(twig: Twig, place: tuple[float, float], radius: float) -> list[str]:
    x, y = place
    style = f'stroke="{COLORS[1]}" stroke-width="2"' if twig.is_marked else f'stroke="{INK}"'
    dashes = ' stroke-dasharray="3 3"' if twig.is_cut else ""
    circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="white" {style}{dashes}/>'
    return [circle, text(x, y + 2.5, twig.label, anchor="middle", color=INK, size=7)]


def counted(root: Twig, keep: Callable[[Twig], bool]) -> int:
    """Returns how many nodes of a picture a condition holds for."""
    return sum(map(keep, root.walk()))
