"""The first stage of the zero loop: games of the network against itself, into one shard a generation."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from philidor.core.errors import RecordError
from philidor.records import RecordReader, RecordWriter, Result
from philidor.search.pool import Pool
from philidor.selfplay.zero_games import Judge, Pending, Shards, play

if TYPE_CHECKING:
    from philidor.core.game import AnyGame
    from philidor.core.runs import Run
    from philidor.encodings.encoding import Batch, Encoding
    from philidor.evaluators.network import Judgments
    from philidor.pipelines.recipes import ZeroRecipe

# Games under way are kept so often, but no more often than takes this share of the time: thousands of long ones take
# seconds to write, and what a kill costs without them is only that they are played again.
_UNFINISHED_EVERY_S = 10.0
_UNFINISHED_SHARE = 0.03
# More than a shard's header has: that is a few numbers and the name of the game.
_HEADER_BYTES = 256


class StoppedError(Exception):
    """The user wants to stop; everything is saved."""


class SelfPlay:
    """The games of a run. The pool lives on from one generation to the next, with its games under way."""

    def __init__(self, recipe: ZeroRecipe, run: Run, game: AnyGame, encoding: Encoding) -> None:
        self._recipe, self._run, self._game, self._encoding = recipe, run, game, encoding
        self._pool: Pool | None = None
        self._kept_at = time.monotonic()
        self._keeping_s = 0.0

    def shard(self, generation: int) -> Path:
        """Where the games of a generation are."""
        return self._run.shards / f"{generation:06d}.rec"

    def fill(
        self, generation: int, judge: Judge, *, report: Callable[[int], None], is_stopped: Callable[[], bool]
    ) -> dict[str, Any]:
        """Plays until the generation has its games, and returns what they are like. Raises StoppedError."""
        wanted = (generation + 1) * self._recipe.games
        began, counting = time.monotonic(), _CountingJudge(judge)
        with self._shards() as shards:
            before = shards.games
            pool = self._pool = self._pool or self._make_pool(shards)
            # Not kept by a name: leaving the loop must end it, so that the pool has no batch out.
            for finished in play(pool, counting, batch=self._recipe.batch) if before < wanted else ():
                shards.add(finished)
                report(min(shards.games, wanted) - generation * self._recipe.games)
                if shards.games >= wanted:
                    break
                if is_stopped():
                    raise StoppedError
                self._keep_if_due(shards, pool)
            shards.add(pool.finished())
            self._keep_if_due(shards, pool)
            played = shards.games - before
        seconds = time.monotonic() - began
        return {
            "new_games": played,
            **_statistics(self.shard(generation)),
            "seconds": round(seconds, 2),
            "evaluations_per_second": round(counting.positions / max(seconds, 1e-9)),
            "mean_batch": round(counting.positions / max(counting.batches, 1), 1),
        }

    def keep(self) -> None:
        """Makes all games safe, those under way too; whoever stops calls it."""
        if self._pool is not None:
            with self._shards() as shards:
                self._keep(shards, self._pool)

    def _keep(self, shards: Shards, pool: Pool) -> None:
        began = time.monotonic()
        # First those that have ended, or one that ended just now would be in neither file.
        shards.add(pool.finished())
        shards.flush()
        shards.save_unfinished(pool.unfinished())
        self._kept_at = time.monotonic()
        self._keeping_s = self._kept_at - began

    def _keep_if_due(self, shards: Shards, pool: Pool) -> None:
        if time.monotonic() - self._kept_at > max(_UNFINISHED_EVERY_S, self._keeping_s / _UNFINISHED_SHARE):
            self._keep(shards, pool)

    def _shards(self) -> Shards:
        return Shards(self._run.shards, self._game, shard_games=self._recipe.games, source=self._run.name)

    def mend(self) -> None:
        """Cuts off what a kill or a full disk left behind the last whole game: opening a shard to append does it."""
        for shard in sorted(self._run.shards.glob("[0-9]*.rec"))[-1:]:
            try:
                with RecordReader(shard) as reader:
                    is_torn = bool(reader.losses)
            except RecordError:
                if shard.stat().st_size > _HEADER_BYTES:
                    raise
                shard.unlink()  # cut off inside its header: no game was ever in it
                continue
            if is_torn:
                RecordWriter(shard, self._game, append=True).close()

    def _make_pool(self, shards: Shards) -> Pool:
        pool = Pool(
            self._game,
            self._encoding,
            self._recipe.self_play,
            self._recipe.seed,
            games=self._recipe.concurrent,
            done=shards.numbers(),
            resume=shards.load_unfinished(),
        )
        # The last generation ends with its games; every other leaves games under way to the next.
        pool.stop_after(self._recipe.generations * self._recipe.games)
        return pool


class _CountingJudge:
    """Counts what the network is asked."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.positions = self.batches = 0

    def __call__(self, batch: Batch) -> Judgments | Pending:
        self.positions += len(batch)
        self.batches += 1
        return self._judge(batch)


def _statistics(shard: Path) -> dict[str, Any]:
    """Returns what the games of a shard are like."""
    with RecordReader(shard) as reader:
        records = list(reader)
    results = Counter(record.result for record in records)
    endings = Counter(record.termination or "unknown" for record in records)
    count = max(1, len(records))
    return {
        "games": len(records),
        "mean_plies": round(sum(map(len, records)) / count, 2),
        "first_wins": round(results[Result.FIRST_WINS] / count, 4),
        "draws": round(results[Result.DRAW] / count, 4),
        "second_wins": round(results[Result.SECOND_WINS] / count, 4),
        "endings": dict(endings.most_common()),
    }
