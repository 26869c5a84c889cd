"""Reads the `#include`s of the C++ core and says which of them break the order of the rooms."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Programs on top of the rooms; they may include every room, and none of them another.
PROGRAMS = ("bindings", "tests", "fuzz")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def room_levels() -> dict[str, int]:
    """How high each room stands: the layers of import-linter's contract, read from the one place they are in."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return {name.strip(): -height for height, names in enumerate(layers) for name in names.split("|")}


def violations(path: str, text: str) -> Iterator[str]:
    """Yields a line for each forbidden include of the file `path` (relative to cpp/)."""
    levels, room = room_levels(), path.split("/", maxsplit=1)[0]
    if room not in levels and room not in PROGRAMS:
        yield f"{path}: {room!r} is not a room"
        return
    for bracket, target in INCLUDE.findall(text):
        other = target.split("/")[0]
        if other in ("nanobind", "Python.h") and room != "bindings":
            yield f"{path}: only bindings include {target}"
        if bracket == "<" or other == room:
            continue
        if "/" not in target:
            # A bare name is a neighbor in the same folder; the tree always writes the whole path.
            yield f"{path}: write the path from cpp/ for {target!r}"
        elif other in PROGRAMS:
            yield f"{path}: {other} is a program, not a room: {target}"
        elif other not in levels:
            yield f"{path}: {other!r} is not a room: {target}"
        elif room in levels and levels[other] >= levels[room]:
            yield f"{path}: {room} does not stand above {other}: {target}"
