"""Measures zero runs on a Ray cluster on this machine (pip install '.[cluster]').

    python benchmarks/cluster.py [--json] [--seconds 20] [--rounds 3]
    python benchmarks/cluster.py --kills 30
    python benchmarks/cluster.py --stalled 300

The first form measures how the games of two one-thread workers compare with those of one, in turn, and what a shard
costs on its way: milliseconds through Ray and without it. Games count when the desk has acknowledged them. On a busy
machine games a second say little, so games a second of the workers' own CPU time are given too: two workers that do not
hinder each other make as many of these as one. The second form kills parts and nodes of a run at random. The third has
a learner that stands still, and says how much memory desk and worker have meanwhile.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - Ray's own name
os.environ["OMP_NUM_THREADS"] = "1"

from measure import as_json, headline, machine

from philidor.core.runs import Run
from philidor.pipelines.recipes import ZeroRecipe, load_recipe
from philidor.pipelines.zero.desk import Desk, Parcel
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.ledger import Lot

ROOT = Path(__file__).resolve().parents[1]
SHARDS = 40
_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def endless(name: str) -> ZeroRecipe:
    """A shipped recipe that no worker gets to the end of, in shards of a second or so."""
    recipe = load_recipe(name)
    training = replace(recipe.training, device="cpu")
    return replace(
        recipe,
        training=training,
        guards=False,
        games=1_000_000,
        shard_games=16,
        concurrent=32,
        batch=32,
        overlap=1,
        threads=1,
    )


def begun(recipe: ZeroRecipe, folder: Path) -> Run:
    """A run with its first network, whose learner has nothing to do."""
    from philidor.pipelines.zero import ZeroLoop

    run = Run.create("run", recipe, folder)
    ZeroLoop(recipe, run, is_alone=True)
    run.release()
    return run


def cpu_seconds(pid: int) -> float:
    """What a process has computed."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def play_for(workers: int, recipe: ZeroRecipe, seconds: float) -> dict[str, float]:
    """Games of so many one-thread workers on the cluster, and what they computed for them."""
    import ray

    from philidor.pipelines.zero.ray.parts import ActorPart, DeskPart

    with tempfile.TemporaryDirectory() as folder:
        run = begun(recipe, Path(folder))
        files, name = ZeroFiles(run), f"bench-{os.getpid()}-{time.monotonic_ns()}"
        desk = ray.remote(DeskPart).options(name=name, num_cpus=0).remote(str(run.path))
        actors = [
            ray.remote(ActorPart).options(num_cpus=1, max_concurrency=2).remote(name, f"ray.bench.{slot}", ["bench"])
            for slot in range(workers)
        ]
        pids = ray.get([actor.pid.remote() for actor in actors])
        works = [actor.run.remote(recipe.game, 1, "cpu") for actor in actors]
        while len({lot.worker for lot in files.shards()}) < workers:  # all are at work
            time.sleep(0.1)
        before, began, spent = files.whole_games(), time.monotonic(), sum(map(cpu_seconds, pids))
        time.sleep(seconds)
        games, wall = files.whole_games() - before, time.monotonic() - began
        cpu = sum(map(cpu_seconds, pids)) - spent
        for actor in actors:
            actor.stop.remote()
        ray.wait(works, num_returns=workers, timeout=60)
        for handle in (*actors, desk):
            ray.kill(handle)
        return {"games": games, "games_per_s": games / wall, "games_per_cpu_s": games / cpu, "cores_used": cpu / wall}


def shard_costs(size: int) -> dict[str, float]:
    """Milliseconds to hand in a shard of so many bytes, through Ray and without it; each is synced to disk."""
    import ray

    from philidor.pipelines.zero.ray.parts import RayDesk

    found = {}
    for way in ("ray", "direct"):
        with tempfile.TemporaryDirectory() as folder:
            recipe = endless("tictactoe-zero")
            run = begun(recipe, Path(folder))
            ledger = ZeroFiles(run).ledger
            identity = ledger.identity()
            assert identity is not None
            lots = [lot for _ in range(SHARDS) if (lot := ledger.take("w", identity, 1, 10**6)) is not None]
            name = f"shards-{os.getpid()}-{time.monotonic_ns()}"
            handle: Any = ray.remote(Unchecked).options(name=name, num_cpus=0).remote(str(run.path))
            desk: Any = RayDesk(name) if way == "ray" else Desk(recipe, ZeroFiles(run), check=accept)
            data, times = os.urandom(size), []
            for lot in lots:
                start = time.perf_counter()
                assert desk.hand_in(Parcel(lot, data, {})).is_accepted
                times.append(time.perf_counter() - start)
            found[way] = 1000 * statistics.median(times)
            ray.kill(handle)
    return found


