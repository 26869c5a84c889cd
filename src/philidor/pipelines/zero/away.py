"""An actor away from the run: plays in a folder of its own while a courier carries, until the run is over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from philidor.pipelines.zero.courier import Courier
from philidor.pipelines.zero.files import ZeroFiles

if TYPE_CHECKING:
    from philidor.pipelines.recipes import ZeroRecipe
    from philidor.pipelines.zero.desk import DeskLike
    from philidor.pipelines.zero.ledger import Identity

# How long the last shards may be on their way when playing has ended.
_JOIN_S = 120.0


def play_away(
    desk: DeskLike,
    folder: Path,
    worker: str,
    identity: Identity,
    *,
    is_stopped: Callable[[], bool],
    threads: int = 1,
    device: Literal["auto", "cpu", "cuda"] = "cpu",
    allow: Callable[[ZeroRecipe], ZeroRecipe] = lambda recipe: recipe,
    report: Callable[[Courier], None] = lambda courier: None,
) -> tuple[Courier, bool]:
    """Plays until the run is over or it is told to stop; returns who carried, and whether the run is over.

    `allow` sees the recipe first and may change what only concerns this machine. Raises what the desk raises.
    """
    from philidor.pipelines.zero.loop import run_actor

    courier = Courier(desk, folder, worker, identity)
    recipe, run = courier.begin()
    recipe = allow(replace(recipe, threads=threads, training=replace(recipe.training, device=device)))
    failure: list[BaseException] = []
    has_ended = threading.Event()

    def must_stop() -> bool:
        return has_ended.is_set() or bool(failure) or is_stopped()

    def carry() -> None:
        try:
            courier.run(must_stop, lambda: report(courier))
        except BaseException as error:  # told by the thread that plays
            failure.append(error)

    carrying = threading.Thread(target=carry, daemon=True)
    carrying.start()
    try:
        run_actor(recipe, run, worker, must_stop, threads=threads)
    finally:
        has_ended.set()
        carrying.join(_JOIN_S)
    if failure:
        raise failure[0]
    return courier, ZeroFiles(run).progress.is_over
