"""The network that a training begins with: random weights, or those of a file."""

from __future__ import annotations

from pathlib import Path

from philidor.core.errors import NetError
from philidor.encodings.scales import scalar_scales
from philidor.nets.network_config import NetworkConfig
from philidor.nets.network_files import load_stored
from philidor.nets.shipped import find_net
from philidor.nets.torch.files import model_of
from philidor.nets.torch.model import Model, build


def first_model(network: NetworkConfig, seed: int, *, start: Path | None, scale_inputs: bool) -> Model:
    """Returns a new network, or the one to start from. Raises NetError if that does not fit, UnknownNameError."""
    model = build(network, seed) if start is None else _started(network, find_net(start))
    if scale_inputs:
        model.scale_inputs(scalar_scales(network.encoding, model.shape))
        if start is not None:
            model.unscale_first_weights()
    return model


def _started(network: NetworkConfig, path: Path) -> Model:
    stored = load_stored(path)
    if stored.config.game != network.game:
        raise NetError(f"{str(path)!r} plays {stored.config.game}, not {network.game}")
    if stored.config != network:
        wanted, got = (_words(each) for each in (network, stored.config))
        raise NetError(f"{str(path)!r} has another shape: {got}, not {wanted}")
    # A game of one's own is code, which a file may not name: the encoding is the recipe's.
    return model_of(stored, repr(str(path)), network.load_encoding().shape)


def _words(network: NetworkConfig) -> str:
    return f"{network.blocks}x{network.filters} over {network.encoding!r} with a {network.policy} policy"
