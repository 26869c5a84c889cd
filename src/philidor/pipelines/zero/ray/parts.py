"""The parts of a zero run as Ray actors: the desk and the learner beside the run, actors and the rater anywhere.

Networks go out and shards come in through Ray's object store; no two parts see the same disk unless they happen to.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import ray

from philidor.core.errors import PhilidorError, RunError
from philidor.core.ray import RayError, cause_of
from philidor.core.runs import Run
from philidor.games import load_game
from philidor.pipelines.recipes import ZeroRecipe
from philidor.pipelines.zero.actor import StoppedError, identity_of
from philidor.pipelines.zero.away import play_away
from philidor.pipelines.zero.courier import RaterCourier
from philidor.pipelines.zero.desk import Desk, Orders, Parcel, Receipt, Review, Welcome
from philidor.pipelines.zero.files import Verdict, ZeroFiles
from philidor.pipelines.zero.ledger import Identity

WORKERS = "ray."
"""What the names of workers on a cluster begin with."""
# An answer takes milliseconds; one that does not come for so long is lost.
_ANSWER_S = 120.0
_AGAIN_S = 0.5
# A desk that died is begun again by the command; workers wait for it so long.
_PATIENCE_S = 300.0


class DeskPart:
    """The desk, in a process of its own beside the run's folder: it answers while the learner learns."""

    def __init__(self, path: str) -> None:
        run = Run(Path(path))
        self._desk = Desk(run.config(ZeroRecipe), ZeroFiles(run))
        # One copy in the object store for all workers, and Ray brings it once to each node.
        self._networks: dict[int, Any] = {}

    def sign_in(self, worker: str, identity: Identity) -> Welcome:
        """See Desk."""
        return self._desk.sign_in(worker, identity)

    def ask(self, worker: str, identity: Identity, beat: str, wanted: int) -> Orders:
        """See Desk."""
        return self._desk.ask(worker, identity, beat, wanted)

    def network(self, generation: int) -> list[Any]:
        """Returns where in the object store a network is; in a list, or Ray would send the network itself."""
        if generation not in self._networks:
            self._networks = dict(list(self._networks.items())[-1:])
            self._networks[generation] = ray.put(self._desk.network(generation))
        return [self._networks[generation]]

    def hand_in(self, parcel: Parcel) -> Receipt:
        """See Desk."""
        return self._desk.hand_in(parcel)

    def review(self, known: Sequence[tuple[Verdict, int]]) -> Review:
        """See Desk."""
        return self._desk.review(known)

    def judge(self, kind: Verdict, generation: int, facts: dict[str, Any]) -> None:
        """See Desk."""
        self._desk.judge(kind, generation, facts)

    def release(self, workers: Sequence[str]) -> int:
        """Hands out again what these workers have not handed in."""
        return self._desk.release(set(workers).__contains__) if workers else 0

    def release_all(self) -> int:
        """Hands out again what all workers of clusters have not handed in."""
        return self._desk.release(lambda worker: worker.startswith(WORKERS))

    def pid(self) -> int:
        """Returns the process's number."""
        return os.getpid()


class RayDesk:
    """The desk as a worker sees it; one that has died is waited for."""

    def __init__(self, name: str, is_stopped: Callable[[], bool] = lambda: False) -> None:
        self._name, self._is_stopped = name, is_stopped
        self._handle: Any = None

    def sign_in(self, worker: str, identity: Identity) -> Welcome:
        """See Desk."""
        answer: Welcome = self._ask("sign_in", worker, identity)
        return answer

    def ask(self, worker: str, identity: Identity, beat: str, wanted: int) -> Orders:
        """See Desk. An answer that got lost may have given out games: signing in tells which."""
        try:
            orders: Orders = self._answer(lambda: self._get("ask", worker, identity, beat, wanted))
        except _LostError:
            self._handle = None
            welcome = self.sign_in(worker, identity)
            orders = replace(self._ask("ask", worker, identity, beat, 0), lots=welcome.lots)
        return orders

    def network(self, generation: int) -> bytes:
        """See Desk."""

        def fetch() -> bytes:
            (place,) = ray.get(self._desk().network.remote(generation), timeout=_ANSWER_S)
            return bytes(ray.get(place, timeout=_ANSWER_S))

        found: bytes = self._retry(fetch)
        return found

    def hand_in(self, parcel: Parcel) -> Receipt:
        """See Desk; whatever is large in it goes through the object store."""
        answer: Receipt = self._ask("hand_in", parcel)
        return answer

    def review(self, known: Sequence[tuple[Verdict, int]]) -> Review:
        """See Desk."""
        answer: Review = self._ask("review", known)
        return answer

    def judge(self, kind: Verdict, generation: int, facts: dict[str, Any]) -> None:
        """See Desk."""
        self._ask("judge", kind, generation, facts)

    def _ask(self, method: str, *arguments: Any) -> Any:
        return self._retry(lambda: self._get(method, *arguments))

    def _get(self, method: str, *arguments: Any) -> Any:
        return ray.get(getattr(self._desk(), method).remote(*arguments), timeout=_ANSWER_S)

    def _desk(self) -> Any:
        if self._handle is None:
            self._handle = ray.get_actor(self._name)
        return self._handle

    def _answer(self, question: Callable[[], Any]) -> Any:
        """Asks once. Raises what the desk raises, and _LostError if there is no answer."""
        try:
            return question()
        except (RayError, ValueError) as error:  # ValueError: there is no desk of this name
            cause = cause_of(error)
            if isinstance(cause, PhilidorError):
                raise cause from None
            raise _LostError(str(error)) from error

    def _retry(self, question: Callable[[], Any]) -> Any:
        """Asks until there is an answer. Raises RunError if there is none for long."""
        end = time.monotonic() + _PATIENCE_S
        while True:
            try:
                return self._answer(question)
            except _LostError as error:
                self._handle = None
                if time.monotonic() > end or self._is_stopped():
                    raise RunError(f"the learner's machine does not answer: {error}") from None
                time.sleep(_AGAIN_S)


