"""Draws curves, points and images as an SVG: small panels side by side. Needs no plotting library."""

from __future__ import annotations

import math
import struct
import zlib
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from philidor.core.svg import COLORS, GRID, INK, QUIET, document, round_up, text

PANEL_WIDTH, PANEL_HEIGHT = 300, 190
_LEFT, _TOP, _GAP_X, _GAP_Y = 56, 84, 70, 118
DRAWING_HEIGHT = PANEL_HEIGHT + 76
"""A drawing has neither axis nor legend below it."""
_TICKS = 4
_MOST_DOTS = 60
"""A line of more points is drawn without a dot for each."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line, or some points: in their order."""

    name: str
    points: tuple[tuple[float, float], ...]
    errors: tuple[float, ...] = ()
    """Half the height of a bar around each point; none if empty."""
    has_line: bool = True
    """Whether a line joins the points."""


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
    bottom: float | None = None
    """The beginning of the y axis; None for 0, or below the lowest point if one is negative."""
    is_logarithmic: bool = False
    """Whether the y axis counts powers of ten; points must be positive."""


@dataclass(frozen=True, slots=True)
class Image:
    """A panel with a picture: one square cell a number, dark for the smallest and light for the largest."""

    title: str
    rows: tuple[tuple[float, ...], ...]
    low: float | None = None
    """What is black; None for the smallest number."""
    high: float | None = None
    """What is white; None for the largest number."""
    caption: str = ""
    has_numbers: bool = False
    """Whether each cell shows its number."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A panel that is SVG already, inside PANEL_WIDTH and DRAWING_HEIGHT."""

    title: str
    parts: tuple[str, ...]
    text: str = ""
    """What a terminal shows instead; empty if it cannot."""


Panel = Chart | Image | Drawing


_TITLE_LETTER = 9.5
"""Width of a letter of the title, on average."""


