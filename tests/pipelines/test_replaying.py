"""Honest games pass the check that strangers' games must pass, whatever the game and the search."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from philidor.core.errors import RecordError
from philidor.encodings import default_encoding
from philidor.games import load_game
from philidor.pipelines.recipes import load_recipe
from philidor.pipelines.zero.replaying import check_game_record
from philidor.records import GameRecord, PlyFlag
from philidor.records.native import from_native
from philidor.selfplay.pool import Pool, PoolConfig

CONFIGS = {
    "tictactoe": PoolConfig(simulations=12, noise_alpha=1.0, opening_plies=2),
    "hexapawn": PoolConfig(simulations=16, tree_reuse=False, temperature=0.0),
    "connect4": PoolConfig(simulations=16, cheap_simulations=6, forced_playouts=2.0, opening_plies=6),
    "connect4-5x4": PoolConfig(simulations=16, target_scale=1.0, opening_plies=2),
    "go-5x5": PoolConfig(simulations=8, search="gumbel", max_plies=30),
    "chess": PoolConfig(simulations=8, search="gumbel", max_plies=24, opening_plies=8, decided_value=0.9),
}


def _games(name: str, config: PoolConfig, count: int = 6) -> list[GameRecord]:
    game = load_game(name)
    pool = Pool(game, default_encoding(game), config, 1, games=count, source="run", threads=1)
    pool.stop_after(count)
    found = []
    chance = np.random.default_rng(1)
    while (leaves := pool.collect(limit=count)) is not None:
        logits = chance.normal(size=len(leaves.batch.legal_index))
        wdl = chance.dirichlet([1, 1, 1], size=len(leaves.batch))
        pool.apply(leaves.id, logits, wdl)
    batch = pool.finished()
    found += [from_native(batch[place]) for place in range(len(batch))]
    assert len(found) == count
    return found


@pytest.mark.parametrize("name", CONFIGS)
def test_honest_games_pass(name: str) -> None:
    game, config = load_game(name), CONFIGS[name]
    for record in _games(name, config):
        check_game_record(record, game, [config])


def test_a_recipe_says_how_long_searches_may_be() -> None:
    config = load_recipe("tictactoe-zero").self_play
    (record, *_) = _games("tictactoe", config, 1)
    check_game_record(record, load_game("tictactoe"), [config])
    with pytest.raises(RecordError, match="visits at ply"):
        check_game_record(record, load_game("tictactoe"), [replace(config, simulations=2)])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"indices": lambda game: (*game.indices[:-1], 60)}, "legal moves"),
        ({"indices": lambda game: (*game.indices, 0), "visits": lambda game: (*game.visits, {0: 1})}, "after its end"),
        ({"termination": lambda game: "resignation"}, "it ended"),
        ({"tags": lambda game: {**game.tags, "Random": "5"}}, "tags that no game"),
        ({"flags": lambda game: bytes(len(game)), "visits": lambda game: ({},) * len(game)}, "no search|no opening"),
        ({"wdl": lambda game: (None,) * len(game)}, "expected nothing"),
        ({"visits": lambda game: tuple({40: 1} for _ in game.visits)}, "visited move 40"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, Any], reason: str) -> None:
    config = CONFIGS["tictactoe"]
    record = _games("tictactoe", config, 1)[0]
    lie = replace(record, **{name: make(record) for name, make in change.items()})
    with pytest.raises(RecordError, match=reason):
        check_game_record(lie, load_game("tictactoe"), [config])
    assert record.flags is not None
    assert not record.flags[-1] & PlyFlag.CHEAP
