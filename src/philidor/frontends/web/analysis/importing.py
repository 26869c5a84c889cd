"""Pasted and dropped texts: a position, a game, or a file of many games, which becomes a list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from philidor.core.errors import PgnError, PhilidorError
from philidor.frontends.web.analysis.schema import FileGame
from philidor.frontends.web.analysis.shelf import StoredGameText
from philidor.frontends.web.analysis.tree import StudyTree
from philidor.frontends.web.drawing import Drawer
from philidor.frontends.web.stored import searchable
from philidor.games.chess import Position
from philidor.games.chess.openings import opening_of
from philidor.records import parse_pgn
from philidor.reviews.sheets import decoded

PGN_FILE_BYTES = 64_000_000
"""The largest file that is taken: some 50,000 games with comments."""
MOST_GAMES = 100_000
_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_]+)\s+"(.*)"\s*\]\s*$')
_FEN = re.compile(r"\s*[pnbrqkPNBRQK1-8]+(?:/[pnbrqkPNBRQK1-8]+){7}(?:\s+\S+){0,5}\s*$")
_REST_OF_FEN = ("w", "-", "-", "0", "1")
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_OPENING_PLIES = 30
_CHARS = 100


@dataclass(frozen=True)
class GameText:
    """One game of a file, as text, with its tags."""

    text: str
    tags: dict[str, str]


def decode(data: bytes) -> str:
    """Reads a text of any system."""
    return decoded(data).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def is_position(text: str) -> bool:
    """Says whether a text is a FEN rather than a game."""
    return len(text) < 200 and _FEN.match(text) is not None


def read_position(text: str) -> Position:
    """Reads a FEN; what is left out at its end is as at the start of a game. Raises FenError."""
    fields = text.split()
    return Position(" ".join([*fields, *_REST_OF_FEN[len(fields) - 1 :]]))


def split_games(text: str) -> Iterator[GameText]:
    """Yields the games of a PGN text: each begins with tags behind moves, but not inside a comment."""
    lines: list[str] = []
    tags: dict[str, str] = {}
    has_moves, in_comment = False, False
    for line in text.split("\n"):
        tag = None if in_comment else _TAG.match(line)
        if tag is not None:
            if has_moves:
                yield GameText("\n".join(lines) + "\n", tags)
                lines, tags, has_moves = [], {}, False
            tags[tag[1]] = tag[2]
        elif line.strip():
            has_moves = True
            in_comment = _ends_in_comment(line, in_comment)
        lines.append(line)
    if has_moves or tags:
        yield GameText("\n".join(lines) + "\n", tags)


def _ends_in_comment(line: str, in_comment: bool) -> bool:
    """Says whether a comment in braces goes on behind a line; they do not nest."""
    while line:
        _, found, line = line.partition("}" if in_comment else "{")
        if not found:
            break
        in_comment = not in_comment
    return in_comment


def read_study(text: str, drawer: Drawer) -> StudyTree:
    """Reads a text with one game or position. Raises PgnError, FenError."""
    if is_position(text):
        return StudyTree.of_position(read_position(text), drawer)
    tree = StudyTree.parse(text, drawer)
    if len(tree) == 1 and "FEN" not in tree.tags:
        raise PgnError("there is no game in this text: a PGN has moves such as 1. e4 e5, a FEN has eight rows")
    return tree


def index_games(games: list[GameText]) -> Iterator[StoredGameText]:
    """Yields the games of a file as the list keeps them; one that cannot be read is listed with the reason."""
    for number, game in enumerate(games, start=1):
        yield _indexed(number, game)


def _indexed(number: int, game: GameText) -> StoredGameText:
    tags, problem, plies, opening = game.tags, None, 0, ""
    try:
        record = parse_pgn(game.text, tags=())
        plies = len(record)
        opening = _opening(record.start, record.indices, tags)
    except PhilidorError as error:
        problem = _short(str(error))
    view = FileGame(
        number=number,
        white=_short(tags.get("White", "?")),
        black=_short(tags.get("Black", "?")),
        result=tags.get("Result", "*") if tags.get("Result", "*") in _RESULTS else "*",
        date=_short(tags.get("Date", "")),
        opening=opening,
        plies=plies,
        problem=problem,
    )
    words = searchable(
        [view.white, view.black, view.result, view.date, opening, tags.get("Event", ""), tags.get("ECO", "")]
    )
    return StoredGameText(game=view, words=words, pgn=game.text)


def _opening(start: str | None, indices: tuple[int, ...], tags: dict[str, str]) -> str:
    """Names the opening by the moves, or by the tags of a game that begins elsewhere."""
    if start is not None:
        return _short(" ".join(filter(None, (tags.get("ECO", ""), tags.get("Opening", "")))))
    name, state = "", Position()
    for index in indices[:_OPENING_PLIES]:
        state = state.play(state.legal_moves()[index])
        found = opening_of(state)
        if found is not None:
            name = f"{found.eco} {found.name}"
    return name


def _short(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)[:_CHARS].strip()
