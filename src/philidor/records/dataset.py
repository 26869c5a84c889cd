"""The positions of a record file as a map-style dataset, such as torch's DataLoader takes; torch is not needed here."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor.encodings import default_encoding, load_encoding
from philidor.encodings.encoding import expand
from philidor.games import load_game
from philidor.records.reader import RecordReader
from philidor.records.record import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray


class PositionDataset:
    """Every position in which a move was played, of all games whose result is known.

    An item is a dict: `planes` (float32 [planes, height, width], as a network sees the position), `move` (int64, the
    place of the move that was played in the network's policy) and `value` (float32, the result of the game for the side
    to move: 1, 0 or -1). For a game of N moves an item costs up to N moves of replay.
    """

    def __init__(self, path: str | Path, encoding: str | None = None) -> None:
        """Takes the name of an encoding; without one it is the game's default. Raises RecordError, EncodingError."""
        self._reader = RecordReader(path)
        self._game = load_game(self._reader.game)
        self.encoding = default_encoding(self._game) if encoding is None else load_encoding(encoding, self._game)
        columns = self._reader.columns()
        self._numbers = np.flatnonzero(columns.result != Result.UNKNOWN)
        self._ends = np.cumsum(np.diff(columns.offsets)[self._numbers])

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def __getitem__(self, index: int) -> dict[str, NDArray[Any]]:
        place = operator.index(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"no position {place} in {self!r}")
        place %= len(self)
        row = int(np.searchsorted(self._ends, place, side="right"))
        record = self._reader[int(self._numbers[row])]
        ply = place - (int(self._ends[row - 1]) if row else 0)
        state = self._game.state(record.start)
        for played in record.indices[:ply]:
            state = state.play(state.legal_moves()[played])
        batch = self.encoding.encode([state])
        winner = {Result.FIRST_WINS: 0, Result.SECOND_WINS: 1}.get(record.result)
        return {
            "planes": expand(batch, self.encoding.shape)[0],
            "move": np.array(batch.legal(0)[record.indices[ply]], np.int64),
            "value": np.array(0 if winner is None else 1 if winner == state.to_move else -1, np.float32),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """Worker processes open the file again."""
        return type(self), (self._reader.path, self.encoding.name)

    def __repr__(self) -> str:
        path = str(self._reader.path)
        return f"<{type(self).__name__} {path!r}: {len(self):,} positions, encoding {self.encoding.name}>"
