"""Games of made-up people and networks that judge them."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from philidor.core.game import AnyGame
from philidor.encodings import load_encoding
from philidor.games import load_game
from philidor.nets.network_config import NetworkConfig
from philidor.nets.network_files import StoredNetwork, save_stored
from philidor.nets.network_weights import weight_shapes
from philidor.records import GameRecord, RecordWriter, Result

CHESS = load_game("chess")
BLACK_TO_MOVE = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def random_games(count: int, *, seed: int = 1, plies: int = 24, game: AnyGame = CHESS) -> list[GameRecord]:
    """Games of random moves; ratings go round the bands, every fifth game starts with Black to move."""
    chance = random.Random(seed)
    games = []
    for number in range(count):
        start = BLACK_TO_MOVE if game is CHESS and number % 5 == 4 else None
        state = game.state(start)
        moves: list[Any] = []
        while not state.is_over() and len(moves) < plies:
            moves.append(chance.choice(list(state.legal_moves())))
            state = state.play(moves[-1])
        ratings = (1250 + 200 * (number % 6), 1350 + 200 * (number % 5))
        result = (Result.FIRST_WINS, Result.DRAW, Result.SECOND_WINS, Result.UNKNOWN)[number % 4]
        games.append(GameRecord.from_moves(game, moves, start=start, ratings=ratings, result=result))
    return games


def write_games(path: Path, games: Sequence[GameRecord], game: AnyGame = CHESS) -> Path:
    with RecordWriter(path, game) as writer:
        for each in games:
            writer.add(each)
    return path


def write_net(path: Path, *, encoding: str = "human-1", game: str = "chess", seed: int = 1, scale: float = 0.3) -> Path:
    """Writes a small network with random weights, so large that its ratings matter."""
    config = NetworkConfig(game=game, encoding=encoding, blocks=1, filters=16, value_hidden=8)
    shapes = weight_shapes(config, load_encoding(encoding, load_game(game)).shape)
    chance = np.random.default_rng(seed)
    arrays = {name: chance.normal(0, scale, size).astype(np.float32) for name, size in shapes.items()}
    arrays |= {name: np.abs(value) + 1 for name, value in arrays.items() if name.endswith("running_var")}
    save_stored(path, StoredNetwork(config, arrays, {}))
    return path
