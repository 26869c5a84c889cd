"""The part of a zero run that plays: takes the newest network and lots of game numbers, and hands over whole shards.

An actor keeps what it has not handed over in a folder of its own: games that ended (finished.rec, appended to) and
games under way (unfinished.rec, now and then). A kill costs the games of the last second; under its name it goes on.
"""

from __future__ import annotations

import contextlib
import json
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import philidor
from philidor.core.runs import append_line, hold_folder, write_atomic
from philidor.games import load_game
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.ledger import Identity, Lot, check_worker
from philidor.pipelines.zero.meter import Meter
from philidor.records import RecordBatch, RecordReader, RecordWriter
from philidor.selfplay.pool import Pool
from philidor.selfplay.pool.games import game_numbers
from philidor.selfplay.shard_files import ShardWriter
from philidor.selfplay.zero_games import Judge, play

if TYPE_CHECKING:
    from philidor.core.game import AnyGame
    from philidor.pipelines.recipes import ZeroRecipe

# Games under way are kept so often, but no more often than takes this share of the time: thousands of long ones take
# seconds to write, and what a kill costs without them is only that they are played again.
_UNFINISHED_EVERY_S = 10.0
_UNFINISHED_SHARE = 0.03
# Small games end by the hundred, and a disk that was asked after each would be all they wait for.
_FLUSH_EVERY_S = 1.0
# How often an actor looks for what others did, and says that it is alive.
_LOOK_EVERY_S = 0.5
_BEAT_EVERY_S = 5.0
_WAIT_S = 0.05


class StoppedError(Exception):
    """The user wants to stop; everything is saved."""


def identity_of(game: AnyGame) -> Identity:
    """Returns what a worker of this program plays."""
    return Identity(game.name, philidor.__version__)


