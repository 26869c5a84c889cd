"""A file of games with damaged pages: it is noticed at the start, and what can be saved is saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from philidor.frontends.web.recovery import BACKUP_NAME
from philidor.frontends.web.store import FILE_NAME, DamagedError, Store
from philidor.frontends.web.stored import StoredGame, StoredMove, new_id
from tests.web.conftest import Server

MOVES = 12
PAGE = 4_096
JUNK = b"\xa5" * PAGE


def add_games(store: Store, count: int) -> list[StoredGame]:
    games = []
    for _ in range(count):
        moves = [StoredMove(move=f"m{ply}", thought={"line": ["Nf3"] * 20}) for ply in range(MOVES)]
        progress = {"ply_count": MOVES, "position": "x" * 300}
        games.append(StoredGame(id=new_id(), game="chess", setup={"you": 0}, progress=progress, moves=moves))
        store.add(games[-1])
    return games


def end_without_backup(store: Store) -> None:
    store._connection.close()


def damage(folder: Path, page: int) -> None:
    """Writes over a page, the first is 1."""
    with (folder / FILE_NAME).open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(JUNK)


def pages(folder: Path) -> int:
    return (folder / FILE_NAME).stat().st_size // PAGE


@pytest.fixture
def kept(tmp_path: Path) -> tuple[list[StoredGame], list[StoredGame]]:
    """Games that are in the backup, and some that came later."""
    store = Store(tmp_path)
    store.change_settings({"theme": "dark"})
    before = add_games(store, 30)
    store.close()
    store = Store(tmp_path)
    after = add_games(store, 10)
    end_without_backup(store)
    return before, after


WHERE: dict[str, Callable[[Path], int]] = {
    "the first page": lambda folder: 1,
    "the root of the games": lambda folder: 2,
    "a quarter": lambda folder: pages(folder) // 4,
    "the middle": lambda folder: pages(folder) // 2,
    "three quarters": lambda folder: 3 * pages(folder) // 4,
}


@pytest.mark.parametrize("where", WHERE.values(), ids=WHERE)
def test_of_a_damaged_file_what_can_be_read_is_kept_and_the_rest_comes_from_the_backup(
    tmp_path: Path, kept: tuple[list[StoredGame], list[StoredGame]], where: Callable[[Path], int]
) -> None:
    before, after = kept
    damage(tmp_path, where(tmp_path))
    store = Store(tmp_path)
    assert store.notice is not None
    assert "was damaged" in store.notice
    assert "\n" not in store.notice
    assert [store.get(game.id) for game in before] == before
    found = [store.get(game.id) for game in after]
    assert all(game is None or game in after for game in found)
    assert store.settings() == {"theme": "dark"}
    [aside] = tmp_path.glob("games.damaged-*.sqlite3")
    assert JUNK in aside.read_bytes()
    assert aside.name in store.notice
    store.close()
    again = Store(tmp_path)
    assert again.notice is None
    assert [again.get(game.id) for game in before] == before
    again.close()


def test_without_a_backup_the_readable_games_are_kept(
    tmp_path: Path, kept: tuple[list[StoredGame], list[StoredGame]]
) -> None:
    games = [*kept[0], *kept[1]]
    (tmp_path / BACKUP_NAME).unlink()
    damage(tmp_path, pages(tmp_path) // 2)
    store = Store(tmp_path)
    found = [game for game in games if store.get(game.id) is not None]
    assert 20 <= len(found) < len(games)
    assert [store.get(game.id) for game in found] == found
    assert store.notice is not None
    assert f"{len(found)} games were recovered; {len(games) - len(found)} could not be read." in store.notice
    store.close()


def test_a_deleted_game_does_not_come_back_from_the_backup(
    tmp_path: Path, kept: tuple[list[StoredGame], list[StoredGame]]
) -> None:
    deleted, broken, *others = kept[0]
    store = Store(tmp_path)
    store.delete(deleted.id)
    store._connection.execute("UPDATE moves SET facts = '{' WHERE game = ? AND ply = 3", (broken.id,))
    end_without_backup(store)
    store = Store(tmp_path)
    assert store.notice is not None
    assert "40 games" not in store.notice
    assert "39 games were recovered, 1 of them as the backup of 20" in store.notice
    assert store.get(deleted.id) is None
    assert store.get(broken.id) == broken
    assert [store.get(game.id) for game in others] == others
    store.close()


def test_a_sound_file_is_left_alone(tmp_path: Path, kept: tuple[list[StoredGame], list[StoredGame]]) -> None:
    store = Store(tmp_path)
    assert store.notice is None
    store.close()
    assert sorted(file.name for file in tmp_path.iterdir()) == [BACKUP_NAME, FILE_NAME]


def test_a_backup_is_never_replaced_by_something_damaged(
    tmp_path: Path, kept: tuple[list[StoredGame], list[StoredGame]]
) -> None:
    store = Store(tmp_path)
    good = (tmp_path / BACKUP_NAME).read_bytes()
    store._connection.execute("UPDATE moves SET facts = '{' WHERE ply = 3")
    store.change_settings({"theme": "light"})
    store.close()
    assert (tmp_path / BACKUP_NAME).read_bytes() == good


def test_a_backup_that_cannot_be_made_does_not_keep_the_games_shut(tmp_path: Path) -> None:
    (tmp_path / f"{BACKUP_NAME}.new").mkdir()
    store = Store(tmp_path)
    [game] = add_games(store, 1)
    store.close()
    assert not (tmp_path / BACKUP_NAME).exists()
    store = Store(tmp_path)
    assert store.get(game.id) == game
    store.close()


def test_damage_that_is_met_while_playing_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store._connection.execute("DROP TABLE moves")
    store._connection.execute("DROP TABLE games")
    with pytest.raises(DamagedError, match="start it again"):
        store.find()
    end_without_backup(store)


def test_the_server_says_what_was_done_in_the_terminal_and_on_the_page(tmp_path: Path) -> None:
    server = Server(tmp_path)
    store = Store(server.data)
    add_games(store, 1)
    store.close()
    damage(server.data, 2)
    server.start()
    try:
        notice = httpx.get(f"{server.url}/api/about").json()["notice"]
        assert notice.startswith("The file of games was damaged. 1 game was recovered")
        assert notice in server.log.read_text()
    finally:
        server.kill()
