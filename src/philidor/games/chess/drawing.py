"""A chess position as an SVG: pieces, the last move, arrows whose width is a share, and squares that glow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING

from philidor.core.errors import ArgumentError

if TYPE_CHECKING:
    from philidor.games.chess.position import Position

Arrows = Mapping[str, float] | Iterable[str]
"""Moves in UCI or SAN, each with a share from 0 to 1 that is its width; without shares all are alike."""
Heat = Mapping[str, float] | Mapping[int, float]
"""Squares, by name or from a1 = 0 to h8 = 63, and a number for each: the largest glows most."""
Labels = Mapping[str, str] | Mapping[int, str]
"""Squares, and what is written on each."""

_CELL = 45.0
_MARGIN = 16.0
_LIGHT, _DARK, _LAST, _CHECK = "#efdfc3", "#b1895d", "#9bc700", "#d55e00"
_ARROW, _HEAT, _QUIET, _INK = "#00674b", "#d55e00", "#66727f", "#1f2933"
_THINNEST, _WIDEST = 2.5, 12.0


def board_svg(
    position: Position,
    *,
    arrows: Arrows = (),
    heat: Heat | None = None,
    labels: Labels | None = None,
    is_flipped: bool = False,
    size: int = 400,
) -> str:
    """Returns the picture; a label is a word or number at the foot of its square.

    Raises ArgumentError for squares that are none, IllegalMoveError for moves.
    """
    side = 8 * _CELL + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side:g} {side:g}" width="{size}" height="{size}" '
        'font-family="system-ui, sans-serif" role="img">',
        f"<desc>{position.fen()}</desc>",
        *_squares(position, heat or {}, is_flipped),
        *_coordinates(is_flipped),
        *_pieces(position, is_flipped),
        *_labels(labels or {}, is_flipped),
        *_arrows(position, arrows, is_flipped),
        "</svg>",
    ]
    return "\n".join(parts)


def _corner(square: int, is_flipped: bool) -> tuple[float, float]:
    """Returns a square's upper left corner."""
    file, rank = square % 8, square // 8
    column, row = (7 - file, rank) if is_flipped else (file, 7 - rank)
    return _MARGIN + column * _CELL, _MARGIN + row * _CELL


def _squares(position: Position, heat: Heat, is_flipped: bool) -> list[str]:
    levels = _levels(heat)
    last, checked = position.last_move, position.checked_square()
    marked = () if last is None else (last.from_square, last.to_square)
    parts = []
    for square in range(64):
        color = _DARK if (square + square // 8) % 2 == 0 else _LIGHT
        parts.append(_square(square, is_flipped, color))
        if square in marked:
            parts.append(_square(square, is_flipped, _LAST, 0.45))
        if square == checked:
            parts.append(_square(square, is_flipped, _CHECK, 0.6))
        if levels.get(square, 0.0) > 0:
            parts.append(_square(square, is_flipped, _HEAT, 0.85 * levels[square]))
    return parts


def _square(square: int, is_flipped: bool, color: str, opacity: float = 1.0) -> str:
    x, y = _corner(square, is_flipped)
    share = "" if opacity == 1.0 else f' opacity="{opacity:.3f}"'
    return f'<rect x="{x:g}" y="{y:g}" width="{_CELL:g}" height="{_CELL:g}" fill="{color}"{share}/>'


def _levels(heat: Heat) -> dict[int, float]:
    numbers = {_index(square): float(number) for square, number in heat.items()}
    highest = max((number for number in numbers.values() if math.isfinite(number)), default=0.0)
    if highest <= 0:
        return {}
    return {square: max(0.0, number) / highest for square, number in numbers.items() if math.isfinite(number)}


def _index(square: object) -> int:
    if isinstance(square, int) and 0 <= square < 64:
        return square
    if isinstance(square, str) and len(square) == 2 and square[0] in "abcdefgh" and square[1] in "12345678":
        return "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)
    raise ArgumentError("a square such as 'e4' or 28", square)


def _coordinates(is_flipped: bool) -> list[str]:
    parts = []
    for place in range(8):
        x, y = _corner(9 * place, is_flipped)
        style = f'text-anchor="middle" font-size="11" fill="{_QUIET}"'
        parts.append(f'<text x="{x + _CELL / 2:g}" y="{8 * _CELL + _MARGIN + 12:g}" {style}>{"abcdefgh"[place]}</text>')
        parts.append(f'<text x="{_MARGIN / 2:g}" y="{y + _CELL / 2 + 4:g}" {style}>{place + 1}</text>')
    return parts


def _pieces(position: Position, is_flipped: bool) -> list[str]:
    # python-chess's pieces: there is no second set to keep.
    from chess.svg import PIECES

    parts = []
    for square in range(64):
        letter = position.piece_at(square)
        if letter is not None:
            x, y = _corner(square, is_flipped)
            parts.append(f'<g transform="translate({x:g} {y:g})">{PIECES[letter]}</g>')
    return parts


def _labels(labels: Labels, is_flipped: bool) -> list[str]:
    parts = []
    for square, words in labels.items():
        x, y = _corner(_index(square), is_flipped)
        place = f'x="{x + _CELL / 2:g}" y="{y + _CELL - 2:g}" text-anchor="middle" font-size="11" font-weight="700"'
        # Twice: a white rim first, so that it can be read on any piece.
        parts.append(f'<text {place} stroke="white" stroke-width="3" stroke-linejoin="round">{escape(words)}</text>')
        parts.append(f'<text {place} fill="{_INK}">{escape(words)}</text>')
    return parts


def _arrows(position: Position, arrows: Arrows, is_flipped: bool) -> list[str]:
    shares = dict(arrows) if isinstance(arrows, Mapping) else dict.fromkeys(arrows, 0.5)
    # Wide ones first, so that none is hidden.
    return [_arrow(position, move, shares[move], is_flipped) for move in sorted(shares, key=lambda each: -shares[each])]


def _arrow(position: Position, text: str, share: float, is_flipped: bool) -> str:
    move = position.parse_move(text)
    width = _THINNEST + (_WIDEST - _THINNEST) * max(0.0, min(1.0, share))
    (x1, y1), (x2, y2) = (
        (x + _CELL / 2, y + _CELL / 2)
        for x, y in (_corner(move.from_square, is_flipped), _corner(move.to_square, is_flipped))
    )
    length = math.hypot(x2 - x1, y2 - y1)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    head = 6 + width
    neck_x, neck_y = x2 - head * dx, y2 - head * dy
    half = 3 + 0.75 * width
    tip = (
        f"{x2:.1f},{y2:.1f} {neck_x - half * dy:.1f},{neck_y + half * dx:.1f} "
        f"{neck_x + half * dy:.1f},{neck_y - half * dx:.1f}"
    )
    return (
        f'<g opacity="0.8" fill="{_ARROW}" stroke="{_ARROW}"><title>{position.san(move)} {share:.0%}</title>'
        f'<path d="M{x1:.1f} {y1:.1f}L{neck_x:.1f} {neck_y:.1f}" stroke-width="{width:.1f}"/>'
        f'<polygon points="{tip}" stroke="none"/></g>'
    )
