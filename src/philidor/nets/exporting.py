"""Our own networks as ONNX models, for every other program."""

from __future__ import annotations

from philidor.core.game import AnyGame
from philidor.nets.network_files import StoredNetwork
from philidor.nets.network_weights import check_weights, fold
from philidor.nets.onnx.networks import network_to_onnx
from philidor.nets.onnx.signature import ENCODING_KEY, GAME_KEY


def to_onnx(network: StoredNetwork, name: str = "the network", game: AnyGame | None = None) -> bytes:
    """Returns an ONNX model with an open batch size and batch norm folded; a game of one's own must be given.

    Raises NetError, LoadError.
    """
    config = network.config
    shape = network.load_encoding(game).shape
    check_weights(network.arrays, config, shape, name)
    metadata = {ENCODING_KEY: config.encoding, GAME_KEY: config.game, **network.remarks}
    return network_to_onnx(fold(network.arrays, config, shape), shape, metadata)
