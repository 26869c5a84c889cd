"""Neurons, layers and networks of them, with back-propagation written out (book, ch. 2.1, 2.2 and 2.6).

A layer's weights are a matrix [inputs + 1, units]; its first row is w_0, which belongs to the input x_0 that is
always 1. Further dimensions in front hold several networks that learn side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Error = Callable[[Array, Array], tuple[Array, Array]]
"""Takes outputs and expected outcomes; returns the mean error of each network and its slope in the outputs."""


@dataclass(frozen=True, slots=True)
class Activation:
    """An activation function a(v), and its slope written in terms of what it returned."""

    name: str
    function: Callable[[Array], Array]
    slope: Callable[[Array], Array]


def sigmoid(v: Array) -> Array:
    """Returns 1 / (1 + e^-v)."""
    # exp of a large number would overflow; of minus its size it cannot.
    small = np.exp(-np.abs(v))
    return np.where(v >= 0, 1 / (1 + small), small / (1 + small))


def threshold(v: Array) -> Array:
    """Returns 0 below zero and 1 from zero on (ch. 2.1)."""
    return (v >= 0).astype(np.float64)


SIGMOID = Activation("sigmoid", sigmoid, lambda out: out * (1 - out))
TANH = Activation("tanh", np.tanh, lambda out: 1 - out**2)
RELU = Activation("relu", lambda v: np.maximum(v, 0.0), lambda out: (out > 0).astype(np.float64))
LINEAR = Activation("linear", lambda v: v, np.ones_like)


@dataclass(slots=True)
class Layer:
    """Units that all see the same inputs."""

    weights: Array
    """[..., inputs + 1, units], the bias first."""
    activation: Activation

    def forward(self, x: Array) -> Array:
        """Maps [..., n, inputs] to [..., n, units]: a(w_0 + x_1 w_1 + x_2 w_2 + ...)."""
        net = x @ self.weights[..., 1:, :] + self.weights[..., :1, :]
        return self.activation.function(net)


class Network:
    """Layers one after the other."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self.layers = list(layers)

    @classmethod
    def random(cls, sizes: Sequence[int], activations: Sequence[Activation], seed: int, copies: int = 0) -> Network:
        """Draws weights as Keras does (Glorot and Bengio, uniform; biases zero); `copies` of it side by side."""
        random = np.random.default_rng(seed)
        layers = []
        for inputs, units, activation in zip(sizes, sizes[1:], activations, strict=False):
            limit = np.sqrt(6 / (inputs + units))
            shape = (copies, inputs, units) if copies else (inputs, units)
            weights = random.uniform(-limit, limit, shape)
            bias = np.zeros((*shape[:-2], 1, units))
            layers.append(Layer(np.concatenate([bias, weights], axis=-2), activation))
        return cls(layers)

    @property
    def weights(self) -> list[Array]:
        """The matrices themselves: whoever changes them changes the network."""
        return [layer.weights for layer in self.layers]

    def forward(self, x: Array) -> list[Array]:
        """Returns the inputs and then each layer's outputs."""
        flow = [np.asarray(x, dtype=np.float64)]
        for layer in self.layers:
            flow.append(layer.forward(flow[-1]))
        return flow

    def predict(self, x: Any) -> Array:
        """Returns the outputs of the last layer."""
        return self.forward(np.asarray(x, dtype=np.float64))[-1]

    def gradients(self, x: Array, r: Array, error: Error) -> tuple[Array, list[Array]]:
        """Returns the error on examples x with outcomes r, and its partial derivative by every weight.

        The chain rule from right to left: dE/dw = dE/dout * dout/dnet * dnet/dw.
        """
        # 1. Forward: every layer's output is needed again.
        flow = self.forward(x)
        # 2. The error and its slope at the last outputs, dE/dout.
        total, slope = error(flow[-1], r)
        found: list[Array] = []
        # 3. Back through the layers: dout/dnet is the activation's slope, dnet/dw the layer's input (1 for the bias).
        for layer, inputs, out in zip(reversed(self.layers), reversed(flow[:-1]), reversed(flow[1:]), strict=True):
            by_net = slope * layer.activation.slope(out)
            by_weights = np.swapaxes(inputs, -1, -2) @ by_net
            found.append(np.concatenate([by_net.sum(axis=-2, keepdims=True), by_weights], axis=-2))
            # dnet/dinput is the weight: what the layer before has to answer for.
            slope = by_net @ np.swapaxes(layer.weights[..., 1:, :], -1, -2)
        return total, found[::-1]
