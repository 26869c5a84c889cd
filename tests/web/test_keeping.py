"""Nothing is lost: by a reload, a second tab, a killed server, or a disk that is full."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import httpx
import pytest

from philidor.frontends.web.app import create_app
from philidor.frontends.web.catalog import Catalog
from philidor.frontends.web.lobby import Lobby
from philidor.frontends.web.pages import Pages
from philidor.frontends.web.store import FILE_NAME, Store, StoreError, StoreTakenError
from philidor.frontends.web.stored import StoredGame, StoredMove, new_id
from tests.web.conftest import Server
from tests.web.tab import Tab, new_game


def test_a_killed_server_goes_on_where_it_was(server: Server) -> None:
    game_id = new_game(server.url, opponent="minimax", strength={"level": 1})["id"]
    with Tab(server.url, game_id) as tab:
        tab.move_and_wait("e4")
        tab.move_and_wait("d4")
        before = tab.game
        server.kill()
    server.start()
    with Tab(server.url, game_id) as tab:
        assert tab.game["moves"] == before["moves"]
        assert tab.game["revision"] == before["revision"]
        assert tab.game["legal"] == before["legal"]
        tab.move_and_wait(tab.game["legal"][0]["text"])
        assert len(tab.game["moves"]) == 6


def test_a_server_killed_while_its_engine_thinks_thinks_again(server: Server) -> None:
    game_id = new_game(server.url, opponent="minimax", strength={"settings": {"depth": 50}})["id"]
    with Tab(server.url, game_id) as tab:
        tab.move("e4")
        server.restart()
    with Tab(server.url, game_id) as tab:
        assert tab.game["status"] == "engine_turn"
        assert tab.game["engine"]["status"] == "thinking"
        tab.send("takeback", revision=tab.game["revision"])
        tab.wait("game", status="your_turn", moves=[])


def test_a_clock_goes_on_after_a_restart_with_what_was_left(server: Server) -> None:
    clock = {"base_ms": 60_000, "increment_ms": 0}
    game_id = new_game(server.url, opponent="person", clock=clock)["id"]
    with Tab(server.url, game_id) as tab:
        running = [tab.game["clock"]["running"]]
        tab.move("e4")
        running.append(tab.game["clock"]["running"])
        assert running == [None, 1]  # it waits for the first move
    left = httpx.get(f"{server.url}/api/games/{game_id}").json()["clock"]
    assert left["running"] is None  # nobody watches
    server.restart()
    view = httpx.get(f"{server.url}/api/games/{game_id}").json()
    assert view["clock"] == left


def test_ctrl_c_ends_the_server_with_all_games_kept(server: Server) -> None:
    game_id = new_game(server.url, opponent="person")["id"]
    with Tab(server.url, game_id) as tab:
        tab.move("e4")
        assert server.stop() == 0
    server.start()
    assert len(httpx.get(f"{server.url}/api/games/{game_id}").json()["moves"]) == 1


def test_two_tabs_see_the_same(server: Server) -> None:
    game_id = new_game(server.url, opponent="person")["id"]
    with Tab(server.url, game_id) as one, Tab(server.url, game_id) as two:
        one.move("e4")
        two.wait("game", revision=one.game["revision"])
        two.move("e5")
        one.wait("game", revision=two.game["revision"])
        assert one.game["moves"] == two.game["moves"]


def test_of_two_tabs_that_move_at_once_one_is_refused(server: Server) -> None:
    game_id = new_game(server.url, opponent="person")["id"]
    with Tab(server.url, game_id) as one, Tab(server.url, game_id) as two:
        revision = one.game["revision"]
        one.send("move", revision=revision, move="e4", id=1)
        two.send("move", revision=revision, move="d4", id=2)
        answers = [_first_answer(tab, revision) for tab in (one, two)]
        refused = [answer for answer in answers if answer["type"] == "error"]
        assert [answer["code"] for answer in refused] == ["stale_position"]
        view = httpx.get(f"{server.url}/api/games/{game_id}").json()
        assert len(view["moves"]) == 1


def _first_answer(tab: Tab, revision: int) -> dict[str, object]:
    """Waits for the error that answers this tab, or its own move on the board."""
    own = {"e4": 1, "d4": 2}
    while True:
        message = tab.receive()
        if message["type"] == "error":
            return message
        if message["type"] == "game" and tab.game["revision"] > revision:
            # The other tab's move: the error for this one's comes too, or it was this one's own.
            try:
                later = tab.receive(1.0)
            except TimeoutError:
                assert tab.game["moves"][0]["san"] in own
                return message
            if later["type"] == "error":
                return later


def test_a_second_server_with_the_same_games_shows_the_first(server: Server) -> None:
    command = [sys.executable, "-m", "philidor", "play", "--no-browser", "--port", "0", "--data", str(server.data)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=server.environment)
    assert done.returncode == 0
    assert f"open already at {server.url}" in done.stdout


@asynccontextmanager
async def visitor(store: Store, pages: Path) -> AsyncIterator[httpx.AsyncClient]:
    """Whoever visits a server in this process, which keeps its games in a store."""
    (pages / "index.html").write_text("<!doctype html><title>philidor</title>")
    app = create_app(lambda: Lobby(store, Catalog()), Pages(pages))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport, base_url="http://a") as client:
        yield client


def test_what_a_full_disk_does_not_take_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    asyncio.run(_fill_the_disk(Store(tmp_path), tmp_path))


async def _fill_the_disk(store: Store, folder: Path) -> None:
    sqlite, wish = store._connection, {"game": "chess", "opponent": "person"}
    async with visitor(store, folder) as client:
        ids = [(await client.post("/api/games", json=wish)).json()["id"]]
        settings = (await client.put("/api/settings", json={"theme": "dark"})).json()
        sqlite.execute("PRAGMA max_page_count = 1")  # as many as there are now
        while (answer := await client.post("/api/games", json=wish)).status_code == 201:
            ids.append(answer.json()["id"])
        problem = {"error": {"code": "not_saved", "message": "This could not be saved: the disk is full."}}
        assert (answer.status_code, answer.json()) == (500, problem)
        answer = await client.post(f"/api/games/{ids[0]}/rematch")
        assert (answer.status_code, answer.json()) == (500, problem)
        large = {f"setting_{number}": "x" * 1_000 for number in range(30)}
        answer = await client.put("/api/settings", json=large)
        assert (answer.status_code, answer.json()) == (500, problem)
        assert (await client.get("/api/about")).json()["settings"] == settings
        listed = (await client.get("/api/games?per_page=100")).json()["games"]
        assert {game["id"] for game in listed} == set(ids)
        sqlite.execute("PRAGMA max_page_count = 100000")
        assert (await client.post("/api/games", json=wish)).status_code == 201
        assert (await client.put("/api/settings", json={"sound": True})).json() == {**settings, "sound": True}


# --- The file ---------------------------------------------------------------------------------------------------


def sample(**facts: object) -> StoredGame:
    game = StoredGame(id=new_id(), game="chess", setup={"you": 0}, progress={"ply_count": 0}, words="anna b20 draw")
    for name, value in facts.items():
        setattr(game, name, value)
    return game


def test_what_is_stored_is_read_back(tmp_path: Path) -> None:
    store = Store(tmp_path)
    game = sample(moves=[StoredMove(move="e2e4", clocks_ms=(5, 6), thought={"nodes": 3}), StoredMove(move="e7e5")])
    store.add(game)
    assert store.get(game.id) == game
    del game.moves[1:]
    game.moves.append(StoredMove(move="c7c5"))
    game.revision, game.is_over = 2, True
    store.update(game, 1)
    store.close()
    again = Store(tmp_path)
    assert again.get(game.id) == game
    assert again.delete(game.id)
    assert not again.delete(game.id)
    assert again.get(game.id) is None
    again.close()


def test_games_are_found_by_words_status_and_page(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for number in range(5):
        store.add(sample(words=f"game number{number} 50%_' sicilian", is_over=number % 2 == 0))
    assert store.count() == 5
    assert store.count(query="Sicilian NUMBER3") == 1
    assert store.count(query="50%_'") == 5
    assert store.count(query="_x") == 0
    assert store.count(status="over") == 3
    assert store.count(status="playing", game="chess") == 2
    newest = [game.words for game in store.find(limit=2)]
    assert len(newest) == 2
    assert newest == [game.words for game in store.find()][:2]
    assert len(store.find(limit=2, offset=4)) == 1
    store.close()


def test_settings_are_merged(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.change_settings({"a": 1, "b": "x"}) == {"a": 1, "b": "x"}
    assert store.change_settings({"a": None, "c": True}) == {"b": "x", "c": True}
    store.close()


def test_another_process_is_kept_out(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(StoreTakenError, match="open"):
        Store(tmp_path)
    store.close()
    Store(tmp_path).close()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("no database at all " * 100)
    with pytest.raises(StoreError, match="not a file of games"):
        Store(tmp_path)


def test_a_file_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="another version"):
        Store(tmp_path)


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot use the folder"):
        Store(tmp_path / "file" / "games")


def test_a_change_that_fails_half_way_changes_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    game = sample(moves=[StoredMove(move="e2e4")])
    store.add(game)
    game.revision = 2
    game.moves.append(StoredMove(move="e7e5", thought={"a set": {1}}))  # JSON has no sets
    with pytest.raises(TypeError):
        store.update(game, 0)
    stored = store.get(game.id)
    assert stored is not None
    assert stored.revision == 1
    assert [move.move for move in stored.moves] == ["e2e4"]
    assert json.loads(json.dumps(stored.progress)) == {"ply_count": 0}
    store.close()