class Actor:
    """Plays for a run, under a name. For one thread at a time."""

    def __init__(
        self,
        recipe: ZeroRecipe,
        files: ZeroFiles,
        judge: CountingJudge,
        *,
        worker: str = "local",
        threads: int | None = None,
        report: Callable[[int], None] = lambda done: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Goes on where this worker was left; games run on `threads` threads, by default one for each core.

        Raises RunError if another process plays under its name.
        """
        check_worker(worker)
        self._recipe, self._files, self._worker = recipe, files, worker
        self._game, self._judge = load_game(recipe.game), judge
        self._encoding = recipe.network.load_encoding()
        self._identity = identity_of(self._game)
        files.ledger.check(worker, self._identity)
        self._report, self._is_stopped, self._threads = report, is_stopped, threads
        self._folder = files.actor(worker)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._hold = hold_folder(self._folder)
        self._lots: dict[Lot, RecordBatch] = {}
        self._pool: Pool | None = None
        self._finished: ShardWriter | None = None
        self._progress, self._whole = files.progress, files.whole_games()
        self._wanted_play = recipe.at(self._progress.generation).self_play
        self._self_play = recipe.self_play
        # Numbers that were given to the pool and whose games have not ended.
        self._out = 0
        self._beats = 0
        self._seconds, self._playing_since = 0.0, time.monotonic()
        now = time.monotonic()
        self._looked = self._kept = self._flushed = now
        self._beaten, self._keeping_s = 0.0, 0.0

    # --- The loop -------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Plays whenever games are wanted, until the run is over or it is told to stop."""
        try:
            while not self._files.progress.is_over:
                self.play()
                self._beat()
                if self._is_stopped():
                    raise StoppedError
                time.sleep(_WAIT_S)
        except StoppedError:
            pass
        self.close()

    def play(self) -> None:
        """Plays until there are as many whole games as are wanted, or no more to begin. Raises StoppedError."""
        self._look()
        while not self._is_enough():
            self._playing_since = time.monotonic()
            pool = self._pool = self._current_pool()
            self._refill(pool)
            self._judge.refresh()
            try:
                # Not kept by a name: leaving the loop must end it, so that the pool has no batch out.
                for finished in play(pool, self._judge, batch=self._recipe.batch):
                    self._add(finished)
                    self._refill(pool)
                    if self._is_enough() or self._is_new_stage():
                        break
                    if self._is_stopped():
                        raise StoppedError
                    self._look_after(pool)
                self._add(pool.finished())
            finally:
                self._seconds += time.monotonic() - self._playing_since
            if not pool.live and not self._out:
                return  # others have the rest

    def _is_enough(self) -> bool:
        return self._whole >= self._progress.wanted or self._progress.is_over

    def _look(self) -> None:
        """Sees what the learner and other actors have done."""
        before, self._progress = self._progress, self._files.progress
        if self._progress.generation != before.generation:
            self._wanted_play = self._recipe.at(self._progress.generation).self_play
        self._whole = self._files.whole_games()
        self._looked = time.monotonic()

    def _look_after(self, pool: Pool) -> None:
        """Does what is due now and then."""
        now = time.monotonic()
        if now - self._looked > _LOOK_EVERY_S:
            self._look()
        if self._finished is not None and now - self._flushed > _FLUSH_EVERY_S:
            self._finished.flush()
            self._flushed = now
        self._beat()
        if now - self._kept > max(_UNFINISHED_EVERY_S, self._keeping_s / _UNFINISHED_SHARE):
            self._keep(pool)

    def _beat(self) -> None:
        """Says that this worker is alive; who looks counts the beats, so that clocks may differ."""
        if time.monotonic() - self._beaten < _BEAT_EVERY_S:
            return
        self._beats, self._beaten = self._beats + 1, time.monotonic()
        facts = {"beat": f"{id(self)}-{self._beats}", "network": self._judge.generation, "whole_games": self._whole}
        write_atomic(self._folder / "status.json", json.dumps(facts))

    # --- Games ----------------------------------------------------------------------------------------------

    def _is_new_stage(self) -> bool:
        return self._wanted_play != self._self_play

    def _current_pool(self) -> Pool:
        """Returns the pool; at the start of a stage a new one goes on with the games of the old one."""
        if self._pool is not None and not self._is_new_stage():
            return self._pool
        self.close()
        self._self_play = self._wanted_play
        return self._make_pool()

    def _make_pool(self) -> Pool:
        """Goes on with the lots that are this worker's and not handed over yet."""
        handed = set(self._files.shards()) | set(self._files.ledger.done())
        self._lots = {lot: RecordBatch() for lot in self._files.ledger.lots(self._worker) if lot not in handed}
        self._finished = ShardWriter(self._folder / "finished.rec", self._game)
        self._store(_read_all(self._folder / "finished.rec"))
        done = {number for games in self._lots.values() for number in game_numbers(games)}
        mine = {number for lot in self._lots for number in lot.numbers} - done
        unfinished = _of(_read_all(self._folder / "unfinished.rec"), mine)
        pool = Pool(
            self._game,
            self._encoding,
            self._self_play,
            self._recipe.seed,
            games=self._recipe.concurrent,
            resume=unfinished,
            numbers=sorted(mine),
            source=self._files.run.name,
            threads=self._threads,
        )
        self._out = len(mine)
        for lot in [lot for lot, games in self._lots.items() if len(games) == len(lot)]:
            self._hand_over(lot)
        return pool

    def _refill(self, pool: Pool) -> None:
        """Takes further lots, so that a game that ends is followed by another one at once."""
        room = self._recipe.concurrent + self._recipe.batch
        while self._out < room:
            size = min(self._recipe.shard_games or self._recipe.games, self._recipe.games)
            lot = self._files.ledger.take(self._worker, self._identity, size, self._progress.end)
            if lot is None:
                return
            self._lots[lot] = RecordBatch()
            pool.give(lot.numbers)
            self._out += len(lot)

    def _add(self, games: RecordBatch) -> None:
        """Takes games that have ended; they are safe after a second."""
        if not len(games):
            return
        assert self._finished is not None
        self._finished.add_batch(games)
        self._out -= len(games)
        self._store(games)
        for lot in [lot for lot, held in self._lots.items() if len(held) == len(lot)]:
            self._hand_over(lot)
        self._report(self._whole + sum(map(len, self._lots.values())))

    def _store(self, games: RecordBatch) -> None:
        places: dict[Lot, list[int]] = {}
        for place, number in enumerate(game_numbers(games)):
            for lot in self._lots:
                if lot.first <= number <= lot.last:
                    places.setdefault(lot, []).append(place)
                    break
        for lot, some in places.items():
            self._lots[lot].extend(games.take(some))

    def _hand_over(self, lot: Lot) -> None:
        """Writes a lot's shard, unless the lot is somebody else's by now."""
        games = self._lots.pop(lot)
        if not self._files.ledger.is_owner(lot):
            return
        numbers = game_numbers(games)
        facts = {"shard": lot.name, "network": self._judge.generation, **self._judge.take_counts(self._take_seconds())}
        append_line(self._folder / "shards.jsonl", facts)
        with RecordWriter(self._files.shard(lot), self._game) as writer:
            writer.add_batch(games.take(sorted(range(len(games)), key=numbers.__getitem__)))
        self._whole += len(lot)

    def _take_seconds(self) -> float:
        """Returns how long was played since the last call."""
        now = time.monotonic()
        seconds = self._seconds + now - self._playing_since
        self._seconds, self._playing_since = 0.0, now
        return seconds

    # --- What a kill must not cost --------------------------------------------------------------------------

    def keep(self) -> None:
        """Makes all games safe, those under way too; whoever stops calls it."""
        if self._pool is not None:
            self._add(self._pool.finished())
            self._keep(self._pool)

    def close(self) -> None:
        """Keeps everything; playing again goes on from there."""
        self.keep()
        self.release()

    def release(self) -> None:
        """Lets go of all files, whatever is in them."""
        if self._finished is not None:
            with contextlib.suppress(OSError):  # a full disk was said before
                self._finished.close()
        self._pool = self._finished = None

    def _keep(self, pool: Pool) -> None:
        began = time.monotonic()
        # First those that have ended, or one that ended just now would be in neither file.
        self._rewrite_finished()
        with RecordWriter(self._folder / "unfinished.rec", self._game) as writer:
            writer.add_batch(pool.unfinished())
        self._kept = time.monotonic()
        self._keeping_s = self._kept - began

    def _rewrite_finished(self) -> None:
        """Drops the games that were handed over."""
        assert self._finished is not None
        self._finished.close()
        path = self._folder / "finished.rec"
        with RecordWriter(path, self._game) as writer:
            for games in self._lots.values():
                writer.add_batch(games)
        self._finished = ShardWriter(path, self._game)


class CountingJudge:
    """Judges by the newest network, and counts what it is asked."""

    def __init__(self, judge: Judge, refresh: Callable[[], int] = lambda: 0, meter: Meter | None = None) -> None:
        """`refresh` takes the newest network over and returns its generation; it is called in the judge's thread."""
        self._judge, self._refresh, self._meter = judge, refresh, meter or Meter()
        self._refreshed = 0.0
        self.generation = 0
        """Of the network that judges."""
        self._positions = self._batches = 0

    def refresh(self) -> None:
        """Takes the newest network over."""
        self.generation = self._refresh()
        self._refreshed = time.monotonic()

    def __call__(self, batch: Any) -> Any:
        """Begins to judge; the device is busy until the judgment is asked for."""
        if time.monotonic() - self._refreshed > _LOOK_EVERY_S:
            self.refresh()
        self._positions += len(batch)
        self._batches += 1
        self._meter.begin()
        try:
            found = self._judge(batch)
        except BaseException:
            self._meter.end()
            raise
        if not hasattr(found, "result"):
            self._meter.end()
            return found
        return _Metered(found, self._meter)

    def take_counts(self, seconds: float) -> dict[str, Any]:
        """Returns what was asked since the last call, which is so long ago."""
        facts = {"evaluations": self._positions, "batches": self._batches, "seconds": round(seconds, 3)}
        self._positions = self._batches = 0
        return facts


class _Metered:
    """A judgment that is being made, and a device that is busy with it until somebody has it or wants it no more."""

    def __init__(self, pending: Any, meter: Meter) -> None:
        self._pending = pending
        self._end = weakref.finalize(self, meter.end)
        self._end.atexit = False

    def result(self) -> Any:
        """Waits for it."""
        try:
            return self._pending.result()
        finally:
            self._end()


def _read_all(path: Path) -> RecordBatch:
    """Returns the games of a file; none if it is not there."""
    found = RecordBatch()
    if path.exists():
        with RecordReader(path) as reader:
            for batch in reader.batches():
                found.extend(batch)
    return found


def _of(games: RecordBatch, numbers: set[int]) -> RecordBatch:
    return games.take([place for place, number in enumerate(game_numbers(games)) if number in numbers])
