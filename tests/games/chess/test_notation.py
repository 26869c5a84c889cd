"""Moves as text: everything python-chess reads means the same here, and nothing else crashes."""

import random
import re

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from philidor.core.errors import IllegalMoveError
from philidor.games.chess import Move, Position
from tests.games.chess.oracle import python_chess_key
from tests.games.chess.walks import SOURCES, TRICKY, start_board, walk

PROMOTION = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
KNIGHTS = "4k3/8/8/2p5/8/1N3N2/8/1N2K3 w - - 0 1"  # d2 from three knights, d4 and c5 from one or two
EXCHANGE = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        ("startpos", "e4", "e2e4"),
        ("startpos", "e4!", "e2e4"),
        ("startpos", "e4?!", "e2e4"),
        ("startpos", "e4 !!", "e2e4"),
        ("startpos", "Pe4", "e2e4"),
        ("startpos", "e2e4", "e2e4"),
        ("startpos", "e2-e4", "e2e4"),
        ("startpos", "Nf3", "g1f3"),
        ("startpos", "Ng1f3", "g1f3"),
        ("startpos", "Ng1-f3", "g1f3"),
        ("startpos", "N1f3", "g1f3"),
        ("startpos", "Ngf3", "g1f3"),
        ("startpos", "g1f3", "g1f3"),
        ("startpos", "g1-f3", "g1f3"),
        ("startpos", "Nf3+", "g1f3"),  # a wrong check mark does no harm
        ("startpos", "Nxf3", "g1f3"),  # nor does a capture that is none
        (PROMOTION, "a8=Q", "a7a8q"),
        (PROMOTION, "a8Q", "a7a8q"),
        (PROMOTION, "a8=q", "a7a8q"),
        (PROMOTION, "a8n", "a7a8n"),
        (PROMOTION, "a8(R)", "a7a8r"),
        (PROMOTION, "a8/B", "a7a8b"),
        (PROMOTION, "a8=Q+", "a7a8q"),
        (PROMOTION, "axb8=N", "a7b8n"),
        (PROMOTION, "ab8N", "a7b8n"),
        (PROMOTION, "a7a8q", "a7a8q"),
        (PROMOTION, "a7-a8=Q", "a7a8q"),
        (EN_PASSANT, "exd6", "e5d6"),
        (EN_PASSANT, "ed6", "e5d6"),
        (EN_PASSANT, "exd6e.p.", "e5d6"),
        (EN_PASSANT, "exd6 e.p.", "e5d6"),
        (EN_PASSANT, "exd6e.p.+", "e5d6"),
        (EN_PASSANT, "exd6+ e.p.", "e5d6"),
        (EN_PASSANT, "e5xd6", "e5d6"),
        (CASTLING, "O-O", "e1g1"),
        (CASTLING, "0-0", "e1g1"),
        (CASTLING, "o-o", "e1g1"),
        (CASTLING, "O-O-O!", "e1c1"),
        (CASTLING, "0-0-0#", "e1c1"),
        (CASTLING, "e1g1", "e1g1"),
        (CASTLING, "e1h1", "e1g1"),
        (CASTLING, "Rxh8+", "h1h8"),
        (KNIGHTS, "Nbd4", "b3d4"),
        (KNIGHTS, "Nfd4", "f3d4"),
        (KNIGHTS, "N1d2", "b1d2"),
        (KNIGHTS, "Nb3d2", "b3d2"),
        (KNIGHTS, "Nb3:c5", "b3c5"),
        (EXCHANGE, "exd5", "e4d5"),
        (EXCHANGE, "ed5", "e4d5"),
        (EXCHANGE, "e:f5", "e4f5"),
        (EXCHANGE, "e4f5", "e4f5"),
    ],
)
def test_san_is_read_as_found_in_the_wild(fen: str, text: str, uci: str) -> None:
    position = Position(fen)
    assert position.uci(position.parse_san(text)) == uci
    assert position.uci(position.parse_move(text)) == uci


