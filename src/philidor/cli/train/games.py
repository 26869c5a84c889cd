"""`philidor train RECIPE` for the recipes that learn from recorded games."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from philidor.cli.arguments import AsJson, say, say_stopped, stop_signals, time_limit
from philidor.cli.commands import strict_command
from philidor.cli.options import with_config
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.cores import cores
from philidor.core.errors import RunError
from philidor.games import known_game
from philidor.pipelines.recipes.from_games import load_games_recipe
from philidor.train.games_config import GamesRecipe, named_files

if TYPE_CHECKING:
    from philidor.core.runs import Run
    from philidor.pipelines.games import GamesLoop, Moment, Watcher

StopAfter = Annotated[
    float | None,
    typer.Option(
        "--stop-after", min=0, help="Stop after this many minutes; the same command continues.", show_default=False
    ),
]


def games_command(name: str, game: str | None = None) -> Any:
    """Returns the command that trains by a recipe, or by it for another game, with an option for each setting."""
    recipe = load_games_recipe(name, game)
    base = {setting.name: getattr(recipe, setting.name) for setting in dataclasses.fields(GamesRecipe)}

    @with_config(GamesRecipe, **base)
    def train(
        config: GamesRecipe,
        out: Annotated[
            Path | None, typer.Option("--out", "-o", metavar="DIR", help="The run folder; runs/RECIPE if not given.")
        ] = None,
        resume: Annotated[bool, typer.Option("--resume", help="Continue an existing run, never start one.")] = False,
        stop_after: StopAfter = None,
        as_json: AsJson = False,
    ) -> None:
        """Trains a network on games by this recipe; a stopped run continues when the same command is run again."""
        if config.game != recipe.game:  # said by the file of --config
            known_game(config.game, "the config")
        train_on_games(config, out or Path("runs") / Path(name).stem, resume, stop_after, as_json)

    app = typer.Typer(add_completion=False)
    app.command(name=name)(train)
    return strict_command(app)


def train_on_games(recipe: GamesRecipe, out: Path, resume: bool, stop_after: float | None, as_json: bool) -> None:
    """Trains, shows how it goes, and says where the network is."""
    from philidor.core.runs import no_empty_run
    from philidor.pipelines.games_report import measurements

    with torch_extra():
        from philidor.train.torch import games  # noqa: F401 - only to see whether torch is here
    if resume and not (out / "config.toml").exists():
        raise RunError(f"no run to go on with in {str(out)!r}")
    is_late = time_limit(stop_after)
    with no_empty_run(out), stop_signals() as is_told:
        run = open_games_run(recipe, out)
        loop = start_loop(recipe, run, as_json=as_json, is_stopped=lambda: is_told() or is_late())
        is_done = loop is not None and loop.is_done
    measured = measurements(run.metrics())
    if loop is None:
        say_stopped(as_json=as_json)
    if as_json:
        last = measured[-1] if measured else None
        facts = {"run": str(run.path), "network": str(loop.network_path), "is_done": is_done, "measured": last}
        print(json.dumps({**facts, "report": str(run.report)}))
    else:
        say(f"\n{loop.network_path}\n{run.report / 'report.md'}, {run.report / 'curves.svg'}")
    if not is_done:
        say_stopped(as_json=as_json)


def start_loop(recipe: GamesRecipe, run: Run, *, as_json: bool, is_stopped: Callable[[], bool]) -> GamesLoop | None:
    """Reads the games and trains on them, showing it; None if it was stopped before it began."""
    from philidor.pipelines.games import GamesLoop, ready_files
    from philidor.pipelines.games_report import write_games_report

    threads = recipe.threads or cores()
    with shown(as_json) as watch:
        files = ready_files(named_files(recipe.games), run, watch=watch, is_stopped=is_stopped)
        if files is None:
            return None
        loop = GamesLoop(recipe, run, files, threads=threads, watch=watch, is_stopped=is_stopped)
        if loop.trainer.step:
            say(f"going on from step {loop.trainer.step:,}", as_json=as_json)
        try:
            loop.go()
        finally:
            if not run.is_empty:
                write_games_report(run, recipe)
    return loop


def open_games_run(recipe: GamesRecipe, out: Path) -> Run:
    """Opens or makes the run. It may go on longer, on another device, or with its games elsewhere. Raises RunError."""
    from philidor.core.runs import Run, write_atomic
    from philidor.core.toml import config_to_toml

    if (out / "config.toml").exists():
        run = Run(out)
        run.hold()
        before = run.config(GamesRecipe)
        if before != recipe and _essence(before) == _essence(recipe):
            write_atomic(run.config_path, config_to_toml(recipe))
    return Run.resume_or_create(out.name, recipe, out.parent)


def _essence(recipe: GamesRecipe) -> GamesRecipe:
    """Returns a recipe without what may change on the way; whether the games are the same, their stream says."""
    training = dataclasses.replace(
        recipe.training, steps=1, epochs=0.0, minutes=0.0, device="auto", compile=False, measure_every=1, measured=1
    )
    return dataclasses.replace(recipe, games=(), threads=0, training=training)


@contextmanager
def shown(as_json: bool) -> Iterator[Watcher]:
    """Shows a training: a bar on a terminal, a line for each measurement everywhere."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from philidor.pipelines.games_report import describe

    console = Console(stderr=as_json, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("opening games", total=1.0)

        def watch(moment: Moment) -> None:
            if moment.event is not None and (words := describe(moment.event)):
                console.print(words, markup=False, soft_wrap=True)
                console.file.flush()
            if moment.progress is not None:
                words = f"step {moment.progress.step:,}, {moment.progress.positions_per_second:,.0f} positions/s"
                bar.update(task, completed=moment.progress.share, description=words)
            elif moment.event is None:
                words = f"reading games {moment.done:.0%}" if moment.stage == "reading" else moment.stage
                bar.update(task, description=words)

        yield watch
