"""Nothing is lost: reload, restart of the server, lost connections, two tabs at one game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from philidor.frontends.web.store import FILE_NAME, Store
from tests.web.browser.conftest import OpenPage
from tests.web.browser.table import PERSON, Table
from tests.web.conftest import Server
from tests.web.tab import new_game

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute

OpenTable = Callable[..., Table]

# What a browser says by itself when a server goes away.
GONE = ("WebSocket connection", "ERR_CONNECTION_REFUSED", "Failed to load resource")


def test_a_reload_in_the_middle_of_a_game(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, opponent="random")
    table.drag("e2", "e4")
    table.wait_for_count(2)
    moves, position = table.moves, table.position
    table.page.reload()
    table.wait_for_moves(*moves)
    assert table.position == position
    table.drag("d2", "d3")
    table.wait_for_count(4)


def test_a_restart_of_the_server_in_the_middle_of_a_game(server: Server, open_table: OpenTable) -> None:
    table = open_table(server, page={"expect": GONE}, **PERSON)
    table.drag("e2", "e4")
    table.wait_for_moves("e4")
    status = table.page.locator(".connection")
    server.kill()
    status.wait_for()
    assert status.inner_text() == "Connection lost. Trying again…"
    # A move made meanwhile is neither lost nor forgotten.
    table.drag("e7", "e5")
    assert table.moves == ["e4"]
    server.start()
    status.wait_for(state="hidden")
    table.wait_for_moves("e4", "e5")
    table.drag("g1", "f3")
    table.wait_for_moves("e4", "e5", "Nf3")


def test_two_tabs_stay_in_step(shared_server: Server, open_table: OpenTable, open_page: OpenPage) -> None:
    first = open_table(shared_server, **PERSON)
    second = Table(open_page(first.page.url))
    first.drag("e2", "e4")
    second.wait_for_moves("e4")
    second.wait_for_piece("e4", "white pawn")
    second.drag("c7", "c5")
    first.wait_for_moves("e4", "c5")
    first.button("Take back").click()
    second.wait_for_moves("e4")
    second.wait_for_piece("c7", "black pawn")


def test_two_tabs_that_move_at_once_get_one_move(
    shared_server: Server, open_table: OpenTable, open_page: OpenPage
) -> None:
    first = open_table(shared_server, **PERSON)
    second = Table(open_page(first.page.url))
    # Both fields are filled before either is sent: the second one answers a position that is gone by then.
    first.typed.fill("e2e4")
    second.typed.fill("d2d4")
    submit = "form => { form.requestSubmit(); }"
    handles = [table.page.locator(".typed-move").element_handle() for table in (first, second)]
    for handle in handles:
        handle.evaluate(submit)
    for table in (first, second):
        table.wait_for_count(1)
    assert first.moves == second.moves


def test_settings_reach_the_other_tab(shared_server: Server, open_table: OpenTable, open_page: OpenPage) -> None:
    table = open_table(shared_server, **PERSON)
    page = open_page(f"{shared_server.url}/settings")
    bar = table.page.locator(".eval-bar")
    assert bar.is_hidden()
    page.get_by_label("Evaluation bar").click()
    bar.wait_for()
    page.get_by_label("Evaluation bar").click()
    bar.wait_for(state="hidden")


def test_an_engine_that_failed_can_be_asked_again(shared_server: Server, open_page: OpenPage) -> None:
    game = new_game(shared_server.url, opponent="random")
    page = open_page(shared_server.url)

    def fail(socket: WebSocketRoute) -> None:
        """Between page and server: every game comes with an engine that has failed."""
        server = socket.connect_to_server()

        def forward(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "game":
                message["game"]["engine"] = {"status": "failed", "message": "The engine <b>fell</b> over."}
                message["game"]["can"]["retry"] = True
            socket.send(json.dumps(message))

        server.on_message(forward)
        answer = json.dumps({"type": "notice", "code": "asked", "message": "Asked again."})
        socket.on_message(lambda text: socket.send(answer) if json.loads(text)["type"] == "retry" else None)

    page.route_web_socket("**/live", fail)
    page.goto(f"{shared_server.url}/game/{game['id']}")
    page.get_by_role("alert").get_by_text("The engine <b>fell</b> over.").wait_for()
    page.get_by_role("button", name="Try again").click()
    page.get_by_text("Asked again.").wait_for()


def test_whose_time_is_over_has_lost(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, clock={"base_ms": 1000, "increment_ms": 0}, **PERSON)
    table.type("e4")
    table.wait_for_result("White wins: time")


def test_a_deleted_game_says_so(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, **PERSON)
    httpx.delete(f"{shared_server.url}/api/games/{table.page.url.rsplit('/', 1)[1]}").raise_for_status()
    table.page.get_by_role("heading", name="This game is not here").wait_for()


def test_an_unfinished_game_is_offered_on_the_first_page(server: Server, open_table: OpenTable) -> None:
    table = open_table(server, **PERSON)
    table.type("e4")
    table.wait_for_moves("e4")
    new_game(server.url, start={"kind": "pgn", "text": "1. f3 e5 2. g4 Qh4# 0-1"})
    new_game(server.url, "hexapawn", **PERSON)
    table.page.goto(server.url)
    table.page.get_by_role("link", name="all 2 unfinished games").click()
    table.page.get_by_text("2 games", exact=True).wait_for()
    table.page.locator(".game-open", has_text="King's Pawn").click()
    table.wait_for_moves("e4")
    table.type("e5")
    table.wait_for_moves("e4", "e5")
    table.page.goto(server.url)
    table.page.locator(".continue").click()
    table.wait_for_moves("e4", "e5")


def test_a_repaired_file_of_games_is_told_until_it_is_closed(tmp_path: Path, open_page: OpenPage) -> None:
    server = Server(tmp_path)
    store = Store(server.data)
    store.change_settings({"sound": True})
    store.close()
    (server.data / FILE_NAME).write_bytes(b"\xa5" * 10_000)
    server.start()
    try:
        page = open_page(server.url)
        page.get_by_text("The file of games was damaged.").wait_for()
        page.get_by_role("button", name="Close message").click()
        page.get_by_text("The file of games was damaged.").wait_for(state="detached")
        page.close()  # before the server goes: it may still be loading something
    finally:
        server.kill()


def test_what_could_not_be_saved_is_said_on_the_page(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{shared_server.url}/new", expect=("Failed to load resource",))
    problem = {"error": {"code": "not_saved", "message": "This could not be saved: the disk is full."}}
    page.route("**/api/games", lambda route: route.fulfill(status=500, json=problem))
    page.route("**/api/settings", lambda route: route.fulfill(status=500, json=problem))
    page.get_by_role("button", name="Start the game").click()
    page.get_by_text("the disk is full").wait_for()
    assert page.url.endswith("/new")
    page.get_by_role("button", name="Close message").click()
    page.get_by_role("link", name="Settings").click()
    page.get_by_label("Sounds").click()
    page.get_by_text("the disk is full").wait_for()
