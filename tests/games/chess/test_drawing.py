"""Pictures of positions: pieces, arrows and heat are where they belong."""

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from philidor.core.errors import ArgumentError, IllegalMoveError
from philidor.games.chess import Position

SVG = "{http://www.w3.org/2000/svg}"


def drawn(**options: Any) -> ElementTree.Element:
    return ElementTree.fromstring(Position().svg(**options))


def corner(picture: ElementTree.Element, kind: str) -> str | None:
    return next(
        group.get("transform") for group in picture.iter(f"{SVG}g") if any(each.get("id") == kind for each in group)
    )


def test_every_piece_is_drawn_where_it_stands() -> None:
    picture = drawn()
    pieces = [group for group in picture.iter(f"{SVG}g") if group.get("transform")]
    assert len(pieces) == 32
    assert corner(picture, "white-rook") == "translate(16 331)"  # a1, lower left
    assert corner(drawn(is_flipped=True), "white-rook") == "translate(331 16)"
    assert picture.findtext(f"{SVG}desc") == Position().fen()


def test_an_arrow_s_width_is_its_move_s_share() -> None:
    picture = drawn(arrows={"d4": 0.25, "e2e4": 1.0})
    arrows = [group for group in picture.iter(f"{SVG}g") if group.get("opacity")]
    assert [group.findtext(f"{SVG}title") for group in arrows] == ["e4 100%", "d4 25%"]
    widths = [path.get("stroke-width") for group in arrows for path in group.iter(f"{SVG}path")]
    assert widths == ["12.0", "4.9"]
    start = next(path.get("d") for path in arrows[0].iter(f"{SVG}path"))
    assert start is not None
    assert re.match(r"M218\.5 308\.5L218\.5 ", start)  # from the middle of e2, upward
    assert "<title>" not in Position().svg()
    assert Position().svg(arrows=["e4", "d4"]).count("<polygon") == 2


def test_squares_glow_by_their_numbers() -> None:
    picture = drawn(heat={"e4": 2.0, 27: 1.0, "a1": 0.0, "h8": -1.0})
    glowing = {(r.get("x"), r.get("y")): r.get("opacity") for r in picture.iter(f"{SVG}rect") if r.get("opacity")}
    assert glowing == {("196", "196"): "0.850", ("151", "196"): "0.425"}


def test_the_last_move_and_a_check_are_marked() -> None:
    position = Position("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1").play("Qa4")
    picture = ElementTree.fromstring(position.svg())
    marked = [rect.get("fill") for rect in picture.iter(f"{SVG}rect") if rect.get("opacity")]
    assert sorted(map(str, marked)) == ["#9bc700", "#9bc700", "#d55e00"]


@pytest.mark.parametrize("square", ["e9", "k1", 64, -1, None, "e"])
def test_a_square_that_is_none_is_refused(square: Any) -> None:
    with pytest.raises(ArgumentError, match="expected a square such as 'e4' or 28"):
        Position().svg(heat={square: 1.0})


def test_an_arrow_is_a_legal_move() -> None:
    with pytest.raises(IllegalMoveError):
        Position().svg(arrows=["e2e5"])
