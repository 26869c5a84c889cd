"""What a training on games has shown, from its metrics.jsonl: a page and a picture for the folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from philidor.core.charts import Chart, Series, draw_charts
from philidor.core.markdown import table_lines
from philidor.core.runs import Run, write_atomic

if TYPE_CHECKING:
    from philidor.train.games_config import GamesRecipe

Event = dict[str, Any]
_FIGURES = ("top1", "top3", "cross_entropy", "brier", "value_error")
_TITLES = {
    "top1": "first choice",
    "top3": "first three",
    "cross_entropy": "cross-entropy",
    "brier": "outcome (Brier)",
    "value_error": "outcome (squared)",
}


def measurements(events: Sequence[Event]) -> list[Event]:
    """Returns the measurements by step; of those that were made twice, as a kill came in between, the last."""
    found = {event["step"]: event for event in events if event.get("event") == "measure"}
    return [found[step] for step in sorted(found)]


def describe(event: Event) -> str:
    """Writes an event in a line; an empty one says nothing."""
    if event.get("event") == "data":
        held_out = event["held_out_positions"]
        words = f"{event['positions']:,} positions of {event['games']:,} games to learn from"
        return f"{words}, {held_out:,} of other games to measure on" if held_out else words
    if event.get("event") != "measure":
        return ""
    loss = event["losses"].get("loss")
    words = f"step {event['step']:,} ({event['progress']:.0%})"
    words += "" if loss is None else f": loss {loss:.4f}"
    if event["held_out"]:
        words += "; held out: " + ", ".join(f"{_TITLES[name]} {_cell(event['held_out'], name)}" for name in _FIGURES)
    return f"{words}; {event['positions_per_second']:,} positions/s"


def charts_of(events: Sequence[Event]) -> list[Chart]:
    """Returns the curves of a training."""
    measured = measurements(events)
    label = "million positions"
    losses = dict.fromkeys(name for event in measured for name in event["losses"] if name != "loss")
    both = {"top1": "first choice", "top3": "among the first three"}
    outcome = {"brier": "Brier score", "value_error": "squared error"}
    return [
        Chart("Moves foreseen", label, _held_out(measured, both), None, True),
        Chart("Cross-entropy of the moves", label, (_series("held out", measured, "held_out", "cross_entropy"),)),
        Chart("Error of the outcome", label, _held_out(measured, outcome)),
        Chart("Loss in training", label, tuple(_series(name, measured, "losses", name) for name in losses)),
        Chart("First choice by rating", label, _groups(measured, "rating"), None, True),
        Chart("First choice by phase", label, _groups(measured, "phase"), None, True),
    ]


def write_games_report(run: Run, recipe: GamesRecipe) -> None:
    """Writes report/curves.svg and report/report.md."""
    events = run.metrics()
    measured = measurements(events)
    last = measured[-1] if measured else {"step": 0, "samples": 0}
    network = recipe.network
    subtitle = (
        f"{network.blocks}x{network.filters} over {network.encoding}, {last['step']:,} steps, "
        f"{last['samples']:,} positions"
    )
    write_atomic(run.report / "curves.svg", draw_charts(run.name, subtitle, charts_of(events)))
    write_atomic(run.report / "report.md", _page(run, recipe, events, subtitle))


def _page(run: Run, recipe: GamesRecipe, events: Sequence[Event], subtitle: str) -> str:
    lines = [f"# {run.name}", "", subtitle, "", "![curves](curves.svg)", ""]
    data = next((event for event in events if event.get("event") == "data"), None)
    if data is not None:
        lines += [f"{describe(data)}: {', '.join(recipe.games)}.", ""]
    measured = [event for event in measurements(events) if event["held_out"]]
    if not measured:
        return "\n".join([*lines, "No games were kept to measure on.", ""])
    held_out = measured[-1]["held_out"]
    rows = [["all", *_row(held_out)]]
    for group in ("rating", "phase"):
        rows += [[name, *_row(part)] for name, part in held_out.get(group, {}).items()]
    if data is not None and (chances := data.get("equal_chances")):
        rows.append(["equal chances", "", *(_cell(chances, name) if name in chances else "" for name in _FIGURES)])
    lines += ["Positions of games that were not learned from:", ""]
    lines += table_lines(["", "positions", *(_TITLES[name] for name in _FIGURES)], rows)
    return "\n".join([*lines, ""])


def _row(part: Event) -> list[str]:
    return [f"{part['positions']:,}", *(_cell(part, name) for name in _FIGURES)]


def _cell(part: Event, name: str) -> str:
    return f"{100 * part[name]:.1f} %" if name.startswith("top") else f"{part[name]:.3f}"


def _series(name: str, events: Sequence[Event], *path: str) -> Series:
    """Returns the line of a number that stands at a path of keys in each event; events without it are left out."""
    points = []
    for event in events:
        value: Any = event
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if value is not None:
            points.append((event["samples"] / 1e6, float(value)))
    return Series(name, tuple(points))


def _held_out(measured: Sequence[Event], names: dict[str, str]) -> tuple[Series, ...]:
    return tuple(_series(shown, measured, "held_out", key) for key, shown in names.items())


def _groups(measured: Sequence[Event], group: str) -> tuple[Series, ...]:
    names = dict.fromkeys(name for event in measured for name in (event["held_out"] or {}).get(group, {}))
    return tuple(_series(name, measured, "held_out", group, name, "top1") for name in names)
