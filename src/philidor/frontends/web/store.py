"""The games on disk: one SQLite file, every change a transaction that has ended before anybody is told of it."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from philidor.core.errors import PhilidorError
from philidor.frontends.web import recovery
from philidor.frontends.web.stored import StoredGame, StoredMove, now

FILE_NAME = "games.sqlite3"
_VERSION = 1
_SCHEMA = """
CREATE TABLE games (
    id TEXT PRIMARY KEY, revision INTEGER NOT NULL, game TEXT NOT NULL,
    created TEXT NOT NULL, updated TEXT NOT NULL, setup TEXT NOT NULL,
    progress TEXT NOT NULL, is_over INTEGER NOT NULL, words TEXT NOT NULL
) STRICT;
CREATE INDEX games_by_change ON games (updated DESC, id);
CREATE TABLE moves (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE, ply INTEGER NOT NULL,
    move TEXT NOT NULL, facts TEXT NOT NULL, PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""
# Files that were written before there were studies get these too; who does not know them leaves them alone.
_LATER = """
CREATE TABLE IF NOT EXISTS studies (
    id TEXT PRIMARY KEY, revision INTEGER NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL,
    source TEXT NOT NULL, title TEXT NOT NULL, result TEXT NOT NULL, problems TEXT NOT NULL, pgn TEXT NOT NULL,
    review TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS studies_by_change ON studies (updated DESC, id);
CREATE TABLE IF NOT EXISTS files (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, games INTEGER NOT NULL, created TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS file_games (
    file TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE, number INTEGER NOT NULL,
    white TEXT NOT NULL, black TEXT NOT NULL, result TEXT NOT NULL, date TEXT NOT NULL, opening TEXT NOT NULL,
    plies INTEGER NOT NULL, problem TEXT, words TEXT NOT NULL, pgn TEXT NOT NULL, PRIMARY KEY (file, number)
) STRICT, WITHOUT ROWID;
"""
_log = logging.getLogger(__name__)


class StoreError(PhilidorError):
    """The games cannot be opened or written; the message says why."""


class StoreTakenError(StoreError):
    """Another server has these games open."""


class DamagedError(StoreError):
    """What was written once cannot be read any more."""


class NotSavedError(StoreError):
    """A change could not be written; the file is as it was before."""

    def __init__(self, error: sqlite3.Error) -> None:
        is_full = error.sqlite_errorcode == sqlite3.SQLITE_FULL
        super().__init__(f"This could not be saved: {'the disk is full' if is_full else error}.")


class Store:
    """The open file. Not thread-safe: one thread uses it."""

    def __init__(self, folder: Path) -> None:
        """Opens the games of a folder and keeps other servers out. Raises StoreError, StoreTakenError."""
        self.path = folder / FILE_NAME
        self.notice: str | None = None
        """What was done about a damaged file, in a line for people."""
        self._has_changed = False
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not self._open():
                self.notice = recovery.recover(self.path, _SCHEMA + f"PRAGMA user_version = {_VERSION}", _LATER)
                if self.notice is None or not self._open():
                    raise StoreError(
                        f"{self.path} is not a file of games, or damaged beyond reading, and there is no backup; "
                        "move it away to begin anew"
                    )
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise StoreTakenError(f"another philidor has the games in {folder} open") from None
            raise StoreError(f"cannot open {self.path}: {error}") from None
        except OSError as error:
            raise StoreError(f"cannot use the folder {folder}: {(error.strerror or str(error)).lower()}") from None
        if recovery.is_backup_old(self.path):
            self._make_backup()

    def _open(self) -> bool:
        """Opens the file; says whether all of it can be read. Raises sqlite3.OperationalError, StoreError."""
        self._connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=1.0)
        try:
            self._prepare()
            is_sound = recovery.is_sound(self._connection)
        except sqlite3.OperationalError:
            self._connection.close()
            raise
        except sqlite3.DatabaseError:  # not even a first page
            is_sound = False
        if not is_sound:
            self._connection.close()
        return is_sound

    def _prepare(self) -> None:
        execute = self._connection.execute
        # The lock is taken with the first write and given back when this process ends, however it ends.
        execute("PRAGMA locking_mode = EXCLUSIVE")
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = FULL")
        execute("PRAGMA foreign_keys = ON")
        with self._one_change():
            [version] = execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in _SCHEMA.split(";"):
                    execute(statement)
                execute(f"PRAGMA user_version = {_VERSION}")
            elif version != _VERSION:
                raise StoreError(f"{self.path} was written by another version of philidor (format {version})")
            for statement in _LATER.split(";"):
                execute(statement)

    def _make_backup(self) -> None:
        """Copies the file; that this does not work is no reason not to play."""
        try:
            recovery.make_backup(self._connection, self.path.parent)
        except (sqlite3.Error, OSError) as error:
            _log.warning("no backup of the games was made: %s", error)

    @contextmanager
    def _one_change(self) -> Iterator[None]:
        """Makes all statements inside one change that happens or does not."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # a full disk has ended it already
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def saving(self) -> Iterator[sqlite3.Connection]:
        """The same for what somebody wants to keep. Raises NotSavedError."""
        try:
            with self._one_change():
                yield self._connection
            self._has_changed = True
        except sqlite3.Error as error:
            raise NotSavedError(error) from error

    def close(self) -> None:
        """Closes the file, with a backup of what has changed; others may open it then."""
        if self._has_changed:
            self._make_backup()
        self._connection.close()

    # --- Games -------------------------------------------------------------------------------------------------

    def add(self, game: StoredGame) -> None:
        """Keeps a new game. Raises NotSavedError, as all changes do."""
        game.created = game.updated = now()
        with self.saving():
            self._connection.execute(
                f"INSERT INTO games ({recovery.GAME_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(game.id, game.revision, game.game, game.created, game.updated),
                    *(json.dumps(game.setup), json.dumps(game.progress), int(game.is_over), game.words),
                ),
            )
            self._write_moves(game, 0)

    def update(self, game: StoredGame, first_ply: int) -> None:
        """Keeps a game's change: its progress, and its moves from `first_ply` on."""
        game.updated = now()
        with self.saving():
            self._connection.execute(
                "UPDATE games SET revision = ?, updated = ?, progress = ?, is_over = ?, words = ? WHERE id = ?",
                (game.revision, game.updated, json.dumps(game.progress), int(game.is_over), game.words, game.id),
            )
            self._connection.execute("DELETE FROM moves WHERE game = ? AND ply >= ?", (game.id, first_ply))
            self._write_moves(game, first_ply)

    def _write_moves(self, game: StoredGame, first_ply: int) -> None:
        rows = [
            (game.id, ply, move.move, json.dumps({"clocks_ms": move.clocks_ms, "thought": move.thought}))
            for ply, move in enumerate(game.moves)
            if ply >= first_ply
        ]
        self._connection.executemany("INSERT INTO moves (game, ply, move, facts) VALUES (?, ?, ?, ?)", rows)

    def change(self, statement: str, values: Sequence[Any]) -> int:
        """Keeps one change; returns how many rows it made different. Raises NotSavedError."""
        with self.saving() as connection:
            return connection.execute(statement, values).rowcount

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Reads. Raises DamagedError."""
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise DamagedError(
                f"The file of games cannot be read ({error}); end philidor and start it again."
            ) from error

    def get(self, game_id: str) -> StoredGame | None:
        """Returns a game, or None. Raises DamagedError, as everything that reads."""
        rows = self.rows(f"SELECT {recovery.GAME_COLUMNS} FROM games WHERE id = ?", game_id)
        if not rows:
            return None
        game = _read(rows[0])
        moves = self.rows("SELECT move, facts FROM moves WHERE game = ? ORDER BY ply", game_id)
        game.moves = [_stored_move(move, json.loads(facts)) for move, facts in moves]
        return game

    def delete(self, game_id: str) -> bool:
        """Forgets a game; says whether there was one."""
        with self.saving():
            return self._connection.execute("DELETE FROM games WHERE id = ?", (game_id,)).rowcount > 0

    def find(
        self, *, query: str = "", status: str = "", game: str = "", limit: int = -1, offset: int = 0
    ) -> list[StoredGame]:
        """Returns games without their moves, the last changed first; every word of `query` must appear."""
        where, values = _conditions(query, status, game)
        query = f"SELECT {recovery.GAME_COLUMNS} FROM games {where} ORDER BY updated DESC, id LIMIT ? OFFSET ?"
        rows = self.rows(query, *values, limit, offset)
        return [_read(row) for row in rows]

    def count(self, *, query: str = "", status: str = "", game: str = "") -> int:
        """Counts what `find` would find without limit."""
        where, values = _conditions(query, status, game)
        [[count]] = self.rows(f"SELECT COUNT(*) FROM games {where}", *values)
        return int(count)

    # --- Settings ----------------------------------------------------------------------------------------------

    def settings(self) -> dict[str, Any]:
        """Returns all settings."""
        rows = self.rows("SELECT name, value FROM settings ORDER BY name")
        return {name: json.loads(value) for name, value in rows}

    def change_settings(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Sets some, removes those that are None, and returns all."""
        with self.saving():
            for name, value in changes.items():
                if value is None:
                    self._connection.execute("DELETE FROM settings WHERE name = ?", (name,))
                else:
                    self._connection.execute(
                        "INSERT INTO settings (name, value) VALUES (?, ?) "
                        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                        (name, json.dumps(value)),
                    )
        return self.settings()


def _read(row: tuple[Any, ...]) -> StoredGame:
    return StoredGame(
        id=row[0],
        revision=row[1],
        game=row[2],
        created=row[3],
        updated=row[4],
        setup=json.loads(row[5]),
        progress=json.loads(row[6]),
        is_over=bool(row[7]),
        words=row[8],
    )


def _stored_move(move: str, facts: dict[str, Any]) -> StoredMove:
    clocks = facts["clocks_ms"]
    return StoredMove(move=move, clocks_ms=None if clocks is None else tuple(clocks), thought=facts["thought"])


def _conditions(query: str, status: str, game: str) -> tuple[str, list[Any]]:
    """Returns a WHERE clause and its values; what a user typed is always a value."""
    conditions: list[str] = []
    values: list[Any] = []
    if status:
        conditions.append("is_over = ?")
        values.append(int(status == "over"))
    if game:
        conditions.append("game = ?")
        values.append(game)
    for word in query.lower().split()[:10]:
        conditions.append("instr(words, ?) > 0")
        values.append(word)
    return (f"WHERE {' AND '.join(conditions)}" if conditions else ""), values
