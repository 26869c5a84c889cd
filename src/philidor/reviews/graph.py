"""The evaluation graph of a game: White's win percentage after each move, with its mistakes as dots."""

from __future__ import annotations

from html import escape

from philidor.core.svg import COLORS, text
from philidor.reviews.formulas import BLUNDER, INACCURACY, MISTAKE
from philidor.reviews.review import GameReview, MoveReview

WIDTH, HEIGHT = 640.0, 150.0
_TOP, _BOTTOM = 6.0, 20.0
_DARK, _LIGHT, _MIDDLE = "#57534e", "#fafaf9", "#a8a29e"
JUDGMENT_COLORS = {INACCURACY: COLORS[5], MISTAKE: COLORS[4], BLUNDER: COLORS[1]}


def graph_svg(review: GameReview) -> str:
    """Returns the graph. Each move is a rectangle with its place as `data-ply`, for pages that let people click it."""
    moves = review.moves
    step = WIDTH / max(1, len(moves))
    floor = HEIGHT - _BOTTOM

    def y_of(percent: float) -> float:
        return _TOP + (floor - _TOP) * (1 - percent / 100)

    points = [(0.0, y_of(review.start_percent))]
    points += [((place + 1) * step, y_of(move.white_percent)) for place, move in enumerate(moves)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'font-family="system-ui, sans-serif" aria-label="White\'s win percentage after each move">',
        f'<rect y="{_TOP:g}" width="{WIDTH:g}" height="{floor - _TOP:g}" fill="{_DARK}"/>',
        f'<polygon points="0,{floor:g} {line} {WIDTH:g},{floor:g}" fill="{_LIGHT}"/>',
        f'<path d="M0 {y_of(50):.1f}h{WIDTH:g}" stroke="{_MIDDLE}" stroke-dasharray="3 3"/>',
        f'<rect x="0.5" y="{_TOP:g}" width="{WIDTH - 1:g}" height="{floor - _TOP:g}" fill="none" stroke="{_MIDDLE}"/>',
        *_phases(review, step, floor),
        '<path class="cursor" d="" stroke="#009e73" stroke-width="2"/>',
    ]
    for place, move in enumerate(moves):
        parts.append(_move(place, move, points[place + 1], step, floor, place == review.turning_point))
    return "\n".join([*parts, "</svg>"])


def _move(place: int, move: MoveReview, point: tuple[float, float], step: float, floor: float, is_turning: bool) -> str:
    x, y = point
    hint = f"{move.number} {move.san}{move.judgment or ''} ({move.score})"
    dot = ""
    if move.judgment is not None:
        color = JUDGMENT_COLORS[move.judgment]
        dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{color}" stroke="white"/>'
    if is_turning:
        dot += f'<path d="M{x:.1f} {_TOP:g}V{floor:g}" stroke="{COLORS[1]}" stroke-dasharray="2 2"/>'
    return (
        f'<g data-ply="{place + 1}"><title>{escape(hint)}</title>{dot}'
        f'<rect x="{x - step / 2:.1f}" width="{step:.1f}" height="{HEIGHT:g}" fill="transparent"/></g>'
    )


def _phases(review: GameReview, step: float, floor: float) -> list[str]:
    """Names the phases under the graph, each where it begins."""
    parts: list[str] = []
    before, end = "", 0.0
    for place, move in enumerate(review.moves):
        x = place * step
        if move.phase == before or (parts and x < end):
            continue
        before, end = move.phase, x + 80
        if place:
            parts.append(f'<path d="M{x:.1f} {_TOP:g}V{HEIGHT:g}" stroke="{_MIDDLE}" stroke-width="0.7"/>')
        parts.append(text(x + 4, floor + 14, move.phase))
    return parts
