"""axe finds nothing to complain about on any page, in light and in dark."""

from __future__ import annotations

from typing import Any

from tests.web.browser.axe import check_with_axe, needs_axe
from tests.web.browser.conftest import OpenPage
from tests.web.conftest import Server
from tests.web.tab import new_game

GAMES: dict[str, dict[str, Any]] = {
    "playing": {"start": {"kind": "pgn", "text": "1. e4 e5 2. Nf3 Nf6 3. Nxe5 *"}},
    "finished": {"start": {"kind": "pgn", "text": "1. f3 e5 2. g4 Qh4# 0-1"}},
    "connect4": {"game": "connect4"},
}


@needs_axe
def test_axe_finds_nothing(shared_server: Server, open_page: OpenPage) -> None:
    paths = ["/", "/games", "/editor", "/settings"]
    paths += [f"/game/{new_game(shared_server.url, **wishes)['id']}" for wishes in GAMES.values()]
    page = open_page(shared_server.url, color_scheme="light")
    for path in paths:
        page.goto(shared_server.url + path)
        page.locator("h1").wait_for()
        if path == "/settings":
            page.keyboard.press("?")
            page.get_by_role("dialog").wait_for()
        check_with_axe(page, path, in_both_colors=True)