class _LostError(Exception):
    """A question to which no answer came."""


class LearnerPart:
    """The learner: it has the run's lock, and ends with its process."""

    def __init__(self) -> None:
        self._is_stopped = False

    def run(self, path: str) -> bool:
        """Learns to the end; False if it was stopped."""
        from philidor.pipelines.zero.loop import ZeroLoop

        run = Run(Path(path))
        run.hold()
        recipe = run.config(ZeroRecipe)
        try:
            return ZeroLoop(recipe, run, is_stopped=lambda: self._is_stopped, is_alone=True).go()
        finally:
            # The process may live on for a while where the head is gone; the run must not wait for that.
            run.release()

    def stop(self) -> None:
        """Lets `run` end soon; everything is saved."""
        self._is_stopped = True

    def pid(self) -> int:
        """Returns the process's number."""
        return os.getpid()


class ActorPart:
    """An actor somewhere in the cluster, with a folder of its own on that machine."""

    def __init__(self, desk: str, worker: str, live_nodes: Sequence[str]) -> None:
        self._desk_name, self._worker = desk, worker
        self._is_stopped = False
        self._folder = node_folder(desk, worker)
        _remove_left_behind(self._folder, live_nodes)

    def run(self, recipe_game: str, threads: int, device: Literal["auto", "cpu"]) -> int:
        """Plays until the run is over or it is told to stop; returns how many games were handed in."""
        courier, is_over = play_away(
            RayDesk(self._desk_name, lambda: self._is_stopped),
            self._folder,
            self._worker,
            identity_of(load_game(recipe_game)),
            is_stopped=lambda: self._is_stopped,
            threads=threads,
            device=device,
        )
        if is_over:
            shutil.rmtree(self._folder, ignore_errors=True)
        return courier.handed_in

    def stop(self) -> None:
        """Lets `run` end soon; games under way stay in the folder."""
        self._is_stopped = True

    def pid(self) -> int:
        """Returns the process's number."""
        return os.getpid()


class RaterPart:
    """The rater somewhere in the cluster."""

    def __init__(self, desk: str) -> None:
        self._desk_name = desk
        self._is_stopped = False

    def run(self, recipe_game: str) -> None:
        """Judges until the last network is judged or it is told to stop."""
        from philidor.pipelines.zero.rater import Rater
        from philidor.train.torch.zero import use_threads

        if hasattr(os, "nice"):  # not on Windows
            os.nice(10)
        folder = node_folder(self._desk_name, "rater")
        desk = RayDesk(self._desk_name, lambda: self._is_stopped)
        courier = RaterCourier(desk, folder, f"{WORKERS}rater", identity_of(load_game(recipe_game)))
        recipe, run = courier.begin()
        use_threads(1)
        files = ZeroFiles(run)

        def carry(*_: object) -> None:
            courier.step(rater.must_judge)

        # A gate's verdict lets a network play: it travels before the network is rated.
        rater = Rater(recipe, files, report=carry, is_stopped=lambda: self._is_stopped)
        with contextlib.suppress(StoppedError):
            while not self._is_stopped:
                carry()
                is_over = files.progress.is_over
                rater.catch_up()
                carry()
                if is_over:
                    shutil.rmtree(folder, ignore_errors=True)
                    return
                time.sleep(_AGAIN_S)

    def stop(self) -> None:
        """Lets `run` end soon."""
        self._is_stopped = True

    def pid(self) -> int:
        """Returns the process's number."""
        return os.getpid()


def node_folder(desk: str, worker: str) -> Path:
    """Where a worker keeps its files on the machine it is on; each user of the machine has a place of their own."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    return Path(tempfile.gettempdir()) / f"philidor-cluster-{user}" / desk / worker


def _remove_left_behind(folder: Path, live_nodes: Sequence[str]) -> None:
    """Removes what workers of nodes that are no more have left on this machine: nobody will ask for it."""
    for other in folder.parent.glob(f"{WORKERS}*"):
        node = other.name.split(".")[1]
        if node not in live_nodes and node != "rater":
            shutil.rmtree(other, ignore_errors=True)
