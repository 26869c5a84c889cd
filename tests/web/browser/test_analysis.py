"""The analysis board in a real browser: what is pasted, typed and clicked, and what is left when things break."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from tests.web.analysis.desk import new_study, pgn_of
from tests.web.analysis.test_reviewing import BLUNDER
from tests.web.analysis.test_studies import RICH, same_game
from tests.web.browser.axe import check_with_axe, needs_axe
from tests.web.browser.conftest import OpenPage
from tests.web.browser.table import Table
from tests.web.conftest import Server
from tests.web.tab import new_game
from tests.web.test_engines import OddServer

if TYPE_CHECKING:
    from playwright.sync_api import Page

PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
# Holds back what the server says of a position for a while.
SLOW_PLACES = """() => {
    const listen = WebSocket.prototype.addEventListener;
    WebSocket.prototype.addEventListener = function (kind, take) {
        const late = (event) => setTimeout(() => take(event), event.data.includes('"place"') ? 1000 : 0);
        listen.call(this, kind, kind === "message" ? late : take);
    };
}"""
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


class StudyTable(Table):
    """The open page of a study."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        page.locator(".tree").wait_for()

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name, exact=True).click()

    def current(self) -> str:
        """The move whose position is shown."""
        return self.page.locator(".tree .move[aria-current]").inner_text()

    def wait_for_current(self, move: str) -> None:
        self._wait("move => document.querySelector('.tree .move[aria-current]')?.innerText === move", move, move)

    def wait_for_lines(self, seat: int = 0) -> None:
        self.page.locator(f".seat-{seat} .engine-lines li").first.wait_for()


def open_study(server: Server, open_page: OpenPage, text: str, **options: object) -> StudyTable:
    return StudyTable(open_page(f"{server.url}/analysis/{new_study(server.url, text)}", **options))


