"""Opening books: positions of an EPD file or lines of a PGN file, plain or compressed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from philidor.core.errors import ConfigError, FenError, PgnError
from philidor.core.game import AnyGame, AnyState
from philidor.games.chess import Position
from philidor.games.chess.epd import parse_epd
from philidor.records.pgn import PgnSource
from philidor.records.streams import read_chunks


@dataclass(frozen=True, slots=True)
class Opening:
    """A position to begin with and moves to be played from it before the engines take over."""

    fen: str = "startpos"
    """Or a line of an EPD file, or of another game the text of a state."""
    moves: tuple[str, ...] = ()
    """In UCI, or as the game writes them."""

    def position(self) -> Position:
        """Returns the position before `moves`. Raises FenError."""
        return Position() if self.fen == "startpos" else parse_epd(self.fen).position

    def state(self, game: AnyGame) -> AnyState:
        """Returns the same in any game. Raises FenError."""
        if game.name == "chess":
            return self.position()
        state: AnyState = game.state(None if self.fen == "startpos" else self.fen)
        return state


def read_openings(path: Path, plies: int | None = None) -> list[Opening]:
    """Reads a book; `plies` is how much of a PGN game to take, all of it by default. Raises ConfigError."""
    try:
        text = b"".join(chunk for chunk, _ in read_chunks(path))
    except PgnError as error:
        raise ConfigError(str(error)) from None
    if plies is not None and not _is_pgn(path, text):
        raise ConfigError(f"opening_plies would be ignored: {str(path)!r} has positions, not games")
    openings = _from_pgn(path, plies) if _is_pgn(path, text) else _from_epd(text)
    if not openings:
        raise ConfigError(f"{str(path)!r} has no openings")
    # Every line would take a second for large books; the first shows whether this is a book at all.
    try:
        openings[0].position()
    except FenError as error:
        raise ConfigError(f"{str(path)!r} is neither EPD nor PGN: {error}") from None
    return openings


def read_starts(path: Path, game: AnyGame) -> list[Opening]:
    """Reads positions of any game, the texts of states, one a line. Raises ConfigError."""
    try:
        openings = _from_epd(b"".join(chunk for chunk, _ in read_chunks(path)))
        for opening in openings:
            if opening.state(game).is_over():
                raise ConfigError(f"{str(path)!r}: a game that begins here is over: {opening.fen!r}")
    except (PgnError, FenError) as error:
        raise ConfigError(f"{str(path)!r}: {error}") from None
    if not openings:
        raise ConfigError(f"{str(path)!r} has no openings")
    return openings


def _is_pgn(path: Path, text: bytes) -> bool:
    return ".pgn" in path.name.lower() or text.lstrip()[:1] == b"["


def _from_epd(text: bytes) -> list[Opening]:
    lines = (line.strip() for line in text.decode("utf-8", "replace").splitlines())
    return [Opening(line) for line in lines if line and not line.startswith("#")]


def _from_pgn(path: Path, plies: int | None) -> list[Opening]:
    source = PgnSource([path], annotations=False)
    return [Opening(game.start or "startpos", tuple(game.uci_moves()[:plies])) for game in source]
