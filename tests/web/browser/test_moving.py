"""Moves by mouse, by typing and by keys, in real Chromium."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.browser.table import PERSON, Table
from tests.web.conftest import Server

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
