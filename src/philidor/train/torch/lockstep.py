"""Games of Go that policy networks play side by side: every move of all games is one batch (book, ch. 4.1.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from philidor.core.cores import cores
from philidor.core.errors import ConfigError
from philidor.encodings.alphago import ALPHAGO_PLANES
from philidor.nets.onnx.signature import POLICY
from philidor.train.native import GoGames, native_root
from philidor.train.torch.devices import precision
from philidor.train.torch.inputs import unpack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.evaluators.patterns import PatternEvaluator
    from philidor.games.go import Go
    from philidor.nets.torch.model import Model

SENSIBLE_PLANE = 46
"""Of AlphaGo's planes: legal, and no own eye filled. Passing is for those who have no such move."""
_MOST_THREADS = 8
"""Threads that encode; a batch is not worth more."""


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """Moves that one side chose, over all games of a match."""

    planes: NDArray[np.uint64]  # [n, 48, words]
    move: NDArray[np.int64]  # [n]
    game: NDArray[np.int64]  # [n]


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """How a match ended."""

    results: NDArray[np.float32]  # [games]
    """1 where Black won, -1 where White did, 0 after a draw."""
    plies: int
    """Of all games together."""
    moves: Moves
    """Those of the player who was watched."""


def check_policy(model: Model, game: Go) -> None:
    """Refuses networks that do not see this board by AlphaGo's planes. Raises ConfigError."""
    shape = model.shape
    wanted = (ALPHAGO_PLANES, 0, game.grid.height, game.grid.width, game.action_count)
    got = (shape.packed_planes, shape.scalar_planes, shape.height, shape.width, shape.policy_size)
    if got != wanted or not model.config.encoding.startswith("alphago-"):
        raise ConfigError(
            f"a policy with the encoding 'alphago-48' for {game.name} is wanted, not one for "
            f"{model.config.game} with {model.config.encoding!r}"
        )


def start_games(game: Go, count: int) -> GoGames:
    """Returns new games, to be played side by side."""
    threads = min(_MOST_THREADS, cores(), 1 + count // 64)
    return GoGames(native_root(game.state()), count, ALPHAGO_PLANES, threads)


def masked_logits(model: Model, planes: NDArray[np.uint64], device: torch.device) -> Tensor:  # [n, moves]
    """Returns the logits of the moves that may be drawn, sensible points or else the pass; the others are -infinity."""
    data = torch.from_numpy(planes.astype("<u8", copy=False).view(np.uint8)).to(device)
    scalars = torch.zeros(len(planes), 0, device=device)
    inputs = unpack(data, scalars, model.shape)
    with precision(device):
        raw: Tensor = model(inputs)[POLICY].float()
    points = inputs[:, SENSIBLE_PLANE].flatten(1) > 0
    mask = torch.cat([points, ~points.any(dim=1, keepdim=True)], dim=1)
    return raw.masked_fill(~mask, float("-inf"))


@torch.no_grad()
def draw_moves(
    model: Model, planes: NDArray[np.uint64], device: torch.device, random: torch.Generator
) -> NDArray[np.int64]:
    """Draws a move for each position by the network's probabilities; the generator is one of the device."""
    chances = masked_logits(model, planes, device).softmax(dim=1)
    return np.asarray(torch.multinomial(chances, 1, generator=random)[:, 0].cpu().numpy())


def draw_linear_moves(
    policy: PatternEvaluator,
    games: GoGames,
    numbers: NDArray[np.int64],
    planes: NDArray[np.uint64],
    random: np.random.Generator,
) -> NDArray[np.int64]:
    """Draws a move for each of these games by a linear policy, which is not told what the last move took."""
    shares = random.random(len(numbers))
    moves = np.empty(len(numbers), np.int64)
    for row, number in enumerate(numbers):
        state = games.state(int(number))
        points, chances = policy.compiled.evaluate(state, [])
        sensible = planes[row, SENSIBLE_PLANE, points >> 6] >> (points & 63).astype(np.uint64) & np.uint64(1)
        sums = np.cumsum(chances * sensible, dtype=np.float64)
        place = int(np.searchsorted(sums, shares[row] * sums[-1], side="right")) if len(sums) else 0
        # The pass is the last of the legal moves, for those who have no sensible one.
        moves[row] = points[place] if len(sums) and sums[-1] > 0 else state.legal_moves()[-1]
    return moves


def play_games(
    players: Sequence[Model],
    game: Go,
    count: int,
    *,
    device: torch.device,
    random: torch.Generator,
    max_plies: int = 0,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Played | None:
    """Lets the first network play the second, Black in the first half of the games; None if it was stopped.

    The first network's moves are kept.
    """
    games = start_games(game, count)
    limit = max_plies or 2 * game.grid.size
    planes: list[NDArray[np.uint64]] = []
    chosen: list[NDArray[np.int64]] = []
    owners: list[NDArray[np.int64]] = []
    plies = 0
    for _ in range(limit):
        alive = games.ongoing()
        if not len(alive):
            break
        if is_stopped():
            return None
        # In the first half of the games the first network has the first move.
        is_second = (games.to_move()[alive] == 0) != (alive < count // 2)
        for side in (False, True):
            mine = alive[is_second == side]
            if not len(mine):
                continue
            seen = games.encode(mine)
            moves = draw_moves(players[side], seen, device, random)
            games.play(mine, moves)
            plies += len(mine)
            if not side:
                planes.append(seen)
                chosen.append(moves)
                owners.append(mine)
    kept = Moves(np.concatenate(planes), np.concatenate(chosen), np.concatenate(owners))
    return Played(results_of(games), plies, kept)


def results_of(games: GoGames) -> NDArray[np.float32]:  # [games]
    """Scores games, finished or not, as the boards stand: 1 where Black wins, -1 where White does."""
    return np.asarray(np.sign(games.scores()), np.float32)


def first_results(played: Played) -> NDArray[np.float32]:  # [games]
    """Returns the results as the first network sees them."""
    count = len(played.results)
    return np.where(np.arange(count) < count // 2, played.results, -played.results).astype(np.float32)
