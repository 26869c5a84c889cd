"""FEN: what is wrong is refused by the name of its field, and what is right comes back as it was."""

import random

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from philidor.core.errors import FenError
from philidor.games.chess import START_FEN, Position
from tests.games.chess.walks import SOURCES, TRICKY, start_board, walk

FIELDS = ("fields", "board", "side to move", "castling", "en passant", "halfmove clock", "move number")
KINGS = "4k3/8/8/8/8/8/8/4K3"
CORNERS = "r3k2r/8/8/8/8/8/8/R3K2R"

BAD = [
    # fields
    ("", "fields: expected 4 to 6 fields, got 0"),
    ("   ", "fields: expected 4 to 6 fields, got 0"),
    ("e2e4", "fields: expected 4 to 6 fields, got 1"),
    (f"{KINGS} w -", "fields: expected 4 to 6 fields, got 3"),
    (f"{KINGS} w - - 0 1 2", "fields: expected 4 to 6 fields, got 7"),
    # board: its shape
    ("8/8/8/8/8/8/8 w - - 0 1", "board: expected 8 ranks, got 7"),
    ("8/8/8/8/8/8/8/8/8 w - - 0 1", "board: more than 8 ranks"),
    (f"{KINGS}/ w - - 0 1", "board: more than 8 ranks"),
    ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "board: rank 8 has more than 8 squares"),
    ("4k3/8/8/8/8/8/54/4K3 w - - 0 1", "board: rank 2 has more than 8 squares"),
    ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", "board: rank 5 has 7 squares"),
    ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "board: rank 1 has 7 squares"),
    ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", "board: unknown piece '9'"),
    ("4k3/8/8/0/8/8/8/4K3 w - - 0 1", "board: unknown piece '0'"),
    ("4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", "board: unknown piece 'x'"),
    ("4k3/8/8/3.4/8/8/8/4K3 w - - 0 1", "board: unknown piece '.'"),
    ("4k3/8/8/3\u26584/8/8/8/4K3 w - - 0 1", "board: unknown piece"),
    # board: its pieces
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "board: Black has 0 kings"),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "board: White has 0 kings"),
    ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "board: White has 2 kings"),
    ("k2kk3/8/8/8/8/8/8/4K3 w - - 0 1", "board: Black has 3 kings"),
    ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "board: a pawn stands on the first or last rank"),
    ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "board: a pawn stands on the first or last rank"),
    ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "board: White has 9 pawns"),
    ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "board: Black has 9 pawns"),
    ("4k3/8/8/8/8/QQQQQQQQ/PPPPPPPP/4K3 w - - 0 1", "board: White has 17 pieces"),
    ("rrrrkrrr/pppppppp/r7/8/8/8/8/4K3 w - - 0 1", "board: Black has 17 pieces"),
    # board: checks
    ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "board: the side not to move (Black) is in check"),
    ("4k3/8/8/8/8/8/3p4/4K3 b - - 0 1", "board: the side not to move (White) is in check"),
    ("8/8/8/8/8/8/3kK3/8 w - - 0 1", "board: the side not to move (Black) is in check"),
    ("4k3/8/8/8/4r3/2n5/8/b3K2q w - - 0 1", None),  # two checkers are fine
    ("4r1k1/8/8/8/8/2n5/8/b3K2q w - - 0 1", None),
    ("4r1k1/8/8/8/7b/3n4/8/4K2q w - - 0 1", "board: more than two pieces give check"),
    # side to move
    (f"{KINGS} W - - 0 1", "side to move: expected 'w' or 'b', got 'W'"),
    (f"{KINGS} white - - 0 1", "side to move: expected 'w' or 'b', got 'white'"),
    (f"{KINGS} - - - 0 1", "side to move: expected 'w' or 'b', got '-'"),
    # castling
    (f"{CORNERS} w KQkqx - 0 1", "castling: unknown letter 'x'"),
    (f"{CORNERS} w K- - 0 1", "castling: unknown letter '-'"),
    (f"{CORNERS} w 0 - 0 1", "castling: unknown letter '0'"),
    (f"{CORNERS} w KK - 0 1", "castling: 'K' is given twice"),
    (f"{CORNERS} w KH - 0 1", "castling: 'H' is given twice"),
    (f"{KINGS} w K - 0 1", "castling: 'K': no king and rook on the back rank to castle"),
    (f"{CORNERS} w KQkqB - 0 1", "castling: 'B': no king and rook on the back rank to castle"),
    ("r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "castling: 'K': no king and rook on the back rank to castle"),
    ("r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1", "castling: 'Q': no king and rook on the back rank to castle"),
    ("4k3/8/8/8/8/8/8/4K2r w K - 0 1", "castling: 'K': no king and rook on the back rank to castle"),
    # en passant
    (f"{KINGS} w - e9 0 1", "en passant: expected a square or '-', got 'e9'"),
    (f"{KINGS} w - e 0 1", "en passant: expected a square or '-', got 'e'"),
    (f"{KINGS} w - -- 0 1", "en passant: expected a square or '-', got '--'"),
    (f"{KINGS} w - e3 0 1", "en passant: 'e3' is on the wrong rank"),
    (f"{KINGS} w - e6 0 1", "en passant: 'e6': no pawn has just made a double step there"),
    ("4k3/8/8/3Pp3/8/8/8/4K3 b - e6 0 1", "en passant: 'e6' is on the wrong rank"),
    ("4k3/8/8/3PP3/8/8/8/4K3 w - e6 0 1", "en passant: 'e6': no pawn has just made a double step there"),
    ("4k3/8/4n3/3Pp3/8/8/8/4K3 w - e6 0 1", "en passant: 'e6': no pawn has just made a double step there"),
    ("4k3/4p3/8/3Pp3/8/8/8/4K3 w - e6 0 1", "en passant: 'e6': no pawn has just made a double step there"),
    ("4k3/8/8/3Pp3/8/8/2n5/4K3 w - e6 0 1", "en passant: 'e6': the king was in check before the pawn's double step"),
    ("8/8/8/5k2/3pP3/8/8/K4R2 b - e3 0 1", "en passant: 'e3': the king was in check before the pawn's double step"),
    # clocks
    (f"{KINGS} w - - -1 1", "halfmove clock: expected a number from 0 to 99999, got '-1'"),
    (f"{KINGS} w - - x 1", "halfmove clock: expected a number from 0 to 99999, got 'x'"),
    (f"{KINGS} w - - 1e3 1", "halfmove clock: expected a number from 0 to 99999, got '1e3'"),
    (f"{KINGS} w - - 100000 1", "halfmove clock: expected a number from 0 to 99999, got '100000'"),
    (f"{KINGS} w - - 0 -7", "move number: expected a number from 0 to 99999, got '-7'"),
    (f"{KINGS} w - - 0 999999999999999999999", "move number: expected a number from 0 to 99999, got '"),
]  # fmt: skip


