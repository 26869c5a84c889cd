"""Takes the pictures of docs/web.md from a running board, which should have no games yet.

philidor play --no-browser --port 8123 --data EMPTY_FOLDER &
python tools/screenshots.py http://127.0.0.1:8123
"""

from __future__ import annotations

import base64
import json
import shutil
import sys
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).resolve().parent.parent / "docs/images"
LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
QUALITY = 90

OPERA_GAME = (
    "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 "
    "11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0"
)
TAGS = '[White "Paul Morphy"]\n[Black "Duke Karl / Count Isouard"]\n[Result "1-0"]\n\n'

GAMES: dict[str, dict[str, Any]] = {
    "finished": {"game": "chess", "start": {"kind": "pgn", "text": TAGS + OPERA_GAME}},
    "hexapawn": {"game": "hexapawn-5x4"},
    "connect4": {
        "game": "connect4",
        "start": {"kind": "position", "text": "......./......./...O.../...X.../..XOO../..OXXX."},
    },
    "play": {
        "game": "chess",
        "start": {"kind": "pgn", "text": OPERA_GAME, "ply": 20},
        "clock": {"base_ms": 600_000, "increment_ms": 5000},
    },
}


def start_games(url: str) -> dict[str, str]:
    """Starts the games that the pictures show; returns their addresses."""
    addresses = {}
    for name, wishes in GAMES.items():
        body = json.dumps(wishes).encode()
        request = urllib.request.Request(f"{url}/api/games", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            addresses[name] = f"/game/{json.load(answer)['id']}"
    return addresses


def take(page: Page, name: str) -> None:
    """Writes what the page shows, as WebP."""
    page.wait_for_load_state("networkidle")
    # The evaluation bar moves for half a second after its number has come.
    page.wait_for_timeout(1500)
    session = page.context.new_cdp_session(page)
    answer = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    path = FOLDER / f"{name}.webp"
    path.write_bytes(base64.b64decode(answer["data"]))
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def take_all(browser: Browser, url: str) -> None:
    """Takes every picture."""
    games = start_games(url)
    pictures = [
        ("play", LAPTOP, "light", games["play"]),
        ("play-dark", LAPTOP, "dark", games["play"]),
        ("play-phone", PHONE, "dark", games["play"]),
        ("finished-phone", PHONE, "light", games["finished"]),
        ("new-game-phone", PHONE, "light", "/"),
        ("new-game", LAPTOP, "light", "/"),
        ("connect4", LAPTOP, "dark", games["connect4"]),
        ("hexapawn-phone", PHONE, "light", games["hexapawn"]),
        ("editor", LAPTOP, "light", "/editor"),
        ("games", LAPTOP, "light", "/games"),
        ("settings", LAPTOP, "dark", "/settings"),
    ]
    for name, size, scheme, path in pictures:
        page = browser.new_page(viewport=size, color_scheme=scheme, locale="en-US")  # type: ignore[arg-type]
        page.goto(url + path)
        page.locator("h1").wait_for()
        take(page, name)
        if name == "play":
            page.keyboard.press("?")
            take(page, "help")
        page.close()


def main(arguments: list[str]) -> int:
    """Takes the pictures of the board at the given address."""
    program = shutil.which("chromium")
    if len(arguments) != 1 or program is None:
        print(__doc__ if program else "Chromium is missing; on Debian: apt install chromium", file=sys.stderr)
        return 2
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        take_all(browser, arguments[0].rstrip("/"))
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
