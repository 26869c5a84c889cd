"""Filters over pictures: convolution by hand, padding, stride, pooling (ch. 2.8), and a picture to try them on."""

from __future__ import annotations

import numpy as np

from philidor.book.chapter2.neurons import Array

EDGES = np.array([[1.0, 0.0, -1.0]] * 3)
"""The edge filter of ch. 2.8: large where left and right differ."""
SOBEL = np.array([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])
"""Sobel's: the middle row counts twice."""


def convolve(image: Array, kernel: Array, *, stride: int = 1, padding: int = 0) -> Array:
    """Moves a filter over a picture; at each place the products of both are added up (equation 2.2).

    A picture of h x w becomes one of (h + 2 padding - k) / stride + 1 rows and as many columns in the same way. The
    listing in the book stops a row and a column too early.
    """
    padded = np.pad(image, padding)
    size = kernel.shape[0]
    rows = range(0, padded.shape[0] - size + 1, stride)
    columns = range(0, padded.shape[1] - size + 1, stride)
    return np.array([[(padded[y : y + size, x : x + size] * kernel).sum() for x in columns] for y in rows])


def max_pool(image: Array, size: int = 2) -> Array:
    """Keeps the largest number of every square of size x size."""
    height, width = (length // size for length in image.shape)
    squares = image[: height * size, : width * size].reshape(height, size, width, size)
    return np.asarray(squares.max(axis=(1, 3)))


def black_and_white(image: Array, limit: float) -> Array:
    """Returns 0 (black) where a filtered picture is above the limit in size, else 255, as ch. 2.8 does."""
    return np.where(np.abs(image) > limit, 0.0, 255.0)


def picture(size: int = 64) -> Array:
    """Returns a drawing of our own in grays from 0 to 255: a round face with eyes, horns and teeth, on a light wall."""
    y, x = np.mgrid[0:size, 0:size] / (size - 1) * 2 - 1
    image = 205 + 25 * y  # the wall, lighter toward the floor
    horns = (np.abs(np.abs(x) - 0.42) < 0.10 * (y + 1.0) + 0.02) & (y < -0.45)
    image[horns] = 60
    image[(x / 0.78) ** 2 + ((y - 0.12) / 0.72) ** 2 < 1] = 45
    image[(x / 0.56) ** 2 + ((y - 0.28) / 0.42) ** 2 < 1] = 150
    for side in (-1, 1):
        image[((x - 0.3 * side) / 0.2) ** 2 + ((y + 0.18) / 0.16) ** 2 < 1] = 245
        image[((x - 0.26 * side) / 0.08) ** 2 + ((y + 0.16) / 0.08) ** 2 < 1] = 10
    mouth = (np.abs(x) < 0.42) & (y > 0.3) & (y < 0.52)
    image[mouth] = 15
    teeth = mouth & (np.abs((x * 7) % 1 - 0.5) < 0.36) & (np.abs(y - 0.41) < 0.085)
    image[teeth] = 250
    return np.asarray(image)
