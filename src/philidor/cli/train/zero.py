"""`philidor train RECIPE` for the recipes of zero training: one command each, made when it is asked for."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from philidor.cli.arguments import AsJson, refuse_ignored, say_stopped, stop_signals
from philidor.cli.cluster import Cluster, check_cluster
from philidor.cli.commands import strict_command
from philidor.cli.options import with_config
from philidor.cli.train.cluster import ActorCpus, ActorGpus, ClusterActors, train_on_cluster
from philidor.cli.train.games import games_command
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.errors import PhilidorError, RunError, UnknownNameError
from philidor.games import known_game
from philidor.pipelines.recipes import ZeroRecipe, load_recipe, recipe_names, recipe_summary
from philidor.pipelines.recipes.from_games import learns_from_games

if TYPE_CHECKING:
    from philidor.cli.train.zero_view import ZeroView
    from philidor.core.runs import Run


class Part(StrEnum):
    """What a process does for a run."""

    ALL = "all"
    ACTOR = "actor"
    LEARNER = "learner"
    RATER = "rater"


class RecipeCommand(TyperCommand):
    """Stands for a recipe in the overview; its file is read when its arguments are."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Makes the real command and lets it read the arguments."""
        assert self.name is not None
        make = games_command if learns_from_games(self.name) else recipe_command
        return make(self.name, _typed_game(args)).make_context(info_name, args, parent, **extra)


