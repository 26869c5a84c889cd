"""The pool that everybody uses: it checks what comes in and leaves the games to whoever plays them best."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from philidor.core.cores import cores
from philidor.core.errors import ConfigError, NetError
from philidor.core.game import AnyGame
from philidor.encodings.encoding import Batch, Encoding
from philidor.records.native import RecordBatch
from philidor.search.compiled import knows
from philidor.selfplay.pool.config import DEFAULT, PoolConfig
from philidor.selfplay.pool.games import PoolBatch, game_numbers
from philidor.selfplay.pool.native import NativePool
from philidor.selfplay.pool.numbers import Numbers
from philidor.selfplay.pool.readable import ReadablePool

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_ROUNDING = 1e-2


class Pool:
    """Games of self-play that share their batches. For one thread at a time."""

    def __init__(
        self,
        game: AnyGame,
        encoding: Encoding,
        config: PoolConfig = DEFAULT,
        seed: int = 1,
        *,
        games: int = 64,
        starts: Sequence[str] = (),
        done: Collection[int] = (),
        resume: RecordBatch | None = None,
        numbers: Iterable[int] | None = None,
        source: str | None = None,
        threads: int | None = None,
        compiled: bool = True,
    ) -> None:
        """Plays `games` at a time, numbered from 0; a game that ends is replaced by the next.

        Each begins at one of `starts`, if there are any. To go on with a run, `done` are the numbers of its finished
        games and `resume` those that were under way. With `numbers` only these games are played, and those that `give`
        adds. `source` is what the records say where they are from.

        Our own games are played by the compiled core on `threads` threads, by default one for each core this process
        may use. Other games, and all games unless `compiled`, are played in Python, the same way. Raises ConfigError.
        """
        if games < 1 or (threads is not None and threads < 1):
            raise ConfigError(f"a pool has at least one game and one thread, got {games} and {threads}")
        for start in starts:
            if (outcome := game.state(start).outcome()) is not None:
                raise ConfigError(f"no game can begin at {start!r}: it is over ({outcome.reason})")
        past = _without(resume or RecordBatch(), done)
        queue = Numbers([*done, *game_numbers(past)], numbers)
        self.encoding = encoding
        self._batches: dict[int, Batch] = {}
        self._pool: NativePool | ReadablePool
        if compiled and knows(game, encoding):
            threads = cores() if threads is None else threads
            self._pool = NativePool(
                game,
                encoding,
                config,
                seed,
                games=games,
                threads=threads,
                numbers=queue,
                starts=starts,
                resume=past,
                source=source,
            )
        else:
            self._pool = ReadablePool(
                game,
                encoding,
                config,
                seed,
                games=games,
                numbers=queue,
                starts=starts,
                resume=past,
                source=source,
            )

    def stop_after(self, count: int | None) -> None:
        """Begins no game whose number is `count` or more, so that so many are played in all; None for no end."""
        self._pool.stop_after(count)

    def give(self, numbers: Sequence[int]) -> None:
        """Adds games to be played, by their numbers; for a pool that was made with `numbers`."""
        self._pool.give(numbers)

    def collect(self, limit: int) -> PoolBatch | None:
        """Walks on in games that wait for nothing, and returns up to `limit` leaves, each of another game.

        None if there is no such game: all are waiting for `apply`, or all have ended and none may begin.
        """
        if limit < 1:
            raise ConfigError(f"a batch has at least one leaf, got {limit}")
        leaves = self._pool.collect(limit)
        if leaves is not None:
            self._batches[leaves.id] = leaves.batch
        return leaves

    def apply(self, batch_id: int, legal_logits: Any, wdl: Any, moves_left: Any = None) -> None:
        """Hands over a batch's judgments: logits of the legal moves, one row after the other, and [n, 3] chances.

        Chances are win, draw and loss of the player to move; `moves_left` are plies to the end, from judges that know
        them. Raises NetError for what is not finite or has the wrong size; the batch then still waits.
        """
        import numpy as np

        batch = self._batch(batch_id)
        logits = np.ascontiguousarray(legal_logits, dtype=np.float32)
        chances = np.ascontiguousarray(wdl, dtype=np.float32)
        _check(batch, logits, chances)
        plies = None
        if moves_left is not None:
            plies = np.maximum(np.ascontiguousarray(moves_left, dtype=np.float32), 0)
            if plies.shape != (len(batch),) or not np.isfinite(plies).all():
                raise NetError(f"expected {len(batch)} finite numbers of moves left, got shape {plies.shape}")
        self._pool.apply(batch_id, logits, chances, plies)
        del self._batches[batch_id]

    def cancel(self, batch_id: int) -> None:
        """Gives a batch up; its leaves will be collected again."""
        self._batch(batch_id)
        self._pool.cancel(batch_id)
        del self._batches[batch_id]

    def _batch(self, batch_id: int) -> Batch:
        if batch_id not in self._batches:
            raise ConfigError(f"no batch {batch_id} is waiting; waiting: {sorted(self._batches)}")
        return self._batches[batch_id]

    def finished(self) -> RecordBatch:
        """Returns the games that ended since the last call, by number, as they are kept on disk.

        A move's visits are what is to be learned: without those that were only forced, without moves that lose for
        certain if another holds, and all on a move that wins for certain. Of Gumbel search they are the improved
        policy, in 60,000 parts. A move that no search chose has none, and no expectation either.
        """
        return self._pool.finished()

    def unfinished(self) -> RecordBatch:
        """Returns the games that have begun and not ended, by number; the tree of the move at hand is not kept."""
        return self._pool.unfinished()

    @property
    def live(self) -> int:
        """Games that have begun and not ended."""
        return self._pool.live


def _without(games: RecordBatch, done: Collection[int]) -> RecordBatch:
    return games.take([place for place, number in enumerate(game_numbers(games)) if number not in done])


def _check(batch: Batch, logits: NDArray[np.float32], wdl: NDArray[np.float32]) -> None:
    import numpy as np

    if logits.shape != batch.legal_index.shape or wdl.shape != (len(batch), 3):
        raise NetError(
            f"expected {batch.legal_index.shape} logits and {(len(batch), 3)} chances, "
            f"got {logits.shape} and {wdl.shape}"
        )
    if not np.isfinite(logits).all():
        raise NetError("the judge answers with logits that are not finite")
    # A NaN fails both; half precision rounds the three by less than this.
    if not ((wdl >= 0).all() and (abs(wdl.sum(axis=1) - 1) < _ROUNDING).all()):
        raise NetError("the judge answers with chances that are no shares of 1")
