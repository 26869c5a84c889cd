"""Positions for AlphaGo's value network: one of each game, so that none resembles another (book, ch. 4.1.5, Fig. 4.2).

The supervised policy plays a random number of moves, one more is any legal move, and the reinforced policy plays the
game to its end; the position behind the random move is kept with the result. Neighboring positions of one game share
their result, and a network that sees them all learns games by heart: `whole_games` keeps them all, to show it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from philidor.encodings.alphago import ALPHAGO_PLANES
from philidor.evaluators.patterns import PatternEvaluator
from philidor.nets.patterns import is_patterns
from philidor.nets.shipped import find_net
from philidor.nets.torch.files import load_network
from philidor.train.torch.devices import place
from philidor.train.torch.lockstep import check_policy, draw_linear_moves, draw_moves, results_of, start_games

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from philidor.games.go import Go
    from philidor.nets.torch.model import Model

    Policy = Model | PatternEvaluator


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Positions and how their games ended."""

    planes: NDArray[np.uint64]  # [n, 48, words]
    is_black: NDArray[np.float32]  # [n]
    """Whether Black is to move."""
    result: NDArray[np.float32]  # [n]
    """In the mover's view: 1, 0 or -1."""
    game: NDArray[np.int64]  # [n]

    def take(self, rows: NDArray[np.int64]) -> Positions:
        """Returns some of them."""
        return Positions(self.planes[rows], self.is_black[rows], self.result[rows], self.game[rows])


def joined(parts: Sequence[Positions]) -> Positions:
    """Returns the positions of all parts, at least one; their games keep their numbers."""
    full = [part for part in parts if len(part.result)] or parts[:1]
    names = ("planes", "is_black", "result", "game")
    return Positions(*(np.concatenate([getattr(part, name) for part in full]) for name in names))


def load_policy(path: Path, game: Go, device: torch.device) -> Policy:
    """Loads who plays: a policy network, put on the device, or a linear policy. Raises ConfigError, NetError."""
    path = find_net(path)
    if is_patterns(path):
        return PatternEvaluator.load(path)
    network = load_network(path)
    check_policy(network, game)
    place(network.eval(), device)
    return network


def play_value_games(
    sl: Policy,
    rl: Policy,
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
    random = torch.Generator(device).manual_seed(int(numbers.integers(2**31)))
    chosen = numbers.integers(1, last_ply + 1, count)  # U: the ply of the random move
    games = start_games(game, count)
    kept: list[tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int8]]] = []
    for ply in range(1, 2 * game.grid.size + 1):
        alive = games.ongoing()
        if not len(alive):
            break
        if is_stopped():
            return None
        for model, mine in (
            (sl, alive[ply < chosen[alive]]),
            (None, alive[ply == chosen[alive]]),
            (rl, alive[ply > chosen[alive]]),
        ):
            if not len(mine):
                continue
            if model is None:
                moves = np.array([numbers.choice(games.state(number).legal_moves()) for number in mine], np.int64)
            elif isinstance(model, PatternEvaluator):
                moves = draw_linear_moves(model, games, mine, games.encode(mine), numbers)
            else:
                moves = draw_moves(model, games.encode(mine), device, random)
            games.play(mine, moves)
            if model is None or (whole_games and model is rl):
                going = np.intersect1d(mine, games.ongoing(), assume_unique=True)
                kept.append((going, games.encode(going), games.to_move()[going]))
    return _positions(kept, results_of(games))


def _positions(
    kept: list[tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int8]]], results: NDArray[np.float32]
) -> Positions:
    """Joins what was kept, by games, planes and players to move, and looks up who won."""
    if not kept:
        none = np.zeros(0, np.float32)
        return Positions(np.zeros((0, ALPHAGO_PLANES, 1), np.uint64), none, none, np.zeros(0, np.int64))
    owners, planes, movers = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    views = results[owners] * np.where(movers == 0, 1, -1)
    return Positions(planes, (movers == 0).astype(np.float32), views.astype(np.float32), owners)
