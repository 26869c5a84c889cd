"""The pool: whole games that keep the rules, the same whatever happens around them, and what is learned from them."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest

from philidor.core.errors import ConfigError, NetError
from philidor.core.random import SplitMix64
from philidor.encodings import default_encoding
from philidor.games import load_game
from philidor.records import GameRecord, PlyFlag, Result
from philidor.search.gumbel import GumbelConfig
from philidor.search.puct import PuctConfig
from philidor.search.trees.native import RootMove
from philidor.selfplay.pool import PoolConfig
from philidor.selfplay.pool.choice import draw, improved_target, visit_target
from philidor.selfplay.pool.games import CAPPED, POLICY_PARTS
from tests.selfplay.pools import hash_judge, make_pool, number, play_out, records

PLAIN = PoolConfig(simulations=24, max_plies=12)
FULL = PoolConfig(
    simulations=32,
    cheap_simulations=8,
    forced_playouts=2.0,
    opening_plies=3,
    max_plies=30,
    temperature_plies=4,
    temperature_decay=6,
    final_temperature=0.2,
)
GUMBEL = PoolConfig(simulations=16, search="gumbel", gumbel=GumbelConfig(considered=4), max_plies=20)
CONFIGS = {"plain": PLAIN, "full": FULL, "gumbel": GUMBEL}
GAMES = ["tictactoe", "connect4-5x4", "hexapawn-4x4", "chess", "examples.last_stone:LastStone"]


def _check(name: str, game: GameRecord, config: PoolConfig) -> None:
    rules = load_game(name)
    state = rules.state(game.start)
    assert game.visits is not None
    assert game.wdl is not None
    assert game.flags is not None
    for place, visits, wdl, flags in zip(game.indices, game.visits, game.wdl, game.flags, strict=True):
        assert not state.is_over()
        count = len(state.legal_moves())
        assert 0 <= place < count
        assert all(0 <= at < count and times > 0 for at, times in visits.items())
        if wdl is None:
            assert (visits, flags) == ({}, PlyFlag.CHEAP | PlyFlag.SAMPLED)
        else:
            assert sum(wdl) == pytest.approx(1)
            assert place in visits
            if config.search == "gumbel":
                assert sum(visits.values()) == pytest.approx(POLICY_PARTS, abs=count)
        state = state.play(state.legal_moves()[place])
    if game.termination == CAPPED:
        assert len(game) == config.max_plies
        assert not state.is_over()
    else:
        outcome = state.outcome()
        assert (game.result, game.termination) == (Result.from_outcome(outcome), outcome.reason)


@pytest.mark.parametrize("kind", CONFIGS)
@pytest.mark.parametrize("name", GAMES)
def test_games_keep_the_rules_and_are_the_same_whatever_happens_around_them(name: str, kind: str) -> None:
    config = CONFIGS[kind]
    pool = make_pool(name, config, seed=5, games=4)
    pool.stop_after(6)
    games = play_out(pool)
    assert [number(game) for game in games] == list(range(6))
    assert pool.live == 0
    for game in games:
        _check(name, game, config)
    alone = make_pool(name, config, seed=5, games=1)
    alone.stop_after(3)
    assert play_out(alone, batch=1) == games[:3]
    other = make_pool(name, config, seed=6, games=4)
    other.stop_after(6)
    assert play_out(other) != games


@pytest.mark.parametrize("name", GAMES)
def test_after_its_drawn_plies_gumbel_search_plays_the_likeliest_move(name: str) -> None:
    config = dataclasses.replace(GUMBEL, gumbel=GumbelConfig(considered=4, prove=False), drawn_plies=3)
    pool = make_pool(name, config, seed=5, games=8)
    pool.stop_after(8)
    drawn_otherwise = 0
    for game in play_out(pool):
        assert game.visits is not None
        assert game.flags is not None
        for ply, (place, visits, flags) in enumerate(zip(game.indices, game.visits, game.flags, strict=True)):
            is_likeliest = visits[place] == max(visits.values())
            # A move that wins at once is played however likely it is.
            assert is_likeliest or ply < 3 or ply == len(game) - 1
            assert bool(flags & PlyFlag.SAMPLED) == (ply < 3)
            drawn_otherwise += not is_likeliest
    assert drawn_otherwise


def test_gumbel_search_expects_what_its_played_move_is_worth() -> None:
    # Two simulations are the root and one move, which is then played: the mean would have the root's own value in it.
    config = PoolConfig(simulations=2, search="gumbel", gumbel=GumbelConfig(considered=1, prove=False), max_plies=6)
    pool = make_pool("connect4-5x4", config, seed=5, games=4)
    pool.stop_after(4)
    game, encoding = load_game("connect4-5x4"), default_encoding(load_game("connect4-5x4"))
    for record in play_out(pool):
        assert record.wdl is not None
        for state, wdl in zip(list(record.states(game))[1:], record.wdl, strict=True):
            _, judged, _ = hash_judge(encoding.encode([state]))
            assert wdl == pytest.approx(judged[0][::-1].tolist(), abs=1 / 255)


@pytest.mark.parametrize("name", GAMES)
def test_games_that_were_left_go_on(name: str) -> None:
    config = dataclasses.replace(FULL, tree_reuse=False)
    pool = make_pool(name, config, seed=2, games=5)
    pool.stop_after(8)
    expected = play_out(pool)
    first = make_pool(name, config, seed=2, games=5)
    first.stop_after(8)
    done = play_out(first, 20)
    leaves = first.collect(2)  # a batch that never comes back
    assert leaves is not None
    done += records(first.finished())
    left = first.unfinished()
    second = make_pool(name, config, seed=2, games=5, done=[number(game) for game in done], resume=left)
    second.stop_after(8)
    assert sorted(done + play_out(second), key=number) == expected


def test_a_game_that_is_known_to_be_done_is_not_played_again() -> None:
    pool = make_pool("tictactoe", PLAIN, games=2)
    play_out(pool, 3)
    left = pool.unfinished()
    again = make_pool("tictactoe", PLAIN, games=2, done=[0, 3], resume=left)
    again.stop_after(6)
    assert [number(game) for game in play_out(again)] == [1, 2, 4, 5]


def test_several_batches_may_be_out() -> None:
    pool = make_pool("connect4-5x4", PLAIN, seed=5, games=6)
    pool.stop_after(6)
    games = []
    waiting = [pool.collect(3), pool.collect(3)]
    assert pool.collect(3) is None
    while any(waiting):
        leaves = waiting.pop(0)
        if leaves is not None:
            pool.apply(leaves.id, *hash_judge(leaves.batch))
        waiting.append(pool.collect(3))
        games += records(pool.finished())
    games += records(pool.finished())
    single = make_pool("connect4-5x4", PLAIN, seed=5, games=6)
    single.stop_after(6)
    assert sorted(games, key=number) == play_out(single)


def test_only_the_numbers_that_are_given_are_played() -> None:
    for compiled in (True, False):
        pool = make_pool("tictactoe", PLAIN, games=2, done=[3], numbers=[7, 3, 9], compiled=compiled)
        assert [number(game) for game in play_out(pool)] == [7, 9]
        assert pool.collect(4) is None
        pool.give([2, 11])
        assert [number(game) for game in play_out(pool)] == [2, 11]


def test_a_decided_game_is_played_on_with_shorter_searches_and_fewer_lessons() -> None:
    """Connect four with a judge that is sure of the first player, who wins in the end or not."""
    config = PoolConfig(simulations=40, decided_value=0.9, decided_plies=4, decided_share=0.25, temperature_plies=100)
    for compiled in (True, False):
        pool = make_pool("connect4-5x4", config, games=8, compiled=compiled)
        pool.stop_after(8)
        games = []
        while (leaves := pool.collect(8)) is not None:
            count = len(leaves.batch)
            is_first = np.bitwise_count(leaves.batch.planes).sum(axis=(1, 2)) % 2 == 0
            wdl = np.where(is_first[:, None], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0])
            pool.apply(leaves.id, np.zeros(len(leaves.batch.legal_index)), wdl)
            games += records(pool.finished())
            assert count <= 8
        games += records(pool.finished())
        totals = [[sum(visits.values()) for visits in game.visits or ()] for game in games]
        assert all(total >= 39 for game in totals for total in game[:3])
        later = [
            (total, flags)
            for game, row in zip(games, totals, strict=True)
            for total, flags in list(zip(row, game.flags or b"", strict=True))[4:]
        ]
        short = [total for total, _ in later if total < 20]
        cheap = [flags for _, flags in later if flags & PlyFlag.CHEAP]
        assert len(short) > 0.5 * len(later)
        assert 0.4 * len(later) < len(cheap) < len(later)


def test_an_end_may_be_moved() -> None:
    pool = make_pool("tictactoe", PLAIN, games=3)
    pool.stop_after(2)
    assert len(play_out(pool)) == 2
    assert pool.collect(4) is None
    pool.stop_after(5)
    assert [number(game) for game in play_out(pool)] == [2, 3, 4]


def test_games_begin_where_they_are_told() -> None:
    starts = ["X.O/.X./...", ".X./.O./..."]
    pool = make_pool("tictactoe", PLAIN, games=8, starts=starts)
    pool.stop_after(20)
    games = play_out(pool)
    assert {game.start for game in games} == set(starts)
    for game in games:
        _check("tictactoe", game, PLAIN)
    with pytest.raises(ConfigError, match="is over"):
        make_pool("tictactoe", PLAIN, starts=["XXX/OO./..."])


def test_what_is_no_answer_is_refused_and_the_batch_still_waits() -> None:
    pool = make_pool("tictactoe", PLAIN, games=3)
    leaves = pool.collect(3)
    assert leaves is not None
    logits, wdl, moves_left = hash_judge(leaves.batch)
    for answer in [
        (logits * np.nan, wdl, moves_left),
        (logits[:-1], wdl, moves_left),
        (logits, wdl * np.nan, moves_left),
        (logits, wdl[:-1], moves_left),
        (logits, wdl - 1, moves_left),
        (logits, wdl * 2, moves_left),
        (logits, wdl, moves_left * np.inf),
        (logits, wdl, moves_left[:-1]),
    ]:
        with pytest.raises(NetError):
            pool.apply(leaves.id, *answer)
    with pytest.raises(ConfigError, match="no batch 77"):
        pool.apply(77, logits, wdl)
    pool.apply(leaves.id, logits, wdl)
    with pytest.raises(ConfigError, match="no batch 0"):
        pool.cancel(leaves.id)


def test_a_batch_that_was_given_up_comes_again() -> None:
    pool = make_pool("hexapawn", PLAIN, games=4)
    pool.stop_after(4)
    first = pool.collect(4)
    assert first is not None
    pool.cancel(first.id)
    again = pool.collect(4)
    assert again is not None
    assert again.id != first.id
    np.testing.assert_array_equal(again.batch.planes, first.batch.planes)


@pytest.mark.parametrize(
    "settings",
    [
        {"simulations": 1},
        {"cheap_simulations": 1},
        {"cheap_simulations": 900},
        {"puct": PuctConfig(noise=0.1)},
        {"gumbel": GumbelConfig(simulations=10)},
        {"max_plies": 4, "opening_plies": 4},
        {"temperature": float("nan")},
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        PoolConfig(**settings)  # type: ignore[arg-type]


def test_the_temperature_falls() -> None:
    config = PoolConfig(temperature=1.0, temperature_plies=10, temperature_decay=4, final_temperature=0.2)
    assert [round(config.temperature_at(ply), 3) for ply in (0, 9, 10, 12, 14, 99)] == [1, 1, 1, 0.6, 0.2, 0.2]
    assert [PoolConfig().temperature_at(ply) for ply in (29, 30)] == [1.0, 0.0]


def test_moves_are_drawn_in_proportion() -> None:
    random = SplitMix64(1)
    for temperature, expected in ((1.0, [0.1, 0.0, 0.6, 0.3]), (0.5, [1 / 46, 0.0, 36 / 46, 9 / 46])):
        drawn = Counter(draw([10, 0, 60, 30], temperature, random) for _ in range(20_000))
        assert [drawn[place] / 20_000 for place in range(4)] == pytest.approx(expected, abs=0.015)
    assert {draw([10, 0, 60, 30], 0.001, random) for _ in range(100)} == {2}


def _moves(*rows: tuple[float, int, float, int | None]) -> list[RootMove]:
    return [RootMove(prior, visits, value if visits else None, proven) for prior, visits, value, proven in rows]


def test_forced_visits_are_taken_off() -> None:
    config = PuctConfig(c_puct=1.0, c_factor=0.0, forced_playouts=2.0)
    moves = _moves((0.5, 80, 0.5, None), (0.3, 12, -0.4, None), (0.1, 7, 0.62, None), (0.1, 1, -0.9, None))
    counts = visit_target(moves, config, prune=True)
    # sqrt(2 * 0.3 * 100) = 7.7: at most 7 of 12 may go. 0.5 + 10 * 0.5 / 81 = 0.5617 is not reached by -0.4 + 3 / 6.
    assert counts[:2] == [80, 5]
    # 0.62 is above the best move's score without any bonus: every visit was PUCT's own wish.
    assert counts[2] == 7
    assert counts[3] == 0
    assert visit_target(moves, config, prune=False) == [80, 12, 7, 1]


def test_what_is_proven_teaches() -> None:
    config = PuctConfig()
    assert visit_target(_moves((0.9, 5, 0.1, None), (0.1, 1, 1.0, 1)), config, prune=True) == [0, 6]
    assert visit_target(_moves((0.9, 5, -1.0, -1), (0.1, 1, 0.0, None)), config, prune=True) == [0, 1]
    assert visit_target(_moves((0.9, 5, -1.0, -1), (0.1, 1, -1.0, -1)), config, prune=True) == [5, 1]
    assert visit_target(_moves((0.9, 5, -1.0, -1), (0.1, 0, 0.0, None)), config, prune=True) == [5, 0]


def test_what_is_proven_teaches_where_the_improved_policy_is_learned_too() -> None:
    assert improved_target(_moves((0.9, 5, 0.1, None), (0.1, 1, 1.0, 1)), [0.75, 0.25]) == [0, 60_000]
    assert improved_target(_moves((0.9, 5, -1.0, -1), (0.1, 1, 0.0, None)), [0.75, 0.25]) == [0, 15_000]
    assert improved_target(_moves((0.9, 5, -1.0, -1), (0.1, 1, -1.0, -1)), [0.75, 0.25]) == [45_000, 15_000]


def test_puct_can_teach_the_improved_policy_and_still_plays_by_its_visits() -> None:
    config = PoolConfig(simulations=30, noise=0.25, max_plies=12, target_scale=0.05, puct=PuctConfig(prove=False))
    played = []
    for scale in (0.05, 0.0):
        pool = make_pool("connect4", dataclasses.replace(config, target_scale=scale), games=3, seed=5)
        pool.stop_after(3)
        played.append(play_out(pool))
    assert [len(games) for games in played] == [3, 3]
    has_unvisited = False
    for one, other in zip(*played, strict=True):
        assert one.indices == other.indices
        for parts, counts in zip(one.visits or (), other.visits or (), strict=True):
            assert sum(counts.values()) < 31
            assert sum(parts.values()) == pytest.approx(POLICY_PARTS, abs=8)
            # Moves that were never visited are learned too: by their priors, and what the others are worth.
            assert set(parts) >= set(counts)
            has_unvisited |= set(parts) > set(counts)
    assert has_unvisited
