"""Everything by keyboard alone, and what screen readers are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.web.browser.conftest import OpenPage
from tests.web.browser.table import PERSON, Table
from tests.web.conftest import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

OpenTable = Callable[..., Table]


def press(page: Page, *keys: str) -> None:
    """Presses keys one after the other."""
    for key in keys:
        page.keyboard.press(key)


def focused(page: Page) -> str:
    """The name of what has the focus."""
    name: str = page.evaluate("() => document.activeElement.innerText || document.activeElement.id")
    return name


def test_a_game_from_the_form_to_the_rematch_without_a_mouse(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(shared_server.url)
    page.get_by_role("button", name="Start the game").wait_for()
    for _ in range(60):
        press(page, "Tab")
        if focused(page) == "Start the game":
            break
    press(page, "Enter")
    page.wait_for_url("**/game/*")
    table = Table(page)
    table.typed.wait_for()
    press(page, "m")
    page.keyboard.type("e4")
    press(page, "Enter")
    table.wait_for_count(2)
    press(page, "Escape", "Shift+R")
    page.get_by_role("dialog").wait_for()
    press(page, "Enter")
    table.wait_for_result("Black wins")
    first = page.url
    press(page, "r")
    page.wait_for_url(lambda url: url != first)


def test_pieces_are_moved_by_arrow_keys(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, start={"kind": "position", "text": "7k/4P3/8/8/8/8/8/K7 w - - 0 1"}, **PERSON)
    press(table.page, "b", *["ArrowUp"] * 5, "Enter")
    table.page.locator(".sr-only", has_text="e7, white pawn, selected, can go to e8").wait_for()
    press(table.page, "ArrowUp", "Enter")
    table.button("Queen").wait_for()
    press(table.page, "ArrowDown", "Enter")
    table.wait_for_moves("e8=R+")


def test_the_other_board_is_played_by_arrow_keys(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, "hexapawn", **PERSON)
    press(table.page, "b", "ArrowDown", "Enter", "ArrowUp", "Enter")
    table.wait_for_moves("b1b2")


def test_arrow_keys_look_back_and_the_board_follows(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, start={"kind": "pgn", "text": "1. e4 e5 2. Nf3 *"}, **PERSON)
    table.wait_for_piece("f3", "white knight")
    press(table.page, "ArrowLeft")
    table.wait_for_piece("g1", "white knight")
    press(table.page, "Home")
    table.wait_for_piece("e2", "white pawn")
    assert table.page.locator(".move[aria-current]").count() == 0
    press(table.page, "End")
    table.wait_for_piece("f3", "white knight")
    assert table.page.locator(".move[aria-current]").inner_text() == "Nf3"


def test_moves_and_the_board_are_told_to_screen_readers(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, start={"kind": "position", "text": "7k/8/8/8/8/8/8/K4R2 w - - 0 1"}, **PERSON)
    assert table.position == "White: king a1, rook f1. Black: king h8."
    polite = table.page.locator("[aria-live=polite]")
    table.type("Rg1")
    polite.get_by_text("White: rook g1.").wait_for()
    table.type("Kh7")
    polite.get_by_text("Black: king h7.").wait_for()
    press(table.page, "Escape", "p")
    table.page.locator("[aria-live=assertive]", has_text="White: king a1, rook g1. Black: king h7.").wait_for()


def test_the_help_lists_the_keys_that_work(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, **PERSON)
    press(table.page, "?")
    dialog = table.page.get_by_role("dialog", name="Help")
    dialog.wait_for()
    listed = dialog.locator(".help-keys tr").all_inner_texts()
    assert any("Flip the board" in row and "f" in row for row in listed)
    press(table.page, "f")
    assert "orientation-white" in (table.board.get_attribute("class") or "")
    press(table.page, "Escape")
    dialog.wait_for(state="hidden")
    press(table.page, "f")
    table.page.locator(".board.orientation-black").wait_for()


def test_single_keys_can_be_turned_off(server: Server, open_table: OpenTable) -> None:
    table = open_table(server, **PERSON)
    table.page.goto(f"{server.url}/settings")
    with table.page.expect_response(lambda response: "settings" in response.url):
        table.page.get_by_label("Keyboard shortcuts").click()
    table.page.go_back()
    table.board.wait_for()
    press(table.page, "f", "?")
    table.page.get_by_role("dialog", name="Help").wait_for()
    assert "orientation-white" in (table.board.get_attribute("class") or "")
