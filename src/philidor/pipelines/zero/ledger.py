"""Who plays which games: numbers are handed out in lots, each to one worker, and a lot counts once.

The ledger is a file of lines that is only ever appended to, under a lock: a line hands a lot to a worker, gives one
back or says that its games are packed away. The last line on a lot holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from philidor.core.errors import RunError
from philidor.core.runs import append_line, read_lines

_NAME = re.compile(r"(\d{9})-(\d{9})-([A-Za-z0-9][A-Za-z0-9._]*)")
_WORKER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._]*")


@dataclass(frozen=True, slots=True, order=True)
class Lot:
    """A range of game numbers and the worker it was given to."""

    first: int
    last: int
    worker: str

    def __len__(self) -> int:
        return self.last - self.first + 1

    @property
    def numbers(self) -> range:
        """The games."""
        return range(self.first, self.last + 1)

    @property
    def name(self) -> str:
        """What its shard is called."""
        return f"{self.first:09d}-{self.last:09d}-{self.worker}"


def lot_of(name: str) -> Lot | None:
    """Reads a shard's name; None if it is none."""
    found = _NAME.fullmatch(name)
    return None if found is None else Lot(int(found[1]), int(found[2]), found[3])


@dataclass(frozen=True, slots=True)
class Identity:
    """What a worker has to have in common with the run: games of another version may be chosen otherwise."""

    game: str
    version: str

    def __str__(self) -> str:
        return f"{self.game} with philidor {self.version}"


def check_worker(worker: str) -> None:
    """Raises RunError for a name that no file can have."""
    if not _WORKER.fullmatch(worker):
        raise RunError(f"a worker's name is letters, digits, '.' and '_', got {worker!r}")


class Ledger:
    """The lots of a run. Any number of processes may use it at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def open(self, identity: Identity) -> None:
        """Says what is played from now on; the learner does."""
        with self._locked():
            if self.identity() != identity:
                append_line(self._path, {"game": identity.game, "version": identity.version})

    def identity(self) -> Identity | None:
        """Returns what is played; None before the learner has begun."""
        found = [Identity(line["game"], line["version"]) for line in read_lines(self._path) if "game" in line]
        return found[-1] if found else None

    def check(self, worker: str, identity: Identity) -> None:
        """Refuses a worker that plays something else. Raises RunError."""
        if (wanted := self.identity()) is not None and wanted != identity:
            raise RunError(f"worker {worker!r} plays {identity}, but this run is {wanted}")

    def take(self, worker: str, identity: Identity, size: int, end: int) -> Lot | None:
        """Hands the worker the next numbers below `end`, at most so many; None if there are none.

        Lots that were given back come first. Raises RunError for a worker of another game or version.
        """
        check_worker(worker)
        with self._locked():
            self.check(worker, identity)
            lots = self._lots()
            free = [lot for lot, owner in sorted(lots.items()) if owner is None and lot[0] < end]
            first = free[0][0] if free else max((last + 1 for _, last in lots), default=0)
            last = free[0][1] if free else min(first + size, end) - 1
            if last < first:
                return None
            append_line(self._path, {"first": first, "last": last, "worker": worker})
            return Lot(first, last, worker)

    def give_back(self, lot: Lot) -> None:
        """Lets a lot be handed out again, if it is still this worker's."""
        with self._locked():
            if self._lots().get((lot.first, lot.last)) == lot.worker:
                append_line(self._path, {"first": lot.first, "last": lot.last, "worker": None})

    def lots(self, worker: str | None = None) -> list[Lot]:
        """Returns the lots that are out, by number; of one worker, if it is named."""
        found = [Lot(*numbers, owner) for numbers, owner in sorted(self._lots().items()) if owner is not None]
        return [lot for lot in found if worker in (None, lot.worker)]

    def is_owner(self, lot: Lot) -> bool:
        """Says whether the lot is still this worker's."""
        return self._lots().get((lot.first, lot.last)) == lot.worker

    def pack_away(self, lot: Lot) -> None:
        """Says that a lot was learned from and its games are not here any more."""
        with self._locked():
            append_line(self._path, {"first": lot.first, "last": lot.last, "worker": lot.worker, "is_done": True})

    def done(self) -> list[Lot]:
        """Returns the lots that were packed away."""
        lines = [line for line in read_lines(self._path) if line.get("is_done")]
        return [Lot(line["first"], line["last"], line["worker"]) for line in lines]

    def _lots(self) -> dict[tuple[int, int], str | None]:
        return {(line["first"], line["last"]): line["worker"] for line in read_lines(self._path) if "first" in line}

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One at a time, in this process and in others."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.with_suffix(".lock").open("ab") as file:
            try:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX)
            except ImportError:  # pragma: no cover - Windows: one worker, on trust
                pass
            yield
