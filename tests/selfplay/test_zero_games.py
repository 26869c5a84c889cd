"""A pool and a judge side by side: the same games, whoever stops or breaks down."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from philidor.core.errors import NetError
from philidor.encodings.encoding import Batch
from philidor.evaluators.network import Judgments
from philidor.records import GameRecord
from philidor.selfplay.pool import Pool, PoolConfig
from philidor.selfplay.zero_games import Judge, play
from tests.selfplay.pools import hash_judge, make_pool, number, play_out, records

CONFIG = PoolConfig(simulations=16, cheap_simulations=4, opening_plies=2, tree_reuse=False)


def _judge(batch: Batch) -> Judgments:
    return Judgments(*hash_judge(batch))


def _pool(**arguments: Any) -> Pool:
    pool = make_pool("hexapawn-4x4", CONFIG, seed=3, games=6, **arguments)
    pool.stop_after(10)
    return pool


def _expected() -> list[GameRecord]:
    return play_out(_pool())


class _Promise:
    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def result(self) -> Judgments:
        return _judge(self._batch)


@pytest.mark.parametrize(("in_flight", "judge"), [(1, _judge), (2, _judge), (3, _judge), (2, _Promise)])
def test_a_pool_and_a_judge_work_side_by_side(in_flight: int, judge: Judge) -> None:
    games = [game for some in play(_pool(), judge, batch=3, in_flight=in_flight) for game in records(some)]
    assert sorted(games, key=number) == _expected()


def test_who_stops_early_finds_no_batch_out() -> None:
    pool = _pool()
    games = []
    for count, some in enumerate(play(pool, _judge, batch=2)):
        games += records(some)
        if count == 30:
            break
    games += play_out(pool)
    assert sorted(games, key=number) == _expected()


def test_a_judge_that_breaks_down_leaves_the_games_whole() -> None:
    pool = _pool()
    calls = 0

    def broken(batch: Batch) -> Judgments:
        nonlocal calls
        calls += 1
        logits, wdl, moves_left = hash_judge(batch)
        return Judgments(logits * (np.nan if calls == 20 else 1), wdl, moves_left)

    games: list[GameRecord] = []

    def play_all() -> None:
        for some in play(pool, broken, batch=3):
            games.extend(records(some))

    with pytest.raises(NetError, match="not finite"):
        play_all()
    games += play_out(pool)
    assert sorted(games, key=number) == _expected()
