"""The new-game form, the editor, my games and settings; and texts from outside that would like to be markup."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.web.browser.conftest import OpenPage
from tests.web.browser.table import PERSON, Table
from tests.web.conftest import Server
from tests.web.tab import new_game

OpenTable = Callable[..., Table]

ROOT = Path(__file__).parents[3]
HOSTILE = "<img src=x onerror=alert(1)><b>bold</b>"


def test_the_form_starts_what_it_says(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{shared_server.url}/new")
    page.get_by_role("radio", name="Black", exact=True).check()
    page.get_by_role("radio", name="5+3", exact=True).check()
    page.get_by_label("Level", exact=True).fill("1600")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    table = Table(page)
    table.wait_for_count(1)
    assert page.locator("h1").inner_text() == "Chess · 5+3"
    assert "1600" in page.locator(".player-name").first.inner_text()
    assert page.locator(".clock.running").is_visible()
    # What was chosen is chosen again next time.
    page.goto(f"{shared_server.url}/new")
    assert page.get_by_label("Black", exact=True).is_checked()


def test_the_form_takes_a_game_and_its_size(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.url)
    page.get_by_label("Game", exact=True).select_option("hexapawn")
    page.get_by_label("Columns").fill("5")
    page.locator(".grid-board .piece").nth(9).wait_for()
    page.get_by_label("Opponent").select_option("person")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    table = Table(page)
    table.drag("e1", "e2")
    table.wait_for_moves("e1e2")


def test_a_game_goes_on_from_a_pasted_pgn(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{shared_server.url}/new")
    page.get_by_role("radio", name="FEN or PGN", exact=True).check()
    page.get_by_label("Paste a FEN or a PGN, or drop a file").fill(f'[White "{HOSTILE}"]\n\n1. e4 e5 2. Nf3 Nc6 *')
    page.locator(".field-help", has_text=f"{HOSTILE} – ?, 4 moves").wait_for()
    page.get_by_label("Opponent").select_option("person")
    page.get_by_label("Go on after").fill("3")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    table = Table(page)
    table.wait_for_moves("e4", "e5", "Nf3")


def test_pasted_nonsense_is_explained(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{shared_server.url}/new")
    page.get_by_role("radio", name="FEN or PGN", exact=True).check()
    page.get_by_label("Paste a FEN or a PGN, or drop a file").fill("8/8/8/8/8/8/8/8 w - - 0 1")
    page.locator(".field-help.problem", has_text="king").wait_for()
    page.get_by_role("button", name="Start the game").click()
    page.locator(".message.error").wait_for()
    assert page.url.endswith("/new")


def test_names_from_outside_stay_text(shared_server: Server, open_table: OpenTable) -> None:
    pgn = f'[White "{HOSTILE}"]\n[Black "<script>alert(2)</script>"]\n\n1. f3 e5 2. g4 Qh4# 0-1'
    table = open_table(shared_server, start={"kind": "pgn", "text": pgn})
    assert table.page.locator(".player-name").all_inner_texts() == ["<script>alert(2)</script>", HOSTILE]
    table.page.goto(f"{shared_server.url}/games")
    table.page.locator(".game-card", has_text="alert(2)").wait_for()
    assert table.page.locator(".game-card b, .game-card img").count() == 0


def test_a_position_is_set_up_and_played(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{shared_server.url}/editor")
    page.get_by_role("button", name="Clear").click()
    page.locator(".problem", has_text="king").wait_for()
    assert page.get_by_role("button", name="Play from here").is_disabled()
    board = Table(page)
    for name, square in (("White king", "e1"), ("Black king", "e8"), ("White queen", "d1")):
        page.get_by_role("button", name=name).click()
        board.click(square)
    page.get_by_text("A legal position with 21 moves.").wait_for()
    assert page.locator("#editor-fen").input_value() == "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"
    page.get_by_role("button", name="Play from here").click()
    page.get_by_text("21 legal moves").wait_for()
    page.get_by_label("Opponent").select_option("person")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    table = Table(page)
    table.drag("d1", "d7")
    table.wait_for_moves("Qd7+")


def test_pieces_are_dragged_in_moved_and_thrown_off_the_editor(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{shared_server.url}/editor")
    board = Table(page)
    fen = page.locator("#editor-fen")
    start = page.get_by_role("button", name="White queen").bounding_box()
    assert start is not None
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(*board.middle_of("e5"), steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Move pieces", exact=True).click()
    board.drag("e2", "e4")
    page.get_by_role("button", name="Remove pieces").click()
    board.click("a1")
    page.get_by_text("A legal position").wait_for()
    made = "rnbqkbnr/pppppppp/8/4Q3/4P3/8/PPPP1PPP/1NBQKBNR w Kkq - 0 1"
    assert fen.input_value() == made, "the right to castle goes with the rook"
    page.reload()
    page.get_by_text("A legal position").wait_for()
    assert fen.input_value() == made


def test_the_editor_by_keyboard(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{shared_server.url}/editor")
    page.get_by_text("A legal position").wait_for()
    for key in ("b", "ArrowUp", "N", "ArrowUp", "ArrowLeft", "q"):
        page.keyboard.press(key)
    page.locator("[aria-live=assertive]", has_text="d4, black queen").wait_for()
    assert page.locator("#editor-fen").input_value().split()[0] == "rnbqkbnr/pppppppp/8/8/3q4/4N3/PPPPPPPP/RNBQKBNR"
    page.keyboard.press("Delete")
    page.locator("[aria-live=assertive]", has_text="d4, empty").wait_for()


def test_games_are_searched_exported_and_deleted(server: Server, open_page: OpenPage, tmp_path: Path) -> None:
    for white in ("Anna", "Bela"):
        pgn = f'[White "{white}"]\n[Black "Carl"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1'
        new_game(server.url, start={"kind": "pgn", "text": pgn})
    page = open_page(f"{server.url}/games")
    page.get_by_text("2 games").wait_for()
    page.get_by_label("Search").fill("anna")
    page.get_by_text("1 game", exact=True).wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export Anna – Carl as PGN").click()
    target = tmp_path / "game.pgn"
    download.value.save_as(target)
    assert '[White "Anna"]' in target.read_text(encoding="utf-8")
    page.get_by_role("button", name="Delete Anna – Carl").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_text("No game matches.").wait_for()
    page.get_by_label("Search").fill("")
    page.locator(".game-open").click()
    Table(page).wait_for_result("Black wins: checkmate.")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_a_theme_is_kept_and_there_before_the_first_paint(server: Server, open_page: OpenPage, theme: str) -> None:
    page = open_page(f"{server.url}/settings", color_scheme="light" if theme == "Dark" else "dark")
    page.get_by_role("radio", name=theme, exact=True).check()
    page.locator(f"html[data-theme={theme.lower()}]").wait_for()
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == theme.lower()
    background = page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
    assert (sum(map(int, background[4:-1].split(","))) < 300) == (theme == "Dark")


def test_the_players_name_and_the_board_are_settings(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.url}/settings")
    page.get_by_label("Your name").fill(HOSTILE)
    page.get_by_label("Your name").press("Enter")
    page.get_by_role("radio", name="Slate", exact=True).check()
    page.locator("html[data-board=slate]").wait_for()
    page.goto(server.url)
    page.get_by_role("button", name="Start the game").click()
    page.locator(".player-name", has_text=HOSTILE).wait_for()
    dark = page.locator("html").evaluate("html => getComputedStyle(html).getPropertyValue('--board-dark')")
    assert dark == "#7f98ae"


def test_a_setting_is_kept_though_the_page_was_left_before_it_was_saved(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.url}/settings")
    page.route("**/api/settings", lambda _: None, times=1)  # never answered
    page.get_by_role("radio", name="Slate", exact=True).check()
    page.locator("html[data-board=slate]").wait_for()
    with page.expect_response("**/api/settings"):
        page.goto(server.url)
    assert page.locator("html").get_attribute("data-board") == "slate"
    assert httpx.get(f"{server.url}/api/about").json()["settings"]["board_theme"] == "slate"
    assert page.evaluate("() => localStorage.getItem('philidor-unsaved-settings')") == "{}"


def test_an_unknown_address_has_a_way_out(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{shared_server.url}/game/nosuchgame12")
    page.get_by_role("heading", name="This game is not here").wait_for()
    page.get_by_role("link", name="My games").last.click()
    page.get_by_role("heading", name="My games").wait_for()


def test_two_people_need_no_engine(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, **PERSON)
    table.page.get_by_text("White to move").wait_for()
    table.type("e4")
    table.page.get_by_text("Black to move").wait_for()


def test_a_game_whose_rules_are_not_here_is_listed_and_not_opened(tmp_path: Path, open_page: OpenPage) -> None:
    rules = f"{ROOT / 'examples/last_stone.py'}:LastStone"
    server = Server(tmp_path, "--game", rules)
    server.start()
    try:
        new_game(server.url, rules, opponent="minimax")
        server.arguments = ()
        server.restart()
        page = open_page(f"{server.url}/games")
        card = page.locator(".game-card", has_text="its rules are not here")
        card.wait_for()
        assert card.locator("a").count() == 0
        page.goto(server.url)
        page.get_by_role("button", name="Start the game").wait_for()
        assert page.locator(".continue").count() == 0
        page.goto(f"{server.url}/games")
        card.get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        page.get_by_text("No games yet").wait_for()
        page.close()  # before the server goes: it may still be loading something
    finally:
        server.kill()
