"""The games of a record file as numpy arrays, for statistics and for training code of one's own (docs/records.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor.records.native import NO_CLOCK, NO_SCORE, Record, RecordBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """All games after each other: the moves of game g, and what belongs to them, are [offsets[g] : offsets[g + 1]]."""

    offsets: NDArray[np.int64]  # [games + 1]
    result: NDArray[np.uint8]  # [games]
    """Numbers of `Result`: 0 not known, 1 the first player won, 2 draw, 3 the second player won."""
    ratings: NDArray[np.uint16]  # [games, 2]
    """Of the first and the second player; 0 is not known."""
    moves: NDArray[np.uint16]  # [plies]
    """Each move's place among the legal moves, in the game's canonical order."""
    scores: NDArray[np.int16]  # [plies]
    """Centipawns in the side to move's view; NO_SCORE where there is none."""
    flags: NDArray[np.uint8]  # [plies]
    """Bits of `PlyFlag`."""
    clocks_ms: NDArray[np.int64]  # [plies]
    """The mover's clock after the move; NO_CLOCK where there is none."""

    def __len__(self) -> int:
        return len(self.result)

    @property
    def plies(self) -> int:
        """Moves of all games together."""
        return len(self.moves)

    @property
    def game_of_ply(self) -> NDArray[np.int64]:
        """[plies]: the number of the game that each move belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @property
    def ply(self) -> NDArray[np.int64]:
        """[plies]: the number of each move in its game, from 0 on."""
        return np.arange(self.plies) - np.repeat(self.offsets[:-1], np.diff(self.offsets))

    def __repr__(self) -> str:
        return f"<Columns: {len(self):,} games, {self.plies:,} plies>"


def columns_of(batches: Iterable[RecordBatch]) -> Columns:
    """Copies games in bulk into arrays."""
    games = [batch[index] for batch in batches for index in range(len(batch))]
    lengths = [len(game.moves) for game in games]
    return Columns(
        np.cumsum([0, *lengths], dtype=np.int64),
        np.array([game.result for game in games], np.uint8),
        np.array([game.ratings for game in games], np.uint16).reshape(-1, 2),
        _joined(games, "moves", np.uint16, 0),
        _joined(games, "scores", np.int16, NO_SCORE),
        _joined(games, "flags", np.uint8, 0),
        _joined(games, "clocks_ms", np.int64, NO_CLOCK),
    )


def _joined(games: list[Record], column: str, kind: type[np.generic], missing: int) -> NDArray[Any]:
    """Puts a column of all games behind each other; games that do not have it get the number for "not known"."""
    parts = [np.asarray(getattr(game, column) or [missing] * len(game.moves), kind) for game in games]
    return np.concatenate(parts) if parts else np.zeros(0, kind)
