"""The networks of a zero run over its time, as three plots and a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from philidor.core.charts import Chart, Series, draw_charts
from philidor.core.markdown import table_lines
from philidor.core.runs import write_atomic
from philidor.pipelines.learning.knowledge import PIECES

if TYPE_CHECKING:
    from philidor.arena.statistics import Estimate
    from philidor.pipelines.learning.over_time import Measured, OverTime

_LABEL = "million positions evaluated"
_SHOWN_MOVES = 5


def charts_of(measured: Sequence[Measured]) -> list[Chart]:
    """Returns rating, people's moves found and outcome error; a network beside is a level line."""
    return [
        Chart("Elo over the weakest anchor", _LABEL, _series(measured, "elo")),
        Chart("People's moves found by the policy", _LABEL, _series(measured, "top1"), is_share=True),
        Chart("Squared error of the expected result", _LABEL, _series(measured, "value_error")),
    ]


def knowledge_charts(measured: Sequence[Measured], first_move: str) -> list[Chart]:
    """Returns how the run's networks open, how they answer the first move, and what pieces are worth to them."""
    own = [each for each in measured if each.generation is not None]
    charts = [
        ("First moves", True, [each.openings for each in own], _SHOWN_MOVES),
        (f"Answers to {first_move}", True, [each.replies for each in own], _SHOWN_MOVES),
        ("What a piece adds to the expected result (inverse tanh)", False, [each.pieces for each in own], len(PIECES)),
    ]
    return [
        Chart(title, _LABEL, _lines(own, shares, most), is_share=is_share)
        for title, is_share, shares, most in charts
        if shares and shares[-1]
    ]


def _lines(own: Sequence[Measured], shares: Sequence[dict[str, float]], most: int) -> tuple[Series, ...]:
    """Returns a line for each of the names that are largest at the end, the largest first."""
    names = sorted(shares[-1], key=lambda name: -shares[-1][name])[:most]
    places = [each.evaluations / 1e6 for each in own]
    return tuple(
        Series(name, tuple((x, share.get(name, 0.0)) for x, share in zip(places, shares, strict=True)))
        for name in names
    )


def _series(measured: Sequence[Measured], metric: str) -> tuple[Series, ...]:
    known = [(each, getattr(each, metric)) for each in measured if getattr(each, metric) is not None]
    own = [(each.evaluations / 1e6, found) for each, found in known if each.generation is not None]
    lines = [Series("from zero", tuple((x, found.value) for x, found in own), tuple(found.error for _, found in own))]
    ends = (0.0, max((x for x, _ in own), default=1.0))
    lines += [
        Series(each.name, tuple((x, found.value) for x in ends)) for each, found in known if each.generation is None
    ]
    return tuple(line for line in lines if line.points)


def data_report(over_time: OverTime) -> dict[str, Any]:
    """Returns all that was measured, for programs."""
    anchors = {name: asdict(rating) for name, rating in over_time.anchor_ratings().items()}
    return {"anchors": anchors, "networks": [asdict(each) for each in over_time.measured()]}


def text_report(over_time: OverTime) -> str:
    """Returns a page in Markdown: the anchors, and each network that was measured."""
    sample, config = over_time.sample, over_time.config
    lines = [
        f"# Learning from zero, over time: {sample.game.name}",
        "",
        f"{len(sample):,} positions of {len(sample.games):,} games of people ({config.part})."
        + (f" Ratings are with {config.simulations} simulations a move." if config.pairs else ""),
        "",
        "![curves](curves.svg)",
        "",
        "![what it learned when](knowledge.svg)",
        "",
    ]
    if config.pairs:
        rated = over_time.anchor_ratings().items()
        lines += [
            *table_lines(["anchor", "Elo"], [[name, f"{elo.value:+.0f} ± {elo.error:.0f}"] for name, elo in rated]),
            "",
        ]
    header = ["network", "million evaluations", "Elo", "moves found", "squared error"]
    measured = over_time.measured()
    lines += table_lines(header, [_row(each) for each in measured])
    worths = [[_name(each), *(f"{each.pieces[kind]:.2f}" for kind in PIECES)] for each in measured if each.pieces]
    if worths:
        words = "What one piece more adds to the expected result, on the scale of its inverse tanh:"
        lines += ["", words, "", *table_lines(["network", "pawn", "knight", "bishop", "rook", "queen"], worths)]
    return "\n".join([*lines, ""])


def _row(each: Measured) -> list[str]:
    return [
        _name(each),
        "" if each.generation is None else f"{each.evaluations / 1e6:.1f}",
        _shown(each.elo, "+.0f", ".0f"),
        _shown(each.top1, ".1%", ".1%"),
        _shown(each.value_error, ".3f", ".3f"),
    ]


def _name(each: Measured) -> str:
    return each.name if each.generation is None else f"from zero, {each.generation}"


def _shown(found: Estimate | None, value: str, error: str) -> str:
    return "" if found is None else f"{found.value:{value}} ± {found.error:{error}}"


def write_report(over_time: OverTime) -> None:
    """Writes report/curves.svg, report/knowledge.svg and report/report.md into the run."""
    zero = over_time.config.zero
    subtitle = over_time.sample.game.name if zero is None else f"{over_time.sample.game.name}, {zero.name}"
    picture = draw_charts("From zero, over time", subtitle, charts_of(over_time.measured()), columns=3)
    write_atomic(over_time.run.report / "curves.svg", picture)
    learned = knowledge_charts(over_time.measured(), over_time.first_move)
    picture = draw_charts("What it learned when", subtitle, learned, columns=3)
    write_atomic(over_time.run.report / "knowledge.svg", picture)
    write_atomic(over_time.run.report / "report.md", text_report(over_time))
