"""`philidor train RECIPE --cluster ADDRESS`: the parts of a run on many machines."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.cli.cluster import ray_extra

if TYPE_CHECKING:
    from philidor.core.runs import Run
    from philidor.pipelines.recipes import ZeroRecipe
    from philidor.pipelines.zero import Moment

ClusterActors = Annotated[int, typer.Option(min=0, help="Actors on the cluster; 0 for all that fit.")]
ActorCpus = Annotated[int, typer.Option(min=1, help="Cores of each actor on the cluster.")]
ActorGpus = Annotated[float, typer.Option(min=0.0, max=1.0, help="GPUs of each actor; 0 for CPUs.")]


def train_on_cluster(
    address: str,
    recipe: ZeroRecipe,
    run: Run,
    shape: tuple[int, int, float],
    watch: Callable[[Moment], None],
    is_stopped: Callable[[], bool],
) -> bool:
    """Runs to the end; False if it was stopped. `shape` is the number of actors, their cores and their GPUs."""
    with ray_extra():
        from philidor.core.ray import connected
        from philidor.pipelines.zero.ray.cluster import ClusterConfig, ClusterTraining
    actors, cpus, gpus = shape
    config = ClusterConfig(actors=actors, actor_cpus=cpus, actor_gpus=gpus)

    def say(line: str) -> None:
        print(f"philidor: {line}", file=sys.stderr, flush=True)

    with connected(address):
        return ClusterTraining(recipe, run, config, watch=watch, say=say, is_stopped=is_stopped).go()
