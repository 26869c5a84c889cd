"""Studies and files of games on disk, in the same SQLite file as the games."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from philidor.frontends.web.analysis.schema import FileGame, FileSummary, StudySummary
from philidor.frontends.web.store import Store
from philidor.frontends.web.stored import now

_STUDY = "id, revision, created, updated, source, title, result, problems, pgn, review"
_MOST_WORDS = 10


@dataclass(kw_only=True)
class StoredStudy:
    """A study as it is kept."""

    id: str
    revision: int = 1
    created: str = ""
    updated: str = ""
    source: str = ""
    title: str = ""
    result: str = "*"
    problems: list[str] = field(default_factory=list)
    pgn: str
    review: dict[str, Any] | None = None
    """What was judged of its main line, and how."""


@dataclass(frozen=True, kw_only=True)
class StoredGameText:
    """A game of a file as it is kept."""

    game: FileGame
    words: str
    pgn: str


class Shelf:
    """Uses the open store. Not thread-safe: one thread uses it, the store's."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # --- Studies ------------------------------------------------------------------------------------------------

    def add(self, study: StoredStudy) -> None:
        """Keeps a new study. Raises NotSavedError, as all changes do."""
        study.created = study.updated = now()
        marks = ", ".join("?" * 10)
        self._store.change(f"INSERT INTO studies ({_STUDY}) VALUES ({marks})", _row(study))

    def update(self, study: StoredStudy) -> None:
        """Keeps a study's change."""
        study.updated = now()
        marks = ", ".join("?" * 10)
        self._store.change(f"UPDATE studies SET ({_STUDY}) = ({marks}) WHERE id = ?", (*_row(study), study.id))

    def get(self, study_id: str) -> StoredStudy | None:
        """Returns a study, or None."""
        rows = self._store.rows(f"SELECT {_STUDY} FROM studies WHERE id = ?", study_id)
        return _read(rows[0]) if rows else None

    def by_source(self, source: str) -> str | None:
        """Returns the id of the newest study that came from there."""
        rows = self._store.rows("SELECT id FROM studies WHERE source = ? ORDER BY updated DESC LIMIT 1", source)
        return str(rows[0][0]) if rows else None

    def delete(self, study_id: str) -> bool:
        """Forgets a study; says whether there was one."""
        return self._store.change("DELETE FROM studies WHERE id = ?", (study_id,)) > 0

    def find(self, query: str, limit: int, offset: int) -> tuple[list[StudySummary], int]:
        """Returns studies whose title has all words, the last changed first, and how many there are."""
        where, values = _words("lower(title)", query)
        [[total]] = self._store.rows(f"SELECT COUNT(*) FROM studies {where}", *values)
        rows = self._store.rows(
            f"SELECT id, title, result, updated FROM studies {where} ORDER BY updated DESC, id LIMIT ? OFFSET ?",
            *(*values, limit, offset),
        )
        found = [StudySummary(id=row[0], title=row[1], result=row[2], updated=row[3]) for row in rows]
        return found, int(total)

    # --- Files of games -----------------------------------------------------------------------------------------

    def add_file(self, file: FileSummary, games: Iterable[StoredGameText]) -> None:
        """Keeps a file with all its games, or none of it."""
        rows = (
            (
                *(file.id, each.game.number, each.game.white, each.game.black, each.game.result, each.game.date),
                *(each.game.opening, each.game.plies, each.game.problem, each.words, each.pgn),
            )
            for each in games
        )
        with self._store.saving() as connection:
            connection.execute("INSERT INTO files VALUES (?, ?, ?, ?)", (file.id, file.name, file.games, file.created))
            connection.executemany(f"INSERT INTO file_games VALUES ({', '.join('?' * 11)})", rows)

    def files(self) -> list[FileSummary]:
        """Returns all files, the newest first."""
        rows = self._store.rows("SELECT id, name, games, created FROM files ORDER BY created DESC, id")
        return [FileSummary(id=row[0], name=row[1], games=row[2], created=row[3]) for row in rows]

    def file(self, file_id: str) -> FileSummary | None:
        """Returns a file, or None."""
        return next((file for file in self.files() if file.id == file_id), None)

    def file_games(self, file_id: str, query: str, limit: int, offset: int) -> tuple[list[FileGame], int]:
        """Returns games of a file that have all words, and how many there are."""
        where, values = _words("words", query, "file = ?")
        [[total]] = self._store.rows(f"SELECT COUNT(*) FROM file_games {where}", file_id, *values)
        names = "number, white, black, result, date, opening, plies, problem"
        rows = self._store.rows(
            f"SELECT {names} FROM file_games {where} ORDER BY number LIMIT ? OFFSET ?", file_id, *values, limit, offset
        )
        return [FileGame(**dict(zip(names.split(", "), row, strict=True))) for row in rows], int(total)

    def file_pgn(self, file_id: str, number: int) -> str | None:
        """Returns one game of a file as PGN, or None."""
        rows = self._store.rows("SELECT pgn FROM file_games WHERE file = ? AND number = ?", file_id, number)
        return str(rows[0][0]) if rows else None

    def delete_file(self, file_id: str) -> bool:
        """Forgets a file and its games; says whether there was one."""
        return self._store.change("DELETE FROM files WHERE id = ?", (file_id,)) > 0


def _row(study: StoredStudy) -> tuple[Any, ...]:
    return (
        *(study.id, study.revision, study.created, study.updated, study.source, study.title, study.result),
        *(json.dumps(study.problems), study.pgn, json.dumps(study.review)),
    )


def _read(row: tuple[Any, ...]) -> StoredStudy:
    values = dict(zip(_STUDY.split(", "), row, strict=True))
    return StoredStudy(**{**values, "problems": json.loads(values["problems"]), "review": json.loads(values["review"])})


def _words(column: str, query: str, first: str | None = None) -> tuple[str, list[Any]]:
    """Returns a WHERE clause and its values; what a user typed is always a value."""
    words = query.lower().split()[:_MOST_WORDS]
    conditions = [*([] if first is None else [first]), *(f"instr({column}, ?) > 0" for _ in words)]
    return f"WHERE {' AND '.join(conditions)}" if conditions else "", list(words)
