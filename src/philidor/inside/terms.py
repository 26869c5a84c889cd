"""The handcrafted evaluation as bars: what each of its terms says, for both sides (book, ch. 3.3 and 3.4)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from philidor.core.svg import COLORS, GRID, INK, document, text
from philidor.evaluators.handcrafted import FULL_PHASE, FULL_SCALE, explain
from philidor.games.chess import Position

_ROW, _MIDDLE, _HALF, _NAMES = 22.0, 300.0, 140.0, 140.0
_COLUMNS = ((490, "White"), (550, "Black"), (610, "difference"))
_LEAST_CP = 0.5


@dataclass(frozen=True, slots=True)
class TermValue:
    """One term, in centipawns: what it gives White, and what it gives Black."""

    name: str
    meaning: str
    white: float
    black: float

    @property
    def total(self) -> float:
        """White's view."""
        return self.white - self.black


@dataclass(frozen=True, slots=True)
class TermValues:
    """All terms that say something, the weightiest first."""

    fen: str
    terms: tuple[TermValue, ...]
    score_cp: int
    """The verdict in White's view: the sum of the totals, but for rounding and for what drives a bare king."""

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data for JSON."""
        return asdict(self)

    def svg(self) -> str:
        """Draws a bar for each term that makes a difference: to the right in White's favor, to the left in Black's."""
        shown = [term for term in self.terms if abs(term.total) >= _LEAST_CP]
        longest = max((abs(term.total) for term in shown), default=1.0)
        height = 66 + _ROW * len(shown)
        parts = [text(16, 24, f"{self.score_cp / 100:+.2f} for White", color=INK, weight="600", size=15)]
        parts += [text(x, 46, name, anchor="end") for x, name in _COLUMNS]
        for place, term in enumerate(shown):
            parts += _bar(term, 54 + _ROW * place, _HALF / longest)
        parts.append(f'<path d="M{_MIDDLE} 52V{height - 10}" stroke="{INK}"/>')
        return document(_COLUMNS[-1][0] + 20, height, parts)

    def _repr_svg_(self) -> str:
        return self.svg()


def term_values(position: Position) -> TermValues:
    """Explains the classic engine's verdict: middlegame and endgame are mixed as the engine mixes them."""
    found = explain(position)
    early = found.phase / FULL_PHASE
    late = (1 - early) * found.scale / FULL_SCALE
    terms = [
        TermValue(
            term.name,
            term.meaning,
            early * term.white_middlegame + late * term.white_endgame,
            early * term.black_middlegame + late * term.black_endgame,
        )
        for term in found.terms
    ]
    if found.bare_king:
        own = found.bare_king
        terms.append(TermValue("bare king", "driving a bare king to mate", max(own, 0), max(-own, 0)))
    said = [term for term in terms if term.white or term.black]
    said.sort(key=lambda term: -max(abs(term.total), 0.01 * abs(term.white)))
    return TermValues(position.fen(), tuple(said), found.white_score)


def _bar(term: TermValue, y: float, scale: float) -> list[str]:
    length = scale * term.total
    numbers = (f"{term.white:.0f}", f"{term.black:.0f}", f"{term.total:+.0f}")
    left, color = _MIDDLE + min(0.0, length), COLORS[4] if length > 0 else COLORS[0]
    return [
        f"<g><title>{escape(term.meaning)}</title>",
        text(_NAMES, y + 14, term.name, anchor="end", color=INK),
        f'<rect x="{left:.1f}" y="{y + 3:.1f}" width="{abs(length):.1f}" height="14" fill="{color}"/>',
        *(text(x, y + 14, number, anchor="end", color=INK) for (x, _), number in zip(_COLUMNS, numbers, strict=True)),
        f'<path d="M16 {y + _ROW:.1f}H{_COLUMNS[-1][0]}" stroke="{GRID}"/></g>',
    ]
