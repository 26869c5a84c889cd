"""Files of our own networks: safetensors with the config inside, so that a network says itself how it is played."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from philidor.core.config import from_dict, to_dict
from philidor.core.errors import ConfigError, NetError
from philidor.core.game import AnyGame
from philidor.encodings import load_encoding
from philidor.encodings.encoding import Encoding
from philidor.games import known_game
from philidor.nets.network_config import NetworkConfig
from philidor.nets.safetensors import Tensors, read_tensors, write_tensors

CONFIG_KEY = "philidor.network"
"""The remark that holds the config as JSON."""
STEP_REMARK, LICENSE_REMARK = "step", "license"
"""Remarks that other formats have a place for: how many training steps were made, and the license."""


@dataclass(frozen=True, eq=False, slots=True)
class StoredNetwork:
    """A network as it lies on disk: no torch is needed to look at it."""

    config: NetworkConfig
    arrays: dict[str, NDArray[Any]]
    """The weights by name, as `philidor.nets.torch.model` names them."""
    remarks: dict[str, str]
    """What else was noted, such as the training step."""

    @property
    def parameters(self) -> int:
        """How many numbers were learned; running means and variances were only measured."""
        return sum(array.size for name, array in self.arrays.items() if not is_measured(name))

    def load_encoding(self, game: AnyGame | None = None) -> Encoding:
        """Returns the network's encoding for a game, or else for the one that the file names, if it is in the table.

        Raises EncodingError, UnknownNameError, and LoadError where the file names code.
        """
        rules = known_game(self.config.game, "the network") if game is None else game
        return load_encoding(self.config.encoding, rules)


def is_measured(name: str) -> bool:
    """Says whether an array is a statistic of batch norm rather than learned."""
    return name.endswith((".running_mean", ".running_var"))


def save_stored(path: str | Path, network: StoredNetwork) -> None:
    """Writes a network; the file appears only when it is complete. Raises NetError."""
    remarks = {**network.remarks, CONFIG_KEY: json.dumps(to_dict(network.config))}
    write_tensors(Path(path), network.arrays, remarks)


def halved(network: StoredNetwork) -> StoredNetwork:
    """Returns a network whose matrices have half precision; biases and statistics, few as they are, keep theirs.

    Raises NetError for weights that half precision cannot hold.
    """
    arrays = dict(network.arrays)
    for name, array in network.arrays.items():
        if array.ndim > 1:
            with np.errstate(over="ignore"):
                arrays[name] = array.astype(np.float16)
            if not np.isfinite(arrays[name]).all():
                raise NetError(f"{name} has weights that are too large for half precision")
    return StoredNetwork(network.config, arrays, network.remarks)


def load_stored(path: str | Path) -> StoredNetwork:
    """Reads a network. Raises NetError."""
    return stored_of(read_tensors(Path(path)), repr(str(path)))


def stored_of(tensors: Tensors, name: str) -> StoredNetwork:
    """Returns the network that named arrays are. Raises NetError."""
    if CONFIG_KEY not in tensors.remarks:
        raise NetError(f"{name} has weights but does not say of what network: no remark {CONFIG_KEY!r}")
    for key, array in tensors.arrays.items():
        if not np.isfinite(array).all():
            raise NetError(f"{name} has weights that are not finite: {key}")
    remarks = {key: value for key, value in tensors.remarks.items() if key != CONFIG_KEY}
    return StoredNetwork(_config(tensors.remarks[CONFIG_KEY], name), tensors.arrays, remarks)


def describe(network: StoredNetwork) -> dict[str, Any]:
    """Returns what there is to say about a network in a few words; settings of parts that it has not are left out."""
    without = network.config.unused()
    facts = {name: value for name, value in to_dict(network.config).items() if name not in without}
    return {**facts, "parameters": network.parameters, **network.remarks}


def _config(text: str, name: str) -> NetworkConfig:
    try:
        fields = json.loads(text)
        if not isinstance(fields, dict):
            raise ConfigError("it is no JSON object")
        return from_dict(NetworkConfig, fields)
    except (ValueError, RecursionError) as error:
        raise NetError(f"{name} has a config that cannot be read: {error}") from None
