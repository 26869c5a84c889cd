"""The first page offers one opponent who plays like people, with a slider from 600 to 2600 and plain words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from philidor.nets.leela.files import save_leela
from tests.nets.leela_nets import residual_net
from tests.web.browser.conftest import OpenPage
from tests.web.browser.table import Table
from tests.web.conftest import Server, human_server

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Server]:
    nets = tmp_path / "nets"
    nets.mkdir()
    save_leela(residual_net(), nets / "maia-1500.pb.gz")
    server = human_server(tmp_path, "offer_draw", "--nets", str(nets))
    server.start()
    yield server
    server.kill()


def test_one_opponent_with_a_slider_and_words_is_what_a_game_begins_with(host: Server, open_page: OpenPage) -> None:
    page = open_page(f"{host.url}/new")
    opponent, slider = page.get_by_label("Opponent"), page.get_by_label("Level")
    opponent.wait_for()  # reading all texts would not wait for the form
    assert opponent.locator("option").all_inner_texts() == [
        *("Human", "NNUE engine", "Classic engine", "Another person", "More opponents…")
    ]
    assert opponent.locator("option:checked").inner_text() == "Human"
    assert (slider.get_attribute("min"), slider.get_attribute("max")) == ("600", "2600")
    for rating, words in (
        (600, "600 · new to chess · estimated"),
        (1500, "1500 · club player"),
        (2600, "2600 · grandmaster"),
    ):
        slider.fill(str(rating))
        assert page.locator(".slider output").inner_text() == words
    page.get_by_text("over-the-board rating, like FIDE's. Below 1000 it is estimated.").wait_for()
    # The others are one choice further, the sparring partner and every network among them.
    opponent.select_option(label="More opponents…")
    assert {"Sparring partner", "Network maia-1500"} <= set(opponent.locator("option").all_inner_texts())
    slider.fill("1150")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    table = Table(page)
    table.type("e4")
    table.wait_for_count(2)
    assert page.locator(".player-name").first.inner_text() == "Human, 1150"


def test_on_a_phone_its_habits_are_chosen_and_it_offers_a_draw(host: Server, open_page: OpenPage) -> None:
    page = open_page(f"{host.url}/new", viewport=PHONE)
    page.get_by_text("Habits").click()
    page.get_by_label("Resigns and draws").check()
    page.get_by_label("Follow my results").check()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    table = Table(page)
    table.type("e4")
    page.get_by_text("Black offers a draw.").wait_for()
    table.button("Accept").click()
    table.wait_for_result("agreement")
    # What was chosen is chosen again next time, and shown.
    page.goto(f"{host.url}/new")
    assert page.get_by_label("Resigns and draws").is_checked()
    assert not page.get_by_label("Human pace").is_checked()
