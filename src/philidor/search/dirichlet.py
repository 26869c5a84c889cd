"""Dirichlet noise from the shared random numbers: the same draws here and in cpp/search/dirichlet.h (book, ch. 4.3)."""

import math

from philidor.core.random import SplitMix64


def dirichlet(alpha: float, count: int, random: SplitMix64) -> list[float]:
    """Draws `count` shares that sum to 1; a small alpha singles out few of them."""
    draws = [gamma(alpha, random) for _ in range(count)]
    total = sum(draws)
    # With a tiny alpha all draws may underflow to nothing.
    return [draw / total for draw in draws] if total > 0 else [1 / count] * count


def gamma(alpha: float, random: SplitMix64) -> float:
    """Draws from the gamma distribution of this shape (Marsaglia and Tsang 2000)."""
    if alpha < 1:
        # Their boost for small shapes.
        return gamma(alpha + 1, random) * math.pow(uniform(random), 1 / alpha)
    d = alpha - 1 / 3
    c = 1 / math.sqrt(9 * d)
    while True:
        x = normal(random)
        v = 1 + c * x
        if v <= 0:
            continue
        v = v * v * v
        if math.log(uniform(random)) < 0.5 * x * x + d - d * v + d * math.log(v):
            return d * v


def normal(random: SplitMix64) -> float:
    """Draws from the standard normal distribution (Box and Muller 1958)."""
    radius = math.sqrt(-2 * math.log(uniform(random)))
    return radius * math.cos(2 * math.pi * uniform(random))


def uniform(random: SplitMix64) -> float:
    """Draws from (0, 1): 53 random bits, and half a step so that 0, which has no logarithm, never comes."""
    return ((random.next() >> 11) + 0.5) * 2.0**-53
