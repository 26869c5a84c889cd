"""`philidor train alphago-rl`, `alphago-value` and `alphago-9x9`: AlphaGo's networks from their own games, and all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from philidor.cli.arguments import AsJson, ReadingThreads, RunFolder, give, say, say_stopped, stop_signals
from philidor.cli.options import with_config
from philidor.cli.train.patterns import Games
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.cores import cores
from philidor.pipelines.alphago import AlphaGoRecipe
from philidor.train.policy_gradient_config import PolicyGradientConfig
from philidor.train.value_config import ValueTrainingConfig

if TYPE_CHECKING:
    from philidor.core.config import Dataclass
    from philidor.core.runs import Run


@with_config(PolicyGradientConfig)
def rl_policy(config: PolicyGradientConfig, out: RunFolder, as_json: AsJson = False) -> None:
    """Improves a policy network of Go by games against its earlier selves (AlphaGo's second step)."""
    with torch_extra():
        from philidor.train.torch.policy_gradient import PolicyGradientLoop

    _train(PolicyGradientLoop, config, out, as_json)


@with_config(ValueTrainingConfig)
def value_network(config: ValueTrainingConfig, out: RunFolder, as_json: AsJson = False) -> None:
    """Trains a value network of Go on one position of each of its policies' games (AlphaGo's third step)."""
    with torch_extra():
        from philidor.train.torch.value_network import ValueLoop

    _train(ValueLoop, config, out, as_json)


@with_config(AlphaGoRecipe)
def alphago(
    config: AlphaGoRecipe, games: Games, out: RunFolder, threads: ReadingThreads = None, as_json: AsJson = False
) -> None:
    """Trains all five networks of AlphaGo on 9x9, from people's games on: policy, rollout, tree, RL and value."""
    with torch_extra():
        from philidor.train.torch import policy_gradient  # noqa: F401 - only to see whether torch is here
    from philidor.pipelines.alphago import STEPS, AlphaGoPipeline, match_command

    shown: set[str] = set()

    def watch(step: str, share: float, words: str, is_line: bool) -> None:
        if step not in shown or is_line:
            say(f"{step}: {words}", as_json=as_json)
        shown.add(step)

    with stop_signals() as is_stopped:
        pipeline = AlphaGoPipeline(config, games, out, threads=threads or cores(), watch=watch, is_stopped=is_stopped)
        is_done = pipeline.go()
    networks = {step: str(pipeline.network(step)) for step in STEPS if pipeline.network(step).exists()}
    words = "\n".join([*networks.values(), *([match_command(pipeline)] if is_done else [])])
    give({"networks": networks, "is_done": is_done}, f"\n{words}", as_json=as_json)
    if not is_done:
        say_stopped(as_json=as_json)


def _train(kind: Callable[[Any, Run], Any], config: Dataclass, out: Path, as_json: bool) -> None:
    """Trains, with a bar on a terminal and a line for each measurement, and says where the network is."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from philidor.core.runs import Run, no_empty_run
    from philidor.pipelines.alphago import told

    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with no_empty_run(out), stop_signals() as is_stopped:
        run = Run.resume_or_create(out.name, config, out.parent)
        loop = kind(config, run)
        with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
            task = bar.add_task("starting", total=1.0)

            def show(event: dict[str, Any]) -> None:
                share, said, is_line = told(event)
                bar.update(task, completed=share, description=said)
                if is_line:
                    say(said, as_json=as_json)

            is_done = loop.go(is_stopped=is_stopped, report=show)
    path = run.checkpoints / "network.safetensors"
    last = next(reversed(run.metrics()), None)
    facts = {"run": str(run.path), "network": str(path), "is_done": is_done, "last": last}
    give(facts, f"\n{path}" if path.exists() else f"\n{run.path}", as_json=as_json)
    if not is_done:
        say_stopped(as_json=as_json)
