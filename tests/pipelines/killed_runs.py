"""Trains in child processes and kills them: a program of its own, because a child of pytest would inherit its threads.

python killed_runs.py kill FOLDER SEED KILLS     kill -9 at random moments, then to the end
python killed_runs.py full FOLDER STAGE          no file can be written from a stage on, then to the end
"""

from __future__ import annotations

import os
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch

from philidor.core.errors import PhilidorError
from philidor.core.runs import Run
from philidor.pipelines.zero import Moment, Watcher, ZeroLoop
from tests.pipelines.tiny import played_games, tiny_recipe

RECIPE = tiny_recipe(style="gated", generations=3, games=12, self_play={"simulations": 12}, rating={"pairs": 1})
EVERYTHING = list(range(RECIPE.generations * RECIPE.games))
_TICKS = os.sysconf("SC_CLK_TCK")


def child(work: Callable[[], None]) -> int:
    """Starts a process that does some work."""
    pid = os.fork()
    if pid:
        return pid
    try:
        work()
    except PhilidorError as error:
        print(f"{type(error).__name__}: {error}", flush=True)
        os._exit(3)
    except BaseException:
        traceback.print_exc()
        os._exit(4)
    os._exit(0)


def train(folder: Path, watch: Watcher = lambda moment: None) -> None:
    """Begins the run, or goes on with it, to its end."""
    torch.set_num_threads(1)
    run = Run.resume_or_create(folder.name, RECIPE, folder.parent)
    assert ZeroLoop(RECIPE, run, watch=watch).go()


def cpu_seconds(pid: int) -> float:
    """What a process has computed so far: on a busy machine the clock says nothing."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def kill_after(pid: int, seconds: float) -> bool:
    """Kills a process when it has computed so long; says whether it was still alive."""
    while os.waitpid(pid, os.WNOHANG) == (0, 0):
        if cpu_seconds(pid) >= seconds:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return True
        time.sleep(0.002)
    return False


def kill(folder: Path, seed: int, kills: int) -> None:
    """Kills again and again; after each kill, every game that was there before is still there."""
    chance = random.Random(seed)
    known: dict[int, tuple[int, ...]] = {}
    killed = 0
    while killed < kills:
        killed += kill_after(child(partial(train, folder)), chance.uniform(0.0, 0.6))
        found = played_games(folder / "shards") if (folder / "shards").exists() else {}
        assert {number: found.get(number) for number in known} == known, "a finished game was lost or altered"
        known = found
        if sorted(known) == EVERYTHING and killed < kills:
            folder, known = folder.with_name(f"{folder.name}x"), {}  # all is played: the next run
    finish(folder)
    print(f"killed {killed} times")


def full(folder: Path, stage: str) -> None:
    """Runs out of space, says so, and goes on when there is some again."""

    def fill_disk(moment: Moment) -> None:
        if moment.stage == stage and moment.generation == 2:
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))

    _, status = os.waitpid(child(lambda: train(folder, fill_disk)), 0)
    assert os.waitstatus_to_exitcode(status) == 3
    finish(folder)


def finish(folder: Path) -> None:
    """Trains to the end without being disturbed: all games are there, each once."""
    _, status = os.waitpid(child(partial(train, folder)), 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert sorted(played_games(folder / "shards")) == EVERYTHING


if __name__ == "__main__":
    task, path, *rest = sys.argv[1:]
    if task == "kill":
        kill(Path(path), *map(int, rest))
    else:
        full(Path(path), *rest)
