"""Games of Go that a policy plays against itself, drawing its moves, and some positions of each (book, ch. 4.1.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from philidor.train.torch.lockstep import draw_moves, results_of, start_games

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.games.go import Go
    from philidor.nets.torch.model import Model


@dataclass(frozen=True, slots=True, eq=False)
class KeptPosition:
    """A position of a game."""

    ply: int
    game: int
    planes: NDArray[np.uint64]  # [48, words]
    mover: int
    state: Any
    """The compiled state."""


def play_drawn_games(
    policy: Model,
    game: Go,
    count: int,
    *,
    width: int,
    seed: int,
    is_stopped: Callable[[], bool] = lambda: False,
    report: Callable[[int, int], None] = lambda *_: None,
) -> tuple[list[KeptPosition], NDArray[np.float32]]:
    """Returns one position of each game in each `width` plies, and the games' results: 1 where Black wins."""
    cpu, numbers = torch.device("cpu"), np.random.default_rng(seed)
    random, running = torch.Generator(cpu).manual_seed(seed), start_games(game, count)
    most = 2 * game.grid.size
    wanted = numbers.integers(0, width, (count, most // width + 1))  # by game and band: which ply of it
    kept: list[KeptPosition] = []
    for ply in range(most):
        alive = running.ongoing()
        if not len(alive) or is_stopped():
            break
        planes, movers = running.encode(alive), running.to_move()
        for row, number in enumerate(alive.tolist()):
            if wanted[number, ply // width] == ply % width:
                kept.append(KeptPosition(ply, number, planes[row], int(movers[number]), running.state(number)))
        running.play(alive, draw_moves(policy, planes, cpu, random))
        report(ply + 1, most)
    return kept, results_of(running)
