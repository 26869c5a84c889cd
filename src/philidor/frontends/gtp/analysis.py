"""What a player has found, in the lines that Sabaki, Lizzie and KaTrain's relatives read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from philidor.core.analysis import Analysis, MoveStats
from philidor.protocols.gtp import GtpError, parse_color, parse_int, vertex_of_move

_LEAST_INTERVAL_S = 0.05


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """What was asked for."""

    style: str
    """"lz" for whole numbers of 1/10000, "kata" for fractions."""
    color: int | None = None
    interval_s: float = 1.0
    min_moves: int = 0
    max_moves: int = 1_000
    wants_ownership: bool = False
    wants_root: bool = False


def parse_request(style: str, words: Sequence[str]) -> AnalysisRequest:
    """Reads "[color] [interval] [key value ...]", intervals in hundredths of a second. Raises GtpError."""
    left = list(words)
    color: int | None = None
    if left and left[0].lower() in ("b", "w", "black", "white"):
        color = parse_color(left.pop(0))
    interval = parse_int(left.pop(0), 0) if left and re.fullmatch(r"[0-9]+", left[0]) else 100
    facts: dict[str, str] = {}
    while left:
        key = left.pop(0).lower()
        if key in ("avoid", "allow"):
            del left[:3]
        elif not left:
            raise GtpError(f"syntax error: {key[:40]!r} has no value")
        else:
            facts[key] = left.pop(0)
    interval = parse_int(facts["interval"], 0) if "interval" in facts else interval
    return AnalysisRequest(
        style,
        color,
        max(interval / 100, _LEAST_INTERVAL_S),
        parse_int(facts.get("minmoves", "0")),
        max(1, parse_int(facts.get("maxmoves", "1000"))),
        facts.get("ownership", "false").lower() == "true",
        facts.get("rootinfo", "false").lower() == "true",
    )


def info_line(found: Analysis, request: AnalysisRequest, ownership: Sequence[float] | None = None) -> str:
    """Writes one line of all moves that were visited, the most visited first; nothing before there are any."""
    tried = sorted((stats for stats in found.moves if stats.visits), key=lambda stats: -(stats.visits or 0))
    shown = tried[: request.max_moves]
    if not shown:
        return ""
    parts = [_move(stats, order, found, request.style) for order, stats in enumerate(shown)]
    if request.wants_root and found.value is not None:
        parts.append(f"rootInfo visits {found.nodes} winrate {_rate(found.value, request.style)}")
    if ownership is not None:
        parts.append("ownership " + " ".join(f"{share:.3f}" for share in ownership))
    return " ".join(parts)


def _move(stats: MoveStats, order: int, found: Analysis, style: str) -> str:
    move, value = vertex_of_move(stats.move), stats.value or 0.0
    line = found.lines[0].moves if found.lines and found.lines[0].moves[:1] == (stats.move,) else (stats.move,)
    # Without a network a move's prior is what all have alike.
    prior = stats.prior if stats.prior is not None else 1 / max(1, len(found.moves))
    share = f"{round(10_000 * prior)}" if style == "lz" else f"{prior:.6f}"
    rate = _rate(value, style)
    return (
        f"info move {move} visits {stats.visits} winrate {rate} prior {share} lcb {rate} order {order} "
        f"pv {' '.join(map(vertex_of_move, line))}"
    )


def _rate(value: float, style: str) -> str:
    rate = (1 + value) / 2
    # Sabaki takes a number without a point for ten-thousandths.
    return f"{round(10_000 * rate)}" if style == "lz" else f"{rate:.6f}"
