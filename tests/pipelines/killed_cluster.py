"""A run on a real Ray cluster of several nodes on this machine, whose parts and nodes are killed at random: a program.

python -m tests.pipelines.killed_cluster FOLDER SEED KILLS [NODES]
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Ray gives its workers what nobody else wants, which on a busy machine is nothing.
os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - Ray's own name
# Each worker process would otherwise take all cores for itself.
os.environ["OMP_NUM_THREADS"] = "1"

import ray
from ray.cluster_utils import Cluster

from philidor.core.ray import connected
from philidor.core.runs import Run
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.ray.cluster import ClusterConfig, ClusterTraining
from tests.pipelines.tiny import played_games, tiny_recipe

SMALL = {"object_store_memory": 80_000_000}


def recipe_for(kills: int) -> Any:
    """Enough games that the run is still at work when the last kill comes."""
    return tiny_recipe(
        style="gated",
        generations=max(2, kills // 3),
        games=60 if kills > 5 else 20,
        shard_games=5,
        overlap=1,
        self_play={"simulations": 16},
        rating={"pairs": 1},
        gate={"pairs": 1, "threshold": 0.4},
    )


class Killer:
    """Kills parts and nodes of a cluster, and adds nodes for those that are gone."""

    def __init__(self, cluster: Cluster, training: ClusterTraining, seed: int, kills: int, shards: Path) -> None:
        self._cluster, self._training = cluster, training
        self._chance, self.left = random.Random(seed), kills
        self._shards = shards
        self._nodes: list[Any] = []
        self.killed: dict[str, int] = {}
        self._known: dict[int, tuple[int, ...]] = {}

    def add_node(self) -> None:
        self._nodes.append(self._cluster.add_node(num_cpus=1, **SMALL))

    def run(self, is_on: Callable[[], bool]) -> None:
        while self.left and is_on():
            time.sleep(self._chance.uniform(0.3, 2.0))
            kinds = ["actor", "actor", "learner", "rater", "desk"] + ["node"] * (len(self._nodes) > 0)
            if self._kill(self._chance.choice(kinds)):
                self.left -= 1
            self.check()

    def _kill(self, kind: str) -> bool:
        if kind == "node":
            self._cluster.remove_node(self._nodes.pop(0), allow_graceful=False)
            self.add_node()
        else:
            parts = {name: part for name, part in self._training._parts.items() if part.handle is not None}
            names = [name for name in parts if name == kind or (kind == "actor" and name.startswith("ray."))]
            if not names:
                return False
            handle = parts[self._chance.choice(names)].handle
            try:
                os.kill(ray.get(handle.pid.remote(), timeout=5), signal.SIGKILL)
            except Exception:  # it has died, or ended, in this very moment
                return False
        self.killed[kind] = self.killed.get(kind, 0) + 1
        return True

    def check(self) -> None:
        """What the desk has acknowledged is still there, as it was."""
        found = played_games(self._shards)
        assert {number: found.get(number) for number in self._known} == self._known, "an acknowledged game was lost"
        self._known = found


def main(folder: Path, seed: int, kills: int, nodes: int) -> None:
    recipe = recipe_for(kills)
    run = Run.resume_or_create(folder.name, recipe, folder.parent)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False, **SMALL})
    lines: list[str] = []
    with connected(cluster.address):
        training = ClusterTraining(recipe, run, ClusterConfig(), say=lines.append)
        killer = Killer(cluster, training, seed, kills, run.shards)
        for _ in range(nodes - 1):
            killer.add_node()
        ended: list[Any] = []

        def train() -> None:
            try:
                ended.append(training.go())
            except BaseException as error:
                ended.append(error)

        # Ray begins nodes in the main thread only, so that is where they are killed too.
        thread = threading.Thread(target=train, daemon=True)
        thread.start()
        killer.run(thread.is_alive)
        thread.join()
        assert ended == [True], ended
        killer.check()
    with contextlib.suppress(Exception):
        cluster.shutdown()
    check(run)
    print("killed", sum(killer.killed.values()), "times:", dict(sorted(killer.killed.items())))
    print("\n".join(lines))


def check(run: Run) -> None:
    """All games are there, each once, and each was learned from once; every network was judged."""
    from philidor.pipelines.recipes import ZeroRecipe

    recipe = run.config(ZeroRecipe)
    wanted = list(range(recipe.generations * recipe.games))
    assert sorted(played_games(run.shards)) == wanted
    events = run.metrics()
    learned = [name for event in events if event["event"] == "play" for name in event["shards"]]
    assert len(learned) == len(set(learned))
    assert sorted(n for name in learned for n in range(int(name[:9]), int(name[10:19]) + 1)) == wanted
    generations = set(range(1, recipe.generations + 1))
    for kind, expected in (("train", generations), ("gate", generations), ("rating", generations | {0})):
        assert {event["generation"] for event in events if event["event"] == kind} == expected, kind
    assert not any(event["event"] == "refused" for event in events)
    assert ZeroFiles(run).progress.is_over


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 3)
