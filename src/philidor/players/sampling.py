"""Drawing a move from a policy: temperature, top-p, and what nobody would play (book, ch. 4.8)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from philidor.core.random import SplitMix64

if TYPE_CHECKING:
    from philidor.games.chess import Position

# Smaller probabilities are as good as this one; the logarithm of none would be infinite.
_SMALLEST = 1e-9


def heated(shares: Mapping[str, float], temperature: float) -> dict[str, float]:
    """Returns the policy at a temperature: shares to the power 1 / temperature, summing to 1; 0 leaves the likeliest.

    Of several likeliest moves the first one is left.
    """
    if temperature <= 0:
        best = max(shares, key=lambda move: shares[move])
        return {move: float(move == best) for move in shares}
    highest = max(shares.values())
    return normalized({move: (share / highest) ** (1 / temperature) for move, share in shares.items()})


def top_p(shares: Mapping[str, float], mass: float) -> dict[str, float]:
    """Returns the likeliest moves that together have at least this share of all, and how likely they are then."""
    kept: dict[str, float] = {}
    total = sum(shares.values())
    for move, share in sorted(shares.items(), key=lambda pair: -pair[1]):
        kept[move] = share
        if sum(kept.values()) >= mass * total:
            break
    return normalized({move: share for move, share in shares.items() if move in kept})


def normalized(shares: Mapping[str, float]) -> dict[str, float]:
    """Returns the shares in proportion, summing to 1."""
    total = sum(shares.values())
    return {move: share / total for move, share in shares.items()}


def draw(shares: Mapping[str, float], random: SplitMix64) -> str:
    """Draws a move by its share."""
    moves, sums = list(shares), list(accumulate(shares.values()))
    point = sums[-1] * random.below(2**53) / 2**53
    return next((move for move, reached in zip(moves, sums, strict=True) if point < reached), moves[-1])


def extrapolated(near: Sequence[float], far: Sequence[float], k: float) -> list[float]:
    """Returns near + k * (near - far) of two policies' logits as a policy: further away from `far` than `near` is."""
    logits = [(1 + k) * _logarithm(a) - k * _logarithm(b) for a, b in zip(near, far, strict=True)]
    highest = max(logits)
    powers = [math.exp(logit - highest) for logit in logits]
    total = sum(powers)
    return [power / total for power in powers]


def _logarithm(probability: float) -> float:
    return math.log(max(probability, _SMALLEST))


def undoing(position: Position) -> str | None:
    """Returns the move that puts the piece back which the side to move has moved last; None if there is no such move.

    To take something and come back is no undoing.
    """
    parent = position.parent
    before = None if parent is None else parent.parent
    if parent is None or before is None or (last := parent.last_move) is None or before.is_capture(last):
        return None
    for move in position.legal_moves():
        if (move.from_square, move.to_square) == (last.to_square, last.from_square) and not position.is_capture(move):
            return position.uci(move)
    return None
