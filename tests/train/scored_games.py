"""Short games of the classic engine against itself, with scores."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from philidor.records import GameRecord, RecordWriter
from philidor.selfplay.engine_games import EngineGamesConfig, GameMaker


def scored_games(count: int) -> list[GameRecord]:
    """Plays the games with the first so many numbers, less those that were given up at their openings."""
    maker = GameMaker(EngineGamesConfig(nodes=40, settings=("hash=1",)))
    return [record for number in range(count) if (record := maker.game(number)) is not None]


def write_games(path: Path, games: Iterable[GameRecord]) -> Path:
    """Writes games to a file of records."""
    with RecordWriter(path) as writer:
        for game in games:
            writer.add(game)
    return path
