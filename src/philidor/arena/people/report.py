"""What was measured, in words and as plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from philidor.arena.people.errors import ErrorRow
    from philidor.arena.people.figure import Habit
    from philidor.arena.people.matching import Row
    from philidor.arena.people.puzzles import PuzzleRow
    from philidor.arena.statistics import Estimate

_HEADS = {"top1": "top-1", "top3": "top-3", "cross_entropy": "cross-entropy", "value_error": "result error"}
_SHARES = ("top1", "top3")


def estimate_facts(estimate: Estimate) -> dict[str, float | None]:
    """Returns a mean with the half width of its interval; None for what is no number, which JSON does not have."""
    return {"mean": finite(estimate.value), "error": finite(estimate.error)}


def finite(number: float) -> float | None:
    """Returns the number, or None for NaN and infinity."""
    return number if math.isfinite(number) else None


def rows_facts(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Returns the rows of `summarize` for programs."""
    return [
        {
            "band": row.band,
            "plies": row.plies,
            "positions": row.positions,
            "games": row.games,
            "scores": {name: _facts(metrics) for name, metrics in row.scores.items()},
            "differences": [{"a": a, "b": b, **_facts(metrics)} for (a, b), metrics in row.differences.items()],
        }
        for row in rows
    ]


def _facts(metrics: dict[str, Estimate]) -> dict[str, Any]:
    return {metric: estimate_facts(value) for metric, value in metrics.items()}


def rows_text(rows: Sequence[Row]) -> str:
    """Returns the rows for people: scores of each predictor, then what the first one is ahead of each other one."""
    return "\n\n".join(_row_text(row) for row in rows)


def _row_text(row: Row) -> str:
    plies = "all plies" if row.plies == "all" else f"plies {row.plies}"
    lines = [f"{row.band}, {plies}: {row.positions:,} positions of {row.games:,} games"]
    metrics = [metric for metric in _HEADS if any(_is_known(score[metric]) for score in row.scores.values())]
    first = next(iter(row.scores))
    ahead = {f"{a} - {b}": values for (a, b), values in row.differences.items() if a == first}
    width = max(map(len, (*row.scores, *ahead)))
    lines.append(f"  {'':<{width}}" + "".join(f"{_HEADS[metric]:>18}" for metric in metrics))
    for name, values in row.scores.items():
        lines.append(f"  {name:<{width}}" + "".join(f"{shown(values[metric], metric):>18}" for metric in metrics))
    for name, values in ahead.items():
        cells = (shown(values[metric], metric, is_difference=True) for metric in metrics)
        lines.append(f"  {name:<{width}}" + "".join(f"{cell:>18}" for cell in cells))
    return "\n".join(lines)


def _is_known(estimate: Estimate) -> bool:
    return math.isfinite(estimate.value)


def shown(estimate: Estimate, metric: str, *, is_difference: bool = False) -> str:
    """Writes a mean and its interval: shares in percent."""
    if not _is_known(estimate):
        return "-"
    sign = "+" if is_difference else ""
    if metric in _SHARES:
        return f"{100 * estimate.value:{sign}.2f} ± {100 * estimate.error:.2f} %"
    return f"{estimate.value:{sign}.3f} ± {estimate.error:.3f}"


# --- Errors ----------------------------------------------------------------------------------------------------

_ERROR_HEADS = {
    "loss_cp": "loss, cp",
    "loss_chance": "loss, win %",
    "errors_100": ">= 100 cp",
    "errors_200": ">= 200 cp",
    "errors_300": ">= 300 cp",
}


def error_facts(rows: Sequence[ErrorRow]) -> list[dict[str, Any]]:
    """Returns the rows of `summarize_errors` for programs."""
    return [
        {
            "band": row.band,
            "phase": row.phase,
            "positions": row.positions,
            "games": row.games,
            "losses": {name: _facts(numbers) for name, numbers in row.losses.items()},
            "ratios": {name: _facts(numbers) for name, numbers in row.ratios.items()},
        }
        for row in rows
    ]


def error_text(rows: Sequence[ErrorRow]) -> str:
    """Returns the rows for people: everybody's losses, then each predictor's in units of people's."""
    return "\n\n".join(_error_text(row) for row in rows)


