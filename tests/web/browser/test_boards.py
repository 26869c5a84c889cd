"""The other games on their own board, and a phone in the hand."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser.conftest import OpenPage
from tests.web.browser.table import PERSON, Table
from tests.web.conftest import Server

OpenTable = Callable[..., Table]

ROOT = Path(__file__).resolve().parents[3]

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("way", ["drag", "click"])
def test_a_game_of_hexapawn(shared_server: Server, open_table: OpenTable, way: str) -> None:
    table = open_table(shared_server, "hexapawn", **PERSON)
    for ply, (origin, target) in enumerate([("a1", "a2"), ("b3", "a2"), ("b1", "a2"), ("c3", "c2")], start=1):
        getattr(table, way)(origin, target)
        table.wait_for_count(ply)
    table.wait_for_moves("a1a2", "b3a2", "b1a2", "c3c2")
    table.wait_for_result("Black wins: no legal move.")


def test_hexapawn_of_another_size(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, "hexapawn-5x4", opponent="random")
    assert table.page.locator(".grid-board .piece").count() == 10
    table.drag("e1", "e2")
    table.wait_for_count(2)
    table.button("Flip").click()
    table.page.locator(".grid-board .piece").first.wait_for()


def test_connect_four_drops_into_the_column_that_was_clicked(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, "connect4", **PERSON)
    for ply, column in enumerate("ababab", start=1):
        table.click(f"{column}6")
        table.wait_for_count(ply)
    assert "X: a1, a2, a3." in table.position
    table.click("a1")
    table.wait_for_result("X wins: four in a line.")


def test_connect_four_against_an_engine_with_its_counters(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, "connect4", opponent="uct", strength={"level": 1})
    table.click("d3")
    table.wait_for_count(2)
    assert "nodes" in table.page.locator(".thought").inner_text()


def test_tictactoe_by_typing(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, "tictactoe", **PERSON)
    for ply, square in enumerate(["a1", "b1", "a2", "b2", "a3"], start=1):
        table.type(square)
        table.wait_for_count(ply)
    table.wait_for_result("X wins")


def test_gomoku_on_points_up_to_the_edge(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, "gomoku", **PERSON)
    for ply, point in enumerate(["a15", "o15", "a14", "o1", "a13", "h8", "a12", "d4", "a11"], start=1):
        table.click(point)
        table.wait_for_count(ply)
    table.wait_for_result("X wins: five in a row.")
    assert table.page.locator(".grid-board .stone").count() == 9
    assert table.page.locator(".grid-board .last-stone").count() == 1
    assert table.page.locator(".grid-board .star").count() == 5


POINTS_GAME = """
from philidor.core.descriptor import Descriptor, GridDrawing, Piece
from philidor.games.tictactoe import TicTacToe

class Points(TicTacToe):
    name = "points.py:Points"
    descriptor = Descriptor(
        name="points",
        title="Points",
        drawing=GridDrawing(pieces={"X": Piece("X", 0), "O": Piece("O", 1)}, style="points", art="stones"),
    )
"""


@pytest.fixture
def own_game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A server with a game of the user's own."""
    running = Server(tmp_path, "--game", request.param)
    running.environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    (tmp_path / "points.py").write_text(POINTS_GAME, encoding="utf-8")
    running.start()
    yield running
    running.kill()


@pytest.mark.parametrize("own_game", [f"{ROOT / 'examples/last_stone.py'}:LastStone"], indirect=True)
def test_a_game_without_squares_has_buttons(own_game: Server, open_page: OpenPage) -> None:
    page = open_page(own_game.url)
    page.get_by_label("Opponent").select_option("person")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    table = Table(page)
    assert "oooooooooooooooooooo" in table.board.inner_text()
    for count, stones in enumerate(["3", "1", "2"], start=1):
        table.board.get_by_role("button", name=stones).click()
        table.wait_for_count(count)
    assert page.locator(".text-drawing").inner_text().startswith("o" * 15 + "\n")


@pytest.mark.parametrize("own_game", ["points:Points"], indirect=True)
def test_a_game_on_points_has_lines_and_stones(own_game: Server, open_page: OpenPage) -> None:
    page = open_page(own_game.url)
    page.get_by_label("Opponent").select_option("person")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    table = Table(page)
    table.click("b2")
    table.wait_for_count(1)
    table.click("a1")
    table.wait_for_count(2)
    assert page.locator(".grid-board .stone").count() == 2
    assert page.locator(".grid-board .lines").count() == 1


def test_a_game_on_a_phone(shared_server: Server, open_table: OpenTable) -> None:
    table = open_table(shared_server, page=PHONE, **PERSON)
    for ply, (origin, target) in enumerate([("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")], start=1):
        for square in (origin, target):
            table.page.touchscreen.tap(*table.middle_of(square))
        table.wait_for_count(ply)
    table.wait_for_result("Black wins: checkmate.")


@pytest.mark.parametrize("path", ["/", "/games", "/editor", "/settings"])
def test_no_page_is_wider_than_a_phone(shared_server: Server, open_table: OpenTable, path: str) -> None:
    table = open_table(shared_server, page=PHONE, **PERSON)
    assert overflow(table) == 0
    table.page.goto(shared_server.url + path)
    table.page.locator("h1").wait_for()
    assert overflow(table) == 0


def overflow(table: Table) -> int:
    """By how many pixels the page is wider than its window."""
    pixels: int = table.page.locator("html").evaluate("html => html.scrollWidth - html.clientWidth")
    return pixels
