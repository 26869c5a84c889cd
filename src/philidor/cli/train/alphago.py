"""`philidor train alphago-rl` and `philidor train alphago-value`: AlphaGo's networks from their own games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from philidor.cli.arguments import AsJson, RunFolder, give, say, say_stopped, stop_signals
from philidor.cli.options import with_config
from philidor.cli.train.torch_extra import torch_extra
from philidor.train.policy_gradient_config import PolicyGradientConfig
from philidor.train.value_config import ValueTrainingConfig

if TYPE_CHECKING:
    from philidor.core.config import Dataclass
    from philidor.core.runs import Run

    Show = Callable[[dict[str, Any]], tuple[float, str, bool]]
    """Says of an event how much is done, from 0 to 1, in words, and whether they are worth a line."""


@with_config(PolicyGradientConfig)
def rl_policy(config: PolicyGradientConfig, out: RunFolder, as_json: AsJson = False) -> None:
    """Improves a policy network of Go by games against its earlier selves (AlphaGo's second step)."""
    with torch_extra():
        from philidor.train.torch.policy_gradient import PolicyGradientLoop

    def words(event: dict[str, Any]) -> tuple[float, str, bool]:
        said = f"update {event['update']:,}, entropy {event['entropy']:.2f}, {event['plies']:.0f} plies a game"
        share, score = event["update"] / config.updates, event.get("against_start")
        return (share, said, False) if score is None else (share, f"{said}: {score:.1%} against the first one", True)

    _train(PolicyGradientLoop, config, out, words, as_json)


@with_config(ValueTrainingConfig)
def value_network(config: ValueTrainingConfig, out: RunFolder, as_json: AsJson = False) -> None:
    """Trains a value network of Go on one position of each of its policies' games (AlphaGo's third step)."""
    with torch_extra():
        from philidor.train.torch.value_network import ValueLoop

    def words(event: dict[str, Any]) -> tuple[float, str, bool]:
        if event["event"] == "games":
            return event["shard"] / event["shards"], f"playing games: shard {event['shard']:,}", False
        errors = f"error {event['train_error']:.4f} on learned games, {event['test_error']:.4f} on others"
        return event["step"] / config.steps, f"step {event['step']:,}: {errors}", True

    _train(ValueLoop, config, out, words, as_json)


def _train(kind: Callable[[Any, Run], Any], config: Dataclass, out: Path, words: Show, as_json: bool) -> None:
    """Trains, with a bar on a terminal and a line for each measurement, and says where the network is."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from philidor.core.runs import Run, no_empty_run

    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with no_empty_run(out), stop_signals() as is_stopped:
        run = Run.resume_or_create(out.name, config, out.parent)
        loop = kind(config, run)
        with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
            task = bar.add_task("starting", total=1.0)

            def show(event: dict[str, Any]) -> None:
                share, said, is_line = words(event)
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