def _error_text(row: ErrorRow) -> str:
    phase = "all phases" if row.phase == "all" else row.phase
    lines = [f"{row.band}, {phase}: {row.positions:,} positions of {row.games:,} games"]
    width = max(len(name) for name in (*row.losses, *(f"{name} / people" for name in row.ratios)))
    lines.append(f"  {'':<{width}}" + "".join(f"{head:>16}" for head in _ERROR_HEADS.values()))
    for name, numbers in row.losses.items():
        cells = (_error_cell(numbers[key], 1 if key == "loss_cp" else 100) for key in _ERROR_HEADS)
        lines.append(f"  {name:<{width}}" + "".join(f"{cell:>16}" for cell in cells))
    for name, numbers in row.ratios.items():
        cells = (_ratio_cell(numbers[key]) for key in _ERROR_HEADS)
        lines.append(f"  {f'{name} / people':<{width}}" + "".join(f"{cell:>16}" for cell in cells))
    return "\n".join(lines)


def _error_cell(estimate: Estimate, factor: int) -> str:
    return f"{factor * estimate.value:.1f} ± {factor * estimate.error:.1f}" + (" %" if factor == 100 else "")


def _ratio_cell(estimate: Estimate) -> str:
    return f"{estimate.value:.2f} ± {estimate.error:.2f}" if _is_known(estimate) else "-"


# --- Puzzles ---------------------------------------------------------------------------------------------------


def puzzle_facts(rows: Sequence[PuzzleRow]) -> list[dict[str, Any]]:
    """Returns the rows of `summarize_puzzles` for programs."""
    return [
        {
            "band": row.band,
            "puzzles": row.puzzles,
            "mean_rating": row.mean_rating,
            "solved": {name: estimate_facts(share) for name, share in row.solved.items()},
        }
        for row in rows
    ]


def puzzle_text(rows: Sequence[PuzzleRow], performance: Mapping[str, float | None]) -> str:
    """Returns a table for people, one line for each band, and the performance of each solver."""
    names = list(rows[0].solved)
    widths = [max(len(name), 15) for name in names]
    heads = "".join(f"  {name:>{width}}" for name, width in zip(names, widths, strict=True))
    lines = [f"{'rating':<10}{'puzzles':>8}{heads}"]
    for row in rows:
        cells = (shown(row.solved[name], "top1") for name in names)
        line = "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        lines.append(f"{row.band:<10}{row.puzzles:>8,}{line}")
    reached = ("-" if performance[name] is None else f"{performance[name]:.0f}" for name in names)
    line = "".join(f"  {cell:>{width}}" for cell, width in zip(reached, widths, strict=True))
    return "\n".join([*lines, f"{'performance':<18}{line}"])


# --- All together ----------------------------------------------------------------------------------------------

_MOVES_SHOWN = 4


def comparison_facts(matched: Sequence[Row], erred: Sequence[ErrorRow], figure: Sequence[Habit]) -> dict[str, Any]:
    """Returns move matching, errors and Figure 4.23 for programs."""
    shown_habits = {habit.name: habit.moves for habit in figure}
    return {"matching": rows_facts(matched), "errors": error_facts(erred), "figure": shown_habits}


def comparison_text(matched: Sequence[Row], erred: Sequence[ErrorRow], figure: Sequence[Habit]) -> str:
    """Returns a report: tables by band over all plies and phases, by phase over all bands, and Figure 4.23."""
    bands = [row for row in matched if row.plies == "all"]
    phases = [row for row in erred if row.phase == "all" or row.band == erred[-1].band]
    width = max(len(habit.name) for habit in figure)
    lines = []
    for habit in figure:
        moves = ", ".join(f"{move} {100 * share:.0f} %" for move, share in list(habit.moves.items())[:_MOVES_SHOWN])
        lines.append(f"  {habit.name:<{width}}  {moves}")
    parts = [
        "Moves of people that are found",
        rows_text(bands),
        "What moves lose",
        error_text(phases),
        "Figure 4.23, in which every person plays Bb3",
        "\n".join(lines),
    ]
    return "\n\n".join(parts)
