"""What commands that can run on a cluster have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.core.errors import ConfigError

if TYPE_CHECKING:
    from philidor.core.processes import BeginPool

Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Run on a Ray cluster: HOST:PORT of its head, 'auto' or 'local'.",
        show_default=False,
    ),
]


@contextmanager
def ray_extra() -> Iterator[None]:
    """Says what is missing where an import inside fails. Raises ConfigError."""
    try:
        yield
    except ImportError as error:
        raise ConfigError(f"a cluster needs ray ({error}): pip install '.[cluster]' in philidor's folder") from None


def check_cluster(address: str) -> None:
    """Refuses an address before a run is begun for it. Raises ConfigError."""
    with ray_extra():
        from philidor.core.ray import check_address
    check_address(address)


@contextmanager
def workers_on(address: str) -> Iterator[tuple[BeginPool, int]]:
    """Joins a cluster; gives what makes workers there, and for how many there are cores. Raises ConfigError."""
    with ray_extra():
        from philidor.core.ray import connected
        from philidor.core.ray.processes import ClusterProcesses, cluster_cores
    with connected(address):
        yield ClusterProcesses, cluster_cores()
