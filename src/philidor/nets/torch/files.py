"""Saves and loads models as safetensors with the config inside; the files hold no code."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from philidor.encodings.encoding import Shape
from philidor.nets.network_files import StoredNetwork, load_stored, save_stored
from philidor.nets.network_weights import check_weights
from philidor.nets.torch.body import PlainBody
from philidor.nets.torch.model import Model

# Batch norm counts its batches, which nothing here asks for.
_UNSAVED = ".num_batches_tracked"


def save_network(path: str | Path, model: Model, remarks: Mapping[str, str] | None = None) -> None:
    """Writes a model in single precision; the file appears only when it is complete. Raises NetError.

    `remarks` are noted in the file, such as the training step.
    """
    save_stored(path, stored(model, remarks))


def load_network(path: str | Path, shape: Shape | None = None) -> Model:
    """Reads a model, ready to be trained on; `shape` is that of its encoding, for a game of one's own.

    Raises NetError if the file is damaged or does not fit its game, LoadError if it names a game that is code.
    """
    return model_of(load_stored(path), repr(str(path)), shape)


def stored(model: Model, remarks: Mapping[str, str] | None = None) -> StoredNetwork:
    """Returns a model's weights as arrays."""
    return StoredNetwork(model.config, arrays_of(model), dict(remarks or {}))


def model_of(network: StoredNetwork, name: str = "the network", shape: Shape | None = None) -> Model:
    """Returns the model of a stored network, as `load_network` does. Raises NetError if its weights do not fit."""
    model = Model(network.config, network.load_encoding().shape if shape is None else shape)
    check_weights(network.arrays, model.config, model.shape, name)
    tensors = {key: torch.from_numpy(np.array(array, dtype=np.float32)) for key, array in network.arrays.items()}
    model.load_state_dict(tensors, strict=False)
    return model


def arrays_of(model: Model) -> dict[str, NDArray[Any]]:
    """Returns the weights by name; factors that the input is scaled by in training are part of the first ones.

    Norms that plain convolutions are trained with are part of these.
    """
    if isinstance(model.body, PlainBody) and model.body.norms is not None:
        model = model.folded()
    state = model.state_dict()
    (first,) = (name for name, tensor in model.named_parameters() if tensor is model.first_layer.weight)
    state[first] = model.first_weights().detach()
    return {key: value.float().cpu().numpy() for key, value in state.items() if not key.endswith(_UNSAVED)}
