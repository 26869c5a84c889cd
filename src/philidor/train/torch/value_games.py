"""Positions for AlphaGo's value network: one of each game, so that none resembles another (book, ch. 4.1.5, Fig. 4.2).

The supervised policy plays a random number of moves, one more is any legal move, and the reinforced policy plays the
game to its end; the position behind the random move is kept with the result. Neighboring positions of one game share
their result, and a network that sees them all learns games by heart: `whole_games` keeps them all, to show it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from philidor.encodings.alphago import ALPHAGO_PLANES
from philidor.train.native import encode_go, native_root
from philidor.train.torch.lockstep import draw_moves, place_of, result_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.games.go import Go
    from philidor.nets.torch.model import Model


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Positions and how their games ended."""

    planes: NDArray[np.uint64]  # [n, 48, words]
    is_black: NDArray[np.float32]  # [n]
    """Whether Black is to move."""
    result: NDArray[np.float32]  # [n]
    """In the mover's view: 1, 0 or -1."""
    game: NDArray[np.int64]  # [n]


def play_value_games(
    sl: Model,
    rl: Model,
    game: Go,
    count: int,
    *,
    last_ply: int,
    whole_games: bool,
    device: torch.device,
    seed: tuple[int, ...],
    is_stopped: Callable[[], bool] = lambda: False,
) -> Positions | None:
    """Plays games side by side; None if it was stopped. Games that end before their random move have no position."""
    numbers = np.random.default_rng(seed)
    random = torch.Generator().manual_seed(int(numbers.integers(2**31)))
    chosen = numbers.integers(1, last_ply + 1, count)  # U: the ply of the random move
    states: list[Any] = [native_root(game.state())] * count
    kept: list[tuple[int, Any]] = []
    for ply in range(1, 2 * game.grid.size + 1):
        alive = [number for number, state in enumerate(states) if state.ending is None]
        if not alive:
            break
        if is_stopped():
            return None
        for model, mine in (
            (sl, [n for n in alive if ply < chosen[n]]),
            (None, [n for n in alive if ply == chosen[n]]),
            (rl, [n for n in alive if ply > chosen[n]]),
        ):
            if not mine:
                continue
            if model is None:
                for n in mine:
                    states[n] = states[n].play(int(numbers.integers(states[n].count_moves())))
            else:
                batch = encode_go([states[n] for n in mine], ALPHAGO_PLANES)
                moves = draw_moves(model, batch.planes, device, random)
                for row, n in enumerate(mine):
                    states[n] = states[n].play(place_of(batch, row, int(moves[row])))
            is_kept = model is None or (whole_games and model is rl)
            kept += [(n, states[n]) for n in mine if is_kept and states[n].ending is None]
    return _positions(kept, states)


def _positions(kept: list[tuple[int, Any]], ends: list[Any]) -> Positions:
    owners = np.array([number for number, _ in kept], np.int64)
    movers = np.array([state.to_move for _, state in kept], np.int64)
    results = np.array([result_of(state) for state in ends], np.float32)
    views = results[owners] * np.where(movers == 0, 1, -1)
    planes = encode_go([state for _, state in kept], ALPHAGO_PLANES).planes if kept else np.zeros((0, 48, 1), np.uint64)
    return Positions(planes, (movers == 0).astype(np.float32), views.astype(np.float32), owners)