class RecipeGroup(TyperGroup):
    """The commands written as such, and every recipe."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Returns the recipes' names after the commands'."""
        return [*super().list_commands(ctx), *recipe_names()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Returns the command; a recipe may also be a file or a game. Raises UnknownNameError."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            return command
        if cmd_name not in recipe_names() and not cmd_name.endswith(".toml") and ":" not in cmd_name:
            raise UnknownNameError("recipe", cmd_name, self.list_commands(ctx))
        is_shipped = cmd_name in recipe_names()
        return RecipeCommand(cmd_name, help=recipe_summary(cmd_name) if is_shipped else None)


def _typed_game(args: list[str]) -> str | None:
    """Returns the value of `--game`, which must be known before the recipe can be read."""
    for place, word in enumerate(args):
        option, equals, value = word.partition("=")
        if option == "--game":
            return value if equals else next(iter(args[place + 1 :]), None)
    return None


def recipe_command(name: str, game: str | None = None) -> Any:
    """Returns the command that trains by a recipe, or by it for another game, with an option for each setting."""
    recipe = load_recipe(name, game)
    base = {setting.name: getattr(recipe, setting.name) for setting in dataclasses.fields(ZeroRecipe)}
    folder = Path(name.rpartition(":")[2]).stem.lower() if ":" in name else Path(name).stem

    @with_config(ZeroRecipe, **base)
    def train(
        context: typer.Context,
        config: ZeroRecipe,
        out: Annotated[
            Path | None, typer.Option("--out", "-o", metavar="DIR", help="The run folder; runs/RECIPE if not given.")
        ] = None,
        resume: Annotated[bool, typer.Option("--resume", help="Continue an existing run, never start one.")] = False,
        part: Annotated[
            Part,
            typer.Option(help="Run this part alone, in a process of its own."),
        ] = Part.ALL,
        worker: Annotated[str, typer.Option(metavar="NAME", help="The actor's name, unique in the run.")] = "actor1",
        cluster: Cluster = None,
        cluster_actors: ClusterActors = 0,
        actor_cpus: ActorCpus = 1,
        actor_gpus: ActorGpus = 0.0,
        as_json: AsJson = False,
    ) -> None:
        """Trains a network by this recipe; a stopped run continues when the same command is run again."""
        if config.game != recipe.game:  # said by the file of --config
            known_game(config.game, "the config")
        place = out or Path("runs") / folder
        if cluster is None:
            refuse_ignored(context, ["cluster_actors", "actor_cpus", "actor_gpus"], "there is no --cluster")
        else:
            refuse_ignored(context, ["part", "worker"], "on a --cluster the parts are placed by themselves")
            check_cluster(cluster)
        if part in (Part.ACTOR, Part.RATER):
            _assist(config, place, part, worker)
            return

        def go(run: Run, view: ZeroView, is_stopped: Callable[[], bool]) -> bool:
            if cluster is not None:
                shape = (cluster_actors, actor_cpus, actor_gpus)
                return train_on_cluster(cluster, config, run, shape, view.watch, is_stopped)
            from philidor.pipelines.zero import ZeroLoop

            is_alone = part is Part.LEARNER
            return ZeroLoop(config, run, watch=view.watch, is_stopped=is_stopped, is_alone=is_alone).go()

        _train(config, place, resume, as_json, go)

    app = typer.Typer(add_completion=False)
    app.command(name=name)(train)
    return strict_command(app)


def _assist(recipe: ZeroRecipe, out: Path, part: Part, worker: str) -> None:
    """Plays or judges for a run that another process learns for, until it is over."""
    from philidor.core.runs import Run

    with torch_extra():
        from philidor.pipelines.zero.loop import run_actor, run_rater
    run = Run(out)
    if run.config(ZeroRecipe) != recipe:
        raise RunError(f"run {str(run.path)!r} has another recipe; see {str(run.config_path)!r}")
    with stop_signals() as is_stopped:
        if part is Part.ACTOR:
            run_actor(recipe, run, worker, is_stopped)
        else:
            run_rater(recipe, run, is_stopped)
    if is_stopped():
        say_stopped()


def _train(recipe: ZeroRecipe, out: Path, resume: bool, as_json: bool, go: Callable[..., bool]) -> None:
    from rich.console import Console

    from philidor.cli.train.zero_view import ZeroView
    from philidor.core.runs import no_empty_run
    from philidor.pipelines.zero.loop import open_run
    from philidor.pipelines.zero.report import History, write_report

    with torch_extra():
        from philidor.train.torch import zero  # noqa: F401 - only to see whether torch is here
    if resume and not (out / "config.toml").exists():
        raise RunError(f"no run to go on with in {str(out)!r}")
    with no_empty_run(out):
        run = open_run(recipe, out)
        view = ZeroView(Console(stderr=as_json), recipe, run)
        with stop_signals() as is_stopped, view.shown():
            try:
                is_done = go(run, view, is_stopped)
            finally:
                if not run.is_empty:
                    _quietly(lambda: write_report(run, recipe, _random_odds(recipe)))
    if as_json:
        ratings = History.of(run).of_kind("rating")
        print(json.dumps({"run": str(run.path), "report": str(run.report), "ratings": ratings, "is_done": is_done}))
    else:
        _show_end(recipe, run)
    if not is_done:
        say_stopped(as_json=as_json)


def _quietly(write: Any) -> None:
    """Writes the report; on a full disk the error that ended the run matters more."""
    try:
        write()
    except (OSError, PhilidorError) as error:
        import logging

        logging.getLogger("philidor").warning("no report was written: %s", error)


def _random_odds(recipe: ZeroRecipe) -> dict[str, float] | None:
    if not recipe.rating.table:
        return None
    from philidor.games import load_game
    from philidor.pipelines.zero.rating import random_table

    return random_table(load_game(recipe.game), None)


def _show_end(recipe: ZeroRecipe, run: Run) -> None:
    from rich.console import Console

    from philidor.cli.train.zero_view import random_table_view, ratings_table
    from philidor.core.descriptor import descriptor_of
    from philidor.games import load_game
    from philidor.pipelines.zero.report import History

    console, history = Console(highlight=False), History.of(run)
    if not console.is_terminal and history.of_kind("rating"):
        console.print(ratings_table(history))
    odds = _random_odds(recipe)
    if odds is not None:
        console.print()
        console.print(random_table_view(history, odds, descriptor_of(load_game(recipe.game)).sides))
    console.print(f"\n{run.report / 'report.md'}, {run.report / 'curves.svg'}", soft_wrap=True)