@pytest.mark.parametrize(("fen", "problem"), BAD)
def test_a_bad_fen_is_refused_by_its_field(fen: str, problem: str | None) -> None:
    if problem is None:
        Position(fen)
        return
    with pytest.raises(FenError) as caught:
        Position(fen)
    assert problem in str(caught.value)
    assert str(caught.value).startswith("invalid FEN '")
    assert str(caught.value).isprintable()


def test_an_error_shows_no_more_than_the_beginning_of_a_file_given_by_mistake() -> None:
    with pytest.raises(FenError) as caught:
        Position("Once upon a time\n" * 10_000)
    assert len(str(caught.value)) < 250
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("fen", [None, 1, b"startpos", ["startpos"]])
def test_a_fen_is_text(fen: object) -> None:
    with pytest.raises(TypeError):
        Position(fen)  # type: ignore[arg-type]


def test_bytes_that_are_no_text_are_a_bad_fen() -> None:
    with pytest.raises(FenError, match="board: unknown piece"):
        Position("\udcff/8/8/8/8/8/8/8 w - - 0 1")


@pytest.mark.parametrize("fen", [START_FEN, *TRICKY, f"{KINGS} b - - 99 4000", f"{CORNERS} b Kq - 0 1"])
def test_a_good_fen_comes_back(fen: str) -> None:
    assert Position(fen).fen() == fen
    assert Position(fen).text() == fen


@pytest.mark.parametrize(
    ("fen", "normal"),
    [
        ("startpos", START_FEN),
        (START_FEN[:-4], START_FEN),  # the clocks are optional
        (START_FEN[:-2] + "\n", START_FEN),
        (f"  {START_FEN}\t\r\n", START_FEN),
        (START_FEN.replace("KQkq", "qkQK"), START_FEN),
        (START_FEN.replace("KQkq", "HAha"), START_FEN),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0", START_FEN),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 000 01", START_FEN),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),  # nobody could take
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"),  # the taker would expose its king
        ("4k3/1111111p/8/8/8/8/8/4K3 w - - 0 1", "4k3/7p/8/8/8/8/8/4K3 w - - 0 1"),
    ],
)
def test_a_fen_is_brought_to_its_normal_form(fen: str, normal: str) -> None:
    position = Position(fen)
    assert position.fen() == normal
    assert Position(position.fen()) == position


