"""A real Chromium for the tests of the pages; whatever it complains about in its console fails the test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from philidor.frontends.web.pages import STATIC
from tests.web.browser.table import PATIENCE_MS, Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.web.conftest import Server

HERE = Path(__file__).parent
LAPTOP = {"width": 1280, "height": 800}
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")

OpenPage = Callable[..., "Page"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the tests with a browser last: Playwright leaves an event loop running in the thread that started it, in
    which no later test could start one of its own.
    """
    items.sort(key=lambda item: HERE in item.path.parents)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests; each test has its own profile in it."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("Chromium is missing; on Debian: apt install chromium")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens pages of one profile, as tabs of one window; `expected` are complaints that the test provokes."""
    complaints: list[str] = []
    expected: list[str] = []
    contexts: list[BrowserContext] = []

    def open_one(url: str, *, expect: tuple[str, ...] = (), **options: Any) -> Page:
        if not url.startswith("file:") and not (STATIC / "index.html").is_file():
            pytest.skip("the pages are not built: make web")
        expected.extend(expect)
        if not contexts:
            settings = {"viewport": LAPTOP, "locale": "en-US", "reduced_motion": "reduce", **options}
            contexts.append(browser.new_context(**settings))
        page = contexts[0].new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("console", lambda message: complaints.append(message.text) if message.type != "log" else None)
        page.goto(url)
        return page

    yield open_one
    for context in contexts:
        context.close()
    surprises = [text for text in complaints if not any(known in text for known in expected)]
    assert surprises == []


@pytest.fixture
def open_table(open_page: OpenPage) -> Callable[..., Table]:
    """Starts a game on a server and opens its page."""

    def open_one(server: Server, game: str = "chess", page: dict[str, Any] | None = None, **wishes: Any) -> Table:
        return Table.start(server.url, game, wishes, lambda url: open_page(url, **(page or {})))

    return open_one
