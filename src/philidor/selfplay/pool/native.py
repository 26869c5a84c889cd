"""The compiled pool: games, trees and encoders in C++, on as many threads as there are cores, without the GIL.

It plays the readable pool's games, for those of our games and encodings that the compiled core knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from philidor._native import _ext
from philidor._native._ext import GamePool, PoolSettings, PoolSetup, RecordBatch
from philidor.core.errors import RecordError
from philidor.core.game import AnyGame
from philidor.core.native_settings import fill
from philidor.encodings.alphazero import check_standard
from philidor.encodings.encoding import Batch, Encoding
from philidor.search.native import native_root
from philidor.search.trees.native import make_settings
from philidor.selfplay.pool.config import PoolConfig
from philidor.selfplay.pool.games import PoolBatch
from philidor.selfplay.pool.numbers import Numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NativePool:
    """`Pool` for what the compiled core knows; arguments are checked there."""

    def __init__(
        self,
        game: AnyGame,
        encoding: Encoding,
        config: PoolConfig,
        seed: int,
        *,
        games: int,
        threads: int,
        numbers: Numbers,
        starts: Sequence[str],
        resume: RecordBatch,
        source: str | None,
    ) -> None:
        self._encoding = encoding
        texts = ["", *starts]
        setup = PoolSetup()
        setup.settings, setup.seed = make_pool_settings(config), seed % 2**64
        setup.games, setup.threads, setup.start_count = games, threads, len(texts)
        texts += sorted({resume[place].start for place in range(len(resume))} - set(texts))
        setup.starts, setup.source = texts, source or ""
        states = [game.state(text or None) for text in texts]
        if encoding.name == "alphazero":
            for state in states:
                check_standard(state)
        assert encoding.twin is not None, "the compiled core knows the encoding"
        name, arguments = encoding.twin
        make: Callable[..., GamePool] = getattr(_ext, f"{name}_pool")
        self._pool = make(setup, [native_root(state) for state in states], *arguments)
        self._pool.set_numbers(numbers.gaps, numbers.next)
        try:
            self._pool.resume(resume)
        except ValueError as error:
            raise RecordError(str(error)) from None

    def stop_after(self, count: int | None) -> None:
        """Begins no game whose number is `count` or more."""
        self._pool.set_end(-1 if count is None else count)

    def give(self, numbers: Sequence[int]) -> None:
        """Adds numbers of games to be played."""
        self._pool.add_numbers(numbers)

    def collect(self, limit: int) -> PoolBatch | None:
        """Returns leaves of games that wait for nothing else."""
        leaves = self._pool.collect(limit)
        if leaves is None:
            return None
        number, planes, scalars, offsets, legal, seats = leaves
        shape = self._encoding.shape
        packed: Any = planes.reshape(len(planes), shape.packed_planes, shape.words)
        return PoolBatch(number, Batch(packed, scalars, offsets, legal), seats)

    def apply(
        self,
        batch_id: int,
        logits: NDArray[np.float32],
        wdl: NDArray[np.float32],
        moves_left: NDArray[np.float32] | None,
    ) -> None:
        """Hands a batch's evaluations to its games."""
        self._pool.apply(batch_id, logits, wdl, moves_left)

    def cancel(self, batch_id: int) -> None:
        """Gives a batch up."""
        self._pool.cancel(batch_id)

    def finished(self) -> RecordBatch:
        """Hands out the games that ended since the last call."""
        return self._pool.take_finished()

    def unfinished(self) -> RecordBatch:
        """Returns all games that have begun and not ended."""
        return self._pool.unfinished()

    @property
    def live(self) -> int:
        """Games that have begun and not ended."""
        return self._pool.live


def make_pool_settings(config: PoolConfig) -> PoolSettings:
    """Writes a config down for the compiled core."""
    search = make_settings(config.search_config(is_full=True, seed=1), 1.0, config.memory_mb)
    return fill(PoolSettings(), config, search=search, max_plies=config.max_plies or 0)
