"""A small network with ratings that nobody has trained, made without torch; different ratings get different answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from philidor.encodings.human import HUMAN_SHAPE, RATING_PLANES
from philidor.nets import shipped
from philidor.nets.network_config import NetworkConfig
from philidor.nets.network_files import StoredNetwork, save_stored
from philidor.nets.network_weights import weight_shapes

_RATING_WEIGHT = 30


def untrained_human(seed: int = 0) -> StoredNetwork:
    """Returns the network."""
    config = replace(NetworkConfig(), game="chess", encoding="human-1", blocks=1, filters=16, value="wdl")
    config = replace(config, se_channels=0, value_hidden=8, moves_left=True)
    rng = np.random.default_rng(seed)
    arrays = {}
    for name, size in weight_shapes(config, HUMAN_SHAPE).items():
        weights = rng.standard_normal(size).astype(np.float32)
        if len(size) > 1:
            weights /= np.sqrt(np.prod(size[1:]))
        if name.endswith("running_var"):
            weights = np.ones(size, np.float32)
        if name == "body.input.conv.weight":
            weights[:, -RATING_PLANES:] *= _RATING_WEIGHT  # among the other planes they would hardly be seen
        arrays[name] = weights
    return StoredNetwork(config, arrays, {})


def write_human(folder: Path) -> Path:
    """Writes the network under the name by which the player human finds its own."""
    path = folder / f"{shipped.HUMAN_NET}.safetensors"
    save_stored(path, untrained_human())
    path.with_suffix(".md").write_text("A network for tests.\n", encoding="utf-8")  # all that ship have a card
    return path


@contextmanager
def shipping(folder: Path) -> Iterator[None]:
    """Lets networks of a folder count as shipped, behind those that are."""
    before = shipped._FOLDERS
    shipped._FOLDERS = (*before, folder)
    try:
        yield
    finally:
        shipped._FOLDERS = before
