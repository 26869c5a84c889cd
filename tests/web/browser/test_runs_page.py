"""The page of training runs in a real browser: live curves, replayed games, a game against a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from philidor.core.runs import Run
from tests.web.browser.axe import check_with_axe
from tests.web.browser.conftest import OpenPage
from tests.web.browser.table import Table
from tests.web.browser.test_go_board import PHONE
from tests.web.browser.test_weight import MAX_PAGE_BYTES, weigh
from tests.web.conftest import Server
from tests.web.test_runs import make_run


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    make_run(folder, "first")
    bad = make_run(folder, "bad")
    bad.metrics_path.write_text("[]\n")
    (bad.shards / "9-9.rec").write_bytes(b"no games")
    return folder


@pytest.fixture(scope="module")
def host(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"), "--runs", str(root))
    server.start()
    yield server
    server.kill()


def test_a_run_is_watched_replayed_and_played(host: Server, root: Path, open_page: OpenPage) -> None:
    run = Run(root / "first")
    run.hold()  # as who trains it does
    page = open_page(host.url)
    total = weigh(page)
    page.get_by_role("link", name="Runs").click()
    page.get_by_role("row", name="first").get_by_text("running").wait_for()
    check_with_axe(page)
    page.get_by_role("link", name="first").click()
    page.get_by_role("heading", name="first").wait_for()
    chart = page.get_by_role("img", name="train, losses by generation: policy from 2 to 0, loss from 3 to 1")
    chart.wait_for()
    # The newest game, at its end; then from the start.
    words = page.locator(".replay-words")
    assert words.inner_text() == "3 of 3: X c1"
    page.get_by_role("button", name="First position").click()
    page.get_by_role("button", name="One move on").click()
    assert words.inner_text() == "1 of 3: X b2"
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("3 of 3: X c1").wait_for()
    check_with_axe(page)
    assert total() < MAX_PAGE_BYTES
    # The run goes on, and its curves with it.
    run.log({"event": "train", "generation": 4, "losses": {"policy": 0.25, "loss": 0.75}})
    page.get_by_role("img", name="loss from 3 to 0.75").wait_for()
    run.release()
    page.get_by_label("Network", exact=True).select_option("network-0001")
    page.get_by_label("Level").select_option("2")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    table = Table(page)
    table.click("b2")
    table.wait_for_count(2)
    assert "Network first/network-0001" in page.locator(".player-name").first.inner_text()


def test_damaged_runs_say_so_by_keyboard(host: Server, open_page: OpenPage) -> None:
    page = open_page(f"{host.url}/games", expect=("422",))
    page.locator("h1").wait_for()
    page.keyboard.press("6")
    page.get_by_role("row", name="bad").get_by_text("unreadable").wait_for()
    page.get_by_role("link", name="bad").focus()
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("no JSON object").wait_for()
    page.get_by_text("9-9.rec cannot be shown").wait_for()
    check_with_axe(page)


@pytest.mark.parametrize("path", ["/runs", "/runs/first"])
def test_runs_on_a_phone(host: Server, open_page: OpenPage, path: str) -> None:
    page = open_page(host.url + path, **PHONE)
    page.get_by_text("first").first.wait_for()
    page.wait_for_load_state("networkidle")
    assert page.locator("html").evaluate("html => html.scrollWidth - html.clientWidth") == 0
    check_with_axe(page)


def test_without_runs_there_is_no_link(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(shared_server.url)
    page.get_by_role("button", name="Start the game").wait_for()
    assert not page.get_by_role("link", name="Runs").is_visible()
    page.goto(f"{shared_server.url}/runs")
    page.get_by_text("philidor play --runs DIR").wait_for()
