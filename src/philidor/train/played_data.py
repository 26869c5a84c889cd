"""Samples from anybody's games: every position with the move that was played and the game's result (book, ch. 4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from philidor.core.errors import RecordError
from philidor.records import GameRecord, PlyFlag, RecordReader, Result
from philidor.train.zero_data import Lesson, Samples, encode_lessons, result_wdl

if TYPE_CHECKING:
    from philidor.core.game import AnyGame
    from philidor.encodings.encoding import Encoding


def played_lessons(record: GameRecord, game: AnyGame) -> Iterator[Lesson]:
    """Replays a game and yields its positions. Raises RecordError if it does not fit the rules.

    Moves of an opening book and moves drawn by lot are played through and not learned from; a game without a result
    teaches nothing.
    """
    if record.result is Result.UNKNOWN:
        return
    winner = {Result.FIRST_WINS: 0, Result.SECOND_WINS: 1}.get(record.result)
    for ply, (state, played) in enumerate(zip(record.states(game), record.indices, strict=False)):
        if record.flags and record.flags[ply] & (PlyFlag.BOOK | PlyFlag.SAMPLED):
            continue
        policy = [0.0] * len(state.legal_moves())
        policy[played] = 1.0
        yield Lesson(state, policy, result_wdl(winner, state.to_move), len(record) - ply)


class PlayedPositions:
    """All positions of recorded games, in memory and drawn from like a window of self-play; for small games."""

    def __init__(self, file: Path, game: AnyGame, encoding: Encoding, *, symmetries: bool) -> None:
        """Raises RecordError for a file without a position to learn from."""
        with RecordReader(file) as reader:
            lessons = [lesson for record in reader for lesson in played_lessons(record, game)]
        if not lessons:
            raise RecordError(f"{str(file)!r} has no position to learn from")
        self.samples: Samples = encode_lessons(lessons, game, encoding, symmetries=symmetries)

    @property
    def size(self) -> int:
        """How many there are, symmetric forms counted once."""
        return self.samples.positions

    def draw(self, count: int, random: np.random.Generator) -> Samples:
        """Draws positions, each in one of its forms; every position is as likely as any other."""
        rows = random.integers(self.samples.positions, size=count) * self.samples.forms
        return self.samples.take(rows + random.integers(self.samples.forms, size=count))
