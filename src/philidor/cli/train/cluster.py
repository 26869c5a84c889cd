"""`philidor train RECIPE --cluster ADDRESS`: the parts of a run on many machines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.core.errors import ConfigError

if TYPE_CHECKING:
    from philidor.core.runs import Run
    from philidor.pipelines.recipes import ZeroRecipe
    from philidor.pipelines.zero import Moment

Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Run on a Ray cluster: HOST:PORT of its head, 'auto' for the one this machine is in, or 'local'.",
        show_default=False,
    ),
]
ClusterActors = Annotated[
    int, typer.Option(min=0, help="Actors on the cluster at most; 0 for as many as there is room for.")
]
ActorCpus = Annotated[int, typer.Option(min=1, help="Cores of each actor on the cluster.")]
ActorGpus = Annotated[
    float, typer.Option(min=0.0, max=1.0, help="Share of a GPU of each actor on the cluster; 0 for actors on CPUs.")
]


@contextmanager
def ray_extra() -> Iterator[None]:
    """Says what is missing where an import inside fails. Raises ConfigError."""
    try:
        yield
    except ImportError as error:
        raise ConfigError(f"a cluster needs ray ({error}): pip install '.[cluster]' in philidor's folder") from None


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


def check_cluster(address: str) -> None:
    """Refuses an address before a run is begun for it. Raises ConfigError."""
    with ray_extra():
        from philidor.core.ray import check_address
    check_address(address)
