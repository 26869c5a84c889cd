"""EPD lines: operations in and out, FENs with clocks, and files whose bad line is named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from philidor.core.errors import FenError
from philidor.games.chess import Epd, Position, parse_epd, read_epd_file, write_epd

WAC = '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";'
BOARD = "4k3/8/8/8/8/8/4P3/4K3 w - -"


def test_a_suite_line_is_read_and_written() -> None:
    epd = parse_epd(WAC)
    assert epd.operations == {"bm": ("Qg6",), "id": ("WAC.001",)}
    assert epd.operand("id") == "WAC.001"
    assert epd.operand("am") is None
    assert epd.moves("bm") == [epd.position.parse_san("Qg6")]
    assert epd.moves("am") == []
    assert str(epd) == WAC.replace('"WAC.001"', "WAC.001")
    assert parse_epd(str(epd)) == epd


@pytest.mark.parametrize(
    ("rest", "operations"),
    [
        ("", {}),
        (";", {}),
        (" ;D1 5 ;D2 30", {"D1": ("5",), "D2": ("30",)}),
        ("  0 1; D4 23441 ", {"D4": ("23441",)}),
        ('c0 "a; b  c"; c1 "";', {"c0": ("a; b  c",), "c1": ("",)}),
        ("bm e4 e3;am Kd1", {"bm": ("e4", "e3"), "am": ("Kd1",)}),
        ("draw_offer;", {"draw_offer": ()}),
        ("- bm e4;", {"bm": ("e4",)}),
        ("2x 3;", {"2x": ("3",)}),
    ],
)
def test_operations_are_split_as_they_are_meant(rest: str, operations: dict[str, tuple[str, ...]]) -> None:
    assert parse_epd(f"{BOARD} {rest}").operations == operations


def test_moves_may_have_commas_between_them() -> None:
    epd = parse_epd(f"{BOARD} bm e4, e3, Kd1;")
    assert [epd.position.san(move) for move in epd.moves("bm")] == ["e4", "e3", "Kd1"]


@pytest.mark.parametrize(
    ("rest", "clock", "move"),
    [
        ("", 0, 1),
        ("12 34", 12, 34),
        ("12 34 bm e4;", 12, 34),
        ("hmvc 7; fmvn 9;", 7, 9),
        ("- - hmvc 7; fmvn 9;", 7, 9),
        ("hmvc 7;", 7, 1),
        ("7", 7, 1),
    ],
)
def test_clocks_come_as_fields_or_as_operations(rest: str, clock: int, move: int) -> None:
    position = parse_epd(f"{BOARD} {rest}").position
    assert (position.halfmove_clock, position.fullmove_number) == (clock, move)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "expected at least 4 fields, got 0"),
        ("4k3/8 w -", "expected at least 4 fields, got 3"),
        ("4k3/8/8/8/8/8/8/8 w - - bm e4;", "board: White has 0 kings"),
        (f'{BOARD} id "x;', "a quoted operand does not end"),
        (f"{BOARD} hmvc x;", "halfmove clock: expected a number"),
    ],
)
def test_a_bad_line_is_refused(line: str, problem: str) -> None:
    with pytest.raises(FenError) as caught:
        parse_epd(line)
    assert problem in str(caught.value)


def test_a_move_that_is_not_legal_is_named() -> None:
    with pytest.raises(FenError, match="invalid EPD: bm: no legal move 'Qg6'"):
        parse_epd(f"{BOARD} bm Qg6;").moves("bm")


@pytest.mark.parametrize(("opcode", "operand"), [("a b", "x"), ("", "x"), ('a"', "x"), ("id", 'x"y'), ("id", "x\ny")])
def test_what_epd_cannot_hold_is_not_written(opcode: str, operand: str) -> None:
    with pytest.raises(FenError, match="an EPD op"):
        write_epd(Position(), {opcode: (operand,)})


def test_a_file_is_read_line_by_line_and_its_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text(f"# a comment\n{WAC}\n\n{BOARD}\nnonsense\n")
    epds = read_epd_file(path)
    assert next(epds) == parse_epd(WAC)
    assert next(epds).position == Position(BOARD)
    with pytest.raises(FenError, match=r"suite\.epd, line 5: invalid EPD 'nonsense'"):
        next(epds)


@given(st.text())
def test_arbitrary_text_after_a_position_is_read_or_refused(text: str) -> None:
    try:
        epd = parse_epd(f"{BOARD} {text}")
    except FenError:
        return
    assert isinstance(epd, Epd)


WORDS = st.text(st.characters(exclude_characters='"\r\n', codec="utf-8"), max_size=8)
OPCODES = st.from_regex("[a-z_A-Z][a-zA-Z0-9]{0,8}", fullmatch=True)


@given(st.dictionaries(OPCODES, st.lists(WORDS, max_size=3).map(tuple), max_size=3))
def test_what_is_written_is_read_back(operations: dict[str, tuple[str, ...]]) -> None:
    operations.pop("hmvc", None)
    operations.pop("fmvn", None)
    epd = Epd(Position(BOARD), operations)
    assert parse_epd(str(epd)) == epd
