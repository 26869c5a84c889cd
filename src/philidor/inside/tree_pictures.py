"""Search trees as pictures: a box a position, its numbers inside, its move on the line, the path of a step in color."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from philidor.core.svg import COLORS, INK, QUIET, document, text

TreeDict: TypeAlias = Mapping[str, Any]
"""A node with its `id`, its `move` and its `children`; the other keys are its numbers."""
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN, _HEAD = 96.0, 40.0, 10.0, 46.0, 16.0, 52.0


def draw_tree(
    title: str,
    subtitle: str,
    root: TreeDict,
    lines: Callable[[TreeDict], tuple[str, str]],
    *,
    marked: Collection[int] = (),
    is_faint: Callable[[TreeDict], bool] = lambda _: False,
) -> str:
    """Draws a tree from the top; `lines` writes what stands in a box, `marked` are the nodes of a path."""
    places: dict[int, tuple[float, float]] = {}
    leaves = 0

    def place(node: TreeDict, ply: int) -> float:
        nonlocal leaves
        columns = [place(child, ply + 1) for child in node["children"]]
        if columns:
            x = (columns[0] + columns[-1]) / 2
        else:
            x = _MARGIN + (_WIDTH + _GAP_X) * leaves
            leaves += 1
        places[node["id"]] = x, _HEAD + (_HEIGHT + _GAP_Y) * ply
        return x

    place(root, 0)
    parts = [text(_MARGIN, 22, title, color=INK, weight="600", size=15), text(_MARGIN, 40, subtitle)]
    parts += _branches(root, places, marked)
    for node in _walk(root):
        parts += _box(places[node["id"]], lines(node), node["id"] in marked, is_faint(node))
    width = max(x for x, _ in places.values()) + _WIDTH + _MARGIN
    height = max(y for _, y in places.values()) + _HEIGHT + _MARGIN
    return document(max(width, 360.0), height, parts)


def _walk(node: TreeDict) -> list[TreeDict]:
    return [node, *(below for child in node["children"] for below in _walk(child))]


def _branches(node: TreeDict, places: dict[int, tuple[float, float]], marked: Collection[int]) -> list[str]:
    parts: list[str] = []
    x1, y1 = places[node["id"]]
    for child in node["children"]:
        x2, y2 = places[child["id"]]
        color, width = (COLORS[1], 2.5) if child["id"] in marked and node["id"] in marked else (QUIET, 1)
        start, end = f"M{x1 + _WIDTH / 2:.1f} {y1 + _HEIGHT:.1f}", f"L{x2 + _WIDTH / 2:.1f} {y2:.1f}"
        parts.append(f'<path d="{start}{end}" stroke="{color}" stroke-width="{width}"/>')
        parts += _branches(child, places, marked)
        parts.append(text(x2 + _WIDTH / 2, y2 - 5, child["move"], anchor="middle", color=INK))
    return parts


def _box(place: tuple[float, float], lines: tuple[str, str], is_marked: bool, is_faint: bool) -> list[str]:
    x, y = place
    color = COLORS[1] if is_marked else QUIET if is_faint else INK
    dashes = ' stroke-dasharray="4 3"' if is_faint else ""
    return [
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" fill="white" stroke="{color}"'
        f' stroke-width="{2 if is_marked else 1}"{dashes}/>',
        text(x + _WIDTH / 2, y + 16, lines[0], anchor="middle", color=INK),
        text(x + _WIDTH / 2, y + 31, lines[1], anchor="middle"),
    ]
