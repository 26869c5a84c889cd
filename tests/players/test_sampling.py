"""Moves are drawn as the policy, its temperature and its cut say; the numbers were worked out by hand."""

import math
from collections import Counter

import pytest

from philidor.core.random import SplitMix64
from philidor.games.chess import Position
from philidor.players.sampling import draw, extrapolated, heated, top_p, undoing

SHARES = {"a": 0.5, "b": 0.3, "c": 0.15, "d": 0.05}


def after(*moves: str, fen: str = "startpos") -> Position:
    position = Position(fen)
    for move in moves:
        position = position.play(move)
    return position


def test_half_the_temperature_squares_the_shares() -> None:
    squares = 0.25 + 0.09 + 0.0225 + 0.0025
    expected = {"a": 0.25 / squares, "b": 0.09 / squares, "c": 0.0225 / squares, "d": 0.0025 / squares}
    assert heated(SHARES, 0.5) == pytest.approx(expected)
    assert heated(SHARES, 1.0) == pytest.approx(SHARES)
    assert heated(SHARES, 0.0) == {"a": 1.0, "b": 0.0, "c": 0.0, "d": 0.0}


@pytest.mark.parametrize(
    ("mass", "kept"), [(1.0, "abcd"), (0.96, "abcd"), (0.94, "abc"), (0.8, "ab"), (0.51, "ab"), (0.5, "a"), (0.01, "a")]
)
def test_top_p_keeps_the_fewest_moves_that_reach_the_share(mass: float, kept: str) -> None:
    found = top_p(SHARES, mass)
    total = sum(SHARES[move] for move in kept)
    assert found == pytest.approx({move: SHARES[move] / total for move in kept})


def test_draws_are_distributed_as_the_policy() -> None:
    count = 20_000
    drawn = Counter(draw(SHARES, SplitMix64(seed)) for seed in range(count))
    chi_square = sum((drawn[move] - count * share) ** 2 / (count * share) for move, share in SHARES.items())
    assert chi_square < 16.27  # three degrees of freedom: exceeded once in a thousand times


def test_extrapolation_goes_on_in_the_same_direction() -> None:
    near, far = [0.6, 0.4], [0.8, 0.2]
    # Odds 1.5 and 4: one step further in the logarithm is 1.5 * 1.5 / 4.
    assert extrapolated(near, far, 1.0)[0] / extrapolated(near, far, 1.0)[1] == pytest.approx(1.5 * 1.5 / 4)
    assert extrapolated(near, far, 0.5)[0] / extrapolated(near, far, 0.5)[1] == pytest.approx(1.5 * math.sqrt(1.5 / 4))
    assert extrapolated(near, far, 0.0) == pytest.approx(near)
    assert sum(extrapolated([1.0, 0.0], [0.5, 0.5], 3.0)) == pytest.approx(1)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ((), None),
        (("g1f3",), None),
        (("g1f3", "g8f6"), "f3g1"),
        (("e2e4", "e7e5"), None),
        (("g1f3", "e7e5", "f3e5", "a7a6"), None),  # it took a pawn there
        (("g1f3", "d7d5", "f3e5", "d8d6", "e5f3", "d6h2"), "f3e5"),
    ],
)
def test_undoing_is_to_put_the_last_piece_back(moves: tuple[str, ...], expected: str | None) -> None:
    assert undoing(after(*moves)) == expected
