"""A network that begins as one of another shape keeps what that has learned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from philidor.core.errors import ConfigError
from philidor.games.chess import Position
from philidor.nets.nnue import ARCHITECTURES, Activation, Architecture, Layer, Network
from philidor.nets.nnue.reference import accumulator, activate, raw
from philidor.train.nnue_growth import grow

POSITIONS = [
    Position(),
    Position("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"),
    Position("8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50"),
]
SINGLE = ARCHITECTURES["mirrored-256"]
PAIRED = ARCHITECTURES["paired-256"]


def _random(architecture: Architecture, seed: int) -> Network:
    random = np.random.default_rng(seed)

    def layer(outputs: int, inputs: int) -> Layer:
        weights = random.integers(-40, 41, (outputs, inputs), np.int8)
        return Layer(random.integers(-900, 900, outputs, np.int32), weights)

    return Network(
        architecture,
        random.integers(-20, 160, architecture.width, np.int16),
        random.integers(-60, 61, (architecture.features.count, architecture.width), np.int16),
        tuple(tuple(layer(*shape) for shape in architecture.layer_shapes) for _ in range(architecture.output_buckets)),
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SINGLE, ARCHITECTURES["mirrored-384"]),
        (SINGLE, ARCHITECTURES["mirrored-256-kings"]),
        (SINGLE, ARCHITECTURES["mirrored-512"]),
        (PAIRED, ARCHITECTURES["paired-384"]),
    ],
)
def test_with_room_for_all_numbers_it_judges_as_before(old: Architecture, new: Architecture) -> None:
    network = _random(old, 1)
    grown = grow(network, _random(new, 2), seed=3)
    assert grown.architecture == new
    for position in POSITIONS:
        assert raw(grown, position) == raw(network, position)
    assert len({raw(network, position) for position in POSITIONS}) == len(POSITIONS)


def test_with_less_room_the_numbers_that_count_most_stay() -> None:
    network = _random(SINGLE, 1)
    narrow = replace(SINGLE, width=128)
    grown = grow(network, _random(narrow, 2), seed=3)
    weights = np.stack([layers[0].weights[0] for layers in network.stacks]).astype(int)
    heard = np.abs(weights).sum(axis=0).reshape(2, 256).sum(axis=0)
    kept = {tuple(column) for column in grown.feature_weights.T}
    least_kept = min(heard[i] for i in range(256) if tuple(network.feature_weights[:, i]) in kept)
    assert sum(tuple(column) in kept for column in network.feature_weights.T) == 128
    assert least_kept >= np.sort(heard)[128]


def test_a_product_begins_as_the_square_of_the_number() -> None:
    network = _random(SINGLE, 1)
    grown = grow(network, _random(ARCHITECTURES["paired-512"], 2), seed=3)
    assert not np.array_equal(grown.feature_weights[:, :256], grown.feature_weights[:, 256:])
    for position in POSITIONS:
        squares = activate(Activation.SQUARED, accumulator(network, position, is_black=False)) >> 9
        products = activate(Activation.PAIRWISE, accumulator(grown, position, is_black=False))
        assert np.corrcoef(np.sort(squares), np.sort(products))[0, 1] > 0.98


def test_a_product_begins_as_a_clipped_number() -> None:
    clipped = replace(ARCHITECTURES["halfkp-256"], features=SINGLE.features, width=128)
    network = _random(clipped, 1)
    grown = grow(network, _random(PAIRED, 2), seed=3)
    for position in POSITIONS:
        numbers = activate(Activation.CLIPPED, accumulator(network, position, is_black=True))
        products = activate(Activation.PAIRWISE, accumulator(grown, position, is_black=True))
        # 127 became 255 and is rounded twice.
        assert np.abs(np.sort(numbers) - np.sort(products)).max() <= 1


def test_what_cannot_be_used_is_refused() -> None:
    with pytest.raises(ConfigError, match="sees other inputs"):
        grow(_random(SINGLE, 1), _random(replace(ARCHITECTURES["halfkp-256"], width=64), 2), seed=3)
    with pytest.raises(ConfigError, match="sees other inputs"):
        grow(_random(ARCHITECTURES["mirrored-256-kings"], 1), _random(SINGLE, 2), seed=3)
    with pytest.raises(ConfigError, match="has pairs"):
        grow(_random(PAIRED, 1), _random(SINGLE, 2), seed=3)
