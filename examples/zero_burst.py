"""Trains a zero recipe for some minutes on a machine that has numpy, PyTorch and philidor's core, and nothing else.

    python examples/zero_burst.py chess-zero --minutes 20 --out runs/chess-zero --pack packed

The files in `packed` are what to take home; `--unpack packed` continues from them on the next machine. Nothing is rated
here: ratings take the time of the cores that play (docs/zero.md, "On a rented GPU").
"""

from __future__ import annotations

import argparse
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from philidor.core.runs import Run
from philidor.pipelines.recipes import load_recipe
from philidor.pipelines.zero import Moment, ZeroLoop
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
    options = parser.parse_args(words)
    is_late = _deadline(options.minutes)
    if options.unpack is not None:
        unpack_zero(options.unpack, options.out)
    recipe = replace(load_recipe(options.recipe), start=options.start)
    run = Run.resume_or_create(options.out.name, recipe, options.out.parent)
    is_done = ZeroLoop(recipe, run, watch=_show, is_stopped=is_late, is_rated=False).go()
    at_most = None if options.at_most is None else round(options.at_most * 1e6)
    parts = pack_zero(run, options.pack, at_most=at_most)
    size = sum(part.stat().st_size for part in parts)
    print(f"{'done' if is_done else 'time is up'}: {len(parts)} files, {size:,} bytes in {options.pack}", flush=True)


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
