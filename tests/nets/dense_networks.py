"""Made-up networks of floats for the tests."""

import itertools
from collections.abc import Sequence

import numpy as np

from philidor.nets.dense import DeepChessNetwork, GiraffeNetwork, Layer
from philidor.nets.dense.deepchess import INPUTS
from philidor.nets.dense.features import GROUPS


def _chain(generator: np.random.Generator, sizes: Sequence[int]) -> tuple[Layer, ...]:
    # Half floats, as they are in files, so that what is read back is what was written.
    def draw(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return generator.normal(0, 0.3, shape).astype(np.float16).astype(np.float32)

    return tuple(Layer(draw(inputs, outputs), draw(outputs)) for inputs, outputs in itertools.pairwise(sizes))


def made_up_giraffe(seed: int = 1) -> GiraffeNetwork:
    generator = np.random.default_rng(seed)
    first = tuple(_chain(generator, (inputs, 5 + index))[0] for index, inputs in enumerate(GROUPS))
    return GiraffeNetwork(first, _chain(generator, (18, 9, 1)), scale=300.0, description="made up")


def made_up_deepchess(seed: int = 1) -> DeepChessNetwork:
    generator = np.random.default_rng(seed)
    return DeepChessNetwork(_chain(generator, (INPUTS, 12, 6)), _chain(generator, (12, 8, 1)), description="made up")
