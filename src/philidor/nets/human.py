"""Networks with ratings as plain Leela networks, one for each pair of ratings.

A plane that is the same on every square is that number times Leela's plane of ones. So the weights for the ratings,
each times its number, are added to those for the ones; padding is zero in both, and nothing else changes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from philidor.core.errors import NetError
from philidor.encodings.human import (
    HUMAN_SHAPE,
    RATING_PLANES,
    is_human,
    rating_numbers,
    rating_scalars,
)
from philidor.encodings.leela import LeelaInput, LeelaPolicy, leela_name
from philidor.nets.network_files import StoredNetwork
from philidor.nets.network_weights import check_weights

_BOARD_PLANES = HUMAN_SHAPE.planes - RATING_PLANES
_ONES_PLANE = _BOARD_PLANES - 1
RATING_REMARK, OPPONENT_RATING_REMARK = "rating", "opponent_rating"
"""Remarks of a network that was made for a pair of ratings."""


def for_ratings(network: StoredNetwork, rating: int | None, opponent_rating: int | None) -> StoredNetwork:
    """Returns the network over Leela's encoding that answers as this one does for these ratings.

    Raises NetError for a network without ratings, EncodingError for a rating that is none.
    """
    if not is_human(network.config.encoding):
        raise NetError(f"a network over {network.config.encoding!r} knows no ratings")
    check_weights(network.arrays, network.config, HUMAN_SHAPE, "the network")
    numbers = rating_scalars(rating_numbers([(rating, opponent_rating)]))[0]
    first = "body.layers.0.weight" if network.config.body == "mlp" else "body.input.conv.weight"
    arrays = {**network.arrays, first: _folded(network.arrays[first], numbers)}
    config = replace(network.config, encoding=leela_name(LeelaInput.CLASSICAL, LeelaPolicy.FLAT))
    remarks = {RATING_REMARK: str(rating or "unknown"), OPPONENT_RATING_REMARK: str(opponent_rating or "unknown")}
    return StoredNetwork(config, arrays, {**network.remarks, **remarks})


def _folded(weights: NDArray[np.float32], numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns the first layer's weights without the rating planes."""
    # Dense layers have all squares of a plane together, convolutions all places of a kernel.
    by_plane = weights.astype(np.float32).reshape(len(weights), HUMAN_SHAPE.planes, -1)
    kept = by_plane[:, :_BOARD_PLANES].copy()
    kept[:, _ONES_PLANE] += np.einsum("fps,p->fs", by_plane[:, _BOARD_PLANES:], numbers)
    return kept.reshape(len(weights), -1, *weights.shape[2:])
