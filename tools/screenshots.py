"""Takes the pictures of docs/web.md, go.md, analysis-board.md and inside.md from a running board with no games yet.

philidor play --no-browser --port 8123 --data EMPTY_FOLDER --runs FOLDER_WITH_A_RUN &
python tools/screenshots.py http://127.0.0.1:8123 [analysis inside play go run ...]     all, or some
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
GO_GAME = (
    "(;GM[1]SZ[9]KM[6.5]PB[UCT, 20,000 playouts]PW[UCT, 3,000 playouts]RE[B+21.5];B[fc];W[ff];B[de];W[if];B[cf]"
    ";W[bf];B[be];W[gg];B[ef];W[df];B[dg];W[ec];B[ed];W[fb];B[fd];W[fe];B[gd];W[dh];B[ee];W[eh];B[hd];W[ce]"
    ";B[cd];W[bg];B[eg];W[bd];B[bc];W[hh];B[ad];W[ic];B[gb];W[cb];B[id];W[gh];B[bb];W[hc];B[gc];W[ig];B[ga]"
    ";W[ch];B[fa];W[ei];B[cc];W[ba];B[ae];W[];B[ai];W[bi];B[ci];W[ib];B[fi];W[di];B[gi];W[];B[hi];W[ci];B[ii]"
    ";W[ah];B[fh];W[];B[dc];W[ai];B[ih];W[bh];B[ag];W[cg];B[fg];W[hg];B[af];W[ai];B[bi];W[ci];B[di];W[ei];B[ah]"
    ";W[bh];B[ai];W[ch];B[dh];W[bg];B[eh];W[cg];B[ei];W[gf];B[bf];W[ci];B[bh];W[ch];B[bg];W[hf])"
)
"""A game of UCT against itself, with fewer playouts for White."""
TAGS = '[White "Paul Morphy"]\n[Black "Duke Karl / Count Isouard"]\n[Result "1-0"]\n\n'

GO = "go-9x9,komi=6.5,ko=simple"
GO_END = (
    "...OX......../...OX..O...../.O.OX......O./..OOX..XX..../OOOX.XX..XX../XXXX....X.X.X/..X.XXXXXX.XX/"
    "XXXXXOOOOXXXO/OOOXOO..OOOOO/..OOO.O....../.O......O..X./....O......../............. X 90 0 - komi7.5"
)

GAMES: dict[str, dict[str, Any]] = {
    "finished": {"game": "chess", "start": {"kind": "pgn", "text": TAGS + OPERA_GAME}},
    "hexapawn": {"game": "hexapawn-5x4"},
    "go": {"game": GO, "opponent": "person", "start": {"kind": "sgf", "text": GO_GAME, "ply": 30}},
    "go-review": {"game": GO, "start": {"kind": "sgf", "text": GO_GAME}},
    "go-count": {"game": "go-13x13", "opponent": "person", "start": {"kind": "position", "text": GO_END}},
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


STUDY = (
    TAGS + "{ Played in a box at the opera. } 1. e4 e5 2. Nf3 d6 3. d4 Bg4 $6 { It will have to take the knight. } "
    "( 3... exd4 $1 4. Nxd4 Nf6 ( 4... g6 { the Larsen Variation } ) 5. Nc3 ) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 "
    + OPERA_GAME.partition("6. Bc4 Nf6 ")[2]
)


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


def prepare(page: Page, name: str) -> None:
    """Brings a page to what its picture shows."""
    if name in ("go", "go-phone"):
        page.keyboard.press("k")
        page.keyboard.press("o")
        page.locator(".candidate").first.wait_for()
    elif name == "go-review":
        page.get_by_role("button", name="Review the game").click()
        page.get_by_role("button", name="Reviewed").wait_for(timeout=300_000)
    elif name == "go-count":
        for _ in range(2):
            page.get_by_role("button", name="Pass", exact=True).click()
            page.wait_for_timeout(500)
        page.locator(".go-count").wait_for()
    elif name == "run":
        page.locator(".runs-table a").first.click()
        page.locator(".run-chart").first.wait_for()


def take_all(browser: Browser, url: str, names: list[str]) -> None:
    """Takes every picture, or those that are named."""
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
        ("go", LAPTOP, "light", games["go"]),
        ("go-phone", PHONE, "light", games["go"]),
        ("go-review", LAPTOP, "dark", games["go-review"]),
        ("go-count", LAPTOP, "light", games["go-count"]),
        ("run", LAPTOP, "light", "/runs"),
    ]
    for name, size, scheme, path in pictures:
        if names and name not in names:
            continue
        page = browser.new_page(viewport=size, color_scheme=scheme, locale="en-US")  # type: ignore[arg-type]
        page.goto(url + path)
        page.locator("h1").wait_for()
        prepare(page, name)
        take(page, name)
        if name == "play":
            page.keyboard.press("?")
            take(page, "help")
        page.close()


def make_study(url: str, text: str) -> str:
    """Makes a study or a file of games; returns its address."""
    request = urllib.request.Request(f"{url}/api/studies/text?name=opera.pgn", text.encode(), method="POST")
    with urllib.request.urlopen(request) as answer:
        made = json.load(answer)
    return f"/analysis/{made['study']}" if made["study"] else f"/analysis/file/{made['file']}"


def take_studies(browser: Browser, url: str) -> None:
    """Takes the pictures of the analysis board."""
    study = make_study(url, STUDY)
    page = browser.new_page(viewport=LAPTOP, color_scheme="light", locale="en-US")  # type: ignore[arg-type]
    page.goto(f"{url}{study}?ply=6")
    page.get_by_role("switch", name="Engine", exact=True).check()
    page.wait_for_timeout(4000)
    take(page, "analysis")
    page.get_by_role("button", name="Add a second engine").click()
    page.wait_for_timeout(4000)
    take(page, "analysis-two")
    page.get_by_role("button", name="Remove this engine").click()
    page.get_by_role("tab", name="People").click()
    page.locator(".people-table tbody tr").first.wait_for(timeout=60_000)
    page.get_by_role("switch", name="Engine", exact=True).uncheck()
    take(page, "analysis-people")
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Review this game").click()
    page.locator(".mistakes li").first.wait_for(timeout=240_000)
    page.locator(".graph g:has(.dot.blunder) .graph-touch").first.click()
    take(page, "analysis-review")
    page.get_by_role("button", name="Learn from the mistakes").click()
    take(page, "analysis-exercise")
    page.close()
    page = browser.new_page(viewport=PHONE, color_scheme="dark", locale="en-US")  # type: ignore[arg-type]
    page.goto(f"{url}{study}?ply=6")
    page.get_by_role("switch", name="Engine", exact=True).check()
    page.wait_for_timeout(3000)
    take(page, "analysis-phone")
    page.get_by_role("tab", name="Review").click()
    page.locator(".graph").scroll_into_view_if_needed()
    take(page, "analysis-review-phone")
    games = "\n".join(GAMES[name]["start"]["text"] if name == "finished" else STUDY for name in ("finished", "study"))
    page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    page.goto(url + make_study(url, games))
    page.locator(".file-games tbody tr").first.wait_for()
    take(page, "analysis-file")
    page.close()


INSIDE = {"game": "chess", "text": "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5"}


def take_inside(browser: Browser, url: str) -> None:
    """Takes the pictures of the look inside."""
    from urllib.parse import urlencode

    sizes = {"tree": LAPTOP, "tree-phone": PHONE}
    for name in ("tree", "tree-phone", "alphabeta", "policy", "nnue", "terms", "layers", "saliency", "compare"):
        view = name.removesuffix("-phone")
        page = browser.new_page(viewport=sizes.get(name, LAPTOP), locale="en-US")  # type: ignore[arg-type]
        place = {"game": "hexapawn"} if name in ("alphabeta", "tree-phone") else INSIDE
        page.goto(f"{url}/inside?{urlencode({**place, 'view': view})}")
        page.locator(f"#tab-{view}[aria-selected=true]").wait_for()
        if view in ("tree", "alphabeta", "policy"):
            if name == "tree":
                page.get_by_label("Leaves are judged by").select_option("puct")
            page.get_by_role("button", name="Search", exact=True).click()
            page.locator(".inside-result").wait_for()
        if view == "layers":
            page.get_by_label("Show", exact=True).select_option("layer")
        if view == "nnue":
            page.get_by_label("What changes by the move").fill("O-O")
            page.get_by_label("What changes by the move").press("Enter")
        page.mouse.move(0, 0)
        if view in ("tree", "alphabeta", "policy", "nnue"):
            page.locator(".inside-view").evaluate("e => scrollTo(0, e.getBoundingClientRect().top - 110)")
        take(page, f"look-{name}")
        page.close()


def main(arguments: list[str]) -> int:
    """Takes the pictures of the board at the given address."""
    program = shutil.which("chromium")
    if not arguments or program is None:
        print(__doc__ if program else "Chromium is missing; on Debian: apt install chromium", file=sys.stderr)
        return 2
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        url, wanted = arguments[0].rstrip("/"), arguments[1:]
        if not wanted or set(wanted) - {"analysis", "inside"}:
            take_all(browser, url, wanted)
        if not wanted or "analysis" in wanted:
            take_studies(browser, url)
        if not wanted or "inside" in wanted:
            take_inside(browser, url)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
