"""What a new user stumbled over, one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from philidor.nets.leela.files import save_leela
from tests.nets.leela_nets import residual_net
from tests.web.browser.conftest import OpenPage
from tests.web.browser.table import PERSON, Table
from tests.web.conftest import Server

if TYPE_CHECKING:
    from playwright.sync_api import Locator

COVERED = """field => {
    field.scrollIntoView({block: 'nearest'});
    const {left, top, width, height} = field.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    return !(seen && (field.contains(seen) || seen.contains(field) || seen.closest('label')?.control === field));
}"""


def is_in_view(element: Locator, height: int) -> bool:
    box = element.bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= height


def test_nothing_is_told_of_who_is_better_unless_it_is_wished(
    server: Server, open_page: OpenPage, open_table: Callable[..., Table]
) -> None:
    table = open_table(server, **PERSON)
    table.type("e4")
    table.wait_for_moves("e4")
    bar = table.page.locator(".eval-bar")
    assert bar.is_hidden()
    table.page.goto(server.url)
    table.page.get_by_label("Show who is better").check()
    table.page.get_by_role("button", name="Start the game").click()
    bar.wait_for()


def test_the_bar_judges_the_position_that_is_looked_at(server: Server, open_table: Callable[..., Table]) -> None:
    httpx.put(f"{server.url}/api/settings", json={"eval_bar": True})
    start = {"kind": "pgn", "text": "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0"}
    table = open_table(server, start=start)
    value = "e => Number(e.getAttribute('aria-valuenow'))"
    bar = table.page.locator(".eval-bar:not(.unknown)")
    bar.wait_for()
    assert bar.evaluate(value) == 1
    table.page.keyboard.press("Home")
    level = "e => !e.classList.contains('unknown') && Math.abs(Number(e.getAttribute('aria-valuenow'))) < 0.5"
    table.page.wait_for_function(f"() => ({level})(document.querySelector('.eval-bar'))")
    assert table.button("Rematch").count() == 0
    assert table.page.locator(".clock:visible").count() == 0


def test_the_button_that_starts_covers_no_field(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(shared_server.url, viewport={"width": 1440, "height": 900})
    page.get_by_label("Opponent").select_option("more")
    page.get_by_label("Opponent").select_option("uct")
    page.get_by_label("Level").select_option("own")
    page.get_by_label("FEN or PGN").check()
    every = page.locator(".new-game-fields").locator("input:not(.sr-only), select, textarea").all()
    fields = [field for field in every if field.is_visible()]
    assert len(fields) > 10
    for field in fields:
        assert not field.evaluate(COVERED), field.evaluate("e => e.outerHTML")
    assert is_in_view(page.get_by_role("button", name="Start the game"), 900)


def test_settings_that_are_not_set_can_be_set(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(shared_server.url)
    page.get_by_label("Opponent").select_option("more")
    page.get_by_label("Opponent").select_option("nnue")
    page.get_by_label("Level").select_option("own")
    depth = page.get_by_label("depth", exact=True)
    assert depth.get_attribute("placeholder") == "not set"
    depth.fill("3")
    with page.expect_request("**/api/games") as asked:
        page.get_by_role("button", name="Start the game").click()
    sent = asked.value.post_data_json
    assert sent is not None
    assert sent["strength"] == {"settings": {"depth": 3}}


def test_on_a_small_phone_the_actions_are_in_sight(shared_server: Server, open_table: Callable[..., Table]) -> None:
    phone = {"viewport": {"width": 390, "height": 664}, "has_touch": True}
    table = open_table(shared_server, page=phone, **PERSON)
    for name in ("Take back", "Hint", "Draw", "Resign", "Flip", "New game"):
        assert is_in_view(table.button(name), 664), name


def test_a_large_paste_says_what_is_wrong_and_shows_nothing_old(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(shared_server.url)
    page.get_by_label("FEN or PGN").check()
    area = page.locator(".start-fields textarea")
    area.fill("1. e4 e5 2. Nf3 *")
    page.get_by_text("3 moves").wait_for()
    area.evaluate(
        "(e, text) => { e.value = text; e.dispatchEvent(new Event('input')); }",
        '[Event "many"]\n\n1. e4 *\n\n' + "x" * 5_000_000,
    )
    page.get_by_text("5.0 MB").wait_for()
    assert page.get_by_text("3 moves").count() == 0
    assert page.get_by_label("Go on after").count() == 0


def test_a_rook_takes_its_castling_right_along(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{shared_server.url}/editor")
    box = page.get_by_label("White O-O", exact=True)
    assert box.is_checked()
    fen = page.get_by_label("FEN", exact=True)
    fen.fill("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1")
    assert box.is_disabled()
    page.get_by_role("button", name="Start position").click()
    page.get_by_role("button", name="Remove pieces").click()
    board = page.locator(".board").bounding_box()
    assert board is not None
    page.mouse.click(board["x"] + board["width"] * 15 / 16, board["y"] + board["height"] * 15 / 16)
    assert fen.input_value() == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1"
    page.get_by_text("A legal position").wait_for()


def test_four_in_a_row_are_marked(shared_server: Server, open_table: Callable[..., Table]) -> None:
    table = open_table(shared_server, "connect4", **PERSON)
    for number, column in enumerate("abababa", start=1):
        table.type(column)
        table.wait_for_count(number)
    table.wait_for_result("four in a line")
    assert table.page.locator(".won-stone").count() == 4
    table.page.keyboard.press("ArrowLeft")
    assert table.page.locator(".won-stone").count() == 0


def test_a_network_file_becomes_an_opponent(server: Server, open_page: OpenPage, tmp_path: Path) -> None:
    save_leela(residual_net(), tmp_path / "mine.pb.gz")
    (tmp_path / "broken.pb.gz").write_bytes(b"nothing")
    page = open_page(server.url, expect=("422",))
    page.get_by_label("Opponent").select_option("more")
    page.locator("#network-file").set_input_files(tmp_path / "broken.pb.gz")
    page.get_by_text("broken.pb.gz").first.wait_for()
    page.locator("#network-file").set_input_files(tmp_path / "mine.pb.gz")
    page.get_by_text("Network mine can be played now.").wait_for()
    assert page.get_by_label("Opponent").input_value() == "net:mine"
