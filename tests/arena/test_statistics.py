"""Elo, its error and the sequential test: against published numbers, closed formulas and symmetry."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.arena.sprt import MODELS, Sprt
from philidor.arena.statistics import Counts, PairStatistics, elo_of, score_of
from philidor.core.errors import ConfigError

# A test of Stockfish as fastchess reports it.
PUBLISHED: Counts = (241, 3440, 6895, 3664, 258)

count = st.integers(min_value=0, max_value=20_000)
all_counts = st.tuples(count, count, count, count, count)
some = st.integers(min_value=20, max_value=20_000)
rich_counts = st.tuples(some, some, some, some, some)
# The normal approximation is good where no result is rare.
even = st.integers(min_value=200, max_value=2_000)
even_counts = st.tuples(even, even, even, even, even)
# A test of extreme results takes a while; a loaded machine makes it look slow.
patient = settings(deadline=None)


def test_the_published_block_is_reproduced() -> None:
    statistics = PairStatistics(PUBLISHED)
    assert str(statistics.elo) == "3.09 +/- 2.24"
    assert str(statistics.normalized_elo) == "5.52 +/- 4.00"
    test = Sprt(elo0=0, elo1=3, alpha=0.05, beta=0.1)
    assert [round(bound, 2) for bound in test.bounds] == [-2.25, 2.89]
    llr = test.llr(PUBLISHED)
    assert round(llr, 2) == 2.90
    assert round(100 * llr / test.bounds[1], 1) == 100.2
    assert test.decision(PUBLISHED) == "H1"


def test_ratios_by_hand() -> None:
    statistics = PairStatistics((1, 2, 4, 2, 1))
    assert statistics.mean == 0.5
    assert statistics.variance == pytest.approx((2 * 0.25 + 4 * 0.0625) / 10)
    assert statistics.draw_ratio == 0.4
    assert statistics.pairs_ratio == 1.0
    assert statistics.likelihood_of_superiority == 0.5


def test_los_is_the_normal_distribution_of_the_score() -> None:
    # One standard error above a half: 84.13 %.
    statistics = PairStatistics((0, 0, 50, 50, 0))
    z = (statistics.mean - 0.5) / statistics.standard_error
    assert statistics.likelihood_of_superiority == pytest.approx(0.5 * (1 + math.erf(z / math.sqrt(2))))


def test_a_hundred_elo_are_64_percent() -> None:
    assert score_of(100) == pytest.approx(0.640065, abs=1e-6)
    assert elo_of(0.75) == pytest.approx(190.848502, abs=1e-6)


@pytest.mark.parametrize(
    ("counts", "value"), [((0, 0, 0, 0, 5), math.inf), ((5, 0, 0, 0, 0), -math.inf), ((0, 0, 5, 0, 0), 0.0)]
)
def test_one_sided_results_are_no_error(counts: Counts, value: float) -> None:
    statistics = PairStatistics(counts)
    assert statistics.elo.value == value
    assert statistics.normalized_elo.value == value
    assert statistics.normalized_elo.error == math.inf


def test_nothing_played_is_no_error() -> None:
    statistics = PairStatistics()
    assert (statistics.mean, statistics.elo.value, statistics.draw_ratio) == (0.5, 0.0, 0.0)
    assert math.isnan(statistics.pairs_ratio)
    assert Sprt(elo0=0, elo1=5).llr((0, 0, 0, 0, 0)) == 0.0


def test_pairs_are_counted_by_their_points() -> None:
    statistics = PairStatistics()
    for points in (0, 0.5, 1, 1.5, 2, 2):
        statistics = statistics.with_pair(points)
    assert statistics.counts == (1, 1, 1, 1, 2)


@given(all_counts)
def test_the_opponent_sees_the_opposite(counts: Counts) -> None:
    one = PairStatistics(counts)
    other = one.mirrored()
    assert other.mirrored() == one
    assert other.elo.value == pytest.approx(-one.elo.value, abs=1e-6)
    assert other.normalized_elo.value == pytest.approx(-one.normalized_elo.value, abs=1e-6)
    assert other.likelihood_of_superiority == pytest.approx(1 - one.likelihood_of_superiority, abs=1e-9)


@patient
@given(rich_counts, st.sampled_from(MODELS))
def test_a_test_seen_from_the_other_side_is_the_opposite(counts: Counts, model: str) -> None:
    llr = Sprt(elo0=0, elo1=5, model=model).llr(counts)
    mirrored = Sprt(elo0=-5, elo1=0, model=model).llr(PairStatistics(counts).mirrored().counts)
    assert mirrored == pytest.approx(-llr, rel=1e-4, abs=1e-4)


@patient
@given(all_counts, st.sampled_from(MODELS))
def test_any_counts_give_a_number(counts: Counts, model: str) -> None:
    assert math.isfinite(Sprt(elo0=0, elo1=5, model=model).llr(counts))


@patient
@given(even_counts)
def test_close_guesses_agree_with_the_normal_approximation(counts: Counts) -> None:
    # For a small difference the likelihood ratio becomes that of a normal distribution with known variance.
    statistics = PairStatistics(counts)
    middle = statistics.mean
    s0, s1 = middle - 0.00005, middle + 0.0001
    test = Sprt(elo0=elo_of(s0), elo1=elo_of(s1), model="logistic")
    expected = statistics.pairs * (s1 - s0) * (2 * middle - s0 - s1) / (2 * statistics.variance)
    assert test.llr(counts) == pytest.approx(expected, rel=0.02, abs=1e-9)


@patient
@given(rich_counts)
def test_no_guess_beats_the_measured_difference(counts: Counts) -> None:
    own = PairStatistics(counts).normalized_elo.value
    assert Sprt(elo0=own, elo1=own + 10).llr(counts) <= 1e-6
    assert Sprt(elo0=own - 10, elo1=own).llr(counts) >= -1e-6


@pytest.mark.parametrize(
    "bad",
    [
        {"elo0": 5, "elo1": 5},
        {"elo0": float("nan"), "elo1": 5},
        {"elo0": 0, "elo1": 5, "alpha": 0.5},
        {"elo0": 0, "elo1": 5, "beta": 0},
        {"elo0": 0, "elo1": 5, "model": "bayesian"},
    ],
)
def test_senseless_tests_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        Sprt(**bad)  # type: ignore[arg-type]
