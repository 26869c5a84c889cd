"""Lichess's formulas, on cases computed by hand."""

import math

import pytest

from philidor.core.analysis import Score
from philidor.reviews import formulas


def test_win_percentages_are_those_of_the_curve() -> None:
    assert formulas.win_percent(0) == 50
    # 1 / (1 + e^-0.368208) and its mirror image.
    assert formulas.win_percent(100) == pytest.approx(59.1026, abs=1e-4)
    assert formulas.win_percent(-100) == pytest.approx(100 - 59.1026, abs=1e-4)
    assert formulas.win_percent(1000) == pytest.approx(97.5448, abs=1e-4)


def test_a_move_that_loses_nothing_is_accurate() -> None:
    assert formulas.move_accuracy(50, 50) == 100
    assert formulas.move_accuracy(50, 60) == 100


def test_accuracy_falls_with_the_points_that_are_lost() -> None:
    # 103.1668 e^(-0.435442) - 3.1669 + 1 = 66.7466 - 2.1669
    assert formulas.move_accuracy(60, 50) == pytest.approx(64.580, abs=1e-3)
    # 103.1668 e^(-2.177208) - 2.1669 = 11.6949 - 2.1669
    assert formulas.move_accuracy(80, 30) == pytest.approx(9.528, abs=1e-3)
    assert formulas.move_accuracy(100, 0) == 0  # -0.84, cut


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (0, -54, None),  # 50.00 - 45.05 = 4.95 points
        (0, -55, "?!"),  # 50.00 - 44.95 = 5.05
        (0, -110, "?!"),  # 9.99
        (0, -111, "?"),  # 10.05
        (0, -168, "?"),  # 14.99
        (0, -169, "??"),  # 15.07
        (900, 600, "?!"),  # 96.49 - 90.11 = 6.38: a queen up, three pawns less matter little
        (-100, 50, None),
    ],
)
def test_centipawns_are_judged_by_the_points_they_lose(before: int, after: int, expected: str | None) -> None:
    assert formulas.judge(Score(cp=before), Score(cp=after)) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (Score(cp=0), Score(mate=-3), "??"),  # walks into a mate
        (Score(cp=-701), Score(mate=-3), "?"),  # in a lost position
        (Score(cp=-1000), Score(mate=-3), "?!"),  # in a hopeless one
        (Score(mate=2), Score(cp=600), "??"),  # lets a mate go
        (Score(mate=2), Score(cp=701), "?"),
        (Score(mate=2), Score(cp=1000), "?!"),
        (Score(mate=2), Score(mate=-1), "??"),  # mates become the other side's
        (Score(mate=2), Score(mate=5), None),  # slower is no mistake
        (Score(mate=-2), Score(mate=-1), None),
        (Score(mate=-2), Score(cp=0), None),
        (Score(cp=100), Score(mate=0), None),  # the move mates
        (Score(mate=1), Score(mate=0), None),
    ],
)
def test_mates_are_judged_by_what_they_change(before: Score, after: Score, expected: str | None) -> None:
    assert formulas.judge(before, after) == expected


def test_moves_of_a_calm_game_weigh_little() -> None:
    # Four moves: windows of two. Deviations of two numbers are half their distance: 0, 5, 20 (cut at 12), 0.
    assert formulas.volatility_weights([50, 50, 60, 20, 20]) == [0.5, 5, 12, 0.5]


def test_longer_games_have_wider_windows_and_repeat_the_first() -> None:
    percents = [50.0] * 27 + [80.0] * 4  # 30 moves: windows of three, the first one twice
    weights = formulas.volatility_weights(percents)
    assert len(weights) == 30
    assert weights[:25] == [0.5] * 25
    assert weights[26] == 12  # the move behind which 50, 50, 80 becomes 50, 80, 80: a deviation of 14.1


def test_the_accuracy_of_a_game_lies_between_two_means() -> None:
    # Weighted: (100 + 3 * 50) / 4 = 62.5. Harmonic: 2 / (1/100 + 1/50) = 66.67.
    assert formulas.game_accuracy([100, 50], [1, 3]) == pytest.approx((62.5 + 200 / 3) / 2)
    # An accuracy of 0 counts as 1 in the harmonic mean: 2 / (1 + 1/100) = 1.980.
    assert formulas.game_accuracy([0, 100], [1, 1]) == pytest.approx((50 + 2 / 1.01) / 2)
    assert formulas.game_accuracy([], []) is None


def test_average_loss() -> None:
    assert formulas.average_loss([0, 30, 60]) == 30
    assert formulas.average_loss([]) is None


def test_the_curve_is_the_published_one() -> None:
    for cp in range(-1500, 1501, 250):
        published = 50 + 50 * (2 / (1 + math.exp(-0.00368208 * cp)) - 1)
        assert formulas.win_percent(cp) == pytest.approx(published)
