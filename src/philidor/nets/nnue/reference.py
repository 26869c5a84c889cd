"""Computes an NNUE network step by step in numpy: the oracle of the native evaluator (book, 4.6.1 and 4.6.2).

Traps for a twin: accumulators are int16 and wrap around; sums of layers are int32 and wrap around too; `>>` rounds
down, the division behind squared activations and the one into centipawns round toward zero.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from philidor.games.chess import Position
from philidor.nets.nnue.architecture import Activation, Architecture
from philidor.nets.nnue.network import Int16s, Layer, Network

KINDS = "PNBRQK"
CLIPPED_ONE = 127
SQUARED_ONE = 255
HIDDEN_SHIFT = 6
PAIRWISE_SHIFT = 9

Integers = npt.NDArray[np.int64]


def active_features(architecture: Architecture, position: Position, *, is_black: bool) -> list[int]:
    """Returns the inputs that are on in one side's view, in ascending order."""
    features = architecture.features
    (king,) = position.pieces("k" if is_black else "K")
    found = []
    for kind, letter in enumerate(KINDS if features.has_kings else KINDS[:-1]):
        for piece in (letter, letter.lower()):
            is_own = piece.islower() == is_black
            found += [
                features.index(is_black=is_black, king=king, kind=kind, is_own=is_own, square=square)
                for square in position.pieces(piece)
            ]
    return sorted(found)


def accumulator(network: Network, position: Position, *, is_black: bool) -> Int16s:
    """Returns the biases plus the columns of the active inputs, computed afresh."""  # [width]
    active = active_features(network.architecture, position, is_black=is_black)
    columns = network.feature_weights[active].astype(np.int64)
    sums: Integers = network.feature_biases + columns.sum(axis=0)
    return sums.astype(np.int16)


def activate(activation: Activation, values: Int16s) -> Integers:
    """Turns one accumulator into inputs of the first layer."""
    if activation is Activation.CLIPPED:
        return np.clip(values.astype(np.int64), 0, CLIPPED_ONE)
    clipped = np.clip(values.astype(np.int64), 0, SQUARED_ONE)
    if activation is Activation.SQUARED:
        return clipped * clipped
    first, second = np.split(clipped, 2)
    return (first * second) >> PAIRWISE_SHIFT


def propagate(activation: Activation, inputs: Integers, layers: tuple[Layer, ...]) -> int:
    """Returns the last layer's integer."""
    for layer in layers[:-1]:
        sums = _wrapped(layer.weights.astype(np.int64) @ inputs + layer.biases)
        inputs = np.clip(sums >> HIDDEN_SHIFT, 0, CLIPPED_ONE)
    last = layers[-1]
    total = int(_wrapped(last.weights[0].astype(np.int64) @ inputs))
    if activation is Activation.SQUARED:
        # The square carries the factor 255 twice; one goes, so that the bias has the weights' scale.
        total = abs(total) // SQUARED_ONE * (1 if total >= 0 else -1)
    return int(_wrapped(np.int64(total + int(last.biases[0]))))


def raw(network: Network, position: Position) -> int:
    """Returns the network's integer in the side to move's view."""
    architecture = network.architecture
    views = (accumulator(network, position, is_black=is_black) for is_black in (not position.turn, position.turn))
    inputs = np.concatenate([activate(architecture.activation, view) for view in views])
    pieces = sum(len(position.pieces(letter)) for letter in KINDS + KINDS.lower())
    return propagate(architecture.activation, inputs, network.stacks[architecture.output_bucket(pieces)])


def _wrapped(sums: npt.NDArray[np.int64] | np.int64) -> Integers:
    return np.asarray(sums).astype(np.int32).astype(np.int64)
