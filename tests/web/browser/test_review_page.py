"""The page of reviewed games: it needs nothing but itself, and nothing in a game can make it do anything."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from philidor.reviews.config import ReviewConfig
from philidor.reviews.page import page as page_of
from tests.reviews.reviewed import SHORT_GAME, given_review

if TYPE_CHECKING:
    from playwright.sync_api import Page

OpenPage = Callable[..., "Page"]
HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>"


@pytest.fixture
def address(tmp_path: Path) -> str:
    return written(tmp_path, SHORT_GAME)


def written(folder: Path, *games: str) -> str:
    path = folder / "report.html"
    path.write_text(page_of([given_review(game, config=ReviewConfig()) for game in games]), encoding="utf-8")
    return path.as_uri()


def test_moves_are_reached_by_keys_clicks_and_the_graph(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    now = page.locator("#now h2")
    assert now.inner_text() == "Start position (+0.40)"
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert now.inner_text() == "2. Qh5?! -0.20"
    page.keyboard.press("n")
    assert now.inner_text() == "4. Qxf7+?? -8.00"
    assert "It cost" not in page.locator("#now").inner_text()
    assert "This was the turning point." in page.locator("#now").inner_text()
    page.keyboard.press("p")
    page.keyboard.press("End")
    assert now.inner_text() == "4... Kxf7 -8.10"
    page.get_by_role("button", name="Nc3", exact=True).click()
    assert now.inner_text() == "3. Nc3 -0.30"
    page.locator('#graph [data-ply="7"] rect').click()
    assert now.inner_text() == "4. Qxf7+?? -8.00"
    page.keyboard.press("Home")
    assert now.inner_text() == "Start position (+0.40)"


def test_the_board_shows_the_game_and_its_lines(open_page: OpenPage, address: str) -> None:
    page = open_page(f"{address}#1.7")
    pieces = page.locator("#board use")
    assert pieces.count() == 31  # a pawn has been taken
    page.get_by_role("button", name="4. Qh4", exact=True).click()
    assert pieces.count() == 32  # the queen has not taken it in the better line
    page.keyboard.press("ArrowRight")
    assert page.locator("#now .is-shown").inner_text() == "Nd4"
    page.keyboard.press("Escape")
    assert page.locator("#now .is-shown").count() == 0
    before = pieces.first.get_attribute("transform")
    page.keyboard.press("f")
    assert pieces.first.get_attribute("transform") != before


def test_what_was_written_in_the_game_is_shown(open_page: OpenPage, address: str) -> None:
    page = open_page(f"{address}#1.3")
    assert page.locator(".comment").inner_text() == "too early"
    assert page.locator("h1").inner_text().startswith("Ann – Bob")
    assert "accuracy" in page.locator("#white-side").inner_text()


def test_a_hostile_game_is_only_text(open_page: OpenPage, tmp_path: Path) -> None:
    hostile = SHORT_GAME.replace("Ann", HOSTILE).replace("too early", HOSTILE).replace("Test", HOSTILE)
    page = open_page(f"{written(tmp_path, hostile, hostile)}#1.3")
    assert page.locator(".comment").inner_text() == HOSTILE
    assert HOSTILE in page.locator("h1").inner_text()
    assert HOSTILE in page.locator("#games").inner_text()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0


def test_the_page_s_policy_lets_no_other_script_run(open_page: OpenPage, address: str) -> None:
    page = open_page(address, expect=("Content Security Policy",))
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'window.hacked=1'}))")
    assert page.evaluate("window.hacked") is None


def test_the_page_asks_for_nothing(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    assert asked == [address]


def test_many_games_are_a_list(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(written(tmp_path, SHORT_GAME, SHORT_GAME.replace("Bob", "Eve")))
    assert page.locator("#players tbody tr").count() == 3
    page.get_by_role("button", name="2.", exact=True).click()
    assert page.locator("h1").inner_text().startswith("Ann – Eve")
    page.locator("#filter").fill("bob")
    assert page.locator("#games tbody tr:visible").count() == 1


def test_a_phone_has_no_sideways_scrolling(open_page: OpenPage, address: str) -> None:
    page = open_page(f"{address}#1.7", viewport={"width": 390, "height": 664})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
