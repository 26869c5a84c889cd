"""The look inside: each view opens, steps and answers, by mouse and by keyboard, on a laptop and on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import httpx

from tests.web.browser.axe import check_with_axe, needs_axe
from tests.web.browser.conftest import OpenPage
from tests.web.browser.test_weight import MAX_PAGE_BYTES, weigh
from tests.web.conftest import Server
from tests.web.tab import new_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

ITALIAN = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5"
PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True}
VIEWS = ("tree", "alphabeta", "policy", "nnue", "terms", "layers", "saliency", "compare")


def address(server: Server, view: str, game: str = "chess", text: str = "") -> str:
    query = {"view": view, "game": game} | ({"text": text} if text else {})
    return f"{server.url}/inside?{urlencode(query)}"


def search(page: Page) -> None:
    page.get_by_role("button", name="Search", exact=True).click()
    page.locator(".inside-result").wait_for()


def wait_for_visits(page: Page, count: int) -> None:
    page.locator(".tree-node[data-node='0']", has_text=f"N {count}").wait_for()


def wait_for_table(page: Page, visits: list[str]) -> None:
    """Waits until the table of moves has these visits."""
    script = """wanted => {
        const cells = document.querySelectorAll('.node-table tbody tr td:nth-child(3)');
        return [...cells].map(cell => cell.innerText).join(' ') === wanted;
    }"""
    page.wait_for_function(script, arg=" ".join(visits))


def test_a_monte_carlo_tree_is_stepped_through(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(address(shared_server, "tree", "tictactoe"))
    page.get_by_label("Simulations").fill("60")
    search(page)
    wait_for_visits(page, 60)
    page.get_by_text("60 simulations, 61 nodes").wait_for()
    slider = page.get_by_label("Simulation", exact=True)
    slider.focus()
    slider.press("Home")
    wait_for_visits(page, 1)
    assert page.locator(".tree-node").count() == 2
    page.get_by_text("Expansion: a new node is added after a1").wait_for()
    page.get_by_role("button", name="One step on").click()
    wait_for_visits(page, 2)
    assert page.locator(".tree-node").count() == 3
    assert page.locator(".phases .backup tr").count() == 3  # the header, the leaf and the root
    # The table of the node that is chosen: nine moves, of which two were tried.
    wait_for_table(page, ["1", "1", *["0"] * 7])
    # Whoever types a position and searches at once gets the tree of that position.
    page.get_by_label("Simulations").fill("7")
    page.get_by_label("Position", exact=True).fill("X../.O./...")
    page.get_by_role("button", name="Search", exact=True).click()
    wait_for_table(page, ["1"] * 7)


def test_the_numbers_on_the_page_are_the_search_s_own(shared_server: Server, open_page: OpenPage) -> None:
    wish = {"game": "chess", "text": ITALIAN, "algorithm": "puct", "net": "human-1", "simulations": 40}
    made = httpx.post(f"{shared_server.url}/api/inside/trees", json=wish, timeout=60).json()
    own = httpx.get(f"{shared_server.url}/api/inside/trees/{made['id']}/moves").json()["moves"]
    visits = {row["move"]: row["N"] for row in own if row["N"]}
    assert sum(visits.values()) == 39
    page = open_page(address(shared_server, "policy", text=ITALIAN))
    page.get_by_label("Network", exact=True).select_option("human-1")
    page.get_by_label("Simulations").fill("40")
    search(page)
    rows = page.locator(".node-table tbody tr")
    rows.first.wait_for()
    shown = {row.locator("th").inner_text(): row.locator("td").nth(1).inner_text() for row in rows.all()}
    assert {move: int(count) for move, count in shown.items() if count != "0"} == visits
    assert page.locator(".arrow").count() >= 2
    assert page.locator(".heat").count() > 5


def test_an_alpha_beta_tree_is_walked_by_keyboard_alone(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(address(shared_server, "tree", "hexapawn"))
    page.wait_for_load_state("networkidle")
    tab = page.get_by_role("tab", name="Monte Carlo tree")
    tab.focus()
    tab.press("ArrowRight")
    assert page.get_by_role("tab", name="Alpha-beta").get_attribute("aria-selected") == "true"
    page.get_by_label("Moves ahead").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.type("4")
    page.get_by_label("Moves ahead").fill("4")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(".tree-node").first.wait_for()
    frame = page.locator(".tree-frame")
    frame.focus()
    frame.press("ArrowDown")
    frame.press("ArrowRight")
    assert page.locator(".tree-node.selected .tree-move").text_content() == "b1b2"
    before = page.locator(".tree-node").count()
    frame.press("ArrowDown")
    frame.press("Enter")
    page.wait_for_function("count => document.querySelectorAll('.tree-node').length > count", arg=before)
    frame.press("-")
    frame.press("Home")
    assert page.locator(".tree-node.selected").get_attribute("data-node") == "0"
    assert page.locator(".tree-node.cut").count() > 0


def test_a_tree_of_many_nodes_is_opened_in_parts(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(address(shared_server, "alphabeta", "connect4"))
    page.get_by_label("Moves ahead").fill("8")
    search(page)
    page.get_by_text("12,574 nodes").wait_for()
    assert page.locator(".tree-node").count() < 120
    page.get_by_label("Node", exact=True).press("Home")
    page.get_by_text("0 of 12,573").wait_for()


def test_networks_and_evaluations_are_looked_into(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(address(shared_server, "nnue", text=ITALIAN))
    page.get_by_text("32 features on").first.wait_for()
    assert page.locator(".neuron").count() == 512
    assert page.locator(".square-label").count() == 30  # kings have no worth
    page.get_by_label("What changes by the move").fill("O-O")
    page.get_by_label("What changes by the move").press("Enter")
    page.get_by_text("After O-O").wait_for()
    page.get_by_text("on king g8, black rook f8; king g8, black king g8").wait_for()
    page.get_by_role("tab", name="Terms").click()
    page.get_by_text("for White, in pawns").wait_for()
    assert page.locator(".bar").count() > 2
    page.get_by_role("tab", name="Layers").click()
    page.get_by_label("Network", exact=True).select_option("human-1")
    page.get_by_text("24 of 132 planes").wait_for()
    page.get_by_label("Show", exact=True).select_option("layer")
    page.get_by_text("After the first convolution").wait_for()
    page.get_by_label("Show", exact=True).select_option("filter")
    page.get_by_text("Filter 0 of the first convolution").wait_for()
    page.get_by_label("Layer (0 is the first convolution)").fill("2")
    page.get_by_text("Filter 0 of block 2 of").wait_for()
    page.get_by_role("tab", name="What it looks at").click()
    page.get_by_text("Warm squares").wait_for()
    assert page.locator(".heat").count() == 32
    page.get_by_role("tab", name="Two networks").click()
    page.get_by_text("They agree on").wait_for()
    page.get_by_label("Network", exact=True).select_option("human-1")
    page.get_by_label("And", exact=True).select_option("human-1")
    page.get_by_text("They agree on 100.0 %").wait_for()


def test_a_game_leads_to_the_look_inside(shared_server: Server, open_page: OpenPage) -> None:
    game = new_game(shared_server.url, "connect4", opponent="person")
    page = open_page(f"{shared_server.url}/game/{game['id']}")
    page.get_by_label("Type a move").fill("d")
    page.get_by_label("Type a move").press("Enter")
    page.locator(".move").wait_for()
    page.get_by_role("button", name="Look inside this position").click()
    page.get_by_role("heading", name="Look inside").wait_for()
    assert page.locator("#inside-text").input_value() == "......./......./......./......./......./...X..."
    search(page)


def test_the_analysis_board_leads_there_too(shared_server: Server, open_page: OpenPage) -> None:
    study = httpx.post(f"{shared_server.url}/api/studies", json={"position": ITALIAN}).json()["study"]
    page = open_page(f"{shared_server.url}/analysis/{study}")
    page.get_by_role("button", name="Look inside this position").click()
    page.get_by_role("heading", name="Look inside").wait_for()
    assert page.locator("#inside-text").input_value() == ITALIAN


def test_a_wrong_position_is_named_and_nothing_is_lost(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(address(shared_server, "terms"))
    page.get_by_text("for White, in pawns").wait_for()
    page.locator("#inside-text").fill("8/8/8/8/8/8/8/8 w - - 0 1")
    page.locator(".inside > .field-problem", has_text="king").wait_for()
    page.locator("#inside-text").fill("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")
    page.locator(".term-table", has_text="Material").wait_for()


@needs_axe
def test_axe_finds_nothing_in_any_view(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(shared_server.url, color_scheme="light")
    for view in VIEWS:
        page.goto(address(shared_server, view, "hexapawn" if view == "alphabeta" else "chess"))
        page.locator(f"#tab-{view}[aria-selected=true]").wait_for()
        if view in ("tree", "alphabeta", "policy"):
            page.get_by_role("button", name="Search", exact=True).click()
            page.locator(".inside-result .step-slider").wait_for()
        else:
            page.locator(".inside-view .numbers, .inside-view .planes, .inside-view .neurons").first.wait_for()
        check_with_axe(page, view, in_both_colors=True)


def test_it_fits_a_phone(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(address(shared_server, "tree"), **PHONE)
    search(page)
    page.locator(".tree-node").first.wait_for()
    for view in VIEWS[3:]:
        page.locator(f"#tab-{view}").click()
        page.locator(".inside-view .numbers, .inside-view .planes, .inside-view .neurons").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view


def test_the_page_and_its_numbers_are_small(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(shared_server.url)
    total = weigh(page)
    page.goto(address(shared_server, "tree"))
    search(page)
    page.locator(".tree-node").first.wait_for()
    assert total() < MAX_PAGE_BYTES