def test_a_pasted_pgn_is_shown_edited_and_exported_whole(
    shared_server: Server, open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(f"{shared_server.url}/analysis", expect=("422",))
    field = page.get_by_label("Paste a FEN or a PGN")
    field.fill("1. e4 e5 2. Qh7 *")
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.locator(".field-help.problem", has_text="Qh7").wait_for()
    assert field.input_value() == "1. e4 e5 2. Qh7 *"
    field.fill(RICH)
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.wait_for_url("**/analysis/*")
    table = StudyTable(page)
    assert page.locator("h1").inner_text() == "Anna – Bela"
    assert page.locator(".variation .move").all_inner_texts() == ["c5!", "Nf3", "c3+/=", "d6", "e6"]
    assert page.locator(".tree .comment").all_inner_texts() == ["A lesson", "best by test", "the Sicilian", "Instead"]
    table.page.locator(".move", has_text="c5").click()
    page.locator(".opening", has_text="B20 Sicilian Defense").wait_for()
    table.wait_for_piece("c5", "black pawn")
    table.drag("f1", "c4")
    table.wait_for_current("Bc4")
    page.get_by_label("Comment", exact=True).fill("the <b>bishop</b>")
    page.get_by_role("button", name="Interesting move").click()
    page.locator(".move[aria-current] .glyph", has_text="!?").wait_for()
    page.locator(".comment", has_text="the <b>bishop</b>").wait_for()
    page.reload()
    page.locator(".tree .move", has_text="Bc4!?").wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as PGN").click()
    target = tmp_path / "study.pgn"
    download.value.save_as(target)
    wanted = RICH.replace("2... d6 )", "2... d6 ) ( 2. Bc4 $5 { the <b>bishop</b> } )").replace(
        "( 2. c3 $14 ) 2... d6 ) ( 2. Bc4", "( 2. c3 $14 ) ( 2. Bc4"
    )
    wanted = wanted.replace("{ the <b>bishop</b> } )", "{ the <b>bishop</b> } ) 2... d6 )")
    same_game(wanted, target.read_text(encoding="utf-8"))


def test_a_move_is_played_that_was_made_before_the_server_named_the_legal_ones(
    shared_server: Server, open_page: OpenPage
) -> None:
    page = open_page(f"{shared_server.url}/analysis")
    page.evaluate(SLOW_PLACES)
    page.get_by_label("Paste a FEN or a PGN").fill("1. e4 e5 2. Nf3 *")
    page.get_by_role("button", name="Analyse", exact=True).click()
    table = StudyTable(page)
    page.locator(".move", has_text="e5").click()
    table.wait_for_piece("e5", "black pawn")
    table.drag("f1", "g7")
    table.wait_for_piece("g7", "white bishop")
    table.wait_for_piece("f1", "white bishop")  # there is no such move
    page.locator(".move", has_text="e4").click()
    table.wait_for_piece("e5", "")
    table.drag("c7", "c5")
    table.wait_for_current("c5")
    assert table.moves == ["e4", "e5", "c5", "Nf3"]


def test_variations_are_promoted_and_deleted(shared_server: Server, open_page: OpenPage) -> None:
    table = open_study(shared_server, open_page, "1. e4 (1. d4 d5) e5 2. Nf3 *")
    page = table.page
    page.locator(".move", has_text="d5").click()
    page.get_by_role("button", name="Make this the main line").click()
    page.wait_for_function("() => document.querySelector('.tree-row .move')?.innerText === 'd4'")
    assert page.locator(".variation .move").all_inner_texts() == ["e4", "e5", "Nf3"]
    page.locator(".move", has_text="e4").click()
    page.get_by_role("button", name="Delete from here").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    table.wait_for_moves("d4", "d5")


def test_an_engine_shows_lines_that_preview_and_are_played_in(shared_server: Server, open_page: OpenPage) -> None:
    table = open_study(shared_server, open_page, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    page = table.page
    page.get_by_role("switch", name="Engine", exact=True).check()
    table.wait_for_lines()
    page.locator(".seat-0 .engine-score", has_text="#1").wait_for()
    assert page.locator(".seat-0 .wdl").get_attribute("aria-label") == "White wins 100 %, draw 0 %, Black wins 0 %"
    page.wait_for_function("() => document.querySelectorAll('.cg-shapes line, .cg-shapes g line').length >= 1")
    move = page.locator(".seat-0 .line-move").first
    move.hover()
    table.wait_for_piece("d8", "white rook")
    page.mouse.move(5, 400)
    table.wait_for_piece("d1", "white rook")
    page.get_by_role("button", name="Add a second engine").click()
    table.wait_for_lines(1)
    page.get_by_role("button", name="Options of the second engine").click()
    page.locator(".seat-1").get_by_label("Engine", exact=True).select_option("alphabeta")
    page.locator(".seat-1 .engine-facts", has_text="Alpha-beta").wait_for()
    table.wait_for_lines(1)
    move.click()
    table.wait_for_current("Rd8#")
    page.locator(".place-verdict", has_text="White wins: checkmate.").wait_for()


def test_by_keyboard_alone(shared_server: Server, open_page: OpenPage) -> None:
    table = open_study(shared_server, open_page, "1. e4 e5 (1... c5) 2. Nf3 Nc6 *")
    page, press = table.page, table.page.keyboard.press
    page.wait_for_function("() => document.querySelectorAll('.engine').length === 1")
    press("ArrowDown")
    table.wait_for_current("Nc6")
    press("ArrowUp")
    press("ArrowRight")
    press("ArrowRight")
    table.wait_for_current("e5")
    press("]")
    table.wait_for_current("c5")
    press("!")
    page.locator(".move[aria-current] .glyph", has_text="!").wait_for()
    press("c")
    page.keyboard.type("open game")
    press("Escape")
    page.locator(".tree .comment", has_text="open game").wait_for()
    press("m")
    page.keyboard.type("Nf3")
    press("Enter")
    table.wait_for_current("Nf3")
    press("Escape")
    press("l")
    table.wait_for_lines()
    press(" ")
    page.wait_for_function("() => document.querySelectorAll('.variation .move').length === 3")
    press("x")
    page.locator(".engine-facts", has_text="threat").wait_for()
    press("s")
    press("l")
    page.locator(".engine-facts", has_text="NNUE engine").wait_for()
    press("ArrowLeft")
    press("Delete")
    page.get_by_role("dialog").wait_for()
    press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.variation .move').length === 1")
    press("f")
    page.locator(".board.orientation-black").wait_for()
    press("?")
    page.get_by_role("dialog").get_by_text("Play the best move").wait_for()


def test_a_game_is_reviewed_and_its_mistake_tried_again(shared_server: Server, open_page: OpenPage) -> None:
    table = open_study(shared_server, open_page, BLUNDER)
    page = table.page
    table.tab("Review")
    page.get_by_label("How thorough").select_option("20000")
    page.get_by_label("Compared with").select_option("0")
    page.get_by_role("button", name="Review this game").click()
    page.locator(".review-verdict", has_text="Anna won").wait_for()
    assert "The game turned with 3... Nf6??." in page.locator(".review-verdict").inner_text()
    node = page.locator(".graph g", has=page.locator(".dot.blunder")).last
    node.locator(".graph-touch").click()
    page.locator(".review-here", has_text="3... Nf6: Blunder").wait_for()
    table.wait_for_piece("f6", "black knight")
    page.locator(".mistakes li", has_text="Nf6??").get_by_role("button", name="Qxf7#").hover()
    table.wait_for_piece("f7", "white queen")
    page.get_by_role("button", name="Black's only").click()
    # The answer is not on the page before it is asked for.
    page.locator(".exercise", has_text="Mistake 1 of").wait_for()
    while "Nf6" not in page.locator(".exercise-words").inner_text():
        page.get_by_role("button", name="Skip").click()
    assert page.locator(".line-move:visible").count() == 0
    table.wait_for_piece("g8", "black knight")
    assert "orientation-black" in (table.board.get_attribute("class") or "")
    table.drag("g8", "f6")
    page.locator(".exercise-words.bad", has_text="Nf6 is what was played. It is refuted by:").wait_for()
    table.wait_for_piece("g8", "black knight")
    table.drag("g7", "g6")
    page.locator(".exercise-words.good").wait_for()
    page.get_by_role("button", name="Finish").click()
    page.get_by_text("You found a good move in 1 of").wait_for()
    page.get_by_role("button", name="Back to the review").click()
    page.locator(".graph").wait_for()


def test_people_stand_beside_the_engine(shared_server: Server, open_page: OpenPage) -> None:
    table = open_study(shared_server, open_page, "1. e4 e5 2. Bc4 Nc6 3. Qh5 *")
    page = table.page
    page.keyboard.press("ArrowDown")
    table.wait_for_current("Qh5")
    table.tab("People")
    page.locator(".people-table tbody tr").first.wait_for(timeout=60_000)
    assert (
        page.locator(".people .field-help").first.inner_text().startswith("A player rated 1500 would most likely play")
    )
    assert page.locator(".share-curve").count() == page.locator(".people-table tbody tr").count()
    page.get_by_label("Rating", exact=True).fill("800")
    page.locator(".people .field-help", has_text="A player rated 800").wait_for()


def test_every_way_leads_to_the_analysis(shared_server: Server, open_page: OpenPage) -> None:
    game = new_game(shared_server.url, start={"kind": "pgn", "text": "1. f3 e5 2. g4 Qh4# 0-1"})
    page = open_page(f"{shared_server.url}/game/{game['id']}")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url("**/analysis/*")
    StudyTable(page).wait_for_moves("f3", "e5", "g4", "Qh4#")
    page.goto(f"{shared_server.url}/games")
    page.get_by_role("button", name="Analyse").first.click()
    page.wait_for_url("**/analysis/*")
    page.goto(f"{shared_server.url}/editor")
    page.get_by_text("A legal position").wait_for()
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url("**/analysis/*")
    StudyTable(page).wait_for_moves()


def drop_file(page: Page, where: str, text: str) -> None:
    """Drops a file on an element, as from another window."""
    made = """(text) => { const held = new DataTransfer();
        held.items.add(new File([text], 'fool.pgn')); return held; }"""
    held = {"dataTransfer": page.evaluate_handle(made, text)}
    is_taken = """([where, held]) => !document.querySelector(where).dispatchEvent(
        new DragEvent('dragover', { ...held, bubbles: true, cancelable: true }))"""
    assert page.evaluate(is_taken, [where, held]), "the browser would open the file itself"
    page.dispatch_event(where, "drop", held)


def test_a_file_may_be_dropped_anywhere(shared_server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{shared_server.url}/analysis")
    page.get_by_role("heading", name="Analysis").wait_for()
    drop_file(page, "body", "1. f3 e5 2. g4 Qh4# 0-1")
    page.wait_for_url("**/analysis/*")
    StudyTable(page).wait_for_moves("f3", "e5", "g4", "Qh4#")
    drop_file(page, "header", "1. d4 d5")
    StudyTable(page).wait_for_moves("d4", "d5")


def test_ten_thousand_games_stay_usable(shared_server: Server, open_page: OpenPage, tmp_path: Path) -> None:
    names = ["Anna", "Bela", "Carl", "Dora"]
    games = [
        f'[White "{names[n % 4]} {n}"]\n[Black "{HOSTILE}"]\n[Result "1-0"]\n\n1. {"e4 c5" if n % 2 else "d4 d5"} 1-0\n'
        for n in range(10_000)
    ]
    page = open_page(f"{shared_server.url}/analysis")
    file = tmp_path / "many.pgn"
    file.write_text("\n".join(games), encoding="utf-8")
    page.locator("#analysis-file").set_input_files(file)
    page.get_by_text("10,000 games").wait_for(timeout=60_000)
    page.get_by_label("Search").fill("dora sicilian 9999")
    page.get_by_text("1 of 10,000 games").wait_for()
    assert page.locator(".file-games img, .file-games script").count() == 0
    page.get_by_role("button", name="Open Dora 9999").click()
    page.wait_for_url("**/analysis/*")
    StudyTable(page).wait_for_moves("e4", "c5")


def test_on_a_phone_board_steps_and_best_line_fit_the_screen(shared_server: Server, open_page: OpenPage) -> None:
    table = open_study(shared_server, open_page, RICH, **PHONE)
    page = table.page
    page.get_by_role("switch", name="Engine", exact=True).check()
    table.wait_for_lines()
    # Asked for in one go: the engine's lines are drawn anew all the time.
    script = "names => names.map(name => document.querySelector(name).getBoundingClientRect().toJSON())"
    for box in page.evaluate(script, [".board", ".study-steps", ".engine-lines li:first-child"]):
        assert box["width"] > 100
        assert 0 <= box["left"] < box["right"] <= 390
        assert 0 <= box["top"] < box["bottom"] <= 664
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="One move on (→)").tap()
    table.wait_for_current("e4")


def test_two_windows_agree_an_engine_dies_and_the_connection_is_lost_but_nothing_else(
    tmp_path: Path, open_page: OpenPage
) -> None:
    server = OddServer(tmp_path)
    server.start()
    try:
        nothing_is_lost(server, open_page)
    finally:
        server.kill()


def nothing_is_lost(server: Server, open_page: OpenPage) -> None:
    study = new_study(server.url, "1. e4 e5 *")
    tables = [StudyTable(open_page(f"{server.url}/analysis/{study}", expect=("ERR_", "WebSocket"))) for _ in range(2)]
    tables[0].page.keyboard.press("ArrowDown")
    tables[0].wait_for_current("e5")
    # Typed: the name of the opening may still come, and move the board under a drag.
    tables[0].type("Nf3")
    for table in tables:
        table.wait_for_moves("e4", "e5", "Nf3")
    page = tables[0].page
    page.get_by_role("button", name="Options of the engine").click()
    page.locator(".seat-0").get_by_role("combobox", name="Engine", exact=True).select_option("mortal")
    page.get_by_role("switch", name="Engine", exact=True).check()
    page.locator(".engine-message.problem", has_text="the engine has <b>died</b> of something").wait_for()
    assert not page.get_by_role("switch", name="Engine", exact=True).is_checked()
    page.keyboard.press("ArrowLeft")
    tables[0].wait_for_current("e5")
    page.locator(".engine-message.problem").wait_for()
    page.keyboard.press("ArrowRight")
    tables[0].wait_for_current("Nf3")
    server.kill()
    tables[0].page.get_by_text("Connection lost").wait_for()
    tables[0].page.get_by_label("Comment", exact=True).fill("made while nobody listened")
    tables[0].page.get_by_label("Comment", exact=True).blur()
    server.start()
    for table in tables:
        table.page.locator(".tree .comment", has_text="made while nobody listened").wait_for(timeout=30_000)
    assert "{ made while nobody listened }" in pgn_of(server.url, study)


def test_hostile_texts_stay_texts(shared_server: Server, open_page: OpenPage) -> None:
    pgn = f'[White "{HOSTILE}"]\n[Black "B"]\n[Evil "{HOSTILE}"]\n\n1. e4 {{{HOSTILE}}} (1. Ke4 {{gone}}) e5 *'
    table = open_study(shared_server, open_page, pgn)
    page = table.page
    assert page.locator("h1").inner_text() == f"{HOSTILE} – B"
    page.locator(".tree .comment", has_text="onerror").wait_for()
    page.locator(".study-problems", has_text="Ke4").wait_for()
    table.tab("Game")
    assert page.locator(".analysis img, .analysis script, .analysis b").count() == 0
    page.goto(f"{shared_server.url}/analysis")
    page.locator(".study-list", has_text="onerror").wait_for()
    assert page.locator(".study-list img, .study-list script").count() == 0


@needs_axe
def test_axe_finds_nothing(shared_server: Server, open_page: OpenPage) -> None:
    answer = httpx.post(f"{shared_server.url}/api/studies/text", content=f"{BLUNDER}\n{BLUNDER}".encode())
    page = open_page(f"{shared_server.url}/analysis", color_scheme="light")

    def check(what: str) -> None:
        check_with_axe(page, what, in_both_colors=True)

    page.locator(".study-list a").first.wait_for()
    check("home")
    page.goto(f"{shared_server.url}/analysis/file/{answer.json()['file']}")
    page.get_by_role("button", name="Open Anna").first.wait_for()
    check("file")
    page.get_by_role("button", name="Open Anna").first.click()
    page.wait_for_url("**/analysis/*")
    table = StudyTable(page)
    page.get_by_role("switch", name="Engine", exact=True).check()
    page.get_by_role("button", name="Options of the engine").click()
    table.wait_for_lines()
    page.keyboard.press("ArrowRight")
    page.get_by_role("switch", name="Engine", exact=True).uncheck()
    check("moves")
    table.tab("Review")
    page.get_by_label("How thorough").select_option("20000")
    page.get_by_role("button", name="Review this game").click()
    page.locator(".mistakes li").first.wait_for(timeout=60_000)
    check("review")
    table.tab("People")
    page.locator(".people-table tbody tr").first.wait_for(timeout=60_000)
    check("people")
    table.tab("Game")
    check("game")
