"""Takes the picture of docs/analyse.md: `python tools/review_screenshots.py`, with philidor and Chromium installed."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import philidor
from screenshots import OPERA_GAME, TAGS, take


def main() -> None:
    """Reviews a game and takes its page's picture."""
    from playwright.sync_api import sync_playwright

    review = philidor.review(TAGS + OPERA_GAME, human=1500)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        path.write_text(review.html(), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 760}, color_scheme="light")
        page.goto(f"{path.as_uri()}#1.22")
        take(page, "analyse")
        browser.close()


if __name__ == "__main__":
    main()
