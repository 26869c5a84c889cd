"""Lines of an opening book as records write games: a start and the places of moves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from philidor.core.errors import ConfigError, FenError, RecordError
from philidor.games.chess import Position
from philidor.records import GameRecord
from philidor.records.openings import read_openings


@dataclass(frozen=True, slots=True)
class BookLine:
    """Where a game begins."""

    start: str | None = None
    """FEN; None for the normal start."""
    indices: tuple[int, ...] = ()
    """Moves from there, by their places in canonical order."""

    def position(self) -> Position:
        """Returns the position at the line's end."""
        position = Position() if self.start is None else Position(self.start)
        for index in self.indices:
            position = position.play(position.legal_moves()[index])
        return position


def read_book(path: Path) -> list[BookLine]:
    """Reads all lines, those that have ended a game left out. Raises ConfigError."""
    from philidor.games import load_game

    chess, lines = load_game("chess"), []
    for opening in read_openings(path):
        try:
            start = None if opening.fen == "startpos" else opening.position().fen()
            line = BookLine(start, GameRecord.from_moves(chess, opening.moves, start=start).indices)
        except (FenError, RecordError) as error:
            raise ConfigError(f"{str(path)!r}: {error}") from None
        if not line.position().is_over():
            lines.append(line)
    if not lines:
        raise ConfigError(f"{str(path)!r} has no opening to begin a game with")
    return lines
