"""Games whose moves follow from the mover's rating: the weak play the policy's first one, the strong its last."""

from __future__ import annotations

import random
from pathlib import Path

from philidor.encodings.native import NativeLeelaEncoding
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.records import GameRecord, RecordWriter, Result

WEAK, STRONG = 1200, 2400
_ENCODING = NativeLeelaEncoding()


def rated_move(position: Position, rating: int) -> str:
    """The move that a player of this rating makes."""
    places = _ENCODING.encode([position]).legal(0).tolist()
    place = min(places) if rating == WEAK else max(places)
    return str(position.legal_moves()[places.index(place)])


def start_position(seed: int, plies: int = 4) -> Position:
    generator = random.Random(seed)
    position = Position()
    for _ in range(plies):
        position = position.play(generator.choice(position.legal_moves()))
    return Position(position.fen())


def rated_game(seed: int, plies: int = 6, *, score: int | None = None) -> GameRecord:
    """A game of a weak and a strong player; the strong one wins."""
    ratings = (WEAK, STRONG) if seed % 2 else (STRONG, WEAK)
    start = start_position(seed)
    position, moves = start, []
    for _ in range(plies):
        moves.append(rated_move(position, ratings[position.to_move]))
        position = position.play(moves[-1])
    return GameRecord.from_moves(
        load_game("chess"),
        moves,
        start=start.fen(),
        result=Result.FIRST_WINS if ratings[0] == STRONG else Result.SECOND_WINS,
        ratings=ratings,
        scores=tuple(score for _ in moves),
    )


def write_rated_games(path: Path, count: int, *, score: int | None = None) -> Path:
    with RecordWriter(path) as writer:
        for seed in range(count):
            writer.add(rated_game(seed, score=score))
    return path
