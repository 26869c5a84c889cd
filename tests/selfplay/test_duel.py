"""Duels by a pool: the games that two searches play one move at a time, each by its own network."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from philidor.arena.many_games import Score, SearchChooser, opening_places, play_pairs
from philidor.core.evaluation import Evaluation, Wdl
from philidor.encodings import default_encoding
from philidor.encodings.encoding import Batch
from philidor.evaluators.network import Judgments
from philidor.games import load_game
from philidor.search.gumbel import GumbelConfig
from philidor.selfplay.duel import judge_by_seats, play_duel, without_chance
from philidor.selfplay.pool import Pool, PoolConfig
from tests.selfplay.pools import hash_judge

PUCT = PoolConfig(simulations=12, cheap_simulations=4, opening_plies=3, max_plies=40)
GUMBEL = PoolConfig(simulations=16, search="gumbel", gumbel=GumbelConfig(considered=4), max_plies=40)


def judge_with(salt: int) -> Any:
    """Returns a judge without sense that is different for each salt."""

    def judge(batch: Batch) -> Judgments:
        salted = Batch(batch.planes ^ np.uint64(salt), batch.scalars, batch.legal_offsets, batch.legal_index)
        logits, wdl, _ = hash_judge(salted)
        return Judgments(logits, wdl, None)

    return judge


class JudgeEvaluator:
    """Asks a judge for one state after the other."""

    def __init__(self, name: str, judge: Any) -> None:
        self._encoding, self._judge = default_encoding(load_game(name)), judge

    def evaluate(self, states: Any, /) -> list[Evaluation[Any]]:
        found = []
        for state in states:
            judged = self._judge(self._encoding.encode([state]))
            weights = np.exp(judged.legal_logits.astype(np.float64) - judged.legal_logits.max())
            priors = (weights / weights.sum()).astype(np.float32)
            found.append(Evaluation(state.legal_moves(), priors, Wdl(*map(float, judged.wdl[0]))))
        return found


@pytest.mark.parametrize("config", [PUCT, GUMBEL], ids=["puct", "gumbel"])
@pytest.mark.parametrize("name", ["tictactoe", "connect4-5x4", "go-4x4", "examples.last_stone:LastStone"])
def test_a_duel_has_the_results_of_two_searches_move_by_move(name: str, config: PoolConfig) -> None:
    game, pairs, plies = load_game(name), 6, 2
    openings = [opening_places(game, plies, 5, pair) for pair in range(pairs)]
    judges = judge_with(0), judge_with(0x5DEECE66D)
    calm = without_chance(config)
    points = play_duel(game, default_encoding(game), judges, openings, calm, batch=5, threads=2)

    search = calm.search_config(True, 1)
    choosers = tuple(SearchChooser(JudgeEvaluator(name, judge), search) for judge in judges)
    score = play_pairs(game, choosers, pairs, opening_plies=plies, max_plies=40 - plies, seed=5)  # type: ignore[arg-type]
    assert Score.of_pairs(points) == score


def test_the_better_judge_wins_with_either_side() -> None:
    game = load_game("tictactoe")

    def blind(batch: Batch) -> Judgments:
        return Judgments(np.zeros(len(batch.legal_index), np.float32), np.tile([0.2, 0.6, 0.2], (len(batch), 1)), None)

    def stubborn(batch: Batch) -> Judgments:
        """Always plays the first legal move, whatever a search says."""
        logits = np.full(len(batch.legal_index), -60, np.float32)
        logits[batch.legal_offsets[:-1]] = 0
        return Judgments(logits, np.tile([1, 0, 0], (len(batch), 1)), None)

    config = without_chance(PoolConfig(simulations=200))
    points = play_duel(game, default_encoding(game), (blind, stubborn), [[], [4]], config)
    turned = play_duel(game, default_encoding(game), (stubborn, blind), [[], [4]], config)
    assert sum(map(sum, points)) >= 3.5
    # The pair's games change places with the judges, and so do the points.
    assert turned == [(1 - second, 1 - first) for first, second in points]


@pytest.mark.parametrize("compiled", [True, False])
def test_seats_say_whose_search_a_leaf_belongs_to(compiled: bool) -> None:
    game = load_game("tictactoe")
    pool = Pool(game, default_encoding(game), PoolConfig(simulations=4), games=6, threads=1, compiled=compiled)
    pool.stop_after(6)
    leaves = pool.collect(6)  # the roots of games 0 to 5, X to move in all of them
    assert leaves is not None
    assert leaves.seats.tolist() == [0, 1, 0, 1, 0, 1]


def test_both_pools_tell_the_same_seats() -> None:
    game = load_game("connect4-5x4")
    found = []
    for compiled in (True, False):
        pool = Pool(game, default_encoding(game), PoolConfig(simulations=6), games=4, threads=1, compiled=compiled)
        pool.stop_after(4)
        seats = []
        while (leaves := pool.collect(4)) is not None:
            seats.append(leaves.seats.tolist())
            pool.apply(leaves.id, *hash_judge(leaves.batch))
        found.append(seats)
    assert found[0] == found[1]
    assert {0, 1} == {seat for batch in found[0] for seat in batch}


def test_each_judge_sees_its_own_rows_only() -> None:
    game = load_game("hexapawn")
    state = game.state()
    states = [state, *(state.play(move) for move in state.legal_moves())]
    batch = default_encoding(game).encode(states)
    seats = np.array([0, 1, 1, 0][: len(states)], np.uint8)
    judges = judge_with(1), judge_with(2)
    both = judge_by_seats(batch, seats, judges)
    for row, seat in enumerate(seats):
        alone = judges[seat](default_encoding(game).encode([states[row]]))
        moves = slice(batch.legal_offsets[row], batch.legal_offsets[row + 1])
        assert np.array_equal(both.legal_logits[moves], alone.legal_logits)
        assert np.array_equal(both.wdl[row], alone.wdl[0])
