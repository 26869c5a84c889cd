"""The player that plays like people: ratings reach its network, moves are drawn from its policy, manners are theirs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from philidor.core.analysis import Analysis
from philidor.core.errors import ConfigError, UnknownNameError
from philidor.core.evaluation import Evaluation, Wdl
from philidor.core.manners import Gesture, MannerlyPlayer
from philidor.core.random import SplitMix64
from philidor.core.thinking import Limits
from philidor.evaluators.human import evaluate_at_ratings
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from philidor.games.chess import Position
from philidor.nets import shipped
from philidor.nets.leela.files import save_leela
from philidor.nets.shipped import find_net
from philidor.players import human_manners, load_engine
from philidor.players.human import HumanPlayer
from philidor.players.human_config import HumanConfig
from philidor.players.human_policy import LOWEST, WORDS, words_for
from philidor.players.human_sight import considered
from philidor.players.sampling import extrapolated, normalized
from tests.human_nets import write_human
from tests.nets.leela_nets import residual_net

START = Position()
ROOK_ENDING = Position("8/8/8/4k3/8/8/8/R3K3 w - - 0 1")


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_human(tmp_path_factory.mktemp("human"))


@pytest.fixture(scope="module")
def network(net: Path) -> NetEvaluator:
    loaded = load_net(net)
    assert isinstance(loaded, NetEvaluator)
    return loaded


def human(net: Path, **config: Any) -> HumanPlayer:
    player = load_engine("human", net=net, **config)
    assert isinstance(player, HumanPlayer)
    return player


def priors(network: NetEvaluator, rating: int, opponent_rating: int, position: Position = START) -> list[float]:
    found: list[float] = evaluate_at_ratings(network, [position], [(rating, opponent_rating)])[0].priors.tolist()
    return found


# --- Ratings ----------------------------------------------------------------------------------------------------


def test_each_rating_reaches_its_own_place_in_the_network(net: Path, network: NetEvaluator) -> None:
    policy = human(net).policy(START, rating=1500, opponent_rating=2100)
    expected = priors(network, 1500, 2100)
    assert [policy[START.uci(move)] for move in START.legal_moves()] == pytest.approx(expected)
    assert expected != pytest.approx(priors(network, 2100, 1500)), "the network must tell them apart"


def test_an_opponent_who_is_not_rated_is_an_equal(net: Path) -> None:
    player = human(net, rating=1900)
    assert player.policy(START) == player.policy(START, rating=1900, opponent_rating=1900)
    assert player.policy(START, rating=1200) == player.policy(START, rating=1200, opponent_rating=1200)
    assert player.policy(START, opponent_rating=1200) == player.policy(START, rating=1900, opponent_rating=1200)
    assert sum(player.policy(START).values()) == pytest.approx(1)
    for wrong in (599, 2601):
        with pytest.raises(ConfigError, match=f"rating must be an integer from 600 to 2600, got {wrong}"):
            player.policy(START, rating=wrong)


def test_below_1000_the_policy_is_carried_beyond_1100(net: Path, network: NetEvaluator) -> None:
    policy = human(net, extrapolation=1.0).policy(START, rating=800, opponent_rating=1200)
    carried = extrapolated(priors(network, 1100, 1500), priors(network, 1700, 2100), 0.5)
    texts = [START.uci(move) for move in START.legal_moves()]
    assert policy == pytest.approx(dict(zip(texts, carried, strict=True)))


def test_a_beginner_does_not_expect_to_beat_an_equal(net: Path, network: NetEvaluator) -> None:
    equals = evaluate_at_ratings(network, [START], [(1100, 1100)])[0].wdl
    for rating in (600, 900):
        assert human(net, rating=rating).think(START).wdl == pytest.approx(equals)
    assert equals != pytest.approx(evaluate_at_ratings(network, [START], [(1100, 1000)])[0].wdl), "it must matter"


def test_every_rating_has_words() -> None:
    assert words_for(LOWEST) == "new to chess"
    assert [words_for(below - 1) for below, _ in WORDS] == [word for _, word in WORDS]


# --- Drawing ----------------------------------------------------------------------------------------------------


def test_moves_are_drawn_as_often_as_its_choices_say(net: Path) -> None:
    # The policy alone, in the opening, where people's habit is to draw from it as it is.
    settings: dict[str, Any] = {"look_nodes": 0}
    player, count, drawn = human(net, **settings), 3_000, Counter[str]()
    for seed in range(count):
        player.config = HumanConfig(net=net, seed=seed, **settings)
        drawn[player.think(START).best or ""] += 1
    choices = player.choices(START)
    assert choices == pytest.approx(normalized(considered(player.policy(START))))
    chi_square = sum((drawn[move] - count * share) ** 2 / (count * share) for move, share in choices.items())
    assert chi_square < 43.8  # at most 19 degrees of freedom: exceeded once in a thousand times


def test_temperature_0_and_a_small_top_p_play_the_likeliest_move(net: Path) -> None:
    likeliest = next(iter(human(net).policy(START)))
    for settings in ({"temperature": 0.0}, {"top_p": 0.01}):
        player = human(net, look_nodes=0, **settings)
        for _ in range(10):
            assert player.think(START).best == likeliest
            player.new_game()


def test_a_game_is_the_same_with_the_same_seed_and_another_with_another(net: Path) -> None:
    games = []
    for seed in (1, 1, 2):
        player, position = human(net, seed=seed), START
        for _ in range(12):
            position = position.play(player.choose(position))
        games.append(position.moves())
    assert games[0] == games[1] != games[2]


def test_the_answer_has_the_policy_and_the_chances(net: Path) -> None:
    reports: list[Analysis] = []
    found = human(net, rating=1300).think(START, report=reports.append)
    assert {stats.move: stats.prior for stats in found.moves} == pytest.approx(human(net).policy(START, rating=1300))
    assert found.human[1300] == pytest.approx({stats.move: stats.prior for stats in found.moves})
    assert found.wdl is not None
    assert sum(found.wdl) == pytest.approx(1, abs=0.01)
    assert reports[0].best is None
    assert reports[0].lines[0].moves == (found.best,)


def test_only_the_moves_that_are_left_are_played(net: Path) -> None:
    for rating in (600, 1500, 2500):
        player = human(net, rating=rating)
        assert player.think(START, Limits(moves=("a2a3",))).best == "a2a3"
        assert player.think(START, Limits(moves=("h2h4", "g2g4"))).best in ("h2h4", "g2g4")


def test_a_piece_is_not_put_back_in_the_opening_unless_that_is_likely(net: Path) -> None:
    position = START.play("g1f3").play("g8f6")
    share = human(net).policy(position)["f3g1"]
    never, ever = (human(net, look_nodes=0, undo_share=limit) for limit in (share * 1.01, share * 0.99))
    players = {"never": never, "ever": ever}
    seen: dict[str, set[str | None]] = {"never": set(), "ever": set()}
    for name, player in players.items():
        for _ in range(300):
            player.new_game()
            seen[name].add(player.think(position).best)
    assert "f3g1" in seen["ever"]
    assert "f3g1" not in seen["never"]


def test_from_1200_up_endings_are_not_thrown_away(net: Path) -> None:
    position = Position("8/8/3k4/8/8/8/K7/4R3 w - - 0 1")
    blunders, some = {"e1e5", "e1e6", "e1e7"}, Limits(moves=("e1e5", "e1e6", "e1e7", "e1e4", "a2b3"))
    assert blunders & set(human(net, rating=1100, look_nodes=0).choices(position, some))
    assert set(human(net, rating=1200, look_nodes=0).choices(position, some)) == {"e1e4", "a2b3"}


def test_it_mates_with_king_and_rook_though_its_network_knows_nothing(net: Path) -> None:
    player, position = human(net, rating=1200), ROOK_ENDING
    while not position.is_over():
        position = position.play(player.choose(position) if position.turn else position.legal_moves()[0])
    assert position.is_checkmate(), position.fen()


# --- Networks ---------------------------------------------------------------------------------------------------


def test_a_network_without_ratings_plays_and_says_so(tmp_path: Path) -> None:
    save_leela(residual_net(), tmp_path / "maia.pb.gz")
    player, reports = human(tmp_path / "maia.pb.gz", rating=2600), list[Analysis]()
    assert player.policy(START, rating=800) == player.policy(START, rating=2400)
    found = player.think(START, report=reports.append)
    assert found.nodes == 1
    assert found.human == {}
    assert reports[0].notes == ("maia.pb.gz knows no ratings: the rating chooses nothing",)
    player.think(START, report=reports.append)
    assert reports[1].notes == ()


def test_a_network_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownNameError, match="no network 'nobody'"):
        load_engine("human", net="nobody")
    monkeypatch.setattr(shipped, "shipped_nets", dict)
    with pytest.raises(ConfigError, match="the network of human, 'human-1', is not here; name another with --net FILE"):
        load_engine("human")
    monkeypatch.undo()
    with pytest.raises(ConfigError, match="that takes a policy of chess"):
        load_engine("human", net=find_net("philidor-4"))


# --- Manners ----------------------------------------------------------------------------------------------------


def test_a_game_is_given_up_when_it_was_lost_for_several_moves() -> None:
    lost, unclear = Wdl(0.01, 0.02, 0.97), Wdl(0.05, 0.05, 0.90)
    assert human_manners.resigns([lost] * 3, 0.95, 3)
    assert human_manners.resigns([lost] * 3 + [unclear], 0.95, 3)
    assert not human_manners.resigns([lost, lost, unclear], 0.95, 3)
    assert not human_manners.resigns([lost] * 2, 0.95, 3)


def test_a_draw_is_offered_late_seldom_and_when_it_is_likely() -> None:
    even, unclear = Wdl(0.1, 0.8, 0.1), Wdl(0.4, 0.2, 0.4)
    assert human_manners.offers_draw([even] * 3, 0.6, 3, 32)
    assert not human_manners.offers_draw([even] * 3, 0.6, 3, 33)
    assert not human_manners.offers_draw([even] * 3, 0.6, 3, 16)
    assert not human_manners.offers_draw([even, even, unclear], 0.6, 3, 32)


@pytest.mark.parametrize(
    ("wdl", "move", "takes"),
    [
        (Wdl(0.3, 0.4, 0.3), 30, True),
        (Wdl(0.1, 0.2, 0.7), 30, True),
        (Wdl(0.5, 0.3, 0.2), 30, False),
        (Wdl(0.3, 0.4, 0.3), 8, False),
        (Wdl(0.1, 0.2, 0.7), 8, True),
    ],
)
def test_a_draw_is_taken_by_who_stands_no_better(wdl: Wdl, move: int, takes: bool) -> None:
    assert human_manners.takes_draw(wdl, move) is takes


class Expecting:
    """A network that expects White, rated 1300 against 2000, to lose, and knows nothing of other ratings."""

    knows_ratings = True

    def evaluate(self, positions: Sequence[Position], ratings: Sequence[tuple[int, int]]) -> list[Evaluation[Any]]:
        lost = Wdl(0.01, 0.02, 0.97)
        expected = {(True, (1300, 2000)): lost, (False, (2000, 1300)): lost.flipped()}
        pairs = zip(positions, ratings, strict=True)
        return [Evaluation.uniform(p, expected.get((p.turn, pair), Wdl(0.1, 0.8, 0.1))) for p, pair in pairs]


def test_gestures_are_made_by_its_own_chances_and_only_where_they_were_chosen(net: Path) -> None:
    positions = [START]
    for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4"):
        positions.append(positions[-1].play(move))
    player = human(net, rating=1300, opponent_rating=2000, resigns=True)
    assert isinstance(player, MannerlyPlayer)
    player.network = Expecting()  # type: ignore[assignment]
    assert [player.gesture(position) for position in positions] == [None] * 4 + [Gesture.RESIGN, None]
    assert [player.accepts_draw(position, 0) for position in positions] == [True] * 6
    player.config = replace(player.config, resigns=False)
    assert player.gesture(positions[4]) is None
    player.config = replace(player.config, resigns=True, rating=2000, opponent_rating=1300)
    late = Position("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 30")
    for move in ("e1d1", "e8d8", "d1e1", "d8e8"):
        late = late.play(move)
    assert player.gesture(late) is Gesture.OFFER_DRAW
    assert not player.accepts_draw(positions[0], 1), "Black is about to win, and it is White's turn"
    assert not player.accepts_draw(positions[1], 1)


def test_people_think_longer_where_more_moves_are_likely() -> None:
    def mean(shares: list[float], ply: int, men: int) -> float:
        return sum(human_manners.seconds_for(shares, ply, men, SplitMix64(seed)) for seed in range(400)) / 400

    plain, hard = [0.97, 0.01, 0.01, 0.01], [0.25] * 4
    assert mean(plain, 30, 28) < 4 < mean(hard, 30, 28) < 10
    assert mean(hard, 4, 32) < mean(hard, 60, 8) < mean(hard, 30, 28)
    assert human_manners.seconds_for([1.0], 30, 28, SplitMix64(0)) < 1
