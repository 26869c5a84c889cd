"""The worker's side of a run on many machines: keeps a folder like the run's own, and carries files to and fro.

Actor and rater work in that folder as if the run were there (files.py). The courier asks the desk (desk.py) for game
numbers and the newest network, and hands in whole shards; one that the desk has not acknowledged stays here.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

from philidor.core.runs import FOLDERS, Run, read_lines, write_atomic
from philidor.pipelines.recipes import ZeroRecipe
from philidor.pipelines.zero.desk import DeskLike, Orders, Parcel, RaterDeskLike
from philidor.pipelines.zero.files import Progress, ZeroFiles
from philidor.pipelines.zero.ledger import Identity, Lot

_log = logging.getLogger(__name__)

MOST_UNACKNOWLEDGED = 4
"""Shards that a worker has ready before it asks for no more games."""
# How many games are of use is the desk's to say: it gives out no more numbers.
_NO_LIMIT = 2**62
_WAIT_S = 0.2


class Courier:
    """Carries for one actor. For one thread at a time, which need not be the actor's."""

    def __init__(self, desk: DeskLike, folder: Path, worker: str, identity: Identity) -> None:
        """`folder` is this worker's own; what an earlier one of its name has left there is gone on with."""
        self._desk, self._folder, self._worker, self._identity = desk, folder, worker, identity
        self._files: ZeroFiles | None = None
        self._recipe: ZeroRecipe | None = None
        self._ask_again_s = _WAIT_S
        self.handed_in = 0
        """Games that the desk has acknowledged."""
        self.refused: list[str] = []
        """Why shards did not count."""

    def begin(self) -> tuple[ZeroRecipe, Run]:
        """Signs in and makes the folder: recipe, network, lots. Again after trouble on the way. Raises RunError."""
        welcome = self._desk.sign_in(self._worker, self._identity)
        run = open_mirror(self._folder / welcome.run, welcome.recipe)
        if self._files is None:
            for path in run.checkpoints.glob("network-*"):  # it may be what an earlier worker failed at
                path.unlink()
        files = self._files = ZeroFiles(run)
        files.ledger.open(self._identity)
        files.ledger.offer(welcome.lots)
        theirs = {(lot.first, lot.last) for lot in welcome.lots}
        for lot in set(files.ledger.lots()) - set(files.ledger.done()):
            if (lot.first, lot.last) not in theirs and not files.shard(lot).exists():
                files.ledger.pack_away(lot)  # somebody else plays it by now
        self._recipe = run.config(ZeroRecipe)
        self.step()
        return self._recipe, run

    def run(self, is_stopped: Callable[[], bool], report: Callable[[], None] = lambda: None) -> None:
        """Carries until it is told to stop, then once more. Raises what the desk raises."""
        while not is_stopped():
            self.step()
            report()
            end = time.monotonic() + self._ask_again_s
            while time.monotonic() < end and not is_stopped():
                time.sleep(min(0.05, self._ask_again_s))
        self.hand_in()

    def step(self) -> None:
        """Hands in what is whole, and does what the desk says."""
        assert self._files is not None, "begin comes first"
        self.hand_in()
        orders = self._desk.ask(self._worker, self._identity, self._files.beat(self._worker), self._wanted())
        self._ask_again_s = orders.ask_again_s
        self._fetch(orders.newest)
        self._follow(orders)

    def hand_in(self) -> None:
        """Hands in all whole shards, one after the other, and forgets those that are acknowledged."""
        assert self._files is not None, "begin comes first"
        for lot in self._files.shards():
            path = self._files.shard(lot)
            receipt = self._desk.hand_in(Parcel(lot, path.read_bytes(), self._facts(lot)))
            if receipt.is_accepted:
                self.handed_in += len(lot)
            else:
                _log.warning("games refused: %s", receipt.reason)
                self.refused.append(receipt.reason)
            self._files.ledger.pack_away(lot)
            path.unlink()

    def _facts(self, lot: Lot) -> dict[str, object]:
        assert self._files is not None
        lines = read_lines(self._files.actor(self._worker) / "shards.jsonl")
        return next((line for line in reversed(lines) if line.get("shard") == lot.name), {})

    def _wanted(self) -> int:
        """Returns how many more games there is room for."""
        assert self._files is not None
        assert self._recipe is not None
        if len(self._files.shards()) >= MOST_UNACKNOWLEDGED:
            return 0
        return max(0, self._recipe.concurrent - sum(map(len, self._files.ledger.free())))

    def _fetch(self, newest: int) -> None:
        """Brings the newest network, then says that it is there; an actor may be about to read the one before."""
        files = self._files
        assert files is not None
        if files.network(newest).exists() and files.newest == newest:
            return
        before = files.newest
        write_atomic(files.network(newest), self._desk.network(newest))
        files.newest = newest
        for generation in set(files.networks()) - {before, newest}:
            files.network(generation).unlink()

    def _follow(self, orders: Orders) -> None:
        files = self._files
        assert files is not None
        files.ledger.offer(orders.lots)
        # Beyond the highest number that was given nothing is to be taken.
        known = [*files.ledger.lots(), *files.ledger.done()]
        free = [numbers.stop for numbers in files.ledger.free()]
        end = max([lot.last + 1 for lot in known] + free, default=0)
        progress = Progress(orders.progress.generation, _NO_LIMIT, end, orders.progress.is_over)
        if files.progress != progress:
            files.progress = progress


class RaterCourier:
    """Carries for the rater: networks that lack a verdict come, verdicts go."""

    def __init__(self, desk: RaterDeskLike, folder: Path, worker: str, identity: Identity) -> None:
        self._desk, self._folder, self._worker, self._identity = desk, folder, worker, identity
        self._files: ZeroFiles | None = None
        self._told: set[tuple[str, int]] = set()
        self._is_gated = False

    def begin(self) -> tuple[ZeroRecipe, Run]:
        """Signs in and makes the folder. Raises RunError."""
        welcome = self._desk.sign_in(self._worker, self._identity)
        run = open_mirror(self._folder / welcome.run, welcome.recipe)
        self._files = ZeroFiles(run)
        recipe = run.config(ZeroRecipe)
        self._is_gated = recipe.style == "gated"
        return recipe, run

    def step(self, must_judge: Callable[[int], bool]) -> None:
        """Hands in verdicts and brings the networks that `must_judge` names."""
        files = self._files
        assert files is not None, "begin comes first"
        for kind, generation in files.verdicts():
            if (kind, generation) not in self._told and (facts := files.verdict(kind, generation)) is not None:
                self._desk.judge(kind, generation, facts)
                self._told.add((kind, generation))
        review = self._desk.review(files.verdicts())
        for (kind, generation), facts in review.verdicts.items():
            files.write_verdict(kind, generation, facts)
            self._told.add((kind, generation))
        # Where there is a gate, the pointer is the rater's own to move, by the verdicts.
        if self._is_gated:
            files.follow_gates()
        wanted = {generation for generation in review.networks if must_judge(generation)}
        wanted |= {files.newest if self._is_gated else review.newest} & set(review.networks)
        for generation in sorted(wanted - set(files.networks())):
            write_atomic(files.network(generation), self._desk.network(generation))
        for generation in set(files.networks()) - wanted:
            files.network(generation).unlink()
        # Last: whoever sees that the run is over has all networks.
        if files.progress != review.progress:
            files.progress = review.progress


def open_mirror(path: Path, recipe: str) -> Run:
    """Makes, or opens, a folder like that of the run with this config."""
    for name in FOLDERS:
        (path / name).mkdir(parents=True, exist_ok=True)
    write_atomic(path / "config.toml", recipe)
    return Run(path)
