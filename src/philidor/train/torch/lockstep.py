"""Games of Go that policy networks play side by side: every move of all games is one batch (book, ch. 4.1.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from philidor.core.errors import ConfigError
from philidor.encodings.alphago import ALPHAGO_PLANES
from philidor.encodings.encoding import Batch, Shape
from philidor.nets.onnx.signature import POLICY
from philidor.train.native import encode_go, native_root
from philidor.train.torch.inputs import unpack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.games.go import Go
    from philidor.nets.torch.model import Model

SENSIBLE_PLANE = 46
"""Of AlphaGo's planes: legal, and no own eye filled. Passing is for those who have no such move."""


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


def sensible_mask(planes: NDArray[np.uint64], shape: Shape) -> NDArray[np.bool_]:  # [n, moves]
    """Returns which moves may be drawn: the sensible points, or else the pass."""
    squares = shape.height * shape.width
    data = np.ascontiguousarray(planes[:, SENSIBLE_PLANE]).astype("<u8").view(np.uint8)
    points = np.unpackbits(data, axis=-1, bitorder="little", count=squares).astype(bool)
    return np.concatenate([points, ~points.any(axis=1, keepdims=True)], axis=1)


def masked_logits(model: Model, planes: NDArray[np.uint64], device: torch.device) -> Tensor:  # [n, moves]
    """Returns the logits of the moves that may be drawn; the others are minus infinity."""
    data = torch.from_numpy(planes.astype("<u8").view(np.uint8)).to(device)
    scalars = torch.zeros(len(planes), 0, device=device)
    raw: Tensor = model(unpack(data, scalars, model.shape))[POLICY].float()
    mask = torch.from_numpy(sensible_mask(planes, model.shape)).to(device)
    return raw.masked_fill(~mask, float("-inf"))


@torch.no_grad()
def draw_moves(
    model: Model, planes: NDArray[np.uint64], device: torch.device, random: torch.Generator
) -> NDArray[np.int64]:
    """Draws a move for each position by the network's probabilities."""
    chances = masked_logits(model, planes, device).softmax(dim=1).cpu()
    return np.asarray(torch.multinomial(chances, 1, generator=random)[:, 0].numpy())


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
    states: list[Any] = [native_root(game.state())] * count
    limit = max_plies or 2 * game.grid.size
    planes: list[NDArray[np.uint64]] = []
    chosen: list[NDArray[np.int64]] = []
    owners: list[NDArray[np.int64]] = []
    plies = 0
    for _ in range(limit):
        alive = [number for number, state in enumerate(states) if state.ending is None]
        if not alive:
            break
        if is_stopped():
            return None
        # In the first half of the games the first network has the first move.
        turns = [(states[n].to_move == 0) != (n < count // 2) for n in alive]
        for side in (False, True):
            mine = [n for n, turn in zip(alive, turns, strict=True) if turn == side]
            if not mine:
                continue
            batch = encode_go([states[n] for n in mine], ALPHAGO_PLANES)
            moves = draw_moves(players[side], batch.planes, device, random)
            for row, number in enumerate(mine):
                states[number] = states[number].play(place_of(batch, row, int(moves[row])))
            plies += len(mine)
            if not side:
                planes.append(batch.planes)
                chosen.append(moves)
                owners.append(np.array(mine))
    kept = Moves(np.concatenate(planes), np.concatenate(chosen), np.concatenate(owners))
    return Played(np.array([result_of(state) for state in states], np.float32), plies, kept)


def place_of(batch: Batch, row: int, move: int) -> int:
    """Returns the place of a move among the legal ones, which are in order."""
    return int(np.searchsorted(batch.legal(row), move))


def result_of(state: Any) -> float:
    """Scores a game, finished or not, as the board stands."""
    return float(np.sign(state.score))


def first_results(played: Played) -> NDArray[np.float32]:  # [games]
    """Returns the results as the first network sees them."""
    count = len(played.results)
    return np.where(np.arange(count) < count // 2, played.results, -played.results).astype(np.float32)
