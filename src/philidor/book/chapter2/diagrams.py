"""Drawings that are no curves: networks as circles and arrows, and a surface over two weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from philidor.book.chapter2.neurons import Array
from philidor.core.charts import PANEL_HEIGHT, PANEL_WIDTH, Drawing
from philidor.core.svg import COLORS, INK, QUIET, text

_RADIUS = 15


def network_drawing(
    title: str, layers: Sequence[Sequence[str]], labels: Mapping[tuple[int, int], str] | None = None
) -> Drawing:
    """Draws a column of circles for each layer and a line for each weight.

    `labels` are written on the weights between the first two layers, by (input, unit).
    """
    places = [
        [
            (_RADIUS + 8 + (PANEL_WIDTH - 2 * _RADIUS - 16) * column / max(1, len(layers) - 1), _row(row, len(layer)))
            for row in range(len(layer))
        ]
        for column, layer in enumerate(layers)
    ]
    parts = []
    for column, (left, right) in enumerate(pairwise(places)):
        for source, (x1, y1) in enumerate(left):
            if layers[column][source] == "...":
                continue
            for target, (x2, y2) in enumerate(right):
                parts.append(f'<path d="M{x1:.0f} {y1:.0f}L{x2:.0f} {y2:.0f}" stroke="{QUIET}" opacity="0.6"/>')
                label = (labels or {}).get((source, target)) if column == 0 else None
                if label:
                    middle = x1 + 0.4 * (x2 - x1), y1 + 0.4 * (y2 - y1) - 4
                    parts.append(text(*middle, label, anchor="middle", color=COLORS[1]))
    for layer, column_places in zip(layers, places, strict=True):
        for name, (x, y) in zip(layer, column_places, strict=True):
            if name != "...":
                parts.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{_RADIUS}" fill="white" stroke="{INK}"/>')
            parts.append(text(x, y + 4, name, anchor="middle", color=INK, size=10))
    return Drawing(title, tuple(parts))


def _row(row: int, rows: int) -> float:
    return PANEL_HEIGHT * (row + 0.5) / rows


def error_surface(
    title: str, error: Callable[[Array, Array], Array], path: Sequence[tuple[float, float, float]]
) -> Drawing:
    """Draws a surface over two weights from -8 to 8, seen from the side, with a path on it."""
    low, high, cells = -8.0, 8.0, 32
    axis = np.linspace(low, high, cells + 1)
    w1, w2 = np.meshgrid(axis, axis, indexing="ij")
    heights = error(w1, w2)
    top = float(heights.max())

    def project(a: float, b: float, height: float) -> tuple[float, float]:
        u, v = (a - low) / (high - low), (b - low) / (high - low)
        return 150 + 145 * (u - v), 75 + 55 * (u + v) - 70 * height / top

    parts = []
    # Far cells first, so that near ones cover them.
    for i in range(cells):
        for j in range(cells):
            corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            shape = " ".join("{:.1f},{:.1f}".format(*project(axis[p], axis[q], heights[p, q])) for p, q in corners)
            tone = 60 + round(180 * float(heights[i, j]) / top)
            parts.append(f'<polygon points="{shape}" fill="rgb({tone},{tone},255)" stroke="{INK}" stroke-width="0.2"/>')
    line = " ".join("{:.1f},{:.1f}".format(*project(a, b, height)) for a, b, height in path)
    parts.append(f'<polyline points="{line}" fill="none" stroke="{COLORS[1]}" stroke-width="2.5"/>')
    for name, place in (("w_1", (high, low + 5)), ("w_2", (low + 5, high))):
        x, y = project(*place, 0.0)
        parts.append(text(x + (24 if name == "w_1" else -24), y + 18, name, anchor="middle"))
    return Drawing(title, tuple(parts))