@pytest.mark.parametrize(
    ("fen", "x_fen", "shredder"),
    [
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "KQkq", "GBgb"),
        ("1r2krr1/8/8/8/8/8/8/1R2KRR1 w FBfb - 0 1", "FQfq", "FBfb"),  # the inner rook castles: its file is needed
        ("1r2krr1/8/8/8/8/8/8/1R2KRR1 w KQkq - 0 1", "KQkq", "GBgb"),
        ("rr2k3/8/8/8/8/8/8/RR2K3 w Bb - 0 1", "Bb", "Bb"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "HAha"),
    ],
)
def test_castling_rights_are_written_by_side_or_by_file(fen: str, x_fen: str, shredder: str) -> None:
    position = Position(fen)
    assert position.fen().split()[2] == x_fen == chess.Board(fen, chess960=True).fen().split()[2]
    assert position.fen(shredder=True).split()[2] == shredder
    assert Position(position.fen(shredder=True), chess960=position.is_chess960) == position


def test_the_variant_follows_the_castling_rights_unless_it_is_given() -> None:
    chess960_only = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"
    assert not Position().is_chess960
    assert Position(chess960_only).is_chess960
    assert not Position(chess960_only.replace("KQkq", "-")).is_chess960
    assert Position(START_FEN, chess960=True).is_chess960
    with pytest.raises(FenError, match="castling: 'KQkq' needs Chess960"):
        Position(chess960_only, chess960=False)


@pytest.mark.parametrize("source", SOURCES)
def test_fens_of_random_games_come_back(source: str) -> None:
    rng = random.Random(7)
    for step in walk(start_board(source, rng), rng, 60):
        position = step.position
        for fen in (position.fen(), position.fen(shredder=True), position.fen(raw_en_passant=True)):
            again = Position(fen, chess960=position.is_chess960)
            assert again == position
            assert again.key == position.key
            assert again.fen() == position.fen()


def read_or_name_field(fen: str) -> Position | None:
    """Returns the position, or None after checking that the error is fit to be read."""
    try:
        position = Position(fen)
    except FenError as error:
        message = str(error)
    else:
        message = ""
    if message:
        assert any(f"': {field}: " in message for field in FIELDS), message
        assert message.isprintable()
        return None
    assert Position(position.fen()).fen() == position.fen()
    assert Position(position.fen(raw_en_passant=True), chess960=position.is_chess960).key == position.key
    assert position._native.is_consistent()
    return position


@given(st.text())
@example("startpos")
@example("8/8/8/8/8/8/8/8 w - - 0 1\x00")
def test_arbitrary_text_is_a_position_or_an_error(text: str) -> None:
    read_or_name_field(text)


@given(st.text(st.characters(codec=None)))
def test_text_that_cannot_be_encoded_is_an_error(text: str) -> None:
    read_or_name_field(text)


BOARDS = st.lists(st.text("PNBRQKpnbrqk12345678", min_size=1, max_size=8), min_size=7, max_size=9).map("/".join)


@given(
    BOARDS,
    st.sampled_from("wb-"),
    st.text("KQkqABCDEFGHabcdefgh-", max_size=5),
    st.text("abcdefgh12345678-", max_size=3),
)
def test_made_up_fields_are_a_position_or_an_error(board: str, turn: str, castling: str, en_passant: str) -> None:
    read_or_name_field(f"{board} {turn} {castling} {en_passant} 0 1")


GOOD = [START_FEN, *TRICKY, "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "1r2krr1/8/8/8/8/8/8/1R2KRR1 w FBfb - 0 1"]


@given(
    st.sampled_from(GOOD),
    st.lists(st.tuples(st.integers(0, 90), st.sampled_from("PNBRQKpnbrqk12345678/wbKQ- \t\x00é"))),
)
def test_mutated_fens_are_a_position_or_an_error(fen: str, changes: list[tuple[int, str]]) -> None:
    for place, letter in changes:
        fen = fen[:place] + letter + fen[place + 1 :]
    position = read_or_name_field(fen)
    if position is not None:
        for move in position.legal_moves():
            position.play(move)


@pytest.mark.parametrize(
    "fen",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QNBQKBNQ w kq - 0 1",
        "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBQQ1KB1 w - - 0 1",
        "Q6Q/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBQQ1KQ1 w - - 0 1",
    ],
)
def test_odd_armies_are_positions_too(fen: str) -> None:
    position, board = Position(fen), chess.Board(fen)
    assert sorted(map(position.uci, position.legal_moves())) == sorted(move.uci() for move in board.legal_moves)
