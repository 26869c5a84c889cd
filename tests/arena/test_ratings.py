"""The rating list: for two engines it is their match, for many it finds the strengths that made the results."""

import itertools
import math
import random

import pytest

from philidor.arena.ratings import Encounter, rating_list
from philidor.arena.statistics import Counts, PairStatistics, score_of


def encounter(counts: Counts) -> Encounter:
    pairs = PairStatistics(counts)
    return Encounter(2 * pairs.pairs, 2 * pairs.pairs * pairs.mean, pairs)


def simulated(elos: list[float], pairs: int, seed: int) -> dict[tuple[int, int], Encounter]:
    rng = random.Random(seed)
    encounters = {}
    for i, j in itertools.combinations(range(len(elos)), 2):
        statistics = PairStatistics()
        for _ in range(pairs):
            points = sum(rng.random() < score_of(elos[i] - elos[j]) for _ in range(2))
            statistics = statistics.with_pair(points)
        encounters[i, j] = encounter(statistics.counts)
    return encounters


def test_two_engines_get_what_their_match_says() -> None:
    counts = (241, 3440, 6895, 3664, 258)
    ratings = rating_list(2, {(0, 1): encounter(counts)})
    assert ratings is not None
    assert ratings[0].value - ratings[1].value == pytest.approx(3.09, abs=0.01)
    assert ratings[0].value == pytest.approx(-ratings[1].value)
    # Each is half of the difference from the average, and so is its error.
    assert 2 * ratings[0].error == pytest.approx(2.24, abs=0.01)


def test_known_strengths_are_found_again_within_the_errors() -> None:
    elos = [-150.0, -50.0, 0.0, 200.0]
    inside = 0
    for seed in range(25):
        ratings = rating_list(4, simulated(elos, 200, seed))
        assert ratings is not None
        assert sum(rating.value for rating in ratings) == pytest.approx(0.0, abs=1e-6)
        inside += sum(abs(rating.value - elo) <= rating.error for rating, elo in zip(ratings, elos, strict=True))
    # 95 of 100 are expected; fewer than 88 or all 100 would each be rarer than one in a hundred.
    assert 88 <= inside <= 99


def test_anchors_stay_and_carry_the_others() -> None:
    ratings = rating_list(3, simulated([0.0, 100.0, 200.0], 500, 1), {0: 2000.0})
    assert ratings is not None
    assert (ratings[0].value, ratings[0].error) == (2000.0, 0.0)
    assert ratings[1].value == pytest.approx(2100, abs=40)
    assert ratings[2].value == pytest.approx(2200, abs=40)
    assert ratings[1].error > 0


def test_a_perfect_score_is_a_large_number_with_a_large_error() -> None:
    ratings = rating_list(2, {(0, 1): encounter((0, 0, 0, 0, 10))})
    assert ratings is not None
    assert 200 < ratings[0].value < 500
    assert math.isfinite(ratings[0].error)
    assert ratings[0].error > 50


def test_engines_without_a_common_opponent_are_not_rated() -> None:
    meeting = encounter((1, 1, 1, 1, 1))
    assert rating_list(4, {(0, 1): meeting, (2, 3): meeting}) is None
    assert rating_list(3, {(0, 1): meeting, (0, 2): encounter((0, 0, 0, 0, 0))}) is None
    assert rating_list(4, {(0, 1): meeting, (2, 3): meeting}, {0: 0.0, 2: 100.0}) is not None