@pytest.mark.parametrize(
    ("fen", "text", "problem"),
    [
        ("startpos", "", "not a move ''"),
        ("startpos", "+", "not a move '+'"),
        ("startpos", "N", "not a move 'N'"),
        ("startpos", "Nf", "not a move 'Nf'"),
        ("startpos", "e4)", "not a move 'e4)'"),
        ("startpos", "e4 e5", "not a move 'e4 e5'"),
        ("startpos", "Xe4", "not a move 'Xe4'"),
        ("startpos", "nf3", "not a move 'nf3'"),
        ("startpos", "e9", "not a move 'e9'"),
        ("startpos", "♘f3", "not a move '♘f3'"),
        ("startpos", "e.p.", "not a move 'e.p.'"),
        ("startpos", "--", "not a move '--'"),
        ("startpos", "0000", "not a move '0000'"),
        ("startpos", "e5", "no legal move 'e5'"),
        ("startpos", "Ke2", "no legal move 'Ke2'"),
        ("startpos", "e2e5", "no legal move 'e2e5'"),
        ("startpos", "e4=Q", "no legal move 'e4=Q'"),
        ("startpos", "O-O", "no legal move 'O-O'"),
        ("startpos", "a8", "no legal move 'a8'"),
        ("startpos", "a1", "no legal move 'a1'"),
        (PROMOTION, "a8", "no legal move 'a8'"),
        (PROMOTION, "a7a8", "no legal move 'a7a8'"),
        (PROMOTION, "a8=K", "not a move 'a8=K'"),
        (PROMOTION, "a8=P", "not a move 'a8=P'"),
        (PROMOTION, "b8=Q", "no legal move 'b8=Q'"),  # a capture without the pawn's file
        (PROMOTION, "7b8=Q", "no legal move '7b8=Q'"),
        (EXCHANGE, "xd5", "no legal move 'xd5'"),
        (EXCHANGE, "4xd5", "no legal move '4xd5'"),
        (KNIGHTS, "Nd4", "ambiguous move 'Nd4'"),
        (KNIGHTS, "N3d4", "ambiguous move 'N3d4'"),
        (KNIGHTS, "Nbd2", "ambiguous move 'Nbd2'"),
    ],
)
def test_a_bad_san_is_refused_with_the_position(fen: str, text: str, problem: str) -> None:
    position = Position(fen)
    with pytest.raises(IllegalMoveError) as caught:
        position.parse_san(text)
    assert str(caught.value) == f"{problem} in {position.fen()!r}"


@pytest.mark.parametrize("text", ["", "e2", "e2e4q", "e2e4 ", "E2E4", "e7e5", "e2e9", "0000", "e1e1", "e1g1", "e2e4\0"])
def test_a_bad_uci_is_refused(text: str) -> None:
    with pytest.raises(IllegalMoveError, match="no legal move"):
        Position().parse_uci(text)


def test_castling_is_written_by_its_variant_and_read_in_both_forms() -> None:
    standard, chess960 = Position(CASTLING), Position(CASTLING, chess960=True)
    castle = standard.parse_san("O-O")
    assert castle.is_castling
    assert (castle.from_square, castle.to_square) == (chess.E1, chess.H1)
    assert standard.uci(castle) == castle.uci() == str(castle) == "e1g1"
    assert chess960.uci(castle) == castle.uci(chess960=True) == "e1h1"
    for position in (standard, chess960):
        assert position.parse_uci("e1g1") == position.parse_uci("e1h1") == castle


def test_a_one_step_castling_king_steps_unless_it_takes_its_rook() -> None:
    position = Position("4k3/8/8/8/8/8/8/5K1R w K - 0 1")
    assert not position.parse_uci("f1g1").is_castling
    assert position.parse_uci("f1h1").is_castling


def python_chess_reads(board: chess.Board, text: str) -> tuple[int, int, int | None] | None:
    try:
        move = board.parse_san(text)
    except ValueError:
        return None
    return (move.from_square, move.to_square, move.promotion) if move else None


