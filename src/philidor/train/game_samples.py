"""Self-play games into samples by the compiled loader: what zero_data.py's lessons are, replayed and encoded in C++."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from philidor.core.errors import RecordError
from philidor.records import RecordReader, Result
from philidor.records.record import CAPPED
from philidor.train.game_data import GameBatch, GameData, GameDataConfig
from philidor.train.native import final_owners
from philidor.train.zero_data import Samples

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.core.game import AnyGame
    from philidor.encodings.encoding import Encoding
    from philidor.records.native import RecordBatch

# Rows whose places are looked up in one table of rows x policy size: small enough for a cache.
_BATCH = 512


def read_samples(
    shard: Path,
    game: AnyGame,
    encoding: Encoding,
    *,
    root_value_share: float,
    root_value_trace: float = 0.0,
    capped_value_weight: float = 1.0,
    has_ownership: bool = False,
    threads: int,
) -> Iterator[Samples]:
    """Yields the positions of a shard that a full search has chosen moves in, in their order.

    Raises RecordError if anything of the shard is damaged or does not fit the rules.
    """
    config = GameDataConfig(batch=_BATCH, order="recorded", learn_from="visits", trace=root_value_trace)
    data = GameData([shard], game, encoding, config, part="all", threads=threads)
    (losses,) = data.losses
    if losses:
        raise RecordError(f"{str(shard)!r} is damaged: {losses}")
    if broken := data.skipped.get("broken"):
        raise RecordError(f"{str(shard)!r}: {broken} games do not fit the rules of {game.name}")
    weights = _game_weights(shard, capped_value_weight)
    owners = _game_owners(shard, game) if has_ownership else None
    if data.positions:
        with data.batches(epochs=1, threads=threads) as stream:
            for batch in stream:
                policy = legal_policy(batch, encoding.shape.policy_size)
                values = _values(batch, root_value_share)
                weight = None if weights is None else weights[batch.game]
                seen = None if owners is None else _seen_by_movers(owners, batch)
                yield Samples(batch.inputs, policy, values, batch.moves_left, value_weight=weight, ownership=seen)


def _game_owners(shard: Path, game: AnyGame) -> NDArray[np.int8]:  # [games, squares]
    """Returns whose each square was at the end of each game with a result, 1 for the player who began."""
    with RecordReader(shard) as reader:
        parts = [final_owners(_with_result(batch), game) for batch in reader.batches()]
    return np.concatenate(parts)


def _with_result(games: RecordBatch) -> RecordBatch:
    return games.take([place for place, facts in enumerate(games.facts()) if facts[0] != Result.UNKNOWN])


def _seen_by_movers(owners: NDArray[np.int8], batch: GameBatch) -> NDArray[np.int8]:  # [n, squares]
    """Returns whose each square was in the end, 1 for the side to move."""
    return owners[batch.game] * np.where(batch.ply % 2, -1, 1).astype(np.int8)[:, np.newaxis]


def _game_weights(shard: Path, capped: float) -> NDArray[np.float32] | None:
    """Returns how much the result of each game with a result counts, in their order; None for all alike."""
    if capped == 1:
        return None
    with RecordReader(shard) as reader:
        facts = [(result, ending) for batch in reader.batches() for result, ending, *_ in batch.facts()]
    known = [ending for result, ending in facts if result != Result.UNKNOWN]
    return np.array([capped if ending == CAPPED else 1.0 for ending in known], dtype=np.float32)


def legal_policy(batch: GameBatch, policy_size: int) -> NDArray[np.float32]:  # [len(legal_index)]
    """Returns a batch's policy targets as one probability for each legal move."""
    inputs, rows = batch.inputs, np.arange(len(batch))
    legal = np.repeat(rows * policy_size, np.diff(inputs.legal_offsets)) + inputs.legal_index
    wanted = np.repeat(rows * policy_size, np.diff(batch.target_offsets)) + batch.target_index
    # Only the places of legal moves are written, and only they are read.
    place = np.empty(len(batch) * policy_size, dtype=np.int32)
    place[legal] = np.arange(len(legal), dtype=np.int32)
    policy = np.zeros(len(legal), dtype=np.float32)
    policy[place[wanted]] = batch.target_weight
    return policy


def _values(batch: GameBatch, root_value_share: float) -> NDArray[np.float32]:
    """Mixes results with what the search expected, where that is known."""
    if not root_value_share:
        return batch.wdl
    mixed = (1 - root_value_share) * batch.wdl + root_value_share * batch.search_wdl
    is_known = batch.search_wdl.sum(axis=1, keepdims=True) > 0
    return np.where(is_known, mixed, batch.wdl).astype(np.float32)
