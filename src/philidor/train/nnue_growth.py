"""What an NNUE network of one shape can begin with from a network of another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from philidor.core.errors import ConfigError
from philidor.nets.nnue import Activation, Architecture, Features, Layer, Network
from philidor.nets.nnue.reference import CLIPPED_ONE, SQUARED_ONE

# The second number of a pair begins almost as the first; exactly alike, both would learn the same for ever. As a share
# of the deviation of the number's weights.
_DIFFERENCE = 0.1

Numbers = npt.NDArray[Any]


def grow(network: Network, into: Network, *, seed: int) -> Network:
    """Returns `into`, a network of random weights, with as much of what `network` has learned as fits.

    A number is a column of the inputs' weights with its bias; those that the layers listen to most come first. Where
    the layers are of the same kind they come along, and if there is room for all numbers, the new network judges as the
    old one. Else a pair's product begins as the square, or as the number, that a single one was, and the layers are
    `into`'s. Raises ConfigError if nothing can be used.
    """
    old, new = network.architecture, into.architecture
    if not _has_same_views(old.features, new.features):
        raise ConfigError("the network to begin with sees other inputs than the one to train")
    if old.activation is Activation.PAIRWISE and new.activation is not Activation.PAIRWISE:
        raise ConfigError("the network to begin with has pairs of numbers, the one to train has none")
    numbers = np.concatenate([network.feature_biases[None], network.feature_weights]).astype(np.float64)
    numbers *= _one(new) / _one(old)
    grown = np.concatenate([into.feature_biases[None], into.feature_weights])
    places = _places(new)
    chosen = _by_weight(network)[:places]
    partners = _partners(old, numbers, chosen, new, np.random.default_rng(seed))
    for first, found in ((0, numbers[:, chosen]), (places, partners)):
        if found is not None:
            grown[0, first : first + len(chosen)] = np.rint(found[0])
            # One bucket of king squares can become several.
            every = np.tile(found[1:], (new.features.count // old.features.count, 1))
            grown[1:, first : first + len(chosen)] = np.rint(every)
    stacks = into.stacks
    if _has_same_layers(old, new):
        stacks = tuple((_with_places(layers[0], places, chosen), *layers[1:]) for layers in network.stacks)
    return replace(into, feature_biases=grown[0], feature_weights=grown[1:], stacks=stacks)


def _has_same_views(old: Features, new: Features) -> bool:
    alike = replace(old, buckets=new.buckets) == new
    return alike and (old.buckets == new.buckets or max(old.buckets) == 0)


def _has_same_layers(old: Architecture, new: Architecture) -> bool:
    return replace(old, features=new.features, width=new.width) == new


def _one(architecture: Architecture) -> int:
    """The largest activation."""
    return CLIPPED_ONE if architecture.activation is Activation.CLIPPED else SQUARED_ONE


def _places(architecture: Architecture) -> int:
    """Inputs of the first layer from each of the two views."""
    return architecture.layer_shapes[0][1] // 2


def _by_weight(network: Network) -> npt.NDArray[np.int64]:
    """Numbers in the order of the weights that the first layers give them; of pairs, the first of each."""
    weights = np.stack([layers[0].weights for layers in network.stacks]).astype(np.int64)
    heard = np.abs(weights).sum(axis=(0, 1)).reshape(2, -1).sum(axis=0)
    return np.argsort(-heard, kind="stable")


def _partners(
    old: Architecture, numbers: Numbers, chosen: npt.NDArray[np.int64], new: Architecture, random: np.random.Generator
) -> Numbers | None:
    """Returns the second numbers of the pairs whose first ones are chosen; None where there are no pairs."""
    if new.activation is not Activation.PAIRWISE:
        return None
    if old.activation is Activation.PAIRWISE:
        found: Numbers = numbers[:, chosen + _places(old)]
        return found
    first: Numbers = numbers[:, chosen]
    if old.activation is Activation.SQUARED:
        noise: Numbers = random.normal(size=first.shape) * first[1:].std(axis=0) * _DIFFERENCE
        noise[0] = 0
        noise += first
        return noise
    one = np.zeros_like(first)  # what a number is multiplied by to stay as it is
    one[0] = _one(new)
    return one


def _with_places(layer: Layer, places: int, chosen: npt.NDArray[np.int64]) -> Layer:
    """Returns the layer with its inputs where the chosen numbers are now; it does not listen to others."""
    both = layer.weights.reshape(len(layer.weights), 2, -1)
    moved = np.zeros((len(layer.weights), 2, places), np.int8)
    moved[:, :, : len(chosen)] = both[:, :, chosen]
    return Layer(layer.biases, moved.reshape(len(layer.weights), -1))
