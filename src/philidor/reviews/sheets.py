"""Score sheets: games as PGN has them, with comments and variations, and the positions of their main line."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import chess
import chess.pgn

from philidor.core.errors import ArgumentError, PgnError, PhilidorError
from philidor.games.chess import Position
from philidor.records import parse_pgn
from philidor.records.streams import read_chunks

if TYPE_CHECKING:
    from philidor.reviews.review import Reviewable

# python-chess wants the whole text. Who reviews more than this has other plans: at 0.1 s a move it is a year's work.
_LARGEST_BYTES = 1 << 28


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """One game."""

    tree: chess.pgn.Game
    """Headers, moves, comments and variations."""
    positions: tuple[Position, ...]
    """The positions of the main line, from the start to the end."""
    problems: tuple[str, ...] = ()
    """What could not be read of its variations, which lack that part."""

    @property
    def headers(self) -> dict[str, str]:
        """The tags as they stand in the file."""
        return dict(self.tree.headers)


@dataclass(frozen=True, slots=True)
class BrokenGame:
    """A game that cannot be read."""

    number: int
    """Its place in the file, from 1."""
    problem: str


def read_sheets(path: Path) -> Iterator[Sheet | BrokenGame]:
    """Yields the games of a PGN file, plain or compressed. Raises PgnError if the file cannot be read or has none."""
    pieces, size = [], 0
    for chunk, _ in read_chunks(path):
        pieces.append(chunk)
        size += len(chunk)
        if size > _LARGEST_BYTES:
            raise PgnError(f"{str(path)!r} has more than {_LARGEST_BYTES >> 20} MB of games; split it first")
    found = False
    for game in parse_sheets(decoded(b"".join(pieces))):
        found = True
        yield game
    if not found:
        raise PgnError(f"there is no game in {str(path)!r}")


def parse_sheets(text: str, *, needs_moves: bool = True) -> Iterator[Sheet | BrokenGame]:
    """Yields the games of a PGN text; those without moves are broken unless they are allowed."""
    stream = io.StringIO(text.removeprefix("\ufeff"))
    number = 0
    while (found := _read(stream)) is not None:
        number += 1
        try:
            yield _sheet(*found, needs_moves)
        except PhilidorError as error:
            yield BrokenGame(number, str(error))


def sheet_of(game: Reviewable) -> Sheet:
    """Returns the sheet of whatever a game was given as: PGN text, a file, a position, or python-chess's objects.

    Of a file or text with several games it is the first. Raises PgnError, ArgumentError.
    """
    if isinstance(game, Position):
        game = chess.pgn.Game.from_board(game.to_board())
    elif isinstance(game, chess.Board):
        game = chess.pgn.Game.from_board(game)
    if isinstance(game, chess.pgn.Game):
        return _main_line(game, ())
    if not isinstance(game, str | Path):
        raise ArgumentError("a game: PGN text, a Path, a Position or a python-chess Game", game)
    first = next(read_sheets(game) if isinstance(game, Path) else parse_sheets(game), None)
    if isinstance(first, BrokenGame):
        raise PgnError(first.problem)
    if first is None:
        raise PgnError("there is no game in this PGN")
    return first


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Builds a game; what is illegal in a variation costs the rest of this variation, and nothing else.

    python-chess itself loses its place behind such a variation, so moves are read here and never fail there.
    """

    def __init__(self) -> None:
        super().__init__(Game=chess.pgn.Game)
        self.broken: list[str] = []
        """Problems of headers and of the main line."""
        self.problems: list[str] = []
        """Problems of variations."""
        self._move = chess.Move.null()
        self._broken_depth = 0
        """Where a move could not be read, and nothing is until that variation ends; 0 for nowhere."""

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        """Reads a move; skips it if it is illegal, and all that follow it in its variation."""
        if self._broken_depth:
            return chess.pgn.SKIP
        try:
            self._move = board.parse_san(san)
        except ValueError as error:
            self.handle_error(error)
            self._broken_depth = len(self.variation_stack)
            return chess.pgn.SKIP
        return None

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        """Returns what was read."""
        return self._move

    def end_variation(self) -> None:
        """Leaves a variation, and with it what could not be read."""
        super().end_variation()
        if len(self.variation_stack) < self._broken_depth:
            self._broken_depth = 0

    def visit_comment(self, comment: str) -> None:
        """Keeps a comment on a move that could be read."""
        if not self._broken_depth:
            super().visit_comment(comment)

    def visit_nag(self, nag: int) -> None:
        """Keeps a judgment of a move that could be read."""
        if not self._broken_depth:
            super().visit_nag(nag)

    def handle_error(self, error: Exception) -> None:
        """Takes note of a problem."""
        (self.broken if len(self.variation_stack) == 1 else self.problems).append(str(error))


def _read(stream: io.StringIO) -> tuple[_Builder, str] | None:
    """Reads the next game; returns its text too."""
    made: list[_Builder] = []

    def make() -> _Builder:
        made.append(_Builder())
        return made[-1]

    start = stream.tell()
    if chess.pgn.read_game(stream, Visitor=make) is None:
        return None
    end = stream.tell()
    stream.seek(start)
    return made[-1], stream.read(end - start)


def _sheet(builder: _Builder, text: str, needs_moves: bool) -> Sheet:
    if builder.broken:
        raise PgnError(f"the game cannot be read: {builder.broken[0]}")
    sheet = _main_line(builder.result(), tuple(builder.problems), needs_moves)
    # What is no move at all python-chess passes over; our own reader does not, but it wants a game.
    has_game = len(sheet.positions) > 1 or "FEN" in sheet.tree.headers
    if has_game and len(parse_pgn(text, tags=()).indices) + 1 != len(sheet.positions):
        raise PgnError("the game cannot be read: its main line is not clear")
    return sheet


def _main_line(tree: chess.pgn.Game, problems: tuple[str, ...], needs_moves: bool = True) -> Sheet:
    try:
        board = tree.board()
    except ValueError as error:
        raise PgnError(f"the game cannot be read: {error}") from None
    if type(board) is not chess.Board:
        raise PgnError(f"only chess can be reviewed, got the variant {board.uci_variant!r}")
    positions = [Position(board.fen(en_passant="fen"), chess960=board.chess960)]
    for move in tree.mainline_moves():
        text = chess.Board.uci(board, move, chess960=board.chess960)
        positions.append(positions[-1].play(text))
        board.push(move)
    if len(positions) == 1 and needs_moves:
        raise PgnError("the game has no moves")
    return Sheet(tree, tuple(positions), problems)


def decoded(data: bytes) -> str:
    """Reads UTF-8, which the standard of today is, or Latin-1, which the standard of 1994 was."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
