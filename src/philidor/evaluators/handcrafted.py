"""The classic engine's evaluation of one position, term by term (book, ch. 3.3 and 3.4)."""

from __future__ import annotations

from typing import Any

from philidor.evaluators.native import ExplainedTerm, Explanation, explain_evaluation
from philidor.games.chess import Position

FULL_PHASE, FULL_SCALE = 24, 64


def explain(position: Position) -> Explanation:
    """Says how the handcrafted evaluation comes to its verdict, in White's view."""
    return explain_evaluation(position.native)


def as_data(explanation: Explanation) -> dict[str, Any]:
    """Returns the explanation for programs; terms without any effect are left out."""
    return {
        "terms": [_row(term) for term in explanation.terms if _counts(term)],
        "danger": [_row(term) for term in explanation.danger if _counts(term)],
        "middlegame": explanation.middlegame,
        "endgame": explanation.endgame,
        "phase": explanation.phase / FULL_PHASE,
        "scale": explanation.scale / FULL_SCALE,
        "bare_king": explanation.bare_king,
    }


def as_table(explanation: Explanation) -> str:
    """Returns the explanation for people, as text."""
    lines = [f"{'term':<20}{'White mg':>9}{'eg':>6}{'Black mg':>11}{'eg':>6}{'total mg':>11}{'eg':>6}"]
    lines += [_line(term) for term in explanation.terms if _counts(term)]
    lines.append(f"{'sum':<46}{explanation.middlegame:>17}{explanation.endgame:>6}")
    if any(map(_counts, explanation.danger)):
        lines += ["", "danger to the other king, before it is squared"]
        lines += [_line(term) for term in explanation.danger if _counts(term)]
    early = round(100 * explanation.phase / FULL_PHASE)
    lines += ["", f"middlegame {early} %, endgame {100 - early} %"]
    if explanation.scale < FULL_SCALE:
        lines.append(f"of the endgame's advantage {round(100 * explanation.scale / FULL_SCALE)} % count")
    if explanation.bare_king:
        lines.append(f"driving the bare king: {explanation.bare_king:+}")
    return "\n".join(lines)


def _counts(term: ExplainedTerm) -> bool:
    return any((term.white_middlegame, term.white_endgame, term.black_middlegame, term.black_endgame))


def _row(term: ExplainedTerm) -> dict[str, Any]:
    return {
        "name": term.name,
        "meaning": term.meaning,
        "white": [term.white_middlegame, term.white_endgame],
        "black": [term.black_middlegame, term.black_endgame],
    }


def _line(term: ExplainedTerm) -> str:
    white, black = (term.white_middlegame, term.white_endgame), (term.black_middlegame, term.black_endgame)
    total = f"{white[0] - black[0]:>11}{white[1] - black[1]:>6}"
    return f"{term.name:<20}{white[0]:>9}{white[1]:>6}{black[0]:>11}{black[1]:>6}{total}"
