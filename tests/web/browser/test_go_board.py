"""Go in the browser: the form, the marks, the count, SGF, candidates and the review; by mouse, by keys, on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.web.browser.axe import check_with_axe
from tests.web.browser.conftest import OpenPage
from tests.web.browser.table import PERSON, Table
from tests.web.conftest import Server

if TYPE_CHECKING:
    from playwright.sync_api import Route

OpenTable = Callable[..., Table]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
# Black's wall on the third column, White's on the fourth; the stone on a5 is dead in Black's area.
ENDED = {"kind": "position", "text": "..XO.../..XO.../O.XO.../..XO.../..XO.../..XO.../..XO... X 20 0 - komi7"}
KO = {"kind": "position", "text": "......./......./......./.XO..../XO.O.../.XO..../....... X 20 0 - komi7"}
SGF = "(;GM[1]FF[4]SZ[5]KM[5.5]PB[Ann]PW[Bob]RE[B+R];B[cc];W[aa];B[dd];W[ea];B[bb])"


def point(table: Table, square: str) -> tuple[float, float]:
    """Where a point is: there is no column i."""
    column = square[0] if square[0] < "i" else chr(ord(square[0]) - 1)
    return table.middle_of(column + square[1:])


def test_the_form_offers_board_komi_and_handicap(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(shared_server.url)
    page.get_by_label("Game", exact=True).select_option("go")
    # Whoever is quicker than the server: the handicap is chosen while the smaller board is still on its way, and the
    # answer about that board comes last.
    held: list[Route] = []
    page.route("**/api/rules/**", lambda route: held.append(route))
    page.get_by_label("9×9", exact=True).check(force=True)
    page.get_by_label("Handicap").select_option("4")
    while len(held) < 2:
        page.wait_for_timeout(20)
    for route in reversed(held):
        route.continue_()
    page.unroute("**/api/rules/**")
    page.locator(".home .stone.side-0").nth(3).wait_for(state="attached")
    assert page.get_by_label("Komi").input_value() == "0.5"
    check_with_axe(page)
    page.get_by_label("Opponent").select_option("person")
    page.get_by_label("Komi").fill("3.5")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    table = Table(page)
    assert page.locator("h1").inner_text() == "Go 9×9, komi 3.5 · with handicap"
    assert page.locator(".board .stone.side-0").count() == 4
    assert "White to move" in page.locator(".status").inner_text()
    assert table.position.startswith("Black: stone c3, stone g3, stone c7, stone g7.")


def test_another_board_than_the_named_one_is_not_called_by_its_name(tmp_path: Path, open_page: OpenPage) -> None:
    server = Server(tmp_path, "--game", "go-9x9")
    server.start()
    try:
        page = open_page(server.url)
        game, rules = page.get_by_label("Game", exact=True).locator("option:checked"), page.locator(".rules summary")
        assert (game.inner_text(), rules.inner_text()) == ("Go 9×9", "How to play go 9×9")
        page.get_by_label("13×13", exact=True).check(force=True)
        rules.filter(has_text="13×13").wait_for()
        assert game.inner_text() == "Go"
        page.get_by_label("Opponent").select_option("person")
        with page.expect_response("**/api/settings"):
            page.get_by_role("button", name="Start the game").click()
        # Whoever names a board at the start gets it, whatever was played last.
        page.goto(server.url)
        rules.filter(has_text="9×9").wait_for()
        page.wait_for_load_state("networkidle")
        assert (game.inner_text(), rules.inner_text()) == ("Go 9×9", "How to play go 9×9")
    finally:
        server.stop()


def test_prisoners_and_the_ko_are_shown_and_browsed(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, "go-7x7", start=KO, **PERSON)
    table.click("c3")
    table.wait_for_count(1)
    table.page.locator(".ko-mark").wait_for()
    bars = table.page.locator(".prisoners")
    bars.filter(has_text="1 prisoner").wait_for()
    assert sorted(bars.all_inner_texts()) == ["0 prisoners", "1 prisoner"]
    table.click("b3")  # the ko: nothing happens
    table.button("One move back (←)").click()
    table.page.locator(".ko-mark").wait_for(state="detached")
    bars.filter(has_text="1 prisoner").wait_for(state="detached")
    assert bars.all_inner_texts() == ["0 prisoners", "0 prisoners"]
    assert len(table.moves) == 1
    assert table.button("Draw").is_disabled()


def test_the_end_is_counted_and_dead_stones_are_marked_by_mouse(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, "go-7x7", start=ENDED, **PERSON)
    for ply in (1, 2):
        table.button("Pass").click()
        table.wait_for_count(ply)
    table.wait_for_result("White wins by 14 points.")
    table.page.locator(".dead-mark[data-square=a5]").wait_for()
    assert table.page.locator(".owner.side-0").count() == 14
    table.click("a5")
    table.wait_for_result("White wins by 29 points.")
    # The marks come by another answer than the result.
    dead = table.page.locator(".dead-mark")
    dead.first.wait_for(state="detached")
    table.click("d1")
    table.wait_for_result("Black wins by")
    dead.nth(6).wait_for()
    assert dead.count() == 7
    check_with_axe(table.page)
    with table.page.expect_download() as download:
        table.page.get_by_role("link", name="Save as SGF").click()
    assert "RE[B+" in Path(download.value.path()).read_text(encoding="utf-8")


def test_a_game_by_keyboard_alone_to_the_count(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, "go-7x7", start=ENDED, **PERSON)
    keys = table.page.keyboard
    for ply in (1, 2):
        keys.press("Shift+P")
        table.wait_for_count(ply)
    table.wait_for_result("White wins by 14 points.")
    keys.press("b")
    for key in ["ArrowLeft"] * 3 + ["ArrowUp"] * 3:
        keys.press(key)
    table.page.locator("[aria-live=assertive]", has_text="a5, white stone").wait_for()
    keys.press("Enter")
    table.page.locator("[aria-live=assertive]", has_text="a5 alive. W+29").wait_for()
    table.wait_for_result("White wins by 29 points.")


def test_candidates_and_territory(shared_server: Server, open_table: OpenTable) -> None:
    text = "......./......./......./......./.XXXXXX/XOOOOOO/O.OOOOO X 20 0 - komi7"
    table = open_table(shared_server, "go-7x7", start={"kind": "position", "text": text}, **PERSON)
    table.page.keyboard.press("k")
    table.page.locator(".candidate.best[data-square=b1]").wait_for()
    verdict = table.page.locator(".go-verdict").inner_text()
    assert verdict.startswith("Black ")
    assert "b1 " in verdict
    assert "UCT" in verdict
    table.button("Territory").click()
    table.page.locator(".owner.side-0").nth(20).wait_for()
    check_with_axe(table.page)
    # Both stay on for the next position, and for the next game.
    table.click("b1")
    table.wait_for_count(1)
    table.page.locator(".candidate.best").wait_for()
    table.page.reload()
    table.page.locator(".candidate.best").wait_for()
    table.page.keyboard.press("k")
    table.page.keyboard.press("o")
    table.page.locator(".notes > *").first.wait_for(state="detached")
    # A hint is for this position only.
    table.button("Hint").click()
    table.page.locator(".candidate.best").wait_for()
    table.page.keyboard.press("ArrowLeft")
    table.page.locator(".candidate").first.wait_for(state="detached")


def test_a_pasted_sgf_is_opened_and_reviewed(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(shared_server.url)
    page.get_by_label("Game", exact=True).select_option("go")
    page.get_by_label("SGF or position").check(force=True)
    area = page.get_by_label("Paste an SGF")
    area.fill("(;GM[1]SZ[5];B[cc];W[cc])")
    page.locator(".field-help.problem").wait_for()
    area.fill(SGF)
    page.get_by_text("Ann – Bob, Go 5×5, komi 5.5, ko simple, 5 moves. Black wins: resignation.").wait_for()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    table = Table(page)
    table.wait_for_moves("c3", "a5", "d2", "e5", "b4")
    table.wait_for_result("Black wins: resignation.")
    assert page.locator(".player-name").all_inner_texts() == ["Bob", "Ann"]
    table.button("Review the game").click()
    # Six searches: more than a blink where the machine has other things to do.
    table.button("Reviewed").wait_for(timeout=60_000)
    losses = page.locator(".go-loss")
    assert losses.count() >= 1
    assert any("(White)" in text and "better:" in text for text in losses.all_inner_texts())
    assert page.locator(".go-graph .rate-area").count() == 1
    losses.first.click()
    page.locator(".move[aria-current]").wait_for()
    check_with_axe(page)


def test_go_on_a_phone(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, "go-13x13", page=PHONE, **PERSON)
    # On a large board a finger first shows the stone, and then places it.
    table.page.touchscreen.tap(*point(table, "n13"))
    table.page.locator(".preview").wait_for()
    assert table.moves == []
    table.page.touchscreen.tap(*point(table, "n13"))
    table.wait_for_moves("n13")
    width: int = table.page.locator("html").evaluate("html => html.scrollWidth - html.clientWidth")
    assert width == 0
    check_with_axe(table.page)


@pytest.mark.parametrize(("side", "stars"), [(9, 5), (13, 5), (19, 9)])
def test_boards_have_stars_and_no_column_i(shared_server: Server, open_table: OpenTable, side: int, stars: int) -> None:
    table = open_table(shared_server, f"go-{side}x{side}", opponent="uct", strength={"level": 1})
    assert table.page.locator(".board .star").count() == stars
    names = table.page.locator(".board .coordinates text").all_text_contents()
    assert "j" in names
    assert "i" not in names
    table.page.mouse.click(*point(table, "j9"))
    table.wait_for_count(2)
    assert table.moves[0] == "j9"
    game = httpx.get(f"{shared_server.url}/api/games/{table.page.url.rsplit('/', 1)[1]}").json()
    assert game["players"][1]["name"].startswith("UCT")
