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


def played_games(shards: Path) -> dict[int, tuple[int, ...]]:
    """Returns the moves of all games that have ended, by number, handed over or not.

    Fails on a number that is in the shards twice, and on a game that is one thing in its shard and another elsewhere.
    """
    found: dict[int, tuple[int, ...]] = {}
    for path in sorted(shards.glob("[0-9]*.rec")):
        for number, moves in _games(path):
            assert number not in found, f"game {number} is there twice"
            found[number] = moves
    for path in shards.parent.glob("actors/*/finished.rec"):
        for number, moves in _games(path):
            assert found.setdefault(number, moves) == moves, f"game {number} is there in two forms"
    return found


def _games(path: Path) -> list[tuple[int, tuple[int, ...]]]:
    if path.stat().st_size < 64:  # a kill came before its header was whole
        return []
    with RecordReader(path) as reader:
        return [(int(record.tags["Game"]), record.indices) for record in reader]
