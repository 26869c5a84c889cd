"""A zero run of a few seconds, for tests of the loop and not of what it learns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from philidor.core.config import from_dict, to_dict
from philidor.pipelines.recipes import ZeroRecipe, read_recipe
from philidor.records import RecordReader

TEXT = """
game = "tictactoe"
generations = 2
games = 6
concurrent = 4
batch = 4
threads = 1

[network]
preset = "mlp"
blocks = 1
filters = 32

[self_play]
simulations = 6
opening_plies = 2

[training]
batch = 16
replay_ratio = 2.0
device = "cpu"

[gate]
pairs = 2

[rating]
opponents = ["random"]
pairs = 2
"""


def tiny_recipe(**changes: Any) -> ZeroRecipe:
    """Returns the recipe with changes; those of tables are dicts."""
    data = to_dict(read_recipe(TEXT))
    for key, value in changes.items():
        data[key] = {**data[key], **value} if isinstance(value, dict) else value
    return from_dict(ZeroRecipe, data)


def played_games(folder: Path) -> dict[int, tuple[int, ...]]:
    """Returns the moves of all games in the shards by number; fails on a number that is there twice."""
    found: dict[int, tuple[int, ...]] = {}
    for path in sorted(folder.glob("[0-9]*.rec")):
        with RecordReader(path) as reader:
            for record in reader:
                number = int(record.tags["Game"])
                assert number not in found, f"game {number} is there twice"
                found[number] = record.indices
    return found
