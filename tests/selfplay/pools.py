"""Pools for tests: judges that anybody can compute, and whole runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from philidor.core.random import SplitMix64
from philidor.encodings import default_encoding, load_encoding
from philidor.encodings.encoding import Batch
from philidor.games import load_game
from philidor.records import GameRecord
from philidor.records.native import RecordBatch, from_native
from philidor.selfplay.pool import Pool, PoolConfig


def hash_judge(batch: Batch) -> tuple[Any, Any, Any]:
    """Returns logits, chances and plies left by each row's bits alone: as good as random, the same in every batch."""
    logits: list[float] = []
    wdl, moves_left = [], []
    for row in range(len(batch)):
        key = int(np.bitwise_xor.reduce(batch.planes[row].ravel() * np.uint64(0x9E3779B97F4A7C15)))
        random = SplitMix64(key ^ hash(tuple(batch.scalars[row].tolist())) & (2**64 - 1))
        logits += [random.below(4000) / 1000 for _ in batch.legal(row)]
        chances = np.array([1 + random.below(1000) for _ in range(3)], dtype=np.float64)
        wdl.append(chances / chances.sum())
        moves_left.append(random.below(100))
    return tuple(np.array(part, dtype=np.float32) for part in (logits, wdl, moves_left))  # type: ignore[return-value]


def make_pool(name: str, config: PoolConfig, *, encoding: str | None = None, **arguments: Any) -> Pool:
    game = load_game(name)
    chosen = default_encoding(game) if encoding is None else load_encoding(encoding, game)
    return Pool(game, chosen, config, **arguments)


def records(batch: RecordBatch) -> list[GameRecord]:
    return [from_native(batch[place]) for place in range(len(batch))]


def number(game: GameRecord) -> int:
    return int(game.tags["Game"])


def play_out(pool: Pool, count: int | None = None, *, batch: int = 1000) -> list[GameRecord]:
    """Plays to the end, or through so many batches."""
    games: list[GameRecord] = []
    while count is None or count > 0:
        leaves = pool.collect(batch)
        games += records(pool.finished())
        if leaves is None:
            break
        pool.apply(leaves.id, *hash_judge(leaves.batch))
        count = None if count is None else count - 1
    return sorted(games, key=number)