def draw_charts(title: str, subtitle: str, panels: Sequence[Panel], *, columns: int = 2) -> str:
    """Returns the picture: at most `columns` panels in a row. A chart without points is left out."""
    shown = [panel for panel in panels if not isinstance(panel, Chart) or any(each.points for each in panel.series)]
    columns = min(columns, max(1, len(shown)))
    rows = max(1, -(-len(shown) // columns))
    # A long title is not cut off where there is but one panel.
    width = max(_LEFT + columns * PANEL_WIDTH + (columns - 1) * _GAP_X + 30, _LEFT + _TITLE_LETTER * len(title))
    height = _TOP + rows * PANEL_HEIGHT + (rows - 1) * _GAP_Y + 78
    parts = [text(_LEFT, 28, title, color=INK, weight="600", size=16), text(_LEFT, 47, subtitle, size=12)]
    for number, panel in enumerate(shown):
        left = _LEFT + (number % columns) * (PANEL_WIDTH + _GAP_X)
        top = _TOP + (number // columns) * (PANEL_HEIGHT + _GAP_Y)
        parts.append(text(left, top - 12, panel.title, color=INK, weight="600", size=12))
        if isinstance(panel, Chart):
            parts += _chart(panel, left, top)
        elif isinstance(panel, Image):
            parts += _image(panel, left, top)
        else:
            parts += [f'<g transform="translate({left} {top})">', *panel.parts, "</g>"]
    return document(width, height, parts)


# --- Curves -----------------------------------------------------------------------------------------------------


def y_range(chart: Chart) -> tuple[float, float]:
    """Returns where the y axis begins and ends; powers of ten for a logarithmic one."""
    heights = [y for series in chart.series for _, y in series.points]
    low, high = min(heights), max(heights)
    if chart.is_logarithmic:
        least, most = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return 10.0**least, 10.0 ** max(most, least + 1)
    bottom = chart.bottom if chart.bottom is not None else 0.0 if low >= 0 else -round_up(-low)
    return bottom, chart.top if chart.top is not None else round_up(high) if high > 0 else 0.0


def _chart(chart: Chart, left: float, top: float) -> list[str]:
    points = [point for series in chart.series for point in series.points]
    low_x, high_x = min(x for x, _ in points), max(x for x, _ in points)
    low_y, high_y = y_range(chart)
    bottom = top + PANEL_HEIGHT

    def x_of(x: float) -> float:
        return left + PANEL_WIDTH * (x - low_x) / max(high_x - low_x, 1e-9)

    def y_of(y: float) -> float:
        return bottom - PANEL_HEIGHT * share_of(y, low_y, high_y, chart.is_logarithmic)

    parts = []
    for value in _y_ticks(low_y, high_y, chart.is_logarithmic):
        label = f"{100 * value:.0f} %" if chart.is_share else _tick(value)
        parts.append(f'<path d="M{left:.0f} {y_of(value):.1f}h{PANEL_WIDTH}" stroke="{GRID}"/>')
        parts.append(text(left - 6, y_of(value) + 4, label, anchor="end"))
    parts += [text(x_of(x), bottom + 16, f"{x:g}", anchor="middle") for x in _x_ticks(low_x, high_x)]
    parts.append(text(left + PANEL_WIDTH, bottom + 32, chart.x_label, anchor="end"))
    parts.append(f'<path d="M{left:.0f} {bottom}h{PANEL_WIDTH}" stroke="{QUIET}"/>')
    for number, series in enumerate(chart.series):
        parts += _series(chart, series, COLORS[number % len(COLORS)], x_of, y_of)
    return [*parts, *_legend(chart, left, bottom + 48)]


def _tick(value: float) -> str:
    """Returns a number of an axis as people write it: 1,500, not 1.5e+03."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _series(
    chart: Chart, series: Series, color: str, x_of: Callable[[float], float], y_of: Callable[[float], float]
) -> list[str]:
    parts = []
    places = [(x_of(x), y_of(y)) for x, y in series.points]
    for (_, y), (px, _), error in zip(series.points, places, series.errors, strict=False):
        parts.append(
            f'<path d="M{px:.1f} {y_of(y - error):.1f}V{y_of(y + error):.1f}" stroke="{color}" opacity="0.35"/>'
        )
    if series.has_line:
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
    if series.has_line and len(places) > _MOST_DOTS:
        return parts
    radius = 2.6 if series.has_line else 5
    for (x, y), (px, py) in zip(series.points, places, strict=True):
        hint = f"{series.name}, {chart.x_label} {x:g}: {f'{y:.1%}' if chart.is_share else f'{y:.4g}'}"
        parts.append(
            f'<circle cx="{px:.1f}" cy="{py:.1f}" r="{radius}" fill="{color}"><title>{escape(hint)}</title></circle>'
        )
    return parts


def share_of(y: float, low: float, high: float, is_logarithmic: bool) -> float:
    """Returns how high a number stands between the ends of its axis, from 0 to 1."""
    if is_logarithmic:
        y, low, high = (math.log10(max(each, 1e-300)) for each in (y, low, high))
    return min(max((y - low) / max(high - low, 1e-12), 0.0), 1.0)


def _y_ticks(low: float, high: float, is_logarithmic: bool) -> list[float]:
    if not is_logarithmic:
        return [low + (high - low) * tick / _TICKS for tick in range(_TICKS + 1)]
    first, last = round(math.log10(low)), round(math.log10(high))
    step = max(1, math.ceil((last - first) / _TICKS))
    return [10.0**power for power in range(first, last + 1, step)]


def _x_ticks(low: float, high: float) -> list[float]:
    """Returns round numbers from low to high, about six."""
    step = round_up((high - low) / 6)
    if high - low >= 1:
        step = max(1.0, step)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def _legend(chart: Chart, left: float, y: float) -> list[str]:
    parts, x = [], left
    for number, series in enumerate(chart.series):
        width = 24 + 6.2 * len(series.name)
        if x > left and x + width > left + PANEL_WIDTH:
            x, y = left, y + 15
        parts.append(
            f'<rect x="{x:.1f}" y="{y - 9:.1f}" width="10" height="10" fill="{COLORS[number % len(COLORS)]}"/>'
        )
        parts.append(text(x + 14, y, series.name, size=10))
        x += width
    return parts


# --- Images -----------------------------------------------------------------------------------------------------


def gray_levels(image: Image) -> list[list[float]]:
    """Returns each cell's brightness, 0 to 1."""
    numbers = [number for row in image.rows for number in row]
    low = image.low if image.low is not None else min(numbers)
    high = image.high if image.high is not None else max(numbers)
    return [[share_of(number, low, high, False) for number in row] for row in image.rows]


def _image(image: Image, left: float, top: float) -> list[str]:
    height, width = len(image.rows), len(image.rows[0])
    cell = min(PANEL_WIDTH / width, PANEL_HEIGHT / height)
    levels = gray_levels(image)
    data = b64encode(gray_png([bytes(round(255 * level) for level in row) for row in levels])).decode()
    parts = [
        f'<image x="{left}" y="{top}" width="{width * cell:.2f}" height="{height * cell:.2f}" '
        f'style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>'
    ]
    for y, row in enumerate(levels if image.has_numbers else ()):
        for x, level in enumerate(row):
            place = left + (x + 0.5) * cell, top + (y + 0.5) * cell + 4
            color = INK if level > 0.5 else "white"
            parts.append(text(*place, f"{image.rows[y][x]:g}", anchor="middle", color=color, size=10))
    return [*parts, text(left, top + height * cell + 16, image.caption, size=10)]


def gray_png(rows: Sequence[bytes]) -> bytes:
    """Returns a PNG of gray pixels, one byte each: a cell as a rectangle would take a hundred times the space."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
