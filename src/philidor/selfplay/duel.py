"""Many games at once between two networks, by a pool: the gate of a zero run (book, ch. 4.2.2).

A pool hands out the leaves of all games in one batch; here each leaf goes to the network whose move is being searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from philidor.core.game import AnyGame
from philidor.core.random import game_random
from philidor.encodings.encoding import Batch, Encoding
from philidor.evaluators.network import Judgments
from philidor.records.native import RecordBatch, from_native, to_native
from philidor.records.record import GameRecord, Result
from philidor.selfplay.pool import Pool, PoolConfig
from philidor.selfplay.pool.games import NUMBER, RANDOM, game_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Judge = Callable[[Batch], Judgments]


def without_chance(config: PoolConfig) -> PoolConfig:
    """Returns self-play's full search as it is played to win: no noise, no draw, nothing shortened or kept."""
    return replace(
        config,
        gumbel=replace(config.gumbel, gumbel_scale=0.0),
        cheap_simulations=0,
        noise=0.0,
        forced_playouts=0.0,
        temperature_plies=0,
        temperature_decay=0,
        final_temperature=0.0,
        opening_plies=0,
        decided_value=1.0,
        tree_reuse=False,
    )


def play_duel(
    game: AnyGame,
    encoding: Encoding,
    judges: tuple[Judge, Judge],
    openings: Sequence[Sequence[int]],
    config: PoolConfig,
    *,
    batch: int = 1024,
    threads: int | None = None,
    seed: int = 1,
) -> list[tuple[float, float]]:
    """Plays each opening twice, with sides changed; returns the first judge's points in both games of each pair.

    An opening is the places of its moves among the legal ones. In a pair's first game the first judge has the side
    that moves first in the rules; a game that `config.max_plies` cuts off is a draw. A judge may raise to stop.
    """
    records = RecordBatch()
    for number in range(2 * len(openings)):
        # Moves are not drawn, but a game that goes on must say where its random numbers are.
        tags = {NUMBER: str(number), RANDOM: str(game_random(seed, number).state)}
        records.append(to_native(GameRecord(indices=tuple(openings[number // 2]), tags=tags)))
    pool = Pool(game, encoding, config, seed, games=max(1, len(records)), resume=records, numbers=(), threads=threads)
    points: dict[int, float] = {}
    while (leaves := pool.collect(batch)) is not None:
        judged = judge_by_seats(leaves.batch, leaves.seats, judges)
        pool.apply(leaves.id, judged.legal_logits, judged.wdl, judged.moves_left)
        points |= _points(pool.finished())
    points |= _points(pool.finished())
    return [(points[2 * pair], points[2 * pair + 1]) for pair in range(len(openings))]


def judge_by_seats(batch: Batch, seats: NDArray[np.uint8], judges: tuple[Judge, Judge]) -> Judgments:
    """Lets each judge answer for its own rows. Plies left are passed on only if both know them."""
    import numpy as np

    logits = np.empty(len(batch.legal_index), np.float32)
    wdl = np.empty((len(batch), 3), np.float32)
    left: NDArray[np.float32] | None = np.empty(len(batch), np.float32)
    row_of_move = np.repeat(np.arange(len(batch)), np.diff(batch.legal_offsets))
    for seat, judge in enumerate(judges):
        rows = np.flatnonzero(seats == seat)
        if not len(rows):
            continue
        moves = np.flatnonzero(seats[row_of_move] == seat)
        judged = judge(_rows(batch, rows, moves))
        logits[moves], wdl[rows] = judged.legal_logits, judged.wdl
        if judged.moves_left is None:
            left = None
        elif left is not None:
            left[rows] = judged.moves_left
    return Judgments(logits, wdl, left)


def _rows(batch: Batch, rows: NDArray[np.intp], moves: NDArray[np.intp]) -> Batch:
    import numpy as np

    offsets = np.concatenate([[0], np.cumsum(np.diff(batch.legal_offsets)[rows])])
    return Batch(batch.planes[rows], batch.scalars[rows], offsets, batch.legal_index[moves])


def _points(games: RecordBatch) -> dict[int, float]:
    """Returns the first judge's points by game; it has the first side in games of even numbers."""
    found = {}
    for place, number in enumerate(game_numbers(games)):
        result = from_native(games[place]).result
        first = {Result.FIRST_WINS: 1.0, Result.SECOND_WINS: 0.0}.get(result, 0.5)
        found[number] = 1 - first if number % 2 else first
    return found