def philidor_reads(position: Position, text: str) -> tuple[int, int, int | None] | None:
    try:
        return python_chess_key(position, position.parse_san(text))
    except IllegalMoveError:
        return None


SAN = re.compile(r"([NBKRQ])?([a-h])?([1-8])?[\-x]?([a-h][1-8])(=?[nbrqkNBRQK])?[+#]?")  # python-chess's own
SAN_TEXT = st.from_regex(SAN, fullmatch=True)


@given(st.sampled_from([*TRICKY, PROMOTION, EN_PASSANT, CASTLING, KNIGHTS, EXCHANGE, "startpos"]), SAN_TEXT)
@example(EN_PASSANT, "d6")
@example(CASTLING, "e1h1")
@example(CASTLING, "Kh1")
@example(CASTLING, "Kg1")
def test_san_means_what_python_chess_says(fen: str, text: str) -> None:
    position = Position(fen)
    assert philidor_reads(position, text) == python_chess_reads(position.to_board(), text)


@pytest.mark.parametrize("source", [source for source in SOURCES if source not in ("chess960", "castling")])
def test_san_from_other_positions_means_what_python_chess_says(source: str) -> None:
    rng = random.Random(3)
    texts = {"O-O", "O-O-O"}
    for _ in range(6):
        for step in walk(start_board(source, rng), rng, 25):
            for text in rng.sample(sorted(texts), min(12, len(texts))):
                ours, theirs = philidor_reads(step.position, text), python_chess_reads(step.board, text)
                assert ours == theirs, (step.position.fen(), text)
            texts.update(step.position.san(move).rstrip("+#") for move in step.position.legal_moves())
            texts.update(step.position.uci(move) for move in step.position.legal_moves())


@given(
    st.sampled_from([*TRICKY, "startpos"]), st.text() | st.text("NBRQKPabcdefgh12345678xO0-=+#!?()/e.p ", max_size=9)
)
@example("startpos", "\ud800")
@example("startpos", "e4\0")
def test_arbitrary_text_is_a_legal_move_or_an_error(fen: str, text: str) -> None:
    position = Position(fen)
    for parse in (position.parse_san, position.parse_uci, position.parse_move):
        try:
            move = parse(text)
        except IllegalMoveError as error:
            assert repr(text) in str(error)  # noqa: PT017 - either way out is right
        else:
            assert position.is_legal(move)
            assert position.parse_san(position.san(move)) == move
            assert position.parse_uci(position.uci(move)) == move


@given(st.integers(0, 0xFFFF))
def test_any_sixteen_bits_are_a_move_or_an_error(raw: int) -> None:
    if raw & 15 > 6:
        with pytest.raises(ValueError, match=f"no move has the bits {raw}"):
            Move(raw)
        return
    move, position = Move(raw), Position(TRICKY[0])
    assert position.is_legal(move) == (move in position.legal_moves())
    assert len(move.uci()) == 4 + (move.promotion is not None)
    if not position.is_legal(move):
        for ask in (position.play, position.san, position.see, position.gives_check):
            with pytest.raises(IllegalMoveError, match="no legal move"):
                ask(move)


@pytest.mark.parametrize("raw", [-1, 0x10000])
def test_a_move_has_sixteen_bits(raw: int) -> None:
    with pytest.raises(ValueError, match="no move has the bits"):
        Move(raw)


def test_moves_are_ordered_hashable_and_never_equal_to_anything_else() -> None:
    moves = Position(TRICKY[2]).legal_moves()
    assert moves == sorted(moves)
    assert len(set(moves)) == len(moves)
    low, high = moves[0], moves[-1]
    assert low < high
    assert low <= high
    assert high > low
    assert high >= low
    assert low == Move(low.raw)
    assert low != low.raw
    assert low != low.uci()
    assert low is not None
    assert repr(low) == f"<Move {low.uci()}>"
