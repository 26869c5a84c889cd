"""Draws curves as an SVG: small charts side by side, a line for each series. Needs no plotting library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

PANEL_WIDTH, PANEL_HEIGHT = 300, 190
_LEFT, _TOP, _GAP_X, _GAP_Y = 56, 84, 70, 118
_INK, _QUIET, _GRID = "#1f2933", "#66727f", "#e4e7eb"
# Colors that people who do not see red and green tell apart (Okabe and Ito).
_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_TICKS = 4


@dataclass(frozen=True, slots=True)
class Series:
    """One line: its points in order."""

    name: str
    points: tuple[tuple[float, float], ...]
    errors: tuple[float, ...] = ()
    """Half the height of a bar around each point; none if empty."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A panel with a title and some lines."""

    title: str
    x_label: str
    series: tuple[Series, ...]
    top: float | None = None
    """The end of the y axis; None to fit the points."""
    is_share: bool = False
    """Whether the numbers are shares of 1, to be written as percentages."""


def draw_charts(title: str, subtitle: str, charts: Sequence[Chart]) -> str:
    """Returns the picture: at most two charts in a row."""
    shown = [chart for chart in charts if any(series.points for series in chart.series)]
    columns = min(2, max(1, len(shown)))
    rows = max(1, -(-len(shown) // columns))
    width = _LEFT + columns * PANEL_WIDTH + (columns - 1) * _GAP_X + 30
    height = _TOP + rows * PANEL_HEIGHT + (rows - 1) * _GAP_Y + 78
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        _text(_LEFT, 28, title, color=_INK, weight="600", size=16),
        _text(_LEFT, 47, subtitle, size=12),
    ]
    for number, chart in enumerate(shown):
        left = _LEFT + (number % columns) * (PANEL_WIDTH + _GAP_X)
        parts += _panel(chart, left, _TOP + (number // columns) * (PANEL_HEIGHT + _GAP_Y))
    return "\n".join([*parts, "</svg>", ""])


def _panel(chart: Chart, left: float, top: float) -> list[str]:
    points = [point for series in chart.series for point in series.points]
    low_x, high_x = min(x for x, _ in points), max(x for x, _ in points)
    high_y = chart.top if chart.top is not None else _round_up(max(y for _, y in points))
    bottom = top + PANEL_HEIGHT

    def x_of(x: float) -> float:
        return left + PANEL_WIDTH * (x - low_x) / max(high_x - low_x, 1e-9)

    def y_of(y: float) -> float:
        return bottom - PANEL_HEIGHT * min(max(y / max(high_y, 1e-9), 0.0), 1.0)

    parts = [_text(left, top - 12, chart.title, color=_INK, weight="600", size=12)]
    for tick in range(_TICKS + 1):
        value = high_y * tick / _TICKS
        label = f"{100 * value:.0f} %" if chart.is_share else f"{value:.3g}"
        parts.append(f'<path d="M{left:.0f} {y_of(value):.1f}h{PANEL_WIDTH}" stroke="{_GRID}"/>')
        parts.append(_text(left - 6, y_of(value) + 4, label, anchor="end"))
    parts += [_text(x_of(x), bottom + 16, f"{x:g}", anchor="middle") for x in _x_ticks(low_x, high_x)]
    parts.append(_text(left + PANEL_WIDTH, bottom + 32, chart.x_label, anchor="end"))
    parts.append(f'<path d="M{left:.0f} {bottom}h{PANEL_WIDTH}" stroke="{_QUIET}"/>')
    for number, series in enumerate(chart.series):
        color = _COLORS[number % len(_COLORS)]
        places = [(x_of(x), y_of(y)) for x, y in series.points]
        for (_, y), (px, _), error in zip(series.points, places, series.errors, strict=False):
            parts.append(
                f'<path d="M{px:.1f} {y_of(y - error):.1f}V{y_of(y + error):.1f}" stroke="{color}" opacity="0.35"/>'
            )
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        for (x, y), (px, py) in zip(series.points, places, strict=True):
            hint = f"{series.name}, {chart.x_label} {x:g}: {f'{y:.1%}' if chart.is_share else f'{y:.4g}'}"
            parts.append(
                f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.6" fill="{color}"><title>{escape(hint)}</title></circle>'
            )
    return [*parts, *_legend(chart, left, bottom + 48)]


def _legend(chart: Chart, left: float, y: float) -> list[str]:
    parts, x = [], left
    for number, series in enumerate(chart.series):
        width = 24 + 6.2 * len(series.name)
        if x > left and x + width > left + PANEL_WIDTH:
            x, y = left, y + 15
        parts.append(
            f'<rect x="{x:.1f}" y="{y - 9:.1f}" width="10" height="10" fill="{_COLORS[number % len(_COLORS)]}"/>'
        )
        parts.append(_text(x + 14, y, series.name, size=10))
        x += width
    return parts


def _text(
    x: float, y: float, content: str, *, anchor: str = "start", color: str = _QUIET, weight: str = "400", size: int = 11
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" font-weight="{weight}" '
        f'font-size="{size}">{escape(content)}</text>'
    )


def _round_up(value: float) -> float:
    """Returns the least 1, 1.5, 2, 3, 4, 5, 8 or 10 times a power of ten that is not below the value."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1, 1.5, 2, 3, 4, 5, 8, 10) if factor * power >= value * (1 - 1e-9))


def _x_ticks(low: float, high: float) -> list[float]:
    """Returns whole numbers from low to high, seven at most."""
    step = max(1, math.ceil((high - low) / 6))
    return [low + number * step for number in range(int((high - low) // step) + 1)]