def memory_of(pid: int) -> float:
    """What a process has in memory of its own, in MB: without pages that it shares, such as the object store's."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Dirty:", "Private_Clean:"))) / 1024


def stand_still(recipe: ZeroRecipe, seconds: float) -> list[dict[str, float]]:
    """Memory of desk and worker, ten times on the way, while nobody learns from the games that are there."""
    import ray

    from philidor.core.ray import connected
    from philidor.pipelines.zero.ray.parts import ActorPart, DeskPart

    rows = []
    with connected("local"), tempfile.TemporaryDirectory() as folder:
        run = begun(replace(recipe, games=64), Path(folder))
        name = f"stalled-{os.getpid()}"
        desk = ray.remote(DeskPart).options(name=name, num_cpus=0).remote(str(run.path))
        actor = ray.remote(ActorPart).options(num_cpus=1, max_concurrency=2).remote(name, "ray.bench.0", ["bench"])
        pids = ray.get([desk.pid.remote(), actor.pid.remote()])
        work = actor.run.remote(recipe.game, 1, "cpu")
        files = ZeroFiles(run)
        while files.whole_games() < files.progress.wanted:
            time.sleep(0.2)
        for _ in range(10):
            time.sleep(seconds / 10)
            memory = dict(zip(("desk_mb", "actor_mb"), map(memory_of, pids), strict=True))
            rows.append({"games": files.whole_games(), **memory})
        actor.stop.remote()
        ray.wait([work], timeout=60)
    return rows


def accept(path: Path, lot: Lot, game: Any) -> None:
    """Lets everything pass: what the way costs is measured, not reading games."""


class Unchecked:
    """A desk in a process of its own that believes everything."""

    def __init__(self, path: str) -> None:
        run = Run(Path(path))
        self._desk = Desk(run.config(ZeroRecipe), ZeroFiles(run), check=accept)

    def hand_in(self, parcel: Parcel) -> Any:
        """See Desk."""
        return self._desk.hand_in(parcel)


def measure(recipe_name: str, seconds: float, rounds: int) -> dict[str, Any]:
    """Measures both, in turn."""
    from philidor.core.ray import connected

    found: dict[str, Any] = {"load_before": os.getloadavg()[0], "recipe": recipe_name, "rounds": []}
    with connected("local"):
        for _ in range(rounds):
            found["rounds"].append({count: play_for(count, endless(recipe_name), seconds) for count in (1, 2)})
        for key in ("games_per_s", "games_per_cpu_s"):
            ratios = [each[2][key] / each[1][key] for each in found["rounds"]]
            found[f"two_to_one_{key}"] = round(statistics.median(ratios), 3)
        found["shards_ms"] = {size: shard_costs(size) for size in (1_000, 100_000, 2_000_000)}
    found["load_after"] = os.getloadavg()[0]
    return found


def main() -> None:
    """Measures, or kills."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--recipe", default="connect4-zero")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kills", type=int, default=0, help="kill parts and nodes of a run so often instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stalled", type=float, default=0.0, help="seconds with a learner that stands still instead")
    arguments = parser.parse_args()
    if arguments.kills:
        with tempfile.TemporaryDirectory() as folder:
            words = ["-m", "tests.pipelines.killed_cluster", f"{folder}/run", str(arguments.seed), str(arguments.kills)]
            sys.exit(subprocess.run([sys.executable, *words], cwd=ROOT).returncode)
    if arguments.stalled:
        for row in stand_still(endless(arguments.recipe), arguments.stalled):
            print(f"{row['games']:.0f} games, desk {row['desk_mb']:.1f} MB, actor {row['actor_mb']:.1f} MB", flush=True)
        return
    found = measure(arguments.recipe, arguments.seconds, arguments.rounds)
    if arguments.json:
        print(as_json("cluster", machine(), [found]))
        return
    print(headline(machine()))
    for each in found["rounds"]:
        for count, facts in each.items():
            speed = f"{facts['games_per_s']:.1f} games/s, {facts['games_per_cpu_s']:.1f} games a CPU second"
            print(f"{count} workers: {speed}, {facts['cores_used']:.2f} cores")
    ratios = [found[f"two_to_one_{key}"] for key in ("games_per_s", "games_per_cpu_s")]
    print(f"two workers to one: {ratios[0]} in games/s, {ratios[1]} in games a CPU second")
    for size, ways in found["shards_ms"].items():
        print(f"a shard of {size:,} bytes: {ways['ray']:.1f} ms through Ray, {ways['direct']:.1f} ms without")
    print(f"load average {found['load_before']:.1f} before, {found['load_after']:.1f} after")


if __name__ == "__main__":
    main()
