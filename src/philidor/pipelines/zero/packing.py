"""A zero run in a few files, to go on elsewhere: the state, the newest networks, and the games of the window.

The optimizer's moments travel in 16 bits. They are rounded in the run that stays too, so that both go on alike.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

from philidor.core.errors import RunError
from philidor.core.parts import PART_BYTES, read_parts, write_parts
from philidor.core.runs import FOLDERS, Run
from philidor.pipelines.recipes import ZeroRecipe
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.ledger import Lot, lot_of

_STATE = "trainer.pt"
# What an archive says of each file, compressed.
_HEAD_BYTES = 128


def is_zero_run(run: Run) -> bool:
    """Says whether a run is one of these."""
    return (run.checkpoints / "progress.json").exists()


def pack_zero(run: Run, folder: Path, *, limit: int = PART_BYTES, at_most: int | None = None) -> list[Path]:
    """Packs a run into parts; returns them. Raises RunError if it is at work.

    With `at_most` bytes, unfinished games stay behind first, which are then played again, and after them the oldest
    games of the window. What was not learned from yet always travels.
    """
    from philidor.train.torch.packing import round_moments

    run.hold()
    files = ZeroFiles(run)
    state = run.checkpoints / _STATE
    if state.exists():
        round_moments(state)
    dropped = _outside_window(run, files)
    chosen = _travelers(run, files, dropped)
    if at_most is not None:
        dropped += _leave_behind(run, files, chosen, at_most)
    chosen["shards/ledger.jsonl"] = _ledger_without(run, dropped)
    return write_parts(chosen, folder, limit=limit)


def unpack_zero(folder: Path, out: Path) -> Run:
    """Makes a run folder of parts. Raises RunError if they are not whole, or if there is a run already."""
    if (out / "config.toml").exists():
        raise RunError(f"run {str(out)!r} is there already; choose another place")
    out.mkdir(parents=True, exist_ok=True)
    read_parts(folder, out)
    for name in FOLDERS:
        (out / name).mkdir(exist_ok=True)
    return Run(out)


def _travelers(run: Run, files: ZeroFiles, dropped: list[Lot]) -> dict[str, Path | bytes]:
    """Returns the files to pack by their names."""
    chosen: dict[str, Path | bytes] = {}
    names = {lot.name for lot in dropped}
    for path in sorted(run.path.rglob("*")):
        name = path.relative_to(run.path).as_posix()
        if path.is_file() and _travels(path, name, files, names):
            chosen[name] = path
    return chosen


def _travels(path: Path, name: str, files: ZeroFiles, dropped: set[str]) -> bool:
    kind = name.split("/", maxsplit=1)[0]
    if path.name.startswith(".") or path.suffix in (".tmp", ".lock") or kind in ("tensorboard", "report"):
        return False
    if name.startswith("shards/"):
        return "refused" not in name and path.stem not in dropped
    if path.name.startswith("network-"):
        last = files.networks()[-1:]
        return path in {files.network(number) for number in (*last, files.newest)}
    return True


def _outside_window(run: Run, files: ZeroFiles) -> list[Lot]:
    """Returns the shards that nobody will read again: those whose positions have left the window."""
    events = run.metrics()
    known = {event["generation"] - 1: int(event["new_positions"]) for event in events if event["event"] == "train"}
    recipe = run.config(ZeroRecipe)
    windows = [recipe.at(generation).training.window for generation in range(len(known), recipe.generations + 1)]
    size = max((window.size(sum(known.values())) for window in windows), default=0)
    found = []
    for generation, lots in _learned(run, files).items():
        if sum(count for number, count in known.items() if number > generation) >= size:
            found += lots
    return found


def _learned(run: Run, files: ZeroFiles) -> dict[int, list[Lot]]:
    """Returns the lots that are here and were learned from, by the generation that played them."""
    events = run.metrics()
    trained = {event["generation"] - 1 for event in events if event["event"] == "train"}
    found = {}
    for event in events:
        if event["event"] == "play" and event["generation"] in trained:
            lots = [lot for name in event.get("shards", ()) if (lot := lot_of(name)) is not None]
            found[event["generation"]] = [lot for lot in lots if files.shard(lot).exists()]
    return found


def _leave_behind(run: Run, files: ZeroFiles, chosen: dict[str, Path | bytes], at_most: int) -> list[Lot]:
    """Takes out what has to stay behind so that the rest is small enough; returns the lots among it."""
    sizes = {name: _packed_size(source) for name, source in chosen.items()}
    unfinished = [name for name in chosen if name.endswith("/unfinished.rec")]
    lots = {f"shards/{lot.name}.rec": lot for some in _learned(run, files).values() for lot in some}
    left: list[Lot] = []
    for name in [*unfinished, *lots]:
        if sum(sizes.values()) <= at_most:
            break
        if sizes.pop(name, None) is not None:
            del chosen[name]
            left += [lots[name]] if name in lots else []
    return left


def _packed_size(source: Path | bytes) -> int:
    """Returns about how many bytes a file is when it is compressed by itself, with its head."""
    data = source if isinstance(source, bytes) else source.read_bytes()
    return len(zlib.compress(data, 1)) + _HEAD_BYTES


def _ledger_without(run: Run, dropped: list[Lot]) -> bytes:
    path = run.shards / "ledger.jsonl"
    text = path.read_bytes().rpartition(b"\n")[0] + b"\n" if path.exists() else b""
    lines: list[dict[str, Any]] = [
        {"first": lot.first, "last": lot.last, "worker": lot.worker, "is_done": True} for lot in dropped
    ]
    return text + b"".join(json.dumps(line).encode() + b"\n" for line in lines)
