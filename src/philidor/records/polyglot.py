"""Opening books in Polyglot's format, by python-chess: which moves to play in a position, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from philidor.core.errors import ConfigError
from philidor.core.random import SplitMix64
from philidor.games.chess import Position

_ENTRY_BYTES = 16


@dataclass(frozen=True, slots=True)
class BookMove:
    """A move of a book."""

    move: str
    """In UCI."""
    weight: int
    """How often it should be played, compared with the others."""


class PolyglotBook:
    """A book on disk; it is not read into memory."""

    def __init__(self, path: Path) -> None:
        """Opens the book. Raises ConfigError if there is none."""
        import chess.polyglot

        try:
            size = path.stat().st_size
            if not path.is_file() or size == 0 or size % _ENTRY_BYTES:
                raise ConfigError(f"{str(path)!r} is no Polyglot book: a file of some times {_ENTRY_BYTES} bytes")
            self._reader = chess.polyglot.open_reader(path)
        except OSError as error:
            raise ConfigError(f"cannot read the book {str(path)!r}: {(error.strerror or str(error)).lower()}") from None

    def moves(self, position: Position) -> list[BookMove]:
        """Returns the legal moves that the book has here, the most frequent first."""
        import chess

        board = chess.Board(position.fen(), chess960=position.is_chess960)
        found = sorted(self._reader.find_all(board), key=lambda entry: -entry.weight)
        return [BookMove(board.uci(entry.move), entry.weight) for entry in found]

    def choose(self, position: Position, rng: SplitMix64) -> str | None:
        """Draws a move by the weights; None if the book does not know the position, or has no move to recommend."""
        moves = self.moves(position)
        total = sum(move.weight for move in moves)
        if not total:
            return None
        left = rng.below(total)
        for move in moves:
            left -= move.weight
            if left < 0:
                return move.move
        raise AssertionError("the weights add up to their sum")

    def close(self) -> None:
        """Closes the file."""
        self._reader.close()
