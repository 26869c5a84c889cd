"""What a zero run has shown, from its metrics.jsonl: tables for the terminal, a page and a picture for the folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from philidor.core.charts import Chart, Series, draw_charts
from philidor.core.markdown import table_lines
from philidor.core.runs import Run, write_atomic

if TYPE_CHECKING:
    from philidor.pipelines.recipes import ZeroRecipe

Event = dict[str, Any]


class History:
    """The events of a run. One that was written twice, because a kill came in between, counts once."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._by_kind: dict[str, dict[int, Event]] = {}
        for event in events:
            self._by_kind.setdefault(event.get("event", ""), {})[event.get("generation", 0)] = event

    @classmethod
    def of(cls, run: Run) -> History:
        """Reads a run's."""
        return cls(run.metrics())

    def of_kind(self, kind: str) -> list[Event]:
        """Returns the events of a kind, by generation."""
        return [event for _, event in sorted(self._by_kind.get(kind, {}).items())]

    def opponents(self) -> list[str]:
        """Returns who was played against."""
        return list(dict.fromkeys(name for event in self.of_kind("rating") for name in event["against"]))


def rating_row(event: Event) -> dict[str, str]:
    """Returns the cells of a generation's line, by column."""
    cells = {"generation": str(event["generation"])}
    for name, score in event["against"].items():
        cells[name] = f"{100 * score['score']:.0f} %"
    for kind, verdict in event.get("solver", {}).items():
        cells[f"mistakes ({kind})"] = f"{verdict['mistakes']} of {verdict['positions']}"
    return cells


def random_rows(history: History, random: dict[str, float] | None) -> list[tuple[str, dict[str, float]]]:
    """Returns the lines of the book's Tables 5.1 and 5.2: who plays Black against a random White, and the results."""
    rated = [event for event in history.of_kind("rating") if "table" in event]
    rows = [
        (
            "untrained network" if event["generation"] == 0 else f"network of generation {event['generation']}",
            event["table"],
        )
        for event in reversed(rated)
    ]
    return [*rows, ("random player", random)] if random is not None else rows


def charts_of(history: History) -> list[Chart]:
    """Returns the curves of a run."""
    ratings, trained, played = (history.of_kind(kind) for kind in ("rating", "train", "play"))
    label = "generation"
    return [
        Chart("Score with search", label, tuple(_against(ratings, name) for name in history.opponents()), 1.0, True),
        Chart("Moves that the solver agrees with", label, _agreement(ratings), 1.0, True),
        Chart("Loss", label, _losses(trained)),
        Chart("How much new games surprise the network", label, _surprise(trained)),
        Chart(
            "Results of self-play",
            label,
            tuple(_series(name.replace("_", " "), played, name) for name in ("first_wins", "draws", "second_wins")),
            1.0,
            True,
        ),
        Chart("Length of games", label, (_series("plies", played, "mean_plies"),)),
    ]


def write_report(run: Run, recipe: ZeroRecipe, random: dict[str, float] | None = None) -> None:
    """Writes report/curves.svg and report/report.md. `random` is the random player's line of the table."""
    history = History.of(run)
    trained = history.of_kind("train")
    steps = trained[-1]["step"] if trained else 0
    games = sum(event.get("games", 0) for event in history.of_kind("play"))
    subtitle = f"{recipe.game}, {games:,} games, {len(trained)} networks, {steps:,} steps"
    write_atomic(run.report / "curves.svg", draw_charts(run.name, subtitle, charts_of(history)))
    write_atomic(run.report / "report.md", _page(run, recipe, history, subtitle, random))


def _page(run: Run, recipe: ZeroRecipe, history: History, subtitle: str, random: dict[str, float] | None) -> str:
    lines = [f"# {run.name}", "", subtitle, "", "![curves](curves.svg)", ""]
    ratings = [rating_row(event) for event in history.of_kind("rating")]
    if ratings:
        columns = list(dict.fromkeys(column for row in ratings for column in row))
        lines += table_lines(columns, [[row.get(column, "") for column in columns] for row in ratings])
    rows = random_rows(history, random)
    if rows:
        lines += ["", "Against a random player who moves first, exactly, by the network's policy without search:", ""]
        cells = [[name, *(f"{100 * table[key]:.2f} %" for key in ("first", "draw", "second"))] for name, table in rows]
        lines += table_lines(["second player", "random player wins", "draw", "second player wins"], cells)
    gates = history.of_kind("gate")
    if gates:
        lines += ["", f"A new network plays when it wins {100 * recipe.gate.threshold:.0f} %:", ""]
        cells = [
            [str(g["generation"]), str(g["against"]), f"{100 * g['score']:.1f} %", "yes" if g["passed"] else "no"]
            for g in gates
        ]
        lines += table_lines(["network", "against", "score", "passed"], cells)
    return "\n".join([*lines, ""])


def _series(name: str, events: Sequence[Event], *path: str) -> Series:
    """Returns the line of a number that stands at a path of keys in each event; events without it are left out."""
    points = []
    for event in events:
        value: Any = event
        for key in path:
            value = value.get(key) if value is not None else None
        if value is not None:
            points.append((float(event["generation"]), float(value)))
    return Series(name, tuple(points))


def _against(ratings: Sequence[Event], name: str) -> Series:
    scores = [(float(event["generation"]), event["against"][name]) for event in ratings if name in event["against"]]
    points = tuple((x, score["score"]) for x, score in scores)
    return Series(f"against {name}", points, tuple(score["error"] or 0.0 for _, score in scores))


def _agreement(ratings: Sequence[Event]) -> tuple[Series, ...]:
    names = {"policy": "policy alone", "search": "with search"}
    lines = []
    for kind, shown in names.items():
        verdicts = [(float(event["generation"]), event["solver"][kind]) for event in ratings if "solver" in event]
        points = ((x, 1 - each["mistakes"] / max(1, each["positions"])) for x, each in verdicts)
        lines.append(Series(shown, tuple(points)))
    return tuple(lines)


def _losses(trained: Sequence[Event]) -> tuple[Series, ...]:
    names = dict.fromkeys(name for event in trained for name in event["losses"] if name != "loss")
    return tuple(_series(name, trained, "losses", name) for name in names)


def _surprise(trained: Sequence[Event]) -> tuple[Series, ...]:
    names = {
        "policy_kl": "divergence of the policy",
        "value_error": "squared error of the value",
        "draw_error": "always a draw",
    }
    return tuple(_series(shown, trained, "before", key) for key, shown in names.items())
