"""What the player human sees: a look at each likely move makes those that lose something less likely, as for people."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from philidor.core.thinking import Limits
from philidor.games.chess import Position
from philidor.nets.leela.files import save_leela
from philidor.players import load_engine
from philidor.players.human import HumanPlayer
from philidor.players.human_policy import HIGHEST, LOWEST
from philidor.players.human_sight import FEWEST, HABITS, MOST, Glance, Habit, considered, nodes_at, weighed
from tests.human_nets import write_human
from tests.nets.leela_nets import residual_net

# White's queen is attacked by a pawn: what does not move it, or takes the pawn, loses it.
ATTACKED = Position("r1bqkbnr/pp1p1ppp/8/4p3/2pQP3/8/PPP2PPP/RNB1KBNR w KQkq - 0 12")
SAVES = {move for move in map(ATTACKED.uci, ATTACKED.legal_moves()) if move.startswith("d4")}


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_human(tmp_path_factory.mktemp("human"))


def human(net: Path, **config: Any) -> HumanPlayer:
    player = load_engine("human", net=net, **config)
    assert isinstance(player, HumanPlayer)
    return player


def saved(player: HumanPlayer) -> float:
    return sum(share for move, share in player.choices(ATTACKED).items() if move in SAVES)


def test_a_look_sees_what_a_move_loses() -> None:
    losses = Glance().losses(ATTACKED, ["d4e5", "d4c4", "a2a3"], 2_000)
    assert losses is not None
    assert min(losses["d4e5"], losses["d4c4"]) == 0
    assert losses["a2a3"] > 400
    mate = Position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    assert Glance().losses(mate, ["a1a8", "g1f1"], 500) == {"a1a8": 0, "g1f1": pytest.approx(500, abs=500)}
    stalemate = Position("k7/8/1K6/8/8/8/2Q5/8 w - - 0 1")
    assert Glance().losses(stalemate, ["c2c8", "c2c7"], 500) == {"c2c8": 0, "c2c7": 1_000}


def test_a_loss_makes_a_move_less_likely_by_the_formula() -> None:
    habit = Habit(1.0, 1.0, 1.5)
    # At the center of the scale the weight is 1: 50 centipawns halve a move's weight, 150 leave a quarter of it.
    shares, losses = {"a": 0.5, "b": 0.3, "c": 0.2}, {"a": 150.0, "b": 0.0, "c": 50.0}
    total = 0.5 / 4 + 0.3 + 0.2 / 2
    seen = {"a": 0.125 / total, "b": 0.3 / total, "c": 0.1 / total}
    assert weighed(shares, losses, habit, 1700, 0.0) == pytest.approx(seen)
    # In lapses nothing is seen.
    mixed = {move: 0.9 * seen[move] + 0.1 * shares[move] for move in shares}
    assert weighed(shares, losses, habit, 1700, 0.1) == pytest.approx(mixed)
    assert habit.weight_at(2200) == pytest.approx(1.5)
    assert habit.weight_at(1400) == pytest.approx(1.5**-0.6)
    # Below 1400 weak players' attention fades as well, to nothing at 600.
    assert habit.weight_at(1200) == pytest.approx(0.75 / 1.5)
    assert habit.weight_at(1000) == pytest.approx(0.5 * 1.5**-1.4)
    assert habit.weight_at(600) == 0
    warm = Habit(0.4, 1.0, 1.5)
    assert [warm.temperature_at(rating, 1.6) for rating in (600, 1000, 1400, 2600)] == pytest.approx(
        [1.6, 0.8, 0.4, 0.4]
    )


def test_losses_count_more_with_each_level() -> None:
    for habit in HABITS:
        weights = [habit.weight_at(rating) for rating in range(LOWEST, HIGHEST + 1, 100)]
        assert weights == sorted(weights)
    assert HABITS[1].weight_at(2600) > 2 * HABITS[1].weight_at(1400)


def test_each_level_loses_less_than_the_one_below() -> None:
    """Two levels that lose alike cannot be told apart in any number of games, so steps of 200 points must be felt."""
    # Four moves as good as likely, and a policy that likes the bad ones as much: expected losses by the formula alone.
    losses = {"a": 0.0, "b": 30.0, "c": 120.0, "d": 400.0}
    for habit in HABITS:
        expected = []
        for rating in range(LOWEST, HIGHEST + 1, 200):
            shares = weighed(dict.fromkeys(losses, 0.25), losses, habit, rating)
            expected.append(sum(shares[move] * losses[move] for move in losses))
        steps = [above / below for below, above in itertools.pairwise(expected)]
        assert steps[0] < 0.96, "there the temperature tells levels apart too"
        assert max(steps[1:]) < 0.93, (habit, steps)
        assert expected[-1] < 0.5 * expected[2], "a grandmaster loses at most half of what a casual player loses"


def test_stronger_players_save_their_queen_more_often(net: Path) -> None:
    shares = [saved(human(net, rating=rating)) for rating in (1000, 1500, 2000, 2500)]
    blind = saved(human(net, rating=2500, look_nodes=0))
    assert shares == sorted(shares)
    assert shares[-1] > 0.95 > 0.75 > blind, (shares, blind)


def test_who_sees_nothing_does_not_look(net: Path) -> None:
    beginner = human(net, rating=LOWEST, temperature=0.5)
    assert beginner.choices(ATTACKED) == human(net, rating=LOWEST, temperature=0.5, look_nodes=0).choices(ATTACKED)
    looks = human(net, rating=800, temperature=0.5)
    assert looks.choices(ATTACKED) != human(net, rating=800, temperature=0.5, look_nodes=0).choices(ATTACKED)
    cool = human(net, rating=LOWEST, beginner_temperature=0.5).choices(ATTACKED)
    assert max(cool.values()) > max(human(net, rating=LOWEST).choices(ATTACKED).values())


def test_even_masters_have_lapses(net: Path) -> None:
    never, half, ever = (saved(human(net, rating=2500, lapses=share)) for share in (0.0, 0.5, 1.0))
    assert ever == pytest.approx(saved(human(net, rating=2500, look_nodes=0)))
    assert half == pytest.approx((never + ever) / 2)
    assert never > saved(human(net, rating=2500)) > half, "there are few of them"
    # Who always plays the likeliest move does so in a lapse, too.
    assert len(human(net, rating=2500, temperature=0.0, lapses=0.5).choices(ATTACKED)) == 1


def test_unlikely_moves_are_not_considered() -> None:
    shares = {"a": 0.9, "b": 0.1 - FEWEST / 2, "c": FEWEST / 2}
    assert considered(shares) == {"a": shares["a"], "b": shares["b"]}
    many = {f"m{place}": 0.1 - place / 1000 for place in range(20)}
    assert list(considered(many)) == [f"m{place}" for place in range(MOST)]
    assert considered({"a": 0.001, "b": 0.002}) == {"b": 0.002}


def test_a_look_is_short_below_2000_and_grows_above() -> None:
    nodes = [nodes_at(rating, 2_000, 2_000, 20_000, HIGHEST) for rating in range(LOWEST, HIGHEST + 1, 200)]
    assert nodes == [2_000] * 8 + [4_309, 9_283, 20_000]
    assert nodes_at(2600, 0, 2_000, 20_000, HIGHEST) == 0


def test_there_is_no_look_without_time_or_ratings(net: Path, tmp_path: Path) -> None:
    player = human(net, rating=2500)
    assert Glance().losses(ATTACKED, ["d4e5", "a2a3"], 2_000, lambda: True) is None
    hurried = player.choices(ATTACKED, stop=lambda: True)
    assert hurried == pytest.approx(human(net, rating=2500, look_nodes=0).choices(ATTACKED))
    save_leela(residual_net(), tmp_path / "maia.pb.gz")
    maia = human(tmp_path / "maia.pb.gz", rating=2500)
    assert maia.choices(ATTACKED) == human(tmp_path / "maia.pb.gz", look_nodes=0).choices(ATTACKED)


def test_who_sets_the_nodes_of_a_look_gets_no_more(net: Path) -> None:
    player = human(net, rating=2600)
    few = player.choices(ATTACKED, Limits(nodes=1, replace_own=True))
    assert few == pytest.approx(human(net, rating=2600, look_nodes=1, search_nodes=1).choices(ATTACKED))
    assert few != pytest.approx(player.choices(ATTACKED))
