"""The experiment as three plots and a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from philidor.core.charts import Chart, Series, draw_charts
from philidor.core.markdown import table_lines
from philidor.core.runs import write_atomic
from philidor.pipelines.learning.arms import ARMS

if TYPE_CHECKING:
    from philidor.arena.statistics import Estimate
    from philidor.pipelines.learning.experiment import Experiment, Point

_NAMES = {arm: arm.replace("-then-", ", then ") for arm in ARMS}


def charts_of(points: Sequence[Point]) -> list[Chart]:
    """Returns rating, move matching and outcome error over time."""
    label = "CPU seconds of playing and learning"
    lowest = min((point.elo.value - point.elo.error for point in points), default=0.0)
    return [
        Chart("Elo over the weakest anchor", label, _series(points, "elo"), bottom=min(0.0, 100 * (lowest // 100))),
        Chart("Held-out moves found by the policy", label, _series(points, "top1"), is_share=True),
        Chart("Squared error of the expected result", label, _series(points, "value_error")),
    ]


def _series(points: Sequence[Point], metric: str) -> tuple[Series, ...]:
    lines = []
    for arm, name in _NAMES.items():
        own = [point for point in points if point.arm == arm]
        values: list[Estimate] = [getattr(point, metric) for point in own]
        places = tuple((point.cpu_s, value.value) for point, value in zip(own, values, strict=True))
        lines.append(Series(name, places, tuple(value.error for value in values)))
    return tuple(lines)


def data_report(experiment: Experiment) -> dict[str, Any]:
    """Returns all that was measured, for programs."""
    anchors = {name: asdict(rating) for name, rating in experiment.anchor_ratings().items()}
    return {"anchors": anchors, "points": [asdict(point) for point in experiment.points()]}


def text_report(experiment: Experiment) -> str:
    """Returns a page in Markdown: who taught, the anchors, and each network that was measured."""
    config, points = experiment.config, experiment.points()
    setup = config.setup
    lines = [
        f"# Learning from games and from oneself: {config.game}",
        "",
        f"Recorded games: {setup.games:,} of {setup.teacher} against itself to learn from, and {config.held_out:,} "
        f"to measure on, with {experiment.measured_positions:,} positions that the others do not reach. "
        f"A turn is {config.steps:,} steps on recorded games, or {config.self_play_games:,} games against itself "
        "and the steps that follow from them. "
        f"Ratings are over {setup.anchors[0]}, with {setup.simulations} simulations a move.",
        "",
        "![curves](curves.svg)",
        "",
        *table_lines(
            ["anchor", "Elo"], [[name, _shown(rating)] for name, rating in experiment.anchor_ratings().items()]
        ),
        "",
        *table_lines(["teacher", "turn", "CPU seconds", "Elo", "moves found", "squared error"], _rows(points)),
    ]
    return "\n".join([*lines, ""])


def _rows(points: Sequence[Point]) -> list[list[str]]:
    return [
        [
            _NAMES[point.arm],
            str(point.turn),
            f"{point.cpu_s:.0f}",
            _shown(point.elo),
            f"{100 * point.top1.value:.1f} ± {100 * point.top1.error:.1f} %",
            f"{point.value_error.value:.3f} ± {point.value_error.error:.3f}",
        ]
        for point in points
    ]


def _shown(rating: Estimate) -> str:
    return f"{rating.value:+.0f} ± {rating.error:.0f}"


def write_report(experiment: Experiment) -> None:
    """Writes report/curves.svg and report/report.md into the run."""
    config, folder = experiment.config, experiment.run.report
    title, subtitle = "Supervised or zero?", f"{config.game}, {config.setup.teacher} as the teacher"
    picture = draw_charts(title, subtitle, charts_of(experiment.points()), columns=3)
    write_atomic(folder / "curves.svg", picture)
    write_atomic(folder / "report.md", text_report(experiment))
