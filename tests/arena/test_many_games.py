"""Many games at once: fair pairs, the players' own strength, and the same trees as one at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from philidor.arena.many_games import (
    PlayerChooser,
    PolicyChooser,
    SearchChooser,
    SolverChooser,
    load_chooser,
    load_solver,
    opening,
    play_matches,
    play_pairs,
)
from philidor.arena.perfection import judge_moves, judge_play, odds_against_random, random_positions
from philidor.core.evaluation import Evaluation, Wdl
from philidor.games import load_game
from philidor.games.enumeration import random_play
from philidor.players import load_engine
from philidor.search.puct import PuctConfig
from philidor.search.trees.native import puct

TICTACTOE, HEXAPAWN = load_game("tictactoe"), load_game("hexapawn")


class KeyEvaluator:
    """Judges by the state's key: no sense in it, but always the same."""

    def evaluate(self, states: Any, /) -> list[Evaluation[Any]]:
        found = []
        for state in states:
            random = np.random.default_rng(state.key)
            priors = random.dirichlet(np.ones(len(state.legal_moves()))).astype(np.float32)
            found.append(Evaluation(state.legal_moves(), priors, Wdl(*random.dirichlet(np.ones(3)))))
        return found


def test_trees_that_grow_together_are_those_that_grow_alone() -> None:
    config = PuctConfig(simulations=60)
    states = random_positions(load_game("hexapawn-4x4"), 12, (0, 8))
    together = SearchChooser(KeyEvaluator(), config).choose(states)
    assert together == [puct(state, config, evaluator=KeyEvaluator()).best for state in states]


def test_a_pair_has_one_opening_and_both_sides() -> None:
    seen: list[list[str]] = []

    class Spy:
        def choose(self, states: Any, /) -> list[Any]:
            seen.append([state.text() for state in states])
            return [state.legal_moves()[0] for state in states]

    score = play_pairs(TICTACTOE, (Spy(), Spy()), 3, opening_plies=2, seed=5)
    assert score.games == 6
    assert score.share == 0.5  # the same player on both sides wins as often as it loses
    first = [opening(TICTACTOE, 2, 5, pair).text() for pair in range(3)]
    assert seen[0] == first  # the second player has X in one game of each pair,
    assert seen[1][::2] == first  # and the first in the other,
    assert len(seen[1]) == 6  # who then sees all games at once


def test_matches_at_the_same_time_are_those_one_after_the_other() -> None:
    game, config = load_game("hexapawn-4x4"), PuctConfig(simulations=12)
    opponents = [load_chooser("solver", game), load_chooser("minimax depth=2", game), load_chooser("uct", game)]
    asked: list[int] = []

    class Counting(KeyEvaluator):
        def evaluate(self, states: Any, /) -> list[Evaluation[Any]]:
            asked.append(len(states))
            return super().evaluate(states)

    together = play_matches(game, SearchChooser(Counting(), config), opponents, 4, opening_plies=2)
    assert max(asked) == 24, "every game of every match is in the batch"
    chooser = SearchChooser(KeyEvaluator(), config)
    assert together == [play_pairs(game, (chooser, each), 4, opening_plies=2) for each in opponents]
    assert len({score.share for score in together}) > 1, "or one could stand for another"


def test_matches_can_be_stopped_before_any_move() -> None:
    game, calls = load_game("tictactoe"), 0

    def before_move() -> None:
        nonlocal calls
        calls += 1
        if calls == 7:
            raise InterruptedError

    players = [PlayerChooser(load_engine("random", seed=seed)) for seed in (1, 2)]
    with pytest.raises(InterruptedError):
        play_matches(game, players[0], players[1:], 4, before_move=before_move)
    assert calls == 7, "asked before every move of every game, of which there are eight"


def test_an_opening_that_ends_the_game_is_cut_short() -> None:
    states = [opening(HEXAPAWN, 30, 1, number) for number in range(20)]
    assert not any(state.is_over() for state in states)


def test_the_perfect_player_never_loses_and_random_does() -> None:
    solver, random = load_chooser("solver", TICTACTOE), load_chooser("random", TICTACTOE)
    score = play_pairs(TICTACTOE, (solver, random), 20)
    assert score.losses == 0
    assert score.wins > 25


def test_a_game_that_is_cut_off_is_a_draw() -> None:
    random = load_chooser("random", TICTACTOE)
    assert play_pairs(TICTACTOE, (random, random), 4, max_plies=3).draws == 8


@pytest.mark.parametrize("game", [TICTACTOE, HEXAPAWN])
def test_the_solver_makes_no_mistake_by_its_own_judgment(game: Any) -> None:
    solver = load_solver(game)
    verdict = judge_play(game, SolverChooser(solver), solver)
    assert verdict.mistakes == 0
    assert verdict.positions > 20


def test_a_mistake_is_found_and_named() -> None:
    """X a1, O b1?, and X wins: the first move of an always-first player is no mistake, its later ones are."""

    class First:
        def choose(self, states: Any, /) -> list[Any]:
            return [state.legal_moves()[0] for state in states]

    verdict = judge_play(TICTACTOE, First(), load_solver(TICTACTOE))
    assert verdict.mistakes > 0
    assert verdict.first_mistake is not None
    state = TICTACTOE.state(verdict.first_mistake)
    again, _ = judge_moves([state], First(), load_solver(TICTACTOE))
    assert again.mistakes == 1


def test_odds_are_those_of_very_many_games() -> None:
    chooser = SolverChooser(load_solver(TICTACTOE))
    odds = odds_against_random(TICTACTOE, chooser)
    assert sum(odds.values()) == 1
    assert odds.get(0, 0) == 0  # nobody beats the perfect second player
    assert odds_against_random(TICTACTOE, None) == random_play(TICTACTOE.state())
    player = PlayerChooser(load_engine("random", seed=3))
    score = play_pairs(TICTACTOE, (chooser, player), 300)
    wins = odds_against_random(TICTACTOE, chooser, side=0)[0] + odds[1]
    assert score.wins / 600 == pytest.approx(float(wins) / 2, abs=0.06)


def test_the_policy_alone_chooses_its_likeliest_move() -> None:
    state = TICTACTOE.state()
    evaluation = KeyEvaluator().evaluate([state])[0]
    assert PolicyChooser(KeyEvaluator()).choose([state]) == [evaluation.moves[int(evaluation.priors.argmax())]]
