"""The compiled networks of floats: the references' floats on any position, to the last bit."""

import itertools

import numpy as np
import pytest

from philidor.core.errors import ConfigError
from philidor.evaluators.deepchess import DeepChessJudge
from philidor.evaluators.giraffe import GiraffeEvaluator
from philidor.evaluators.native import giraffe_features
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.nets.dense.features import features
from tests.nets.dense_networks import made_up_deepchess, made_up_giraffe
from tests.nets.networks import random_positions


def positions() -> list[Position]:
    """Random ones, and some with more queens than there are places for, or with rights to castle on one side."""
    return [
        *random_positions(3, 25),
        *random_positions(4, 10, chess960=True),
        Position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
        Position("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b Kq - 0 1"),
    ]


def test_the_network_sees_the_references_features() -> None:
    for position in positions():
        assert np.array_equal(giraffe_features(position.native), features(position)), position.fen()


def test_giraffe_gives_the_references_floats() -> None:
    evaluator = GiraffeEvaluator(made_up_giraffe())
    for position in positions()[::3]:
        assert evaluator.raw(position) == evaluator.network.raw(position), position.fen()
        assert evaluator.centipawns(position) == evaluator.network.centipawns(position), position.fen()


def test_giraffe_judges_as_every_evaluator_does() -> None:
    evaluator = GiraffeEvaluator(made_up_giraffe())
    mate = Position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    live, over = evaluator.evaluate([Position(), mate])
    assert live.value == pytest.approx(evaluator.network.value(Position()), abs=1e-6)
    assert over.value == -1
    assert sum(live.wdl) == pytest.approx(1)
    with pytest.raises(ConfigError, match="judges chess"):
        evaluator.evaluate([load_game("tictactoe").state()])


def test_deepchess_gives_the_references_floats() -> None:
    judge = DeepChessJudge(made_up_deepchess())
    network = judge.network
    for position, other in itertools.pairwise(positions()[::3]):
        first, second = judge.look(position), judge.look(other)
        assert np.array_equal(first[0], network.embed(position)), position.fen()
        assert judge.compare(first, second) == network.compare(network.embed(position), network.embed(other))


def test_an_even_position_is_a_draw_and_a_mirrored_one_the_opposite() -> None:
    judge = DeepChessJudge(made_up_deepchess())
    position = Position("r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 b kq - 0 6")
    mirrored = Position.from_board(position.to_board().mirror())
    found = judge.compare_with_draw(judge.look(position))
    assert found != 0
    assert judge.compare_with_draw(judge.look(mirrored)) == -found
    with pytest.raises(ConfigError, match="positions of chess"):
        judge.look(load_game("tictactoe").state())
