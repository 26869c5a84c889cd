"""AlphaGo's linear policies: features by two implementations, known positions, files, and a policy that learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from philidor.core.errors import ConfigError, NetError
from philidor.core.random import SplitMix64
from philidor.evaluators.pattern_features import DIAMOND, KINDS, SQUARE, canonical, just_captured, pattern_features
from philidor.evaluators.patterns import PatternEvaluator
from philidor.evaluators.patterns.native import PatternPolicy, native_pattern_features, run_rollouts, walk_rollout
from philidor.games import load_game
from philidor.games.go import GoState
from philidor.games.go.board import is_eye
from philidor.nets.patterns import FIXED_FEATURES, PatternNet, load_patterns, save_patterns


def board(*rows: str, to_move: str = "X") -> GoState:
    state: GoState = load_game(f"go-{len(rows[0])}x{len(rows)}").state(f"{'/'.join(rows)} {to_move}")
    return state


def features_at(state: GoState, name: str, *, is_tree: bool = True) -> dict[str, int]:
    """The features of a point by kind, read in both ways."""
    readable, compiled = pattern_features(state, is_tree=is_tree), native_pattern_features(state, is_tree=is_tree)
    assert readable == compiled, state.text()
    square = state.grid.square(name)
    assert square is not None
    return dict(readable[square])


def random_states(name: str, seed: int, plies: int) -> list[GoState]:
    state, random, line = load_game(name).state(), SplitMix64(seed), []
    for _ in range(plies):
        line.append(state)
        moves = state.legal_moves()
        if len(moves) < 2:
            break
        state = state.play(moves[random.below(len(moves) - 1)])
    return [state for state in line if not state.is_over()]


@pytest.mark.parametrize("name", ["go-5x5", "go-7x6", "go-9x9"])
def test_the_compiled_features_are_the_readable_ones(name: str) -> None:
    kinds = set()
    for seed in range(3):
        for state in random_states(name, seed, 90)[seed + 3 :: 13]:
            for is_tree in (False, True):
                readable = pattern_features(state, is_tree=is_tree)
                assert readable == native_pattern_features(state, is_tree=is_tree), state.text()
                kinds |= {kind for features in readable.values() for kind, _ in features}
    assert kinds >= set(KINDS) - {"nakade"}


def test_a_shape_and_its_images_are_one() -> None:
    corner = board("X....", ".....", ".....", ".....", ".....")
    other = board(".....", ".....", ".....", ".....", "....X")
    assert features_at(corner, "b4")["square"] == features_at(other, "d2")["square"]
    assert features_at(corner, "b4")["square"] != features_at(corner, "d2")["square"]
    cells = list(range(8))
    assert canonical(cells, SQUARE) == canonical(cells[::-1], SQUARE)
    assert canonical([1] * 12, DIAMOND, 0) == canonical([1] * 12, DIAMOND, 4) != canonical([1] * 12, DIAMOND, 1)


def test_liberties_tell_shapes_apart() -> None:
    atari = board("OX...", ".....", ".....", ".....", ".....")
    free = board(".OX..", ".....", ".....", ".....", ".....")
    assert features_at(atari, "a4")["square"] != features_at(free, "b4")["square"]


def test_saving_from_atari() -> None:
    state = board(".....", ".O...", "OXO..", ".....", ".....")
    assert "save atari" in features_at(state, "b2")
    assert "save atari" not in features_at(state, "d2")
    # The corner has no second liberty; taking the stone that gives atari helps.
    caught = board(".....", ".....", "O....", "X....", ".O...")
    assert "save atari" not in features_at(caught, "a1")
    assert "save atari" in features_at(board(".....", ".....", "OX...", "XO...", ".O..."), "a4")


def test_self_atari_and_distances() -> None:
    state = board("O....", ".....", ".....", ".....", ".....").play("e1").play("d1")
    features = features_at(state, "b5")
    assert (features["distance"], features["earlier distance"]) == (6, 7)
    assert "self-atari" not in features
    assert "self-atari" in features_at(board(".O...", ".....", ".....", ".....", "....."), "a5")
    assert "distance" not in features_at(state, "b5", is_tree=False)


def test_neighbors_and_responses_are_around_the_last_move() -> None:
    state = load_game("go-9x9").state().play("e5")
    assert features_at(state, "f6")["neighbor"] == SQUARE.index((1, 1))
    assert features_at(state, "e6")["response"] == features_at(state, "f5")["response"]
    assert features_at(state, "e6")["response"] != features_at(state, "e7")["response"]
    assert "response" not in features_at(state, "g6")
    passed = state.play("pass")
    assert not {"response", "neighbor", "distance"} & set(features_at(passed, "f6"))


def test_nakade_shows_the_stones_that_were_just_taken() -> None:
    # White takes three stones in a row; Black's point inside is the middle one.
    state = board(".XXX.", "OOOO.", ".....", ".....", ".....", to_move="O").play("e5").play("e1").play("a5")
    assert just_captured(state) == {21, 22, 23}
    middle, side = features_at(state, "c5")["nakade"], features_at(state, "b5")["nakade"]
    assert (bin(middle).count("1"), bin(side).count("1")) == (2, 2)
    assert middle != side
    assert "nakade" not in features_at(state, "e2")


def one_response(weight: float) -> PatternNet:
    """A policy that answers any stone in the open on the point above it, or beside it."""
    cells = [1] * 12
    weights = np.zeros(FIXED_FEATURES + 1, np.float32)
    weights[-1] = weight
    key = np.array([canonical(cells, DIAMOND, DIAMOND.index((0, 1)))], np.uint64)
    none = np.zeros(0, np.uint64)
    return PatternNet("rollout", none, key, none, weights, {"run": "test"})


def test_a_policy_prefers_what_has_weight() -> None:
    state = load_game("go-9x9").state().play("e5")
    (judged,) = PatternEvaluator(one_response(3.0)).evaluate([state])
    policy = judged.policy
    assert sum(policy.values()) == pytest.approx(1, abs=1e-5)
    best = {name for name, chance in policy.items() if chance == max(policy.values())}
    assert best == {"e6", "e4", "d5", "f5"}
    assert policy["e6"] / policy["a1"] == pytest.approx(np.exp(3.0), rel=1e-4)
    assert policy["pass"] < 1e-3


def test_files_come_back_and_damage_is_told(tmp_path: Path) -> None:
    path = tmp_path / "policy.phpt"
    net = one_response(1.5)
    save_patterns(path, net)
    again = load_patterns(path)
    assert (again.kind, again.remarks) == ("rollout", {"run": "test"})
    for name in ("squares", "responses", "diamonds", "weights"):
        np.testing.assert_array_equal(getattr(again, name), getattr(net, name))
    data = path.read_bytes()
    for place, words in ((0, "PHPT"), (4, "version"), (60, "damaged"), (len(data) - 9, "damaged")):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(NetError, match=words):
            load_patterns(path)
    path.write_bytes(data[:-1])
    with pytest.raises(NetError, match="damaged"):
        load_patterns(path)
    with pytest.raises(NetError, match="cannot read"):
        load_patterns(tmp_path / "nothing.phpt")
    for wrong in (np.nan, np.inf, 12.5, -3e38):
        weights = net.weights.copy()
        weights[3] = wrong
        with pytest.raises(NetError, match="from -12 to 12"):
            PatternNet("tree", net.squares, net.responses, net.diamonds, weights)
        with pytest.raises(ValueError, match="from -12 to 12"):
            PatternPolicy(net.squares, net.responses, net.diamonds, weights, False)
    for wrong in (1 << 27, 720575940379279362, 2**64 - 1):
        squares = np.array([1, wrong], np.uint64)
        weights = np.zeros(len(net.weights) - len(net.squares) + 2, np.float32)
        with pytest.raises(ValueError, match="canonical"):
            PatternPolicy(squares, net.responses, net.diamonds, weights, False)
    with pytest.raises(NetError, match="a weight for each"):
        PatternNet("tree", net.squares, net.responses, net.diamonds, net.weights[1:])


def test_only_go_is_judged() -> None:
    with pytest.raises(ConfigError, match="Go"):
        PatternEvaluator(one_response(1.0)).evaluate([load_game("gomoku").state()])


def random_policy() -> PatternNet:
    """Shapes that random games have, each with a random weight."""
    shapes: dict[str, set[int]] = {"square": set(), "response": set(), "diamond": set()}
    for state in random_states("go-7x7,ko=simple", 5, 70)[::4]:
        for features in native_pattern_features(state, is_tree=True).values():
            for kind, key in features:
                if kind in shapes:
                    shapes[kind].add(key)
    squares, responses = (np.array(sorted(shapes[kind]), np.uint64) for kind in ("square", "response"))
    count = FIXED_FEATURES + len(squares) + len(responses)
    weights = np.random.default_rng(1).normal(size=count).astype(np.float32)
    return PatternNet("rollout", squares, responses, np.zeros(0, np.uint64), weights)


def test_a_rollout_draws_by_the_policy_from_move_to_move() -> None:
    evaluator = PatternEvaluator(random_policy())
    state = load_game("go-7x7,ko=simple").state()
    captures = passes = 0
    for move, chances in walk_rollout(evaluator.rollouts, state, plies=160, seed=4):
        expected = np.zeros(49, np.float32)
        points = [
            point for point in state.legal_moves()[:-1] if not is_eye(state.board, point, state.stone, state.grid)
        ]
        (judged,) = evaluator.evaluate([state])
        priors = dict(zip(judged.moves, judged.priors.tolist(), strict=True))
        for point in points:
            expected[point] = priors[point] / sum(priors[each] for each in points)
        np.testing.assert_allclose(chances, expected, atol=1e-5, err_msg=state.text())
        assert (move == state.pass_move) == (not points)
        state = state.play(move)
        captures += bool(just_captured(state))
        passes += move == state.pass_move
        if state.is_over():
            break
    assert captures > 5
    assert passes


def test_without_weights_rollouts_are_light_playouts() -> None:
    nothing = np.zeros(0, np.uint64)
    net = PatternNet("rollout", nothing, nothing, nothing, np.zeros(FIXED_FEATURES, np.float32))
    state = load_game("go-9x9").state()
    moves, black, white = run_rollouts(PatternEvaluator(net).rollouts, state, count=2000, seed=1)
    # Known means: 109.0 moves and two passes; Black has more than 7 points in 42.1 % of the games.
    assert moves / 2000 == pytest.approx(111.0, abs=1.5)
    assert black / 2000 == pytest.approx(0.421, abs=0.04)
    assert black + white <= 2000


def test_rollouts_are_not_played_by_a_tree_policy() -> None:
    nothing = np.zeros(0, np.uint64)
    net = PatternNet("tree", nothing, nothing, nothing, np.zeros(FIXED_FEATURES, np.float32))
    with pytest.raises(ConfigError, match="rollout policy"):
        run_rollouts(PatternEvaluator(net).rollouts, load_game("go-5x5").state(), count=1, seed=1)
