"""Position and Board as Python objects: immutable, with a long memory, equal by position, and hard to break."""

import copy
import pickle
import random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from philidor.core.errors import ConfigError, FenError, IllegalMoveError
from philidor.games.chess import BLACK, WHITE, Board, Move, Position, chess960_position
from tests.games.chess.oracle import check_against_python_chess
from tests.games.chess.walks import SOURCES, TRICKY, start_board, walk

LETTERS = ".PNBRQK..pnbrqk"
OFF_BOARD = 64
SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]


def test_playing_leaves_the_position_as_it_was() -> None:
    start = Position()
    after = start.play("e4").play("e7e5").play(start.parse_move("Nf3"))
    assert start == Position()
    assert after.moves() == [after.root().parse_move("e4"), after.moves()[1], after.last_move]
    assert [position.ply for position in after.history()] == [3, 2, 1, 0]
    assert after.parent == Position("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    assert after.root() == start
    assert start.parent is None
    assert start.last_move is None
    assert (start.to_move, start.turn, after.to_move, after.turn) == (WHITE, True, BLACK, False)
    assert (after.ply, after.fullmove_number, after.halfmove_clock) == (3, 2, 1)


def test_a_position_shows_itself() -> None:
    position = Position("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1")
    assert str(position).splitlines()[0] == "8 . . . . k . . ."
    assert str(position).splitlines()[7:] == ["1 R . . . K . . .", "  a b c d e f g h"]
    assert repr(position) == "Position('4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1')"
    assert eval(repr(position)) == position
    assert "<svg" in position.play("e4")._repr_svg_()


def test_pieces_are_found_by_letter_and_square() -> None:
    position, board = Position(TRICKY[0]), chess.Board(TRICKY[0])
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        assert position.piece_at(square) == (piece.symbol() if piece else None)
    for letter in "PNBRQKpnbrqk":
        piece = chess.Piece.from_symbol(letter)
        assert position.pieces(letter) == list(board.pieces(piece.piece_type, piece.color))


@pytest.mark.parametrize("letter", ["", ".", "x", "PN", "1", " P"])
def test_an_unknown_piece_letter_is_refused(letter: str) -> None:
    with pytest.raises(ValueError, match="expected one of the letters PNBRQKpnbrqk"):
        Position().pieces(letter)


@given(st.integers())
def test_squares_and_depths_outside_their_range_are_refused(number: int) -> None:
    position = Position("7k/8/8/8/8/8/8/K7 w - - 0 1")
    if 0 <= number < 64:
        assert position.piece_at(number) in (None, "K", "k")
    else:
        with pytest.raises((ValueError, TypeError)):
            position.piece_at(number)
    if not 0 <= number <= 99:
        with pytest.raises((ConfigError, TypeError)):
            position.perft(number)
    if not 1 <= number <= 99:
        with pytest.raises((ConfigError, TypeError)):
            position.divide(number)
    if abs(number) < 2**31:
        assert position.is_repetition(number) == (number <= 1)


@pytest.mark.parametrize("depth", [-1, -100, 100, 1_000_000])
def test_a_depth_that_makes_no_sense_is_named(depth: int) -> None:
    with pytest.raises(ConfigError, match=f"depth must be 0 to 99, got {depth}"):
        Position().perft(depth)
    with pytest.raises(ConfigError, match=f"depth must be 1 to 99, got {depth}"):
        Position().divide(depth)


@pytest.mark.parametrize("move", [None, 1, 1.5, b"e4", chess.Move.from_uci("e2e4")])
def test_a_move_is_a_move_or_text(move: object) -> None:
    with pytest.raises(TypeError):
        Position().play(move)  # type: ignore[arg-type]


def test_a_very_long_game_is_kept_copied_and_dropped_without_recursion() -> None:
    position = Position()
    for _ in range(12_500):
        for move in SHUFFLE:
            position = position.play(move)
    assert position.ply == 50_000
    assert len(position.moves()) == 50_000
    assert position.halfmove_clock == 50_000
    assert position.is_repetition(12_501)
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert again.moves() == position.moves()
    del again, position


@pytest.mark.parametrize("source", SOURCES)
def test_pickles_and_copies_keep_the_history(source: str) -> None:
    rng = random.Random(11)
    *_, last = walk(start_board(source, rng), rng, 40)
    position = last.position
    for again in (pickle.loads(pickle.dumps(position)), copy.copy(position), copy.deepcopy(position)):
        assert again == position
        assert again.moves() == position.moves()
        assert again.is_chess960 == position.is_chess960
        assert again.fen(raw_en_passant=True) == position.fen(raw_en_passant=True)
        assert again.root().fen(raw_en_passant=True) == position.root().fen(raw_en_passant=True)
        assert again.is_repetition(2) == position.is_repetition(2)
    assert [pickle.loads(pickle.dumps(move)) for move in position.moves()] == position.moves()


def test_a_pickle_names_no_variant_of_the_compiled_core() -> None:
    assert b"_ext" not in pickle.dumps(Position().play("e4"))
    assert b"_ext" not in pickle.dumps(Position().legal_moves())


def test_positions_are_equal_by_what_stands_and_what_may_be_played() -> None:
    by_knight = Position().play("Nf3").play("Nf6").play("Ng1").play("Ng8")
    assert by_knight == Position()
    assert hash(by_knight) == hash(Position())
    assert Position().play("e4") != Position().play("d4")
    assert Position() != Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")
    assert Position() != Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1")
    assert Position() != "startpos"
    assert Position() is not None
    inner, outer = (Position(f"4k3/8/8/8/8/8/8/4KRR1 w {rook} - 0 1") for rook in "FG")
    assert inner != outer  # the same key, but another rook may castle
    assert {Position(), by_knight, Position().play("e4")} == {Position(), Position().play("e4")}


@pytest.mark.parametrize("source", SOURCES)
def test_boards_go_to_python_chess_and_back_with_their_history(source: str) -> None:
    rng = random.Random(5)
    *_, step = walk(start_board(source, rng), rng, 30)
    board = step.position.to_board()
    assert board.fen() == step.board.fen()
    assert board.root().fen() == step.board.root().fen()
    assert [move.uci() for move in board.move_stack] == [move.uci() for move in step.board.move_stack]
    again = Position.from_board(board)
    assert again.moves() == step.position.moves()
    check_against_python_chess(again, board)


def test_python_chess_boards_that_are_no_positions_are_refused() -> None:
    with pytest.raises(FenError, match="White has 0 kings"):
        Position.from_board(chess.Board(None))
    board = chess.Board()
    board.push(chess.Move.null())
    with pytest.raises(IllegalMoveError, match="'0000'"):
        Position.from_board(board)


@pytest.mark.parametrize("source", SOURCES)
def test_dirty_pieces_are_the_difference_of_two_boards(source: str) -> None:
    rng = random.Random(13)
    for _ in range(4):
        for step in walk(start_board(source, rng), rng, 25):
            for move in step.position.legal_moves():
                check_dirty_pieces(step.position, move)


def check_dirty_pieces(position: Position, move: Move) -> None:
    after = position.play(move)
    assert after._native.is_consistent()
    squares = {square: position.piece_at(square) for square in range(64) if position.piece_at(square)}
    changes = position._native.dirty_pieces(move)
    assert 1 <= len(changes) <= 3
    # All leave before any arrives: a castling rook may arrive where the king was.
    for code, origin, _ in changes:
        if origin != OFF_BOARD:
            assert squares.pop(origin) == LETTERS[code], (position.fen(), move.uci())
    for code, _, target in changes:
        if target != OFF_BOARD:
            assert target not in squares, (position.fen(), move.uci())
            squares[target] = LETTERS[code]
    assert squares == {square: after.piece_at(square) for square in range(64) if after.piece_at(square)}


def test_dirty_pieces_come_in_the_order_evaluators_expect() -> None:
    position = Position("1n5k/P7/8/8/8/8/8/K7 w - - 0 1")
    pawn, queen, knight = LETTERS.index("P"), LETTERS.index("Q"), LETTERS.index("n")
    assert position._native.dirty_pieces(position.parse_move("axb8=Q")) == [
        (pawn, chess.A7, OFF_BOARD),
        (queen, OFF_BOARD, chess.B8),
        (knight, chess.B8, OFF_BOARD),
    ]


def test_a_board_pushes_and_pops() -> None:
    board = Board()
    assert board.push_san("e4") == board.peek()
    assert board.push_uci("c7c5") == board.peek()
    board.push(board.parse_san("Nf3"))
    assert board.fen() == "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
    assert board.turn is False
    assert [move.uci() for move in board.move_stack] == ["e2e4", "c7c5", "g1f3"]
    assert board.legal_moves == board.position.legal_moves()
    assert not board.is_check()
    assert board.outcome() is None
    assert str(board) == str(board.position)
    assert eval(repr(board)).fen() == board.fen()
    again = pickle.loads(pickle.dumps(board))
    assert [board.pop().uci() for _ in range(3)] == ["g1f3", "c7c5", "e2e4"]
    assert again.fen() != board.fen() == Position().fen()
    for refuse in (board.pop, board.peek):
        with pytest.raises(IllegalMoveError):
            refuse()
    for illegal in ("e5", "Ke2", ""):
        with pytest.raises(IllegalMoveError):
            board.push_san(illegal)
    with pytest.raises(AttributeError):
        board.no_such_question  # noqa: B018
    assert board.fen() == Position().fen()


@pytest.mark.parametrize("number", [-1, 960, 10**9])
def test_chess960_has_960_start_positions(number: int) -> None:
    with pytest.raises(ConfigError, match=f"0 to 959, got {number}"):
        chess960_position(number)
    assert chess960_position(518) == Position()


def test_moves_are_taken_as_text_wherever_a_move_is() -> None:
    position = Position("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    move = position.parse_move("e4d5")
    for text in ("e4d5", "exd5"):
        assert position.san(text) == position.san(move) == "exd5"
        assert position.uci(text) == position.move_text(text) == "e4d5"
        assert position.is_legal(text)
        assert position.is_capture(text)
        assert not position.gives_check(text)
        assert position.see(text) == position.see(move)
        assert position.play(text) == position.play(move)
    assert not position.is_legal("e4f5")
    for question in (position.san, position.see, position.gives_check, position.is_capture, position.play):
        with pytest.raises(IllegalMoveError, match="'e4f5'"):
            question("e4f5")
