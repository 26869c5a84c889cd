"""Who plays which games: numbers are handed out in lots, each to one worker, and a lot counts once.

The ledger is a file of lines that is only ever appended to, under a lock: a line hands a lot to a worker, gives one
back or says that its games are packed away. The last line on a lot holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from philidor.core.errors import RunError
from philidor.core.runs import append_line, read_lines_from

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
    """The lots of a run. Any number of processes may use it at a time; an object is for one thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # What the lines read so far say: a run has a line for each lot, and a desk is asked by a thousand workers.
        self._read_to = 0
        self._identity: Identity | None = None
        self._owners: dict[tuple[int, int], str | None] = {}
        self._done: dict[tuple[int, int], Lot] = {}

    def open(self, identity: Identity) -> None:
        """Says what is played from now on; the learner does."""
        with self._locked():
            if self.identity() != identity:
                append_line(self._path, {"game": identity.game, "version": identity.version})

    def identity(self) -> Identity | None:
        """Returns what is played; None before the learner has begun."""
        self._look()
        return self._identity

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

    def give_back(self, lot: Lot, unless: Callable[[], bool] = lambda: False) -> None:
        """Lets a lot be handed out again, if it is still this worker's, `unless` something has come in between."""
        with self._locked():
            if self._lots().get((lot.first, lot.last)) == lot.worker and not unless():
                append_line(self._path, {"first": lot.first, "last": lot.last, "worker": None})

    def settle(self, lot: Lot, act: Callable[[], None]) -> bool:
        """Acts for the owner of a lot while nobody can hand it to another; says whether it is still this worker's."""
        with self._locked():
            is_owner = self.is_owner(lot)
            if is_owner:
                act()
            return is_owner

    def offer(self, lots: Iterable[Lot]) -> None:
        """Lets whoever takes next have these, unless they are out here already: a ledger that is fed by another one."""
        with self._locked():
            known = set(self._lots()) - set(self._done)
            for lot in lots:
                if (lot.first, lot.last) not in known:
                    append_line(self._path, {"first": lot.first, "last": lot.last, "worker": None})

    def free(self) -> list[range]:
        """Returns the numbers that can be taken, lot by lot."""
        return [range(first, last + 1) for (first, last), owner in sorted(self._lots().items()) if owner is None]

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
        self._look()
        return list(self._done.values())

    def _lots(self) -> dict[tuple[int, int], str | None]:
        self._look()
        return self._owners

    def _look(self) -> None:
        """Reads the lines that are new."""
        lines, self._read_to = read_lines_from(self._path, self._read_to)
        for line in lines:
            if "game" in line:
                self._identity = Identity(line["game"], line["version"])
            if "first" in line:
                numbers = line["first"], line["last"]
                self._owners[numbers] = line["worker"]
                self._done.pop(numbers, None)
                if line.get("is_done"):
                    self._done[numbers] = Lot(*numbers, line["worker"])

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
