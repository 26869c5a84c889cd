"""axe finds nothing to complain about on any page, in light and in dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.web.browser.conftest import OpenPage
from tests.web.conftest import Server
from tests.web.tab import new_game

AXE = Path(__file__).resolve().parents[3] / "web/node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
RUN = "rules => axe.run(document, {runOnly: rules}).then(r => r.violations.map(v => [v.id, v.nodes[0].html]))"
GAMES: dict[str, dict[str, Any]] = {
    "playing": {"start": {"kind": "pgn", "text": "1. e4 e5 2. Nf3 Nf6 3. Nxe5 *"}},
    "finished": {"start": {"kind": "pgn", "text": "1. f3 e5 2. g4 Qh4# 0-1"}},
    "connect4": {"game": "connect4"},
}


@pytest.mark.parametrize("colors", ["light", "dark"])
def test_axe_finds_nothing(shared_server: Server, open_page: OpenPage, colors: str) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm --prefix web ci")
    paths = ["/", "/games", "/editor", "/settings"]
    paths += [f"/game/{new_game(shared_server.url, **wishes)['id']}" for wishes in GAMES.values()]
    page = open_page(shared_server.url, color_scheme=colors)
    for path in paths:
        page.goto(shared_server.url + path)
        page.locator("h1").wait_for()
        if path == "/settings":
            page.keyboard.press("?")
            page.get_by_role("dialog").wait_for()
        page.evaluate(AXE.read_text(encoding="utf-8") + ";0")
        found = page.evaluate(RUN, RULES)
        assert found == [], path
