"""Serves a run to volunteers until Ctrl-C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import uvicorn

from philidor.core.errors import RunError
from philidor.core.runs import Run
from philidor.frontends.training.app import TrainingServer, create_app
from philidor.frontends.training.contributors import Contributors
from philidor.pipelines.recipes import ZeroRecipe
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.packing import is_zero_run

_MOST_CONNECTIONS = 512
_IDLE_S = 30


@dataclass(frozen=True, kw_only=True)
class TrainingOptions:
    """How to serve."""

    host: str = "127.0.0.1"
    port: int = 8100
    add: Sequence[str] = ()
    """Contributors to add first; their tokens are printed."""


def serve_training(run: Run, options: TrainingOptions) -> None:
    """Serves until Ctrl-C. Raises RunError if the run is not one that can be played for."""
    contributors = Contributors(run.path)
    server = training_server(run, contributors)
    for name in options.add:
        print(f"token of {name}: {contributors.add(name)}", flush=True)
    if not len(contributors):
        raise RunError(f"nobody may contribute to {run.name!r} yet: give --add NAME")
    print(f"serving {run.name} to {len(contributors)} contributors on http://{options.host}:{options.port}", flush=True)
    app = create_app(server)
    uvicorn.run(
        app,
        host=options.host,
        port=options.port,
        log_level="warning",
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=_IDLE_S,
    )


def training_server(run: Run, contributors: Contributors) -> TrainingServer:
    """Returns what answers for a run. Raises RunError."""
    if not is_zero_run(run):
        raise RunError(f"{str(run.path)!r} is no run of self-play whose learner has begun: philidor train ... first")
    recipe = run.config(ZeroRecipe)
    if recipe.teacher != "self-play":
        raise RunError(f"run {run.name!r} has no self-play to contribute to")
    return TrainingServer(recipe, ZeroFiles(run), contributors)
