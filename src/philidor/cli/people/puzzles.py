"""`philidor net puzzles`: which puzzles networks and engines solve, by the puzzles' ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from philidor.arena.people.puzzles import PuzzleConfig
from philidor.cli.arguments import AsJson, give
from philidor.cli.options import with_config
from philidor.cli.people.options import (
    Device,
    EngineWorkers,
    Predictors,
    Threads,
    progress,
)
from philidor.core.config import to_dict
from philidor.core.cores import cores


@with_config(PuzzleConfig)
def puzzles(
    config: PuzzleConfig,
    predictors: Predictors,
    file: Annotated[Path, typer.Option("--file", metavar="FILE", help="Puzzles in Lichess's CSV, compressed or not.")],
    nodes: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Nodes of a network's search; 1 is its policy alone; may be repeated.", metavar="N"),
    ] = None,
    device: Device = "cpu",
    threads: Threads = None,
    workers: EngineWorkers = None,
    as_json: AsJson = False,
) -> None:
    """Measures how many puzzles' first moves are found, by the puzzles' ratings, with 95 % intervals.

    A network with ratings plays at the rating given after its name, such as `ratings=1500`. The performance is the
    rating at which the logistic formula expects as many solutions; it counts first moves only, on the puzzles' scale.
    """
    from philidor.arena.people.predictors import Computing, EnginePredictor, RatingView, load_predictors
    from philidor.arena.people.puzzles import performance, read_puzzles, solve_puzzles, summarize_puzzles
    from philidor.arena.people.report import finite, puzzle_facts, puzzle_text
    from philidor.games import load_game

    counts = nodes or [1]
    solved: dict[str, Any] = {}
    with progress() as update:
        drawn = read_puzzles(file, config)
        computing = Computing(device=device, threads=threads or cores())
        loaded = load_predictors(predictors, load_game("chess"), ratings=RatingView("none"), computing=computing)
        for each in loaded:
            for count in [1] if isinstance(each, EnginePredictor) else counts:
                name = each.name if count == 1 else f"{each.name}, {count} nodes"
                solved[name] = solve_puzzles(drawn, each, nodes=count, workers=workers or cores(), report=update)
    rows = summarize_puzzles(drawn, solved)
    reached = {name: finite(performance(drawn, found)) for name, found in solved.items()}
    settings: dict[str, Any] = {**to_dict(config), "file": str(file), "nodes": counts}
    facts = {"sample": settings, "rows": puzzle_facts(rows), "performance": reached}
    give(facts, puzzle_text(rows, reached), as_json=as_json)
