"""Who foresees a game's result best, and when: the value network, or games played out (Silver et al. 2016, Fig. 2b)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from philidor.encodings.encoding import Batch
from philidor.evaluators.patterns.native import playout_shares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.evaluators.network import NetEvaluator
    from philidor.evaluators.patterns import PatternEvaluator
    from philidor.games.go import Go
    from philidor.nets.torch.model import Model
    from philidor.train.torch.drawn_games import KeptPosition


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """Mean squared errors over some plies of the games, on the paper's scale, where knowing nothing is 0.25."""

    first_ply: int
    last_ply: int
    positions: int
    value_network: float
    uniform_playouts: float
    rollouts: float


def measure_errors(
    policy: Model,
    value: NetEvaluator,
    rollout: PatternEvaluator,
    game: Go,
    *,
    games: int = 64,
    playouts: int = 32,
    width: int = 10,
    seed: int = 1,
    is_stopped: Callable[[], bool] = lambda: False,
    report: Callable[[str, int, int], None] = lambda *_: None,
) -> list[ErrorRow]:
    """Lets the policy play games, drawing its moves, and asks all judges of one position in each `width` plies."""
    from philidor.train.torch.drawn_games import play_drawn_games

    kept, results = play_drawn_games(
        policy,
        game,
        games,
        width=width,
        seed=seed,
        is_stopped=is_stopped,
        report=lambda done, total: report("playing games", done, total),
    )
    errors = np.zeros((len(kept), 3))
    planes = np.stack([each.planes for each in kept]) if kept else np.zeros((0, 48, 1), np.uint64)
    is_black = np.array([[each.mover == 0] for each in kept], np.float32).reshape(len(kept), 1)
    batch = Batch(planes, is_black, np.zeros(len(kept) + 1, np.int64), np.zeros(0, np.uint16))
    values = [judged.wdl.value for judged in value.judgments(batch)]
    for number, each in enumerate(kept):
        if is_stopped():
            return []
        view = 1.0 if each.mover == 0 else -1.0
        result = view * float(results[each.game])
        uniform, played = playout_shares(rollout.rollouts, each.state, count=playouts, seed=seed + number)
        for place, expected in enumerate((values[number], view * uniform, view * played)):
            errors[number, place] = ((expected - result) / 2) ** 2
        report("playing out", number + 1, len(kept))
    return list(_rows(kept, errors, width))


def _rows(kept: list[KeptPosition], errors: NDArray[np.float64], width: int) -> Iterator[ErrorRow]:
    bands = np.array([each.ply // width for each in kept])
    for band in sorted(set(bands.tolist())):
        mean = errors[bands == band].mean(axis=0)
        yield ErrorRow(band * width, (band + 1) * width - 1, int((bands == band).sum()), *map(float, mean))
