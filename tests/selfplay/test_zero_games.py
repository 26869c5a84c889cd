"""Self-play games of networks: kept in shards, continued after a kill, nothing lost and nothing doubled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from philidor.core.errors import NetError
from philidor.encodings.encoding import Batch
from philidor.evaluators.network import Judgments
from philidor.games import load_game
from philidor.records import PlyFlag, RecordReader, Result
from philidor.search.pool import PlayedGame, Pool, PoolConfig
from philidor.selfplay.zero_games import Judge, Shards, play
from tests.search.pools import hash_judge, make_pool, play_out

CONFIG = PoolConfig(simulations=16, cheap_simulations=4, opening_plies=2, tree_reuse=False)


def _judge(batch: Batch) -> Judgments:
    return Judgments(*hash_judge(batch))


def _pool(**arguments: Any) -> Pool:
    pool = make_pool("hexapawn-4x4", CONFIG, seed=3, games=6, **arguments)
    pool.stop_after(10)
    return pool


def _expected() -> list[PlayedGame]:
    return play_out(_pool())


class _Promise:
    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def result(self) -> Judgments:
        return _judge(self._batch)


@pytest.mark.parametrize(("in_flight", "judge"), [(1, _judge), (2, _judge), (3, _judge), (2, _Promise)])
def test_a_pool_and_a_judge_work_side_by_side(in_flight: int, judge: Judge) -> None:
    games = [game for some in play(_pool(), judge, batch=3, in_flight=in_flight) for game in some]
    assert sorted(games, key=lambda game: game.number) == _expected()


def test_who_stops_early_finds_no_batch_out() -> None:
    pool = _pool()
    games = []
    for count, some in enumerate(play(pool, _judge, batch=2)):
        games += some
        if count == 30:
            break
    games += play_out(pool)
    assert sorted(games, key=lambda game: game.number) == _expected()


def test_a_judge_that_breaks_down_leaves_the_games_whole() -> None:
    pool = _pool()
    calls = 0

    def broken(batch: Batch) -> Judgments:
        nonlocal calls
        calls += 1
        logits, wdl, moves_left = hash_judge(batch)
        return Judgments(logits * (np.nan if calls == 20 else 1), wdl, moves_left)

    games: list[PlayedGame] = []

    def play_all() -> None:
        for some in play(pool, broken, batch=3):
            games.extend(some)

    with pytest.raises(NetError, match="not finite"):
        play_all()
    games += play_out(pool)
    assert sorted(games, key=lambda game: game.number) == _expected()


def test_shards_keep_what_was_played(tmp_path: Path) -> None:
    game = load_game("hexapawn-4x4")
    expected = _expected()
    with Shards(tmp_path, game, shard_games=4, source="test") as shards:
        for some in play(_pool(), _judge, batch=4):
            shards.add(some)
        assert shards.games == 10
        assert [path.name for path in shards.paths()] == ["000000.rec", "000001.rec", "000002.rec"]
        assert shards.numbers() == set(range(10))
    records = {}
    for path in shards.paths():
        with RecordReader(path) as reader:
            records.update({int(record.tags["Game"]): record for record in reader})
    for played in expected:
        record = records[played.number]
        assert record.indices == played.moves
        assert record.result == Result.from_outcome(played.outcome)
        assert (record.termination, record.source) == (played.outcome.reason, "test")
        assert record.visits == tuple(dict(ply.visits) for ply in played.plies)
        assert record.flags is not None
        assert [not flag & PlyFlag.CHEAP for flag in record.flags] == [ply.is_full for ply in played.plies]
        assert record.wdl is not None
        for kept, ply in zip(record.wdl, played.plies, strict=True):
            assert kept == (None if ply.wdl is None else pytest.approx(tuple(ply.wdl), abs=1 / 250))


def test_a_run_that_was_killed_goes_on(tmp_path: Path) -> None:
    game = load_game("hexapawn-4x4")
    expected = _expected()
    # Short lives, but long enough for a move: the one at hand begins anew.
    moments = np.random.default_rng(1).integers(20, 60, size=60)
    for moment in moments:
        shards = Shards(tmp_path, game, shard_games=3)
        pool = _pool(done=shards.numbers(), resume=shards.load_unfinished())
        for count, some in enumerate(play(pool, _judge, batch=4)):
            shards.add(some)
            if count % 3 == 0:
                shards.save_unfinished(pool.unfinished())
            if count == moment:
                break  # what was played since the last save is lost
        else:
            break
        shards.close()
    shards.close()
    with Shards(tmp_path, game) as shards:
        assert shards.games == 10
        assert shards.numbers() == set(range(10))
    found = []
    for path in shards.paths():
        with RecordReader(path) as reader:
            found += [(int(record.tags["Game"]), record.indices) for record in reader]
    assert sorted(found) == [(played.number, played.moves) for played in expected]
