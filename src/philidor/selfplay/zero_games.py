"""Games of a network against itself, into `.rec` shards: what a zero network learns from (book, ch. 4.2.2 and 5.4).

`play` keeps a pool and a judge busy at the same time; `Shards` makes the games safe. A game is known by its number, so
that a run that was killed goes on with no finished game lost and none doubled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from philidor.core.evaluation import Wdl
from philidor.core.game import AnyGame
from philidor.encodings.encoding import Batch
from philidor.evaluators.network import Judgments
from philidor.records import GameRecord, PlyFlag, RecordReader, RecordWriter, Result
from philidor.search.pool import PlayedGame, PlayedPly, Pool, UnfinishedGame
from philidor.selfplay.shard_files import ShardWriter, games_in_file, shard_path

_NUMBER, _RANDOM = "Game", "Random"
_UNFINISHED = "unfinished.rec"
_FLUSH_EVERY_S = 1.0


class Pending(Protocol):
    """A judgment that is being made."""

    def result(self) -> Judgments:
        """Waits for it."""


Judge = Callable[[Batch], Judgments | Pending]
"""`philidor.evaluators.network.judge` with a backend, or, so that a GPU has the next batch before it is done with one,
`TorchBackend.submit`."""


def play(pool: Pool, judge: Judge, *, batch: int, in_flight: int = 2) -> Iterator[list[PlayedGame]]:
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


class Shards:
    """A folder of `.rec` files, so many games in each but the last. Use it in a `with` statement."""

    def __init__(self, folder: Path, game: AnyGame, *, shard_games: int = 1000, source: str | None = None) -> None:
        self.folder = folder
        self.source = source
        self._game = game
        self._shard_games = shard_games
        folder.mkdir(parents=True, exist_ok=True)
        self._counts = [games_in_file(path, with_torn=True) for path in self.paths()]
        self._file: ShardWriter | None = None
        self._flushed = time.monotonic()

    def paths(self) -> list[Path]:
        """Returns the files in their order."""
        return sorted(self.folder.glob("[0-9]*.rec"))

    @property
    def games(self) -> int:
        """Games in all files."""
        return sum(self._counts)

    def numbers(self) -> set[int]:
        """Returns the numbers of the games in all files, for `Pool(done=...)`."""
        self.flush()
        found = set()
        for path in self.paths():
            with RecordReader(path) as reader:
                # In bulk: a run may have a million games, and nothing else of them is wanted.
                for batch in reader.batches():
                    found |= {_number(batch[index].tags) for index in range(len(batch))}
        return found

    def add(self, games: Sequence[PlayedGame]) -> None:
        """Adds games. They are safe after a second, when a file is full, and when it is closed.

        Small games end by the hundred, and a disk that was asked after each would be all they wait for. One that a kill
        takes is in no file, so its number is played again.
        """
        for game in games:
            file = self._open()
            file.add(game_record(game, self.source))
            self._counts[-1] = file.games
        if games and time.monotonic() - self._flushed > _FLUSH_EVERY_S:
            self.flush()

    def flush(self) -> None:
        """Makes sure that all games are on the disk."""
        if self._file is not None:
            self._file.flush()
        self._flushed = time.monotonic()

    def _open(self) -> ShardWriter:
        if self._file is not None and self._file.games >= self._shard_games:
            self.close()
        if self._file is None:
            if not self._counts or self._counts[-1] >= self._shard_games:
                self._counts.append(0)
            self._file = ShardWriter(shard_path(self.folder, len(self._counts) - 1), self._game)
        return self._file

    def save_unfinished(self, games: Sequence[UnfinishedGame]) -> None:
        """Keeps games that are under way, in place of those kept before."""
        with RecordWriter(self.folder / _UNFINISHED, self._game) as writer:
            for game in games:
                writer.add(unfinished_record(game))

    def load_unfinished(self) -> list[UnfinishedGame]:
        """Returns the games that were kept; none if there is no such file."""
        path = self.folder / _UNFINISHED
        if not path.exists():
            return []
        with RecordReader(path) as reader:
            return [_unfinished(record) for record in reader]

    def close(self) -> None:
        """Closes the last file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Shards:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _number(tags: str) -> int:
    """Reads a game's number from the lines of its tags; a game of somebody else's has none, and is in nobody's way."""
    for line in tags.splitlines():
        name, _, value = line.partition(" ")
        if name == _NUMBER:
            return int(value)
    return -1


def game_record(game: PlayedGame, source: str | None = None) -> GameRecord:
    """Returns a played game as records keep it, with its number among the tags."""
    return _record(
        game.start,
        game.plies,
        {_NUMBER: str(game.number)},
        result=Result.from_outcome(game.outcome),
        termination=game.outcome.reason,
        source=source,
    )


def unfinished_record(game: UnfinishedGame) -> GameRecord:
    """Returns a game without a result, with what it needs to go on among the tags."""
    return _record(game.start, game.plies, {_NUMBER: str(game.number), _RANDOM: str(game.random_state)})


def _record(start: str | None, plies: Sequence[PlayedPly], tags: dict[str, str], **facts: object) -> GameRecord:
    return GameRecord(
        start=start,
        indices=tuple(ply.place for ply in plies),
        wdl=tuple(None if ply.wdl is None else (*ply.wdl,) for ply in plies),
        flags=bytes(_flags(ply) for ply in plies),
        visits=tuple(ply.visits for ply in plies),
        tags=tags,
        **facts,  # type: ignore[arg-type]
    )


def _flags(ply: PlayedPly) -> int:
    return (0 if ply.is_full else PlyFlag.CHEAP) | (PlyFlag.SAMPLED if ply.is_sampled else 0)


def _unfinished(record: GameRecord) -> UnfinishedGame:
    empty = len(record.indices)
    flags, wdls = record.flags or bytes(empty), record.wdl or (None,) * empty
    visits = record.visits or ({},) * empty
    plies = tuple(
        PlayedPly(
            place,
            visits[ply],
            is_full=not flags[ply] & PlyFlag.CHEAP,
            is_sampled=bool(flags[ply] & PlyFlag.SAMPLED),
            wdl=None if (chances := wdls[ply]) is None else Wdl(*chances),
        )
        for ply, place in enumerate(record.indices)
    )
    return UnfinishedGame(int(record.tags[_NUMBER]), record.start, plies, int(record.tags[_RANDOM]))
