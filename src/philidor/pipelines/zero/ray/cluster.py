"""Looks after a zero run on a Ray cluster: places its parts on the nodes there are, and begins again those that die.

The run's folder is on the machine where the command was given, and so are desk and learner. Actors go wherever there
are cores or GPUs; nodes may join and leave. The folder is the whole state, so a run that has lost its cluster
continues when the same command is given again.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from philidor.core.config import real, spin, validate
from philidor.core.errors import ConfigError, PhilidorError, RunError
from philidor.core.ray import RayActorError, RayError, cause_of, check_address, head_address
from philidor.core.runs import read_lines_from
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.loop import Moment, Watcher
from philidor.pipelines.zero.ray.parts import WORKERS, ActorPart, DeskPart, LearnerPart, RaterPart

if TYPE_CHECKING:
    from philidor.core.runs import Run
    from philidor.pipelines.recipes import ZeroRecipe

_WAIT_S = 0.25
_NODES_EVERY_S = 1.0
_STOP_S = 30.0
# A part that has died is begun again at once, and later and later if it dies again soon.
_LATEST_S = 60.0
_RATERS = 3
"""Raters that may fail for the same kind of reason, one after the other, before a run does without."""
_STANDS_AFTER_S = 30.0
# A head that has not answered for so long is gone; on a busy machine it takes a while to begin a process.
_ANSWER_S = 180.0
_SIGN_S = 5.0
_HEAD_GONE_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterConfig:
    """How much of a cluster a run takes."""

    actors: int = field(default=0, metadata=spin(None, 0, 100_000))
    """Actors at most; 0 for as many as fit."""
    actor_cpus: int = field(default=1, metadata=spin(None, 1, 1024))
    """Cores of an actor."""
    actor_gpus: float = field(default=0.0, metadata=real(None, 0.0, 1.0))
    """Share of a GPU that an actor gets; 0 for actors that play on the CPU."""

    def __post_init__(self) -> None:
        validate(self)


@dataclass(slots=True)
class _Part:
    """One part: where it belongs, and how it has fared."""

    make: Callable[[], tuple[Any, Any]]
    """Begins it; returns its handle and what its work will return."""
    node: str = ""
    handle: Any = None
    work: Any = None
    deaths: int = 0
    begun: float = 0.0
    not_before: float = 0.0
    said: str = ""


class ClusterTraining:
    """A run on a cluster that this process has joined."""

    def __init__(
        self,
        recipe: ZeroRecipe,
        run: Run,
        config: ClusterConfig,
        *,
        watch: Watcher = lambda moment: None,
        say: Callable[[str], None] = lambda line: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """`say` is told in a line what befalls nodes and parts. Raises ConfigError for a recipe without self-play."""
        if recipe.teacher != "self-play":
            raise ConfigError("this recipe has no self-play, so there is nothing for a cluster to do")
        self._recipe, self._run, self._config = recipe, run, config
        self._files = ZeroFiles(run)
        self._watch, self._say, self._is_stopped = watch, say, is_stopped
        place = hashlib.sha256(str(run.path.resolve()).encode()).hexdigest()[:8]
        self._desk_name = f"{run.name}-{place}"
        self._home = ray.get_runtime_context().get_node_id()
        self._parts: dict[str, _Part] = {}
        self._nodes: dict[str, dict[str, Any]] = {}
        self._lost: set[str] = set()
        self._head, self._head_seen = head_address(), time.monotonic()
        self._is_learned = self._is_judged = False
        self._metrics_read = run.metrics_path.stat().st_size if run.metrics_path.exists() else 0
        self._looked, self._whole = 0.0, -1

    def go(self) -> bool:
        """Runs to the end; False if it was stopped. Raises RunError if the cluster is lost."""
        self._run.release()  # the lock is the learner's
        try:
            self._parts["desk"] = _Part(self._begin_desk, self._home)
            self._look_after("desk")
            ray.get(self._parts["desk"].handle.release_all.remote(), timeout=_ANSWER_S)
            self._parts["learner"] = _Part(self._begin_learner, self._home)
            while not (self._is_learned and self._is_judged):
                if self._is_stopped():
                    self._stop()
                    return False
                self._step()
                time.sleep(_WAIT_S)
            self._take_in_last_verdicts()
            self._tell()
            return True
        except (RayError, ConnectionError) as error:
            raise RunError(f"the cluster is lost ({_brief(error)}); the same command goes on from the folder") from None

    def _step(self) -> None:
        if time.monotonic() - self._looked > _NODES_EVERY_S:
            self._looked = time.monotonic()
            if not self._has_head():
                return  # Ray would wait for it
            if self._files.networks() and self._files.ledger.identity() is not None:
                if "rater" not in self._parts and not self._is_judged:
                    self._parts["rater"] = _Part(self._begin_rater)
                self._place_actors()
            self._tell()
        self._release_lost()
        for name in list(self._parts):
            self._look_after(name)

    def _has_head(self) -> bool:
        """Says whether the head answers. Raises RunError when it has not for a while."""
        try:
            check_address(self._head)
        except ConfigError as error:
            if time.monotonic() - self._head_seen < _HEAD_GONE_S:
                return False
            self._stop()
            raise RunError(f"the cluster is lost: {error}; the same command goes on from the folder") from None
        self._head_seen = time.monotonic()
        return True

    # --- Parts ----------------------------------------------------------------------------------------------

    def _begin_desk(self) -> tuple[Any, Any]:
        options = {"name": self._desk_name, "num_cpus": 0, "scheduling_strategy": self._at(self._home)}
        handle = ray.remote(DeskPart).options(**options).remote(str(self._run.path.resolve()))
        ray.get(handle.pid.remote(), timeout=_ANSWER_S)
        return handle, None

    def _begin_learner(self) -> tuple[Any, Any]:
        gpus = self._node_resources(self._home).get("GPU", 0.0)
        share = min(gpus, self._config.actor_gpus or 1.0) if self._recipe.training.device != "cpu" else 0
        options = {"num_cpus": 0, "num_gpus": share, "max_concurrency": 2, "scheduling_strategy": self._at(self._home)}
        handle = ray.remote(LearnerPart).options(**options).remote()
        return handle, handle.run.remote(str(self._run.path.resolve()))

    def _begin_rater(self) -> tuple[Any, Any]:
        device = self._recipe.rating.device or self._recipe.training.device
        gpus = 0.1 if device == "cuda" else 0
        options = {"num_cpus": 0, "num_gpus": gpus, "max_concurrency": 2, "scheduling_strategy": "SPREAD"}
        handle = ray.remote(RaterPart).options(**options).remote(self._desk_name)
        return handle, handle.run.remote(self._recipe.game)

    def _begin_actor(self, worker: str, node: str) -> tuple[Any, Any]:
        config = self._config
        options = {
            "num_cpus": config.actor_cpus,
            "num_gpus": config.actor_gpus,
            "max_concurrency": 2,
            "scheduling_strategy": self._at(node),
        }
        names = [name[:8] for name in self._nodes]
        handle = ray.remote(ActorPart).options(**options).remote(self._desk_name, worker, names)
        device = "auto" if config.actor_gpus else "cpu"
        return handle, handle.run.remote(self._recipe.game, config.actor_cpus, device)

    def _at(self, node: str) -> Any:
        return NodeAffinitySchedulingStrategy(node_id=node, soft=False)

    # --- Nodes ----------------------------------------------------------------------------------------------

    def _place_actors(self) -> None:
        """Gives every node the actors that it has room for; those of a node that is gone lose their games to others."""
        alive = {node["NodeID"]: node for node in ray.nodes() if node["Alive"]}
        for node in set(self._nodes) - set(alive):
            self._lose(node)
        for node, facts in alive.items():
            if node not in self._nodes:
                self._nodes[node] = facts
                self._say(f"node {node[:8]} ({facts['NodeManagerHostname']}): room for {self._room(node)} actors")
            for slot in range(self._room(node)):
                worker = f"{WORKERS}{node[:8]}.{slot}"
                is_full = self._config.actors and len(self._actors()) >= self._config.actors
                if worker not in self._parts and not is_full and not self._is_learned:
                    self._parts[worker] = _Part(lambda w=worker, n=node: self._begin_actor(w, n), node)  # type: ignore[misc]

    def _room(self, node: str) -> int:
        resources = self._node_resources(node)
        cores = int(resources.get("CPU", 0))
        if node == self._home and cores > 1:
            cores -= 1  # the learner's
        room = cores // self._config.actor_cpus
        if self._config.actor_gpus:
            room = min(room, int((resources.get("GPU", 0.0) + 1e-6) / self._config.actor_gpus))
            if node == self._home and room:
                room -= 1  # the learner has the same share
        return room

    def _node_resources(self, node: str) -> dict[str, float]:
        known = self._nodes.get(node) or next(each for each in ray.nodes() if each["NodeID"] == node)
        return dict(known["Resources"])

    def _lose(self, node: str) -> None:
        del self._nodes[node]
        lost = [name for name, part in self._parts.items() if part.node == node and name.startswith(WORKERS)]
        for name in lost:
            del self._parts[name]
        self._say(f"node {node[:8]} is gone: its {len(lost)} actors' games go to others")
        self._lost |= set(lost)

    def _release_lost(self) -> None:
        """Has the games of lost workers given out again, as soon as there is a desk."""
        desk = self._parts["desk"].handle
        if not self._lost or desk is None:
            return
        with contextlib.suppress(RayActorError, TimeoutError):  # the desk has died too: the next one is asked
            ray.get(desk.release.remote(sorted(self._lost)), timeout=_SIGN_S)
            self._lost.clear()

    def _actors(self) -> list[str]:
        return [name for name in self._parts if name.startswith(WORKERS)]

    # --- Looking after --------------------------------------------------------------------------------------

    def _look_after(self, name: str) -> None:
        """Begins a part if it is not at work, and sees whether it has ended."""
        part = self._parts[name]
        now = time.monotonic()
        if part.handle is None:
            if now >= part.not_before and not (name.startswith(WORKERS) and self._is_learned):
                part.handle, part.work = part.make()
                part.begun = now
            return
        try:
            if part.work is None:  # the desk, which only answers; a busy one later
                with contextlib.suppress(TimeoutError):
                    ray.get(part.handle.pid.remote(), timeout=_SIGN_S)
                return
            done, _ = ray.wait([part.work], timeout=0)
            if done:
                self._ended(name, ray.get(done[0]))
        except RayError as error:
            self._died(name, part, error)

    def _ended(self, name: str, result: Any) -> None:
        if name == "learner":
            self._is_learned = bool(result)
        elif name == "rater":
            self._is_judged = True
        part = self._parts[name]
        ray.kill(part.handle)
        if name in ("learner", "rater"):
            del self._parts[name]
        else:  # an actor that sees that the run is over, or whose run was told more to do meanwhile
            part.handle, part.not_before = None, time.monotonic() + _NODES_EVERY_S

    def _died(self, name: str, part: _Part, error: RayError) -> None:
        cause = cause_of(error)
        if name == "learner" and isinstance(cause, PhilidorError | OSError):
            raise cause if isinstance(cause, PhilidorError) else RunError(f"the learner: {cause}")
        now = time.monotonic()
        part.deaths = 1 if now - part.begun > _STANDS_AFTER_S else part.deaths + 1
        part.not_before = now + min(2.0 ** (part.deaths - 1) - 1, _LATEST_S)
        line = f"{name} has died, another one goes on: {_brief(cause)}"
        if line != part.said:
            self._say(line)
            part.said = line
        ray.kill(part.handle)
        part.handle = part.work = None
        if name == "rater" and isinstance(cause, PhilidorError) and part.deaths >= _RATERS:
            self._give_up_rating(cause)
        if isinstance(cause, PhilidorError | OSError) and name.startswith(WORKERS):
            self._lost.add(name)  # it may not come back: others play meanwhile

    def _give_up_rating(self, cause: PhilidorError) -> None:
        """Goes on without ratings; where there is a gate nothing can. Raises what the rater raises."""
        if self._recipe.style == "gated":
            raise cause
        self._say("the run goes on without ratings")
        self._is_judged = True
        del self._parts["rater"]

    def _take_in_last_verdicts(self) -> None:
        """Lets a learner see the verdicts that came after the last one had ended."""
        handle, work = self._begin_learner()
        ray.get(work)
        ray.kill(handle)

    def _stop(self) -> None:
        """Asks all parts to end, and waits a while: what is played is handed in or kept."""
        working = [part for part in self._parts.values() if part.handle is not None and part.work is not None]
        for part in working:
            part.handle.stop.remote()
        ray.wait([part.work for part in working], num_returns=len(working), timeout=_STOP_S)
        self._tell()

    # --- What happens ---------------------------------------------------------------------------------------

    def _tell(self) -> None:
        """Tells the watcher what the learner has written, and how many games there are."""
        events, self._metrics_read = read_lines_from(self._run.metrics_path, self._metrics_read)
        for event in events:
            self._watch(Moment(event["generation"], event["event"], event=event))
        progress, whole = self._files.progress, self._files.whole_games()
        if whole != self._whole and not progress.is_over:
            self._whole, each = whole, self._recipe.games
            done = max(0, min(whole - progress.generation * each, each))
            self._watch(Moment(progress.generation + 1, "play", done, each))


def _brief(error: BaseException) -> str:
    """Returns an error's first line; Ray's have many."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
