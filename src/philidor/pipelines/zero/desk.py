"""The learner's side of a run on many machines: gives out networks and game numbers, takes whole shards.

Workers elsewhere see no file of the run. They ask the desk, which stands beside the run's folder, and each keeps a
folder of its own like it (courier.py). How question and answer travel is somebody else's matter: Ray or HTTP.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from philidor.core.errors import NetError, RecordError, RunError
from philidor.core.runs import append_line, write_atomic
from philidor.games import load_game
from philidor.pipelines.zero.files import Progress, Verdict, ZeroFiles
from philidor.pipelines.zero.games import check_shard
from philidor.pipelines.zero.ledger import Identity, Lot, check_worker

if TYPE_CHECKING:
    from philidor.core.game import AnyGame
    from philidor.pipelines.recipes import ZeroRecipe

# A generation is given out in at least so many lots, so that many workers can play it at the same time.
_LOTS_A_GENERATION = 64
# A worker's sign of life is written down so often; the learner waits longer before it takes a worker for lost.
_BEAT_EVERY_S = 20.0
# Questions a second that the desk can stand, and how long a worker waits between two at least.
_MOST_QUESTIONS = 400
_ASK_AGAIN_S = 0.2
_HEARD_OF_S = 60.0
# What the folder says is not read again for each of a thousand workers.
_LOOK_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class Welcome:
    """What a worker is told when it begins."""

    run: str
    """The run's name."""
    recipe: str
    """Its config, as TOML."""
    lots: tuple[Lot, ...]
    """The lots that are this worker's already."""


@dataclass(frozen=True, slots=True)
class Orders:
    """What an actor is told when it asks."""

    progress: Progress
    newest: int
    """The generation that plays."""
    lots: tuple[Lot, ...] = ()
    """Games to play that it was not given before."""
    ask_again_s: float = _ASK_AGAIN_S


@dataclass(frozen=True, slots=True)
class Parcel:
    """A whole shard on its way, and what its worker says about it."""

    lot: Lot
    games: bytes
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a shard: it is on the run's disk for good, or it does not count."""

    is_accepted: bool
    reason: str = ""
    is_new: bool = False
    """Whether it had not been handed in before."""


@dataclass(frozen=True, slots=True)
class Review:
    """What a rater is told when it asks."""

    progress: Progress
    newest: int
    networks: tuple[int, ...]
    verdicts: dict[tuple[Verdict, int], dict[str, Any]] = field(default_factory=dict)
    """Those that it did not name as known."""


class DeskLike(Protocol):
    """What a worker can ask, however it travels. Raises RunError for a worker that does not belong to the run."""

    def sign_in(self, worker: str, identity: Identity) -> Welcome:
        """Begins, or goes on, under a name."""

    def ask(self, worker: str, identity: Identity, beat: str, wanted: int) -> Orders:
        """Says that a worker is alive and has room for so many games."""

    def network(self, generation: int) -> bytes:
        """Returns a network's file."""

    def hand_in(self, parcel: Parcel) -> Receipt:
        """Takes a shard. It may be handed in again if the answer got lost."""


class RaterDeskLike(Protocol):
    """What a rater can ask besides."""

    def sign_in(self, worker: str, identity: Identity) -> Welcome:
        """Begins, or goes on, under a name."""

    def network(self, generation: int) -> bytes:
        """Returns a network's file."""

    def review(self, known: Sequence[tuple[Verdict, int]]) -> Review:
        """Returns how far the run is, and the verdicts that are not known yet."""

    def judge(self, kind: Verdict, generation: int, facts: dict[str, Any]) -> None:
        """Takes a verdict."""


Check = Callable[[Path, Lot, "AnyGame"], None]


