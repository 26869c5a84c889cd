"""What searches teach: moves are judged by what they give away, and lessons are visits or a policy in parts."""

from __future__ import annotations

import pytest
from zero_targets import losses, main, own_positions, result, settings_of, taught

from philidor import load_engine, load_game
from philidor.core.errors import ConfigError
from philidor.core.random import SplitMix64
from philidor.games.chess import Position
from philidor.search.dirichlet import uniform
from philidor.selfplay.pool.game import GameInPlay
from tests.search.test_puct import HashEvaluator

MATE_IN_ONE = Position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")


def test_moves_give_away_what_the_best_one_is_worth_more() -> None:
    judge = load_engine("nnue", nodes=500)
    given_away = dict(zip(MATE_IN_ONE.legal_moves(), losses(MATE_IN_ONE, judge, 500), strict=True))
    assert [move for move, loss in given_away.items() if loss == 0] == [MATE_IN_ONE.parse_move("a1a8")]
    hanging = Position("6k1/5ppp/8/3q4/8/8/3R1PPP/6K1 w - - 0 1")
    given_away = dict(zip(hanging.legal_moves(), losses(hanging, judge, 500), strict=True))
    assert given_away[hanging.parse_move("d2d5")] == 0
    assert given_away[hanging.parse_move("h2h3")] > 0.3


def test_policies_are_compared_with_the_networks_own() -> None:
    own, given_away = [[3.0, 1.0], [0.5, 0.5]], [[0.4, 0.0], [0.0, 0.2]]
    found = result([[0, 60_000], [30_000, 10_000]], own, given_away)
    assert found.drawn == pytest.approx(2.5)  # 0 and 5 percent
    assert found.likeliest == pytest.approx(0.0)
    assert found.gain == pytest.approx(20 - 2.5)  # 30 and 10 percent before
    assert found.entropy == pytest.approx((0 + 0.5623) / 2, abs=1e-3)


@pytest.mark.parametrize(
    "settings",
    [
        "simulations=30,noise=0.3",
        "simulations=30,target_scale=1,noise=0.3",
        "search=gumbel,simulations=30,gumbel_c_scale=2",
    ],
)
def test_a_lesson_is_what_a_pools_game_keeps(settings: str) -> None:
    config = settings_of(f"{settings},opening_plies=0")
    game = GameInPlay(load_game("chess"), config, 0, SplitMix64(7))
    while not (kept := game.unfinished(None).visits):
        position = game.walk()
        assert position is not None
        game.answer(HashEvaluator().evaluate([position])[0])
    # What the game has drawn before its first search: the opening's length, whether the search is full, and its seed.
    random = SplitMix64(7)
    assert random.below(1) == 0
    uniform(random)
    lesson = taught(Position(), config, HashEvaluator(), random.next() >> 1)
    assert {place: parts for place, parts in enumerate(lesson) if parts} == kept[0]


def test_positions_are_met_in_games_of_the_networks_own() -> None:
    positions = own_positions(HashEvaluator(), 5, SplitMix64(3))
    assert len({position.fen() for position in positions}) == 5
    assert all(position.ply >= 6 and len(position.legal_moves()) > 1 for position in positions)


def test_a_setting_that_no_pool_has_is_refused() -> None:
    with pytest.raises(ConfigError, match="simulation"):
        settings_of("simulation=3")


@pytest.mark.parametrize(("network", "message"), [("philidor-5", "has no policy"), ("nowhere.pb.gz", "nowhere")])
def test_a_network_that_cannot_search_is_refused(
    network: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([network, "simulations=3"])
    told = capsys.readouterr().err
    assert message in told
    assert "Traceback" not in told
