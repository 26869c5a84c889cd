"""Many games of self-play at once, with the leaves of all of them in one batch (book, ch. 4.2.2 and 4.3).

One game asks a network for one position after the other, and a GPU that is asked so is idle. A pool keeps thousands of
games going: `collect` walks in each of them to a leaf, the caller judges all leaves at once, `apply` backs up what was
found, and games move, end and begin by themselves.

    pool = Pool(game, encoding, config, seed=1, games=512)
    pool.stop_after(10_000)
    while (leaves := pool.collect(256)) is not None:
        judged = judge(leaves.batch)
        pool.apply(leaves.id, judged.legal_logits, judged.wdl)
        save(pool.finished())
    save(pool.finished())

Games are handed over as batches of records, as they are written. Several batches may be out at a time: while a GPU
computes one, the next is collected. A game is a function of the seed, its number and the judge, whatever the other
games do.
"""

from philidor.selfplay.pool.config import PoolConfig
from philidor.selfplay.pool.games import PoolBatch
from philidor.selfplay.pool.pool import Pool

__all__ = ["Pool", "PoolBatch", "PoolConfig"]
