"""What a value network learns by heart: one position of each game against all positions of fewer games.

Positions of one game differ by a stone and share their result. AlphaGo's value network knew the results of people's
games that it had learned, and not those of others, until it was given one position a game (book, ch. 4.1.5; Silver et
al. 2016, "Training the value network").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from philidor.core.runs import Run, no_empty_run

if TYPE_CHECKING:
    from pathlib import Path

    from philidor.train.torch.value_games import Positions
    from philidor.train.value_config import ValueTrainingConfig


@dataclass(frozen=True, slots=True)
class Twin:
    """One of the two trainings."""

    name: str
    """"one-position" or "whole-games"."""
    games: int
    positions: int
    """Learned from."""
    steps: tuple[int, ...]
    """At which the errors were measured, on the paper's scale, where knowing nothing is 0.25."""
    train_errors: tuple[float, ...]
    """On positions that were learned."""
    test_errors: tuple[float, ...]
    """On positions of the same kind, of games that were not."""
    common_error: float
    """At the end, on the same positions for both: one of each game that neither has learned."""


def train_twins(
    config: ValueTrainingConfig,
    folder: Path,
    *,
    is_stopped: Callable[[], bool] = lambda: False,
    report: Callable[[str, dict[str, Any]], None] = lambda *_: None,
) -> list[Twin] | None:
    """Trains the same network twice, by as many steps on about as many positions; None if it was stopped.

    Each training is a run of its own in the folder and continues where it was left.
    """
    from philidor.train.torch.value_network import ValueLoop

    twins: list[Twin] = []
    common: Positions | None = None
    for name in ("one-position", "whole-games"):
        # As many positions, not as many games: more data would be a reason of its own to know more.
        own = replace(config, whole_games=bool(twins), positions=twins[0].positions if twins else config.positions)
        with no_empty_run(folder / name):
            run = Run.resume_or_create(name, own, folder)
            loop = ValueLoop(own, run)
        if not loop.is_done and not loop.go(is_stopped=is_stopped, report=partial(report, name)):
            return None
        # Shards have seeds of their own, so the whole games are among those of which one position is learned.
        common = common or loop.tested()
        twins.append(_twin(name, run.metrics(), loop.error(common)))
    return twins


def _twin(name: str, events: list[dict[str, Any]], common_error: float) -> Twin:
    # What was measured after the last save is measured again where the training goes on.
    last = {int(event["step"]): event for event in events}
    steps = tuple(sorted(last))
    final = last[steps[-1]]
    return Twin(
        name,
        final["games"],
        final["positions"],
        steps,
        tuple(last[step]["train_error"] for step in steps),
        tuple(last[step]["test_error"] for step in steps),
        common_error,
    )
