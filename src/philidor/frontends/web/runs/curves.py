"""Finds what is worth a curve in the lines of any run's metrics.jsonl."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from philidor.frontends.web.runs.schema import ChartView, CurveView

Event = dict[str, Any]

_X_NAMES = ("generation", "round", "step", "visits", "turn", "number")
"""What a line may be counted by; the first that it has."""
_LEFT_OUT = frozenset(
    (*_X_NAMES, "progress", "epoch", "samples", "seconds", "positions", "games", "pgn_end", "white", "black")
)
"""What grows by itself, or is a name written as a number."""
_MOST_POINTS, _MOST_CURVES, _MOST_CHARTS = 400, 8, 24
_DEEPEST = 3


def charts_of(events: Sequence[Event]) -> list[ChartView]:
    """Returns the numbers that change in the course of a run; those of one table, such as all losses, share a chart."""
    found: dict[tuple[str, str], dict[str, tuple[list[float], list[float]]]] = {}
    labels: dict[tuple[str, str], str] = {}
    for place, event in enumerate(events, start=1):
        kind = _words(event.get("event", event.get("stage", "")))
        label, x = _x_of(event, place)
        for top, value in event.items():
            if top in _LEFT_OUT:
                continue
            for name, number in _numbers(value, ()):
                chart = (kind, top)
                labels[chart] = label
                xs, ys = found.setdefault(chart, {}).setdefault(name, ([], []))
                xs.append(x)
                ys.append(number)
    charts = [_chart(chart, labels[chart], curves) for chart, curves in found.items()]
    return [chart for chart in sorted(charts, key=_importance) if chart.curves][:_MOST_CHARTS]


def _x_of(event: Event, place: int) -> tuple[str, float]:
    for name in _X_NAMES:
        value = event.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return name, float(value)
    return "line", float(place)


def _numbers(value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    """Yields the numbers inside a value, by the names on the way to them."""
    if isinstance(value, bool) or (isinstance(value, int | float) and abs(value) < 1e15):
        yield _words(" ".join(path)), float(value)
    elif isinstance(value, Mapping) and isinstance(value.get("score"), int | float):
        # A match: what it was made of has other units.
        yield from _numbers(value["score"], path)
    elif isinstance(value, Mapping) and len(path) < _DEEPEST:
        for name, inner in value.items():
            if isinstance(name, str) and name not in _LEFT_OUT:
                yield from _numbers(inner, (*path, name))


def _chart(chart: tuple[str, str], label: str, curves: dict[str, tuple[list[float], list[float]]]) -> ChartView:
    kind, top = chart
    title = ", ".join(word for word in (kind, _words(top)) if word)
    shown = [
        CurveView(name=name or _words(top), x=_thinned(xs), y=_thinned(ys))
        for name, (xs, ys) in curves.items()
        # What never changes needs no picture.
        if len(set(ys)) > 1
    ]
    return ChartView(title=title, x_label=label, curves=shown[:_MOST_CURVES])


def _importance(chart: ChartView) -> int:
    """Losses and scores come first; the rest stays in the order of the file."""
    order = ("loss", "against", "score", "held out", "top1")
    return next((place for place, word in enumerate(order) if word in chart.title), len(order))


def _thinned(values: list[float]) -> list[float]:
    """Returns at most so many of the values, evenly spread, the last one among them."""
    if len(values) <= _MOST_POINTS:
        return values
    step = (len(values) - 1) / (_MOST_POINTS - 1)
    return [values[round(place * step)] for place in range(_MOST_POINTS)]


def _words(text: Any) -> str:
    return str(text).replace("_", " ")[:60].strip()
