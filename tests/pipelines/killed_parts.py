"""Actors, learner and rater as processes of their own, killed with -9 and begun again: a program, as killed_runs is.

python killed_parts.py FOLDER SEED KILLS
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch

from philidor.core.runs import Run
from philidor.pipelines.zero import ZeroLoop
from philidor.pipelines.zero.loop import run_actor, run_rater
from tests.pipelines.killed_runs import child
from tests.pipelines.tiny import played_games, tiny_recipe

RECIPE = tiny_recipe(
    style="gated",
    generations=4,
    games=30,
    shard_games=5,
    overlap=1,
    self_play={"simulations": 16},
    rating={"pairs": 1},
    gate={"pairs": 1, "threshold": 0.4},
)


def learn(folder: Path) -> None:
    torch.set_num_threads(1)
    run = Run.resume_or_create(folder.name, RECIPE, folder.parent)
    assert ZeroLoop(RECIPE, run, is_alone=True).go()


def play(folder: Path, worker: str) -> None:
    torch.set_num_threads(1)
    run_actor(RECIPE, Run(folder), worker, lambda: False)


def rate(folder: Path) -> None:
    torch.set_num_threads(1)
    run_rater(RECIPE, Run(folder), lambda: False)


def is_done(pid: int) -> bool:
    """Says whether a process has ended well; fails if it has ended in another way of its own accord."""
    found, status = os.waitpid(pid, os.WNOHANG)
    if found == 0:
        return False
    code = os.waitstatus_to_exitcode(status)
    assert code == 0, f"a part ended with {code}"
    return True


def main(folder: Path, seed: int, kills: int) -> None:
    chance = random.Random(seed)
    parts: dict[str, Callable[[], None]] = {"learner": partial(learn, folder)}
    running = {"learner": child(parts["learner"])}
    while not (folder / "checkpoints" / "progress.json").exists():
        time.sleep(0.01)
    refused = child(lambda: Run(folder).hold())
    assert os.waitstatus_to_exitcode(os.waitpid(refused, 0)[1]) == 3, "two learners for one run"
    parts |= {"rater": partial(rate, folder)} | {name: partial(play, folder, name) for name in ("a", "b")}
    running |= {name: child(parts[name]) for name in ("rater", "a", "b")}
    known: dict[int, tuple[int, ...]] = {}
    left = kills
    while running:
        time.sleep(chance.uniform(0.0, 0.4))
        running = {name: pid for name, pid in running.items() if not is_done(pid)}
        if left and running:
            name = chance.choice(sorted(running))
            os.kill(running[name], signal.SIGKILL)
            os.waitpid(running[name], 0)
            running[name] = child(parts[name])
            left -= 1
            found = played_games(folder / "shards")
            assert {number: found.get(number) for number in known} == known, "a finished game was lost or altered"
            known = found
    # Verdicts that came after the learner had ended are taken in by the next one.
    assert os.waitstatus_to_exitcode(os.waitpid(child(parts["learner"]), 0)[1]) == 0
    check(folder)
    print(f"killed {kills - left} times")


def check(folder: Path) -> None:
    """All games are there, each once, and each was learned from once."""
    wanted = list(range(RECIPE.generations * RECIPE.games))
    run = Run(folder)
    assert sorted(played_games(run.shards)) == wanted
    events = run.metrics()
    learned = [name for event in events if event["event"] == "play" for name in event["shards"]]
    assert len(learned) == len(set(learned))
    assert sorted(n for name in learned for n in range(int(name[:9]), int(name[10:19]) + 1)) == wanted
    assert {event["generation"] for event in events if event["event"] == "train"} == set(range(1, 5))
    assert {event["generation"] for event in events if event["event"] == "gate"} == set(range(1, 5))
    assert {event["generation"] for event in events if event["event"] == "rating"} == set(range(5))
    assert not any(event["event"] == "refused" for event in events)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
