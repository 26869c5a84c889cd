"""The compiled pool plays the readable pool's games: batch for batch, visit for visit, on any number of threads."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pytest

from philidor.core.errors import EncodingError, RecordError
from philidor.encodings import load_encoding
from philidor.games import load_game
from philidor.games.tictactoe import TicTacToe
from philidor.records import GameRecord
from philidor.records.native import RecordBatch, to_native
from philidor.search.compiled import knows
from philidor.search.gumbel import GumbelConfig
from philidor.search.puct import PuctConfig
from philidor.selfplay.pool import Pool, PoolConfig
from philidor.selfplay.pool.native import NativePool
from tests.selfplay.pools import hash_judge, make_pool, number, play_out, records

FULL = PoolConfig(
    simulations=40,
    cheap_simulations=10,
    full_share=0.4,
    forced_playouts=2.0,
    opening_plies=3,
    max_plies=24,
    temperature_plies=4,
    temperature_decay=6,
    final_temperature=0.2,
)
CONFIGS = {
    "full": FULL,
    "best": PoolConfig(
        simulations=30,
        temperature=0.0,
        max_plies=20,
        puct=PuctConfig(
            fpu="absolute",
            fpu_value=-0.2,
            moves_left_threshold=0.1,
            moves_left_max_effect=0.5,
            moves_left_slope=0.01,
            moves_left_constant=0.5,
        ),
    ),
    "improved": dataclasses.replace(FULL, target_scale=1.0),
    "fresh": dataclasses.replace(FULL, tree_reuse=False, prune_targets=False, puct=PuctConfig(prove=False)),
    "decided": dataclasses.replace(FULL, decided_value=0.05, decided_plies=2, decided_share=0.5),
    "gumbel": PoolConfig(
        simulations=24, cheap_simulations=8, search="gumbel", gumbel=GumbelConfig(considered=5), max_plies=16
    ),
    "undrawn": PoolConfig(
        simulations=24, search="gumbel", gumbel=GumbelConfig(considered=5), drawn_plies=6, max_plies=16
    ),
}
KINDS = [
    ("tictactoe", "boards-1"),
    ("tictactoe", "boards-8"),
    ("connect4", "boards-1"),
    ("connect4-5x8", "boards-2"),
    ("hexapawn", "hexapawn"),
    ("hexapawn-5x12", "hexapawn"),
    ("hexapawn-4x4", "boards-1"),
    ("gomoku-9x9", "boards-8"),
    ("go-5x5", "boards-8"),
    ("chess", "alphazero"),
    ("chess", "leela-1-flat"),
    ("chess", "leela-5-planes"),
]


def _both(name: str, encoding: str, config: PoolConfig, **arguments: Any) -> tuple[Pool, Pool]:
    native = make_pool(name, config, encoding=encoding, **arguments)
    readable = make_pool(name, config, encoding=encoding, compiled=False, **arguments)
    assert isinstance(native._pool, NativePool)
    assert not isinstance(readable._pool, NativePool)
    return native, readable


@pytest.mark.parametrize(("name", "encoding"), KINDS)
def test_one_game_is_the_same_batch_for_batch(name: str, encoding: str) -> None:
    pools = _both(name, encoding, FULL, seed=11, games=1)
    for pool in pools:
        pool.stop_after(2)
    while True:
        native, readable = (pool.collect(1) for pool in pools)
        if native is None or readable is None:
            assert native is None
            assert readable is None
            break
        for field in ("planes", "scalars", "legal_offsets", "legal_index"):
            mine, reference = getattr(native.batch, field), getattr(readable.batch, field)
            assert mine.dtype == reference.dtype
            np.testing.assert_array_equal(mine, reference)
        answer = hash_judge(readable.batch)
        pools[0].apply(native.id, *answer)
        pools[1].apply(readable.id, *answer)
    assert records(pools[0].finished()) == records(pools[1].finished())


@pytest.mark.parametrize("kind", ["full", "gumbel"])
@pytest.mark.parametrize(("name", "encoding"), [("gomoku", "boards-1"), ("gomoku-19x19", "boards-8")])
def test_large_boards_are_played_the_same(name: str, encoding: str, kind: str) -> None:
    config = dataclasses.replace(CONFIGS[kind], simulations=12, cheap_simulations=4, max_plies=5, opening_plies=1)
    native, readable = _both(name, encoding, config, seed=2, games=2, threads=2)
    native.stop_after(3)
    readable.stop_after(3)
    games = play_out(native)
    assert games == play_out(readable)
    assert max(max(game.indices) for game in games) > 128


@pytest.mark.parametrize("search", ["puct", "gumbel"])
def test_nobody_passes_early_in_go_and_both_pools_agree(search: Literal["puct", "gumbel"]) -> None:
    config = PoolConfig(
        simulations=12, search=search, opening_plies=6, temperature_plies=9, noise=0.5, first_pass_ply=20
    )
    native, readable = _both("go-4x4", "boards-8", config, seed=3, games=4, threads=2)
    native.stop_after(4)
    readable.stop_after(4)
    games, passing = play_out(native), load_game("go-4x4").action_count - 1
    assert games == play_out(readable)
    for game in games:
        states: list[Any] = list(game.states(load_game("go-4x4")))
        early = [before for before, after in pairwise(states[:21]) if after.last == passing]
        # Where no stone may be put, a pass is the only move.
        assert all(state.legal_moves() == [passing] for state in early)
    assert all(game.termination in ("two passes", "move limit") for game in games)


@pytest.mark.parametrize("kind", CONFIGS)
@pytest.mark.parametrize("name", ["tictactoe", "connect4", "hexapawn-4x4", "chess"])
def test_games_are_the_same_for_the_same_seed_on_any_number_of_threads(name: str, kind: str) -> None:
    encoding = {"hexapawn-4x4": "hexapawn", "chess": "leela-1-flat"}.get(name, "boards-1")
    native, readable = _both(name, encoding, CONFIGS[kind], seed=7, games=5, threads=3)
    native.stop_after(8)
    readable.stop_after(8)
    games = play_out(native)
    assert [number(game) for game in games] == list(range(8))
    assert games == play_out(readable)
    assert native.live == 0


@pytest.mark.parametrize("name", ["hexapawn-4x4", "chess"])
def test_games_go_on_in_either_pool(name: str) -> None:
    config = dataclasses.replace(FULL, tree_reuse=False)
    encoding = "alphazero" if name == "chess" else "hexapawn"
    pools = _both(name, encoding, config, seed=4, games=6)
    left = []
    for pool in pools:
        pool.stop_after(6)
        assert play_out(pool, 25) == []
        left.append(pool.unfinished())
    assert records(left[0]) == records(left[1])
    assert any(wdl is not None for game in records(left[0]) for wdl in game.wdl or ())
    native, readable = _both(name, encoding, config, seed=4, games=3, resume=left[0])
    native.stop_after(7)
    readable.stop_after(7)
    games = play_out(native)
    assert len(games) == 7
    assert games == play_out(readable)


def test_a_decided_game_is_gone_on_with_as_it_would_have_been() -> None:
    config = dataclasses.replace(CONFIGS["decided"], tree_reuse=False, opening_plies=0)
    whole = make_pool("connect4-5x4", config, encoding="boards-1", seed=4, games=6)
    parts = make_pool("connect4-5x4", config, encoding="boards-1", seed=4, games=6)
    whole.stop_after(6)
    parts.stop_after(6)
    done = play_out(parts, 150)
    rest = make_pool(
        "connect4-5x4",
        config,
        encoding="boards-1",
        seed=4,
        games=6,
        done=list(map(number, done)),
        resume=parts.unfinished(),
    )
    rest.stop_after(6)
    assert sorted(done + play_out(rest), key=number) == play_out(whole)


def test_starts_are_drawn_alike() -> None:
    starts = ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1"]
    native, readable = _both("chess", "alphazero", FULL, seed=3, games=4, starts=starts)
    native.stop_after(6)
    readable.stop_after(6)
    games = play_out(native)
    assert {game.start for game in games} == set(starts)
    assert games == play_out(readable)


def test_a_batch_that_was_given_up_changes_nothing() -> None:
    native, other = (
        _both("connect4-5x4", "boards-1", FULL, seed=7, games=4)[0],
        make_pool("connect4-5x4", FULL, encoding="boards-1", seed=7, games=4),
    )
    native.stop_after(6)
    other.stop_after(6)
    for _ in range(5):
        leaves = native.collect(3)
        assert leaves is not None
        native.cancel(leaves.id)
    assert play_out(native) == play_out(other)


def test_what_the_core_does_not_know_is_played_in_python() -> None:
    class Other(TicTacToe):
        pass

    game = load_game("tictactoe")
    assert knows(game, load_encoding("boards-1", game))
    assert not knows(game, load_encoding("text", game))
    assert not knows(Other(), load_encoding("boards-1", game))
    large = load_game("connect4-12x12")
    assert not knows(large, load_encoding("boards-1", large))


def test_chess960_has_no_alphazero_planes() -> None:
    start = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    with pytest.raises(EncodingError, match="Chess960"):
        make_pool("chess", FULL, encoding="alphazero", starts=[start])


def test_an_unfinished_game_with_a_wrong_move_is_refused() -> None:
    past = RecordBatch()
    past.append(to_native(GameRecord(indices=(99,), tags={"Game": "0", "Random": "5"})))
    with pytest.raises(RecordError, match="game 0"):
        make_pool("tictactoe", FULL, encoding="boards-1", resume=past)
