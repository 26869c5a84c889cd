"""What becomes of a damaged file of games: what can be read is kept, and the rest comes from the backup.

The damaged file itself is kept beside the new one; nothing is ever deleted here.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BACKUP_NAME = "games.backup.sqlite3"
_NEW = ".new"
GAME_COLUMNS = "id, revision, game, created, updated, setup, progress, is_over, words"
OTHER_TABLES = ("studies", "files", "file_games")
_REVISION, _SETUP, _PROGRESS = 1, 5, 6
"""Where these are among the columns."""


def is_sound(connection: sqlite3.Connection) -> bool:
    """Looks through a whole file: whether all pages and all that is written in them can be read."""
    try:
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            return False
        bad_games = "SELECT COUNT(*) FROM games WHERE NOT (json_valid(setup) AND json_valid(progress))"
        bad_moves = "SELECT COUNT(*) FROM moves WHERE NOT json_valid(facts)"
        return all(connection.execute(query).fetchone() == (0,) for query in (bad_games, bad_moves))
    except sqlite3.DatabaseError:
        return False


def make_backup(connection: sqlite3.Connection, folder: Path) -> None:
    """Copies an open file beside itself; a backup that is there already is replaced by a sound one or stays.

    Raises sqlite3.Error, OSError.
    """
    fresh = folder / (BACKUP_NAME + _NEW)
    try:
        fresh.unlink(missing_ok=True)
        with closing(sqlite3.connect(fresh)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, and no second one that belongs to it
            is_good = is_sound(copy)
        if is_good:  # and on the disk: SQLite has seen to that
            fresh.replace(folder / BACKUP_NAME)
    finally:
        fresh.unlink(missing_ok=True)


def is_backup_old(path: Path) -> bool:
    """Says whether a file has changed since its backup was made."""
    backup = path.with_name(BACKUP_NAME)
    files = [file for file in (path, _beside(path)) if file.exists()]
    return not backup.exists() or any(file.stat().st_mtime > backup.stat().st_mtime for file in files)


@dataclass
class _Found:
    """What could be read of a damaged file."""

    games: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    moves: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    settings: list[tuple[Any, ...]] = field(default_factory=list)
    others: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    """Rows of the tables of studies and files, as far as they can be read."""
    ids: set[str] = field(default_factory=set)
    """Of all games that have left a trace."""
    is_complete: bool = True
    """Whether all games are known by name, so that a game of the backup that is not among them was deleted."""


def recover(path: Path, schema: str, later: str) -> str | None:
    """Puts a sound file in the place of a damaged one and says what is in it; None if there is nothing to put there.

    `schema` makes an empty file, `later` adds what an old backup may lack. Raises sqlite3.Error, OSError.
    """
    found, fresh = _read(path), path.with_name(path.name + _NEW)
    fresh.unlink(missing_ok=True)
    try:
        backup_date = _begin_with_backup(path.with_name(BACKUP_NAME), fresh)
        if backup_date is None and not found.games:
            return None
        with closing(sqlite3.connect(fresh)) as connection:
            if backup_date is None:
                connection.executescript(schema)
            connection.executescript(later)
            there, from_backup = _merge(connection, found)
        kept = _set_aside(path)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    lost = len(found.ids - there)
    of_backup = f", {from_backup} of them as the backup of {backup_date} has them" if from_backup else ""
    missing = f"; {lost} could not be read" if lost else ""
    return (
        f"The file of games was damaged. {_count(len(there))} recovered{of_backup}{missing}. "
        f"The damaged file is kept as {kept.name}."
    )


def _count(games: int) -> str:
    return "1 game was" if games == 1 else f"{games} games were"


def _begin_with_backup(backup: Path, fresh: Path) -> str | None:
    """Begins a new file with the backup and returns when that was made; None if there is no sound one."""
    if not backup.exists():
        return None
    shutil.copyfile(backup, fresh)
    with closing(sqlite3.connect(fresh)) as connection:
        if is_sound(connection):
            return datetime.datetime.fromtimestamp(backup.stat().st_mtime).isoformat(" ", "minutes")
    fresh.unlink()
    return None


def _read(path: Path) -> _Found:
    """Reads a damaged file as far as it goes, from both ends and by its indexes."""
    found = _Found()
    with closing(sqlite3.connect(path)) as connection:
        for order in ("ASC", "DESC"):
            rows, is_complete = _rows(connection, f"SELECT {GAME_COLUMNS} FROM games ORDER BY rowid {order}")
            found.games |= {row[0]: row for row in rows if isinstance(row[0], str)}
            found.is_complete &= is_complete
        for query in ("SELECT id FROM games ORDER BY id", "SELECT DISTINCT game FROM moves"):
            found.ids |= {str(name) for (name,) in _rows(connection, query)[0]}
        found.ids |= set(found.games)
        for game_id in found.ids - set(found.games):
            rows, _ = _rows(connection, f"SELECT {GAME_COLUMNS} FROM games WHERE id = ?", game_id)
            found.games.update((game_id, row) for row in rows)
        for game_id, row in list(found.games.items()):
            moves = "SELECT game, ply, move, facts FROM moves WHERE game = ? ORDER BY ply"
            rows, is_complete = _rows(connection, moves, game_id)
            if is_complete and _is_whole(row, rows):
                found.moves[game_id] = rows
            else:
                del found.games[game_id]
        found.settings, _ = _rows(connection, "SELECT name, value FROM settings")
        found.others = {table: _rows(connection, f"SELECT * FROM {table}")[0] for table in OTHER_TABLES}
    return found


def _rows(connection: sqlite3.Connection, query: str, *values: str) -> tuple[list[tuple[Any, ...]], bool]:
    """Returns the rows up to the first that cannot be read, and whether these are all."""
    rows: list[tuple[Any, ...]] = []
    try:
        rows.extend(connection.execute(query, values))
    except sqlite3.Error:
        return rows, False
    return rows, True


def _is_whole(game: tuple[Any, ...], moves: list[tuple[Any, ...]]) -> bool:
    """Says whether a game can be opened: its facts are readable, and none of its moves is missing."""
    try:
        json.loads(game[_SETUP])
        count = json.loads(game[_PROGRESS])["ply_count"]
        for move in moves:
            json.loads(move[-1])
    except (ValueError, TypeError, KeyError):
        return False
    return [move[1] for move in moves] == list(range(count))


def _merge(connection: sqlite3.Connection, found: _Found) -> tuple[set[str], int]:
    """Writes what was found over the backup; returns which games there are, and how many are the backup's."""
    kept = dict(connection.execute("SELECT id, revision FROM games"))
    with connection:
        for game_id, row in found.games.items():
            if kept.get(game_id, 0) > row[_REVISION]:
                continue
            connection.execute("DELETE FROM moves WHERE game = ?", (game_id,))
            connection.execute(f"INSERT OR REPLACE INTO games ({GAME_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            connection.executemany(
                "INSERT INTO moves (game, ply, move, facts) VALUES (?, ?, ?, ?)", found.moves[game_id]
            )
            kept.pop(game_id, None)
        for game_id in list(kept):
            if found.is_complete and game_id not in found.ids:  # deleted since the backup
                connection.execute("DELETE FROM moves WHERE game = ?", (game_id,))
                connection.execute("DELETE FROM games WHERE id = ?", (game_id,))
                del kept[game_id]
        connection.executemany("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", found.settings)
        for table, rows in found.others.items():
            _merge_others(connection, table, rows)
    return {game_id for (game_id,) in connection.execute("SELECT id FROM games")}, len(kept)


def _merge_others(connection: sqlite3.Connection, table: str, rows: list[tuple[Any, ...]]) -> None:
    """Writes the rows of another table over the backup's."""
    for row in rows:
        connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)


def _set_aside(path: Path) -> Path:
    """Gives a damaged file a second name, under which it stays, and takes its journal away from the first."""
    now = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    kept = path.with_name(f"games.damaged-{now}.sqlite3")
    try:
        os.link(path, kept)
    except OSError:  # a file system without links
        shutil.copyfile(path, kept)
    with contextlib.suppress(FileNotFoundError):
        _beside(path).replace(_beside(kept))
    return kept


def _beside(path: Path) -> Path:
    """Where SQLite writes the newest changes of a file."""
    return path.with_name(path.name + "-wal")
