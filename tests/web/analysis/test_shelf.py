"""Studies and files on disk: in a file that was there before them, and in one that was damaged."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from philidor.frontends.web.analysis.importing import GameText, index_games
from philidor.frontends.web.analysis.schema import FileSummary
from philidor.frontends.web.analysis.shelf import Shelf, StoredStudy
from philidor.frontends.web.store import FILE_NAME, Store
from philidor.frontends.web.stored import new_id
from tests.web.test_recovery import add_games, damage, end_without_backup


def study(title: str) -> StoredStudy:
    return StoredStudy(id=new_id(), title=title, pgn="1. e4 *", problems=["x"], review={"nodes": 1})


def test_a_file_of_games_that_is_older_than_studies_gets_them(tmp_path: Path) -> None:
    store = Store(tmp_path)
    games = add_games(store, 2)
    store.close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        for table in ("studies", "files", "file_games"):
            connection.execute(f"DROP TABLE {table}")
    store = Store(tmp_path)
    shelf, kept = Shelf(store), study("kept")
    shelf.add(kept)
    assert store.notice is None
    assert shelf.get(kept.id) == kept
    assert store.get(games[0].id) == games[0]
    store.close()


def test_studies_and_files_survive_a_damaged_file(tmp_path: Path) -> None:
    store = Store(tmp_path)
    shelf = Shelf(store)
    add_games(store, 3)
    old = study("old")
    shelf.add(old)
    file = FileSummary(id=new_id(), name="club.pgn", games=1, created="2026-01-02T00:00:00.000Z")
    shelf.add_file(file, index_games([GameText("1. e4 c5 *\n", {"White": "Anna"})]))
    store.close()
    store = Store(tmp_path)
    Shelf(store).add(study("new"))
    end_without_backup(store)
    damage(tmp_path, 2)
    store = Store(tmp_path)
    shelf = Shelf(store)
    assert store.notice is not None
    assert shelf.get(old.id) == old
    assert {each.title for each in shelf.find("", 10, 0)[0]} >= {"old"}
    assert shelf.files() == [file]
    [game], total = shelf.file_games(file.id, "sicilian anna", 10, 0)
    assert (game.opening, total) == ("B20 Sicilian Defense", 1)
    assert shelf.delete_file(file.id)
    assert shelf.file_pgn(file.id, 1) is None
    store.close()
