"""`philidor train alphago-rollout` and `philidor train alphago-tree`: AlphaGo's linear policies from games of Go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from philidor.cli.arguments import AsJson, ReadingThreads, RunFolder, give, say, say_stopped, stop_signals
from philidor.cli.options import with_config
from philidor.core.cores import cores
from philidor.train.pattern_config import PatternTrainingConfig

if TYPE_CHECKING:
    from collections.abc import Callable

    from philidor.nets.patterns import PatternKind
    from philidor.train.pattern_training import PatternLoop

Games = Annotated[list[Path], typer.Argument(help="Games of Go: .rec files, or SGF.", metavar="FILE...")]
NETWORK = "network.phpt"


@with_config(PatternTrainingConfig)
def rollout_policy(
    config: PatternTrainingConfig, games: Games, out: RunFolder, threads: ReadingThreads = None, as_json: AsJson = False
) -> None:
    """Trains AlphaGo's rollout policy: patterns around the last move and 3x3 around each move."""
    _run("rollout", config, games, out, threads, as_json)


@with_config(PatternTrainingConfig)
def tree_policy(
    config: PatternTrainingConfig, games: Games, out: RunFolder, threads: ReadingThreads = None, as_json: AsJson = False
) -> None:
    """Trains AlphaGo's tree policy: the rollout policy's patterns and larger ones around each move."""
    _run("tree", config, games, out, threads, as_json)


def _run(
    kind: PatternKind, config: PatternTrainingConfig, games: list[Path], out: Path, threads: int | None, as_json: bool
) -> None:
    from philidor.core.runs import Run, no_empty_run
    from philidor.nets.patterns import save_patterns
    from philidor.pipelines.games import ready_files
    from philidor.train.games_config import NamedFile
    from philidor.train.pattern_training import PatternLoop

    with no_empty_run(out), stop_signals() as is_stopped:
        run = Run.resume_or_create(out.name, config, out.parent)
        files = ready_files([NamedFile(path, None) for path in games], run, is_stopped=is_stopped)
        if files is None:
            say_stopped(as_json=as_json)
        loop = PatternLoop(kind, config, run, files, threads=threads or cores())
        if loop.visits:
            say(f"going on after {loop.visits:,} visits to games", as_json=as_json)
        is_done = _show(loop, is_stopped, as_json)
        path = run.checkpoints / NETWORK
        if loop.visits:
            save_patterns(path, loop.network())
    measured = [event for event in run.metrics() if event["event"] == "measure"]
    facts = {"network": str(path), "visits": loop.visits, "is_done": is_done, "measured": measured[-2:]}
    give(facts, f"\n{path}" if loop.visits else "stopped while counting", as_json=as_json)
    if not is_done:
        say_stopped(as_json=as_json)


def _show(loop: PatternLoop, is_stopped: Callable[[], bool], as_json: bool) -> bool:
    """Trains, with a bar on a terminal and a line for each measurement; says whether it came to the end."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("counting shapes", total=1.0)

        def show(now: Any) -> None:
            if now.event is not None:
                if words := _words(now.event):
                    say(words, as_json=as_json)
                return
            speed = f", {now.positions_per_second:,.0f} positions/s" if now.positions_per_second else ""
            bar.update(task, completed=now.share, description=f"{now.stage}{speed}")

        return loop.go(is_stopped=is_stopped, report=show)


def _words(event: dict[str, Any]) -> str:
    if event["event"] == "data":
        shapes = ", ".join(f"{event[name]:,} {name}" for name in ("squares", "responses", "diamonds") if event[name])
        return f"{event['games']:,} games, {event['positions']:,} positions; shapes: {shapes}"
    return (
        f"epoch {event['epoch']:.2f}, {event['part']} ({event['positions']:,} positions): first choice "
        f"{100 * event['top1']:.1f} %, cross-entropy {event['cross_entropy']:.3f}"
    )
