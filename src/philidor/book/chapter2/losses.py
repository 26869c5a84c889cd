"""What is made smaller: errors of numbers (ch. 2.2) and of choices (ch. 2.3), each with its slope."""

from __future__ import annotations

import numpy as np

from philidor.book.chapter2.neurons import Array


def mean_squared(out: Array, r: Array) -> tuple[Array, Array]:
    """Returns the mean of (out - r)^2 over examples and outputs, and its slope."""
    count = out.shape[-1] * out.shape[-2]
    return ((out - r) ** 2).mean(axis=(-1, -2)), 2 * (out - r) / count


def mean_absolute(out: Array, r: Array) -> tuple[Array, Array]:
    """Returns the mean of |out - r|, and its slope."""
    count = out.shape[-1] * out.shape[-2]
    return np.abs(out - r).mean(axis=(-1, -2)), np.sign(out - r) / count


def softmax(o: Array) -> Array:
    """Returns e^o_i / sum_j e^o_j. The book prints the denominator without its exponential."""
    # The same factor above and below changes nothing, and keeps e^o small enough for a float.
    powers = np.exp(o - o.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def softmax_cross_entropy(out: Array, expected: Array) -> tuple[Array, Array]:
    """Returns - sum of e_i log p_i with p = softmax(out), the mean over examples, and its slope: p - e."""
    p = softmax(out)
    each = -(expected * np.log(np.clip(p, 1e-300, None))).sum(axis=-1)
    return each.mean(axis=-1), (p - expected) / out.shape[-2]


def categorical_cross_entropy(probabilities: Array, expected: Array) -> Array:
    """Returns - sum of e_i log p_i of each example; outcomes that are not expected cost nothing."""
    return np.asarray(-(expected * np.log(np.where(expected > 0, probabilities, 1.0))).sum(axis=-1))
