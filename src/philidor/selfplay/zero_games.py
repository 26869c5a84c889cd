"""Games of a network against itself: a pool and a judge, both kept busy (book, ch. 4.2.2 and 5.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

from philidor.encodings.encoding import Batch
from philidor.evaluators.network import Judgments
from philidor.records.native import RecordBatch
from philidor.selfplay.pool import Pool

_UNFINISHED = "unfinished.rec"
_FLUSH_EVERY_S = 1.0


class Pending(Protocol):
    """A judgment that is being made."""

    def result(self) -> Judgments:
        """Waits for it."""


Judge = Callable[[Batch], Judgments | Pending]
"""`philidor.evaluators.network.judge` with a backend, or, so that a GPU has the next batch before it is done with one,
`TorchBackend.submit`."""


def play(pool: Pool, judge: Judge, *, batch: int, in_flight: int = 2) -> Iterator[RecordBatch]:
    """Plays until the pool has nothing left, and yields the games that end, some at a time, perhaps none.

    Up to `in_flight` batches are out at a time: while the judge has one, the pool collects and backs up others. The
    judge runs in one thread of its own. Whoever stops early finds the pool with no batch out.
    """
    waiting: list[tuple[int, Future[Judgments | Pending]]] = []
    with ThreadPoolExecutor(1, "judge") as thread:
        try:
            while True:
                while len(waiting) < in_flight and (leaves := pool.collect(batch)) is not None:
                    waiting.append((leaves.id, thread.submit(judge, leaves.batch)))
                if not waiting:
                    break
                batch_id, future = waiting[0]
                found = future.result()
                judged = found if isinstance(found, Judgments) else found.result()
                pool.apply(batch_id, judged.legal_logits, judged.wdl, judged.moves_left)
                waiting.pop(0)
                yield pool.finished()
        finally:
            for batch_id, future in waiting:
                future.cancel()
                pool.cancel(batch_id)
    yield pool.finished()
