"""Trains a zero recipe for some minutes on a machine that has numpy, PyTorch and philidor's core, and nothing else.

    python examples/zero_burst.py chess-zero --minutes 20 --out runs/chess-zero --pack packed

The files in `packed` are what to take home; `--unpack packed` continues from them on the next machine. Nothing is rated
here: ratings take the time of the cores that play (docs/zero.md, "On a rented GPU"); only the gate of a gated recipe is
played. With `--actors 2` games are played by two processes of their own, so that nobody waits for Python's lock.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from philidor.core.runs import Run
from philidor.pipelines.recipes import ZeroRecipe, load_recipe
from philidor.pipelines.zero import Moment, ZeroLoop
from philidor.pipelines.zero.loop import open_run, run_actor, run_rater
from philidor.pipelines.zero.packing import pack_zero, unpack_zero


def main(words: list[str] | None = None) -> None:
    """Unpacks if asked to, trains until the time is up or SIGTERM comes, and packs."""
    parser = argparse.ArgumentParser(description="Trains a zero recipe for some minutes and packs the run.")
    parser.add_argument("recipe", help="A shipped recipe or a TOML file.")
    parser.add_argument("--minutes", type=float, required=True, help="Time to train.")
    parser.add_argument("--out", type=Path, required=True, help="The run folder; a run that is in it continues.")
    parser.add_argument("--pack", type=Path, required=True, help="Where the packed run goes.")
    parser.add_argument("--at-most", type=float, help="Megabytes to pack; the oldest games of the window stay behind.")
    parser.add_argument("--unpack", type=Path, help="A packed run to continue.")
    parser.add_argument("--start", type=Path, help="A network to start a new run from.")
    parser.add_argument("--actors", type=int, default=0, help="Processes that play; 0 plays in the learner's own.")
    parser.add_argument("--actor-threads", type=int, help="Threads of each of them (default: one for each core).")
    options = parser.parse_args(words)
    is_late = _deadline(options.minutes)
    if options.unpack is not None:
        unpack_zero(options.unpack, options.out)
    recipe = replace(load_recipe(options.recipe), start=options.start)
    run = open_run(recipe, options.out)
    loop = ZeroLoop(recipe, run, watch=_show, is_stopped=is_late, is_rated=False, is_alone=options.actors > 0)
    with _others(recipe, run, options.actors, options.actor_threads) as gate:
        is_done = loop.go()
        while is_done and gate is not None and gate.is_alive() and not is_late():
            gate.join(0.1)  # the last networks have been trained, but not yet judged
    at_most = None if options.at_most is None else round(options.at_most * 1e6)
    parts = pack_zero(run, options.pack, at_most=at_most)
    size = sum(part.stat().st_size for part in parts)
    print(f"{'done' if is_done else 'time is up'}: {len(parts)} files, {size:,} bytes in {options.pack}", flush=True)


@contextmanager
def _others(recipe: ZeroRecipe, run: Run, count: int, threads: int | None) -> Iterator[Any]:
    """Lets so many processes play meanwhile; in the end they keep the games under way.

    The one beside them that holds the gate is handed out; None where there is no gate, or the learner has it.
    """
    context = multiprocessing.get_context("spawn")
    is_over = context.Event()
    # The first has the name of who plays in the learner's process, and continues what that one left.
    names = ["local", *(f"local{number}" for number in range(2, count + 1))][:count]
    others = [context.Process(target=_act, args=(recipe, run.path, name, threads, is_over)) for name in names]
    gate = None
    if count and recipe.style == "gated":
        gate = context.Process(target=_gate, args=(recipe, run.path, is_over))
        others.append(gate)
    for process in others:
        process.start()
    try:
        yield gate
    finally:
        is_over.set()
        for process in others:
            process.join()


def _act(recipe: ZeroRecipe, path: Path, name: str, threads: int | None, is_over: Any) -> None:
    """An actor's process."""
    run_actor(recipe, Run(path), name, _ends_with_parent(is_over), threads=threads)


def _gate(recipe: ZeroRecipe, path: Path, is_over: Any) -> None:
    """The process that lets networks pass."""
    run_rater(recipe, Run(path), _ends_with_parent(is_over), rates=False)


def _ends_with_parent(is_over: Any) -> Callable[[], bool]:
    """Returns what says whether to stop; a SIGTERM is for the learner, which then ends all of them."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    return lambda: is_over.is_set() or (parent is not None and not parent.is_alive())


def _deadline(minutes: float) -> Callable[[], bool]:
    """Returns what says whether to stop: the time is up, or whoever lends the machine wants it back."""
    end, is_asked = time.monotonic() + 60 * minutes, threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: is_asked.set())
    return lambda: is_asked.is_set() or time.monotonic() >= end


def _show(moment: Moment) -> None:
    """Prints what was measured, a line for each generation played or trained."""
    event = moment.event
    if event is None or event["event"] not in ("play", "train"):
        return
    names = ("seconds", "games", "evaluations_per_second", "mean_batch", "samples_per_second", "losses", "device_idle")
    facts = " ".join(f"{name}={event[name]}" for name in names if name in event)
    print(f"{event['event']} {event['generation']}: {facts}", flush=True)


if __name__ == "__main__":
    main()
