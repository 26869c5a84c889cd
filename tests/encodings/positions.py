"""Chess positions with histories to encode: random games from every kind of start that the rules are tested with."""

import random
from collections.abc import Iterator

from philidor.games.chess import Position
from tests.games.chess.walks import SOURCES, start_board, walk


def random_positions(source: str, seed: int, games: int, plies: int = 60) -> Iterator[Position]:
    """Yields every position of some random games."""
    rng = random.Random(f"{source} {seed}")
    for _ in range(games):
        for step in walk(start_board(source, rng), rng, plies):
            yield step.position


def standard_positions(seed: int, games: int) -> list[Position]:
    """Positions of all sources but those of Chess960."""
    return [
        position for source in SOURCES for position in random_positions(source, seed, games) if not position.is_chess960
    ]
