"""Moves by mouse, by typing and by keys, in real Chromium."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.browser.conftest import OpenPage
from tests.web.browser.table import PERSON, Table
from tests.web.browser.wire import Wire
from tests.web.conftest import Server
from tests.web.tab import new_game

OpenTable = Callable[..., Table]

SCHOLARS_MATE = [("e2", "e4"), ("e7", "e5"), ("f1", "c4"), ("b8", "c6"), ("d1", "h5"), ("g8", "f6"), ("h5", "f7")]
SCHOLARS_SAN = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
OPERA_GAME = """
    e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8
    Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#
"""


@pytest.mark.parametrize("way", ["drag", "click"])
def test_a_whole_game_by_mouse(shared_server: Server, open_table: OpenTable, way: str) -> None:
    table = open_table(shared_server, **PERSON)
    for ply, (origin, target) in enumerate(SCHOLARS_MATE, start=1):
        getattr(table, way)(origin, target)
        table.wait_for_count(ply)
    table.wait_for_moves(*SCHOLARS_SAN)
    table.wait_for_result("White wins: checkmate.")


def test_a_whole_game_by_typing(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, **PERSON)
    for ply, move in enumerate(OPERA_GAME.split(), start=1):
        table.type(move)
        table.wait_for_count(ply)
    table.wait_for_moves(*OPERA_GAME.split())
    table.wait_for_result("White wins: checkmate.")
    assert table.page.locator(".opening").inner_text() == "C41 Philidor Defense"


def test_a_wrong_move_is_explained_where_it_was_typed(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, **PERSON)
    table.type("Ke5")
    problem = table.page.locator("#typed-problem", has_text="king")
    problem.wait_for()
    table.type("e2e4")
    table.wait_for_moves("e4")
    assert problem.is_hidden()
    assert table.typed.input_value() == ""


def test_an_illegal_drop_goes_back(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, **PERSON)
    table.drag("e2", "e5")
    table.wait_for_piece("e2", "white pawn")
    table.drag("e2", "e4")
    table.wait_for_moves("e4")


PROMOTION = {**PERSON, "start": {"kind": "position", "text": "7k/4P3/8/8/8/8/4p3/7K w - - 0 1"}}


def test_promotion_is_chosen_by_mouse_key_and_typing(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, **PROMOTION)
    table.drag("e7", "e8")
    table.button("Knight").click()
    table.wait_for_moves("e8=N")
    table.click("e2", "e1")
    table.button("Queen").wait_for()
    table.page.keyboard.press("r")
    table.wait_for_moves("e8=N", "e1=R+")
    table.wait_for_piece("e1", "black rook")

    table = open_table(shared_server, **PROMOTION)
    table.type("e8=B")
    table.wait_for_moves("e8=B")


def test_a_promotion_can_be_called_off(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, **PROMOTION)
    table.drag("e7", "e8")
    table.button("Queen").wait_for()
    table.page.keyboard.press("Escape")
    table.wait_for_piece("e7", "white pawn")
    assert table.moves == []


def test_castling_both_ways_by_goal_and_by_rook(shared_server: Server, open_table: OpenTable) -> None:
    start = {"kind": "position", "text": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"}
    table = open_table(shared_server, start=start, **PERSON)
    table.drag("e1", "g1")
    table.wait_for_moves("O-O")
    table.wait_for_piece("f1", "white rook")
    table.click("e8", "a8")
    table.wait_for_moves("O-O", "O-O-O")
    table.wait_for_piece("c8", "black king")
    table.wait_for_piece("d8", "black rook")


def test_chess960_castles_onto_its_own_rook(shared_server: Server, open_table: OpenTable) -> None:
    # Number 518 is the usual start, but its castling is king takes rook.
    table = open_table(shared_server, start={"kind": "chess960", "number": 518}, **PERSON)
    opening = ["g3", "g6", "Bg2", "Bg7", "Nf3", "Nf6"]
    for count, move in enumerate(opening, start=1):
        table.type(move)
        table.wait_for_count(count)
    table.drag("e1", "h1")
    table.wait_for_moves(*opening, "O-O")
    table.wait_for_piece("g1", "white king")
    assert "Chess960 no. 518" in table.page.locator("h1").inner_text()


def test_a_move_is_taken_back_to_ones_own_turn(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, opponent="random")
    table.drag("e2", "e4")
    table.wait_for_count(2)
    table.button("Take back").click()
    table.wait_for_count(0)
    table.wait_for_piece("e2", "white pawn")
    table.drag("d2", "d4")
    table.wait_for_count(2)


def test_taking_back_in_a_finished_game_asks_and_goes_on_in_a_copy(
    shared_server: Server, open_table: OpenTable
) -> None:
    table = open_table(shared_server, **PERSON)
    moves = ("f3", "e5", "g4", "Qh4#")
    for number, move in enumerate(moves, 1):
        table.type(move)
        table.wait_for_count(number)
    table.wait_for_result("Black wins: checkmate")
    address = table.page.url
    table.button("Take back").click()
    table.button("Cancel").click()
    table.wait_for_moves(*moves)
    table.page.keyboard.press("t")
    table.button("Play on").click()
    table.wait_for_moves(*moves[:3])
    assert table.page.url != address
    table.type("Qe7")
    table.wait_for_count(4)
    table.page.goto(address)
    table.wait_for_result("Black wins: checkmate")


def test_a_premove_is_made_when_the_opponent_has_moved(shared_server: Server, open_page: OpenPage) -> None:
    game = new_game(shared_server.url, opponent="random")
    page = open_page(shared_server.url)
    wire = Wire(page)
    wire.keep_games_longer_than(1)
    page.goto(f"{shared_server.url}/game/{game['id']}")
    table = Table(page)
    table.drag("e2", "e4")
    table.wait_for_count(1)
    table.drag("d2", "d4")
    table.wait_for_marks("current-premove", 2)
    wire.release()
    table.wait_for_count(4)
    assert table.moves[2] == "d4"


def test_a_premove_does_not_survive_a_take_back(shared_server: Server, open_table: OpenTable) -> None:
    # So deep that it will not answer by itself.
    table = open_table(shared_server, opponent="minimax", strength={"settings": {"depth": 50}})
    table.drag("e2", "e4")
    table.wait_for_count(1)
    table.drag("d2", "d4")
    table.wait_for_marks("current-premove", 2)
    table.button("Take back").click()
    table.wait_for_count(0)
    table.wait_for_marks("current-premove", 0)
    table.wait_for_piece("d2", "white pawn")


def test_a_hint_is_an_arrow(shared_server: Server, open_table: OpenTable) -> None:
    start = {"kind": "position", "text": "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"}
    table = open_table(shared_server, start=start)
    table.button("Hint").click()
    table.page.locator(".cg-shapes g line").wait_for(state="attached")
    table.drag("a1", "a8")
    table.wait_for_result("White wins: checkmate.")
    assert table.page.locator(".cg-shapes g line").count() == 0


def test_a_draw_offer_resigning_and_a_rematch(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, opponent="sparring", strength={"elo": 800})
    table.button("Draw").click()
    table.page.locator(".message").first.wait_for()
    table.button("Resign").click()
    table.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    table.wait_for_result("Black wins")
    first = table.page.url
    table.button("Rematch").click()
    table.page.wait_for_url(lambda url: url != first)
    table.wait_for_count(1)
    assert "orientation-black" in (table.board.get_attribute("class") or "")


def test_two_people_agree_to_a_draw(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, **PERSON)
    table.button("Draw").click()
    table.button("Accept").click()
    table.page.locator(".result-score", has_text="½–½").wait_for()


def test_an_engine_plays_at_once_when_it_has_white(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, opponent="minimax", strength={"level": 1}, side="second")
    table.wait_for_count(1)
    assert "orientation-black" in (table.board.get_attribute("class") or "")
    assert "20 evaluations" in table.page.locator(".thought").inner_text()
