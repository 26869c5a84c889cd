"""How weights follow the gradient: plain descent, momentum, Adam (ch. 2.2; Kingma and Ba 2015)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from philidor.book.chapter2.neurons import Array, Error, Network

Step = Callable[[Sequence[Array], Sequence[Array]], None]
"""Takes weights and their gradients; changes the weights."""


def sgd(learning_rate: float, momentum: float = 0.0) -> Step:
    """Returns gradient descent: w <- w - eta dE/dw. With momentum, each step keeps a share of the one before."""
    velocity: list[Array] = []

    def step(weights: Sequence[Array], gradients: Sequence[Array]) -> None:
        if not velocity:
            velocity.extend(np.zeros_like(each) for each in weights)
        for number, (weight, gradient) in enumerate(zip(weights, gradients, strict=True)):
            velocity[number] = momentum * velocity[number] - learning_rate * gradient
            weight[...] += velocity[number]

    return step


def adam(learning_rate: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-7) -> Step:
    """Returns Adam: each weight's step is its mean gradient over the root of its mean squared gradient."""
    means: list[Array] = []
    squares: list[Array] = []
    count = 0

    def step(weights: Sequence[Array], gradients: Sequence[Array]) -> None:
        nonlocal count
        if not means:
            means.extend(np.zeros_like(each) for each in weights)
            squares.extend(np.zeros_like(each) for each in weights)
        count += 1
        # Both means begin at zero; early on they are too small by these factors.
        rate = learning_rate * np.sqrt(1 - beta2**count) / (1 - beta1**count)
        for number, (weight, gradient) in enumerate(zip(weights, gradients, strict=True)):
            means[number] += (1 - beta1) * (gradient - means[number])
            squares[number] += (1 - beta2) * (gradient**2 - squares[number])
            weight[...] -= rate * means[number] / (np.sqrt(squares[number]) + epsilon)

    return step


def fit(
    network: Network,
    x: Array,
    r: Array,
    step: Step,
    *,
    error: Error,
    epochs: int,
    batch: int = 0,
    seed: int = 0,
    every: int = 0,
    watch: Callable[[int, Array], None] = lambda epoch, error: None,
) -> None:
    """Trains a network: `epochs` passes over all examples, in random batches (0: all at once).

    `watch` is told the last batch's error every so many epochs, and after the last one.
    """
    random = np.random.default_rng(seed)
    total = np.zeros(())
    for epoch in range(epochs):
        order = random.permutation(len(x)) if batch else None
        for start in range(0, len(x), batch or len(x)):
            rows = slice(None) if order is None else order[start : start + batch]
            total, gradients = network.gradients(x[rows], r[rows], error)
            step(network.weights, gradients)
        if every and (epoch % every == 0 or epoch + 1 == epochs):
            watch(epoch, total)
