"""Small networks of our own as they lie on disk, made without torch."""

import numpy as np

from philidor.encodings import load_encoding
from philidor.games import load_game
from philidor.nets.network_config import preset
from philidor.nets.network_files import StoredNetwork
from philidor.nets.network_weights import weight_shapes

LAST_STONE = "examples/last_stone.py:LastStone"


def own_net(game: str, kind: str = "mlp", weight: float = 0.01) -> StoredNetwork:
    """Returns a network of a game, also of one's own; all its weights are alike, and large ones overflow."""
    config = preset(kind, game, filters=4, blocks=1)
    shapes = weight_shapes(config, load_encoding(config.encoding, load_game(game)).shape)
    return StoredNetwork(config, {name: np.full(size, weight, np.float32) for name, size in shapes.items()}, {})