class Desk:
    """Answers for a run's folder. For one thread at a time; any number of processes may stand at the folder."""

    def __init__(self, recipe: ZeroRecipe, files: ZeroFiles, *, check: Check = check_shard) -> None:
        """`check` raises RecordError for a shard that must not count."""
        self._recipe, self._files, self._check = recipe, files, check
        self._game = load_game(recipe.game)
        self._heard: dict[str, float] = {}
        self._beaten: dict[str, float] = {}
        self._looked = 0.0
        self._progress, self._newest, self._whole = Progress(), 0, 0

    # --- For actors -----------------------------------------------------------------------------------------

    def sign_in(self, worker: str, identity: Identity) -> Welcome:
        """Begins, or goes on, under a name. Raises RunError."""
        check_worker(worker)
        if self._files.ledger.identity() is None:
            raise RunError(f"run {self._files.run.name!r} has not begun yet")
        self._files.ledger.check(worker, identity)
        recipe = self._files.run.config_path.read_text(encoding="utf-8")
        return Welcome(self._files.run.name, recipe, tuple(self._out(worker)))

    def ask(self, worker: str, identity: Identity, beat: str, wanted: int) -> Orders:
        """Notes a sign of life and gives out games, if more are of use. Raises RunError."""
        check_worker(worker)
        self._files.ledger.check(worker, identity)
        now = time.monotonic()
        self._heard[worker] = now
        if beat and now - self._beaten.get(worker, -_BEAT_EVERY_S) >= _BEAT_EVERY_S:
            self._folder(worker)
            write_atomic(self._files.actor(worker) / "status.json", json.dumps({"beat": beat}))
            self._beaten[worker] = now
        self._look()
        lots: list[Lot] = []
        while sum(map(len, lots)) < wanted and self._whole < self._progress.wanted and not self._progress.is_over:
            lot = self._files.ledger.take(worker, identity, self._lot_size, self._progress.end)
            if lot is None:
                break
            lots.append(lot)
        return Orders(self._progress, self._newest, tuple(lots), self._ask_again_s(now))

    def network(self, generation: int) -> bytes:
        """Returns a network's file. Raises NetError."""
        try:
            return self._files.network(generation).read_bytes()
        except OSError:
            raise NetError(f"run {self._files.run.name!r} has no network {generation}") from None

    def hand_in(self, parcel: Parcel) -> Receipt:
        """Takes a shard: when the receipt says so, it is on the disk."""
        lot, path = parcel.lot, self._files.shard(parcel.lot)
        if path.exists():
            is_same = path.read_bytes() == parcel.games
            return Receipt(is_same, "" if is_same else f"{lot.name} is there already, with other games")
        if lot in self._files.ledger.done():
            return Receipt(True)
        if not self._files.ledger.is_owner(lot):
            return Receipt(False, f"{lot.name} was given to another worker")
        aside = self._files.run.shards / f".{lot.name}.incoming"
        write_atomic(aside, parcel.games)
        try:
            self._check(aside, lot, self._game)
        except RecordError as error:
            aside.unlink()
            return Receipt(False, str(error).replace(str(aside), lot.name))
        self._folder(lot.worker)
        append_line(self._files.actor(lot.worker) / "shards.jsonl", {**parcel.facts, "shard": lot.name})
        is_owner = self._files.ledger.settle(lot, lambda: write_atomic(path, parcel.games))
        aside.unlink()
        self._looked = 0.0
        return Receipt(is_owner, "" if is_owner else f"{lot.name} was given to another worker", is_owner)

    # --- For the rater --------------------------------------------------------------------------------------

    def review(self, known: Sequence[tuple[Verdict, int]]) -> Review:
        """Returns how far the run is, and the verdicts that are not known yet."""
        # Progress first: whoever sees that a run is over then sees all its networks too.
        progress, files = self._files.progress, self._files
        fresh = [each for each in files.verdicts() if each not in set(known)]
        verdicts = {each: facts for each in fresh if (facts := files.verdict(*each)) is not None}
        return Review(progress, files.newest, tuple(files.networks()), verdicts)

    def judge(self, kind: Verdict, generation: int, facts: dict[str, Any]) -> None:
        """Takes a verdict; that of a gate may let another network play."""
        if self._files.verdict(kind, generation) is None:
            self._files.write_verdict(kind, generation, facts)
        if kind == "gate":
            self._files.follow_gates()

    # --- For whoever looks after the workers ----------------------------------------------------------------

    def release(self, is_lost: Callable[[str], bool]) -> int:
        """Hands out again what lost workers have not handed in."""
        found = [lot for lot in self._out() if is_lost(lot.worker)]
        for lot in found:
            self.release_lot(lot)
        return len(found)

    def release_lot(self, lot: Lot) -> None:
        """Hands a lot out again that its worker was refused, if it is that worker's."""
        self._files.ledger.give_back(lot, unless=self._files.shard(lot).exists)

    def out(self, worker: str) -> int:
        """Counts the games that a worker has been given and not handed in."""
        return sum(map(len, self._out(worker)))

    def _out(self, worker: str | None = None) -> list[Lot]:
        """Returns the lots that are out and not handed in."""
        settled = {*self._files.shards(), *self._files.ledger.done()}
        return [lot for lot in self._files.ledger.lots(worker) if lot not in settled]

    def _look(self) -> None:
        if time.monotonic() - self._looked >= _LOOK_EVERY_S:
            self._progress, self._newest = self._files.progress, self._files.newest
            self._whole = self._files.whole_games()
            self._looked = time.monotonic()

    @property
    def _lot_size(self) -> int:
        games = self._recipe.games
        return min(self._recipe.shard_games or -(-games // _LOTS_A_GENERATION), games)

    def _ask_again_s(self, now: float) -> float:
        if len(self._heard) > _MOST_QUESTIONS * _ASK_AGAIN_S:
            self._heard = {worker: when for worker, when in self._heard.items() if now - when < _HEARD_OF_S}
        return max(_ASK_AGAIN_S, len(self._heard) / _MOST_QUESTIONS)

    def _folder(self, worker: str) -> None:
        self._files.actor(worker).mkdir(parents=True, exist_ok=True)
