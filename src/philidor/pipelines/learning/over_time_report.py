"""The networks of a zero run over its time, as three plots and a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from philidor.core.charts import Chart, Series, draw_charts
from philidor.core.markdown import table_lines
from philidor.core.runs import write_atomic

if TYPE_CHECKING:
    from philidor.arena.statistics import Estimate
    from philidor.pipelines.learning.over_time import Measured, OverTime


def charts_of(measured: Sequence[Measured]) -> list[Chart]:
    """Returns rating, people's moves found and outcome error; a network beside is a level line."""
    label = "million positions evaluated"
    return [
        Chart("Elo over the weakest anchor", label, _series(measured, "elo")),
        Chart("People's moves found by the policy", label, _series(measured, "top1"), is_share=True),
        Chart("Squared error of the expected result", label, _series(measured, "value_error")),
    ]


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
    ]
    if config.pairs:
        rated = over_time.anchor_ratings().items()
        lines += [
            *table_lines(["anchor", "Elo"], [[name, f"{elo.value:+.0f} ± {elo.error:.0f}"] for name, elo in rated]),
            "",
        ]
    header = ["network", "million evaluations", "Elo", "moves found", "squared error"]
    return "\n".join([*lines, *table_lines(header, [_row(each) for each in over_time.measured()]), ""])


def _row(each: Measured) -> list[str]:
    is_own = each.generation is not None
    return [
        f"from zero, {each.generation}" if is_own else each.name,
        f"{each.evaluations / 1e6:.1f}" if is_own else "",
        _shown(each.elo, "+.0f", ".0f"),
        _shown(each.top1, ".1%", ".1%"),
        _shown(each.value_error, ".3f", ".3f"),
    ]


def _shown(found: Estimate | None, value: str, error: str) -> str:
    return "" if found is None else f"{found.value:{value}} ± {found.error:{error}}"


def write_report(over_time: OverTime) -> None:
    """Writes report/curves.svg and report/report.md into the run."""
    zero = over_time.config.zero
    subtitle = over_time.sample.game.name if zero is None else f"{over_time.sample.game.name}, {zero.name}"
    picture = draw_charts("From zero, over time", subtitle, charts_of(over_time.measured()), columns=3)
    write_atomic(over_time.run.report / "curves.svg", picture)
    write_atomic(over_time.run.report / "report.md", text_report(over_time))
