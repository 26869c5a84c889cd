"""Tic-tac-toe, connect four and gomoku: notation, ends and wrong input."""

import pytest

from philidor.core.errors import ConfigError, FenError, IllegalMoveError
from philidor.core.game import Outcome
from philidor.games import load_game
from philidor.games.connect4 import Connect4
from philidor.games.gomoku import Gomoku
from philidor.games.tictactoe import TicTacToe


def test_tictactoe_is_drawn_with_its_names() -> None:
    state = TicTacToe().state().play("b2").play("a3")
    assert str(state) == "3 O . .\n2 . X .\n1 . . .\n  a b c\nX to move"
    assert state.text() == "O../.X./..."


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("XXX/OO./...", Outcome(0, "three in a row")),
        ("X.O/.XO/..X", Outcome(0, "three in a row")),
        ("XXO/.O./O.X", Outcome(1, "three in a row")),
        ("XO./XO./.OX", Outcome(1, "three in a row")),
        ("XOX/XOO/OXX", Outcome(None, "board full")),
        ("XXO/X../.OO", None),
    ],
)
def test_tictactoe_ends(text: str, outcome: Outcome | None) -> None:
    assert TicTacToe().state(text).outcome() == outcome


def test_a_taken_square_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="'b2'"):
        TicTacToe().state().play("b2").play("b2")
    with pytest.raises(IllegalMoveError, match="9"):
        TicTacToe().state().play(9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("OO./.../...", "as many stones as O or one more, got 0 and 2"),
        ("XX./.../...", "got 2 and 0"),
        ("XXX/OOO/...", "X is to move but has three in a row already"),
        ("XXX/OO./O..", "X is to move but has three in a row already"),
        ("OOO/XX./XX.", "O is to move but has three in a row already"),
        ("X..", "must have 3 rows"),
    ],
)
def test_impossible_tictactoe_is_refused(text: str, message: str) -> None:
    with pytest.raises(FenError) as caught:
        TicTacToe().state(text)
    assert message in str(caught.value)


def test_stones_fall() -> None:
    state = Connect4().state().play("d").play("4").play("d").play("a")
    assert state.text() == "......./......./......./...X.../...O.../O..X..."


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ("a b a b a b a", 0),  # up
        ("a a b b c c d", 0),  # across
        ("a b b c d c c d d g d", 0),  # diagonal to the right
        ("g f f e d e e d d a d", 0),  # diagonal to the left
        ("a b a b a b g b", 1),
    ],
)
def test_four_in_a_line_win(moves: str, winner: int) -> None:
    state = Connect4().state()
    for move in moves.split():
        assert not state.is_over()
        state = state.play(move)
    assert state.outcome() == Outcome(winner, "four in a line")
    assert state.legal_moves() == []


def test_lines_do_not_run_around_the_edge() -> None:
    # Four bits in a row of the stones' integer, but over the top of column a into column b.
    state = Connect4(7, 4).state("X....../X....../X....../OX.O..O")
    assert state.outcome() is None


def test_a_full_board_without_a_line_is_a_draw() -> None:
    state = Connect4(3, 3).state()
    for move in ["a", "b", "c", "a", "b", "c", "a", "b", "c"]:
        state = state.play(move)
    assert state.outcome() == Outcome(None, "board full")


def test_a_full_column_is_refused() -> None:
    state = Connect4(2, 1).state().play("a")
    with pytest.raises(IllegalMoveError, match="'a'"):
        state.play("a")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X../.../O..", "the stone on a3 hangs in the air"),
        (".../.../XX.", "got 2 and 0"),
        ("...", "must have 3 rows"),
    ],
)
def test_impossible_connect_four_is_refused(text: str, message: str) -> None:
    with pytest.raises(FenError) as caught:
        Connect4(3, 3).state(text)
    assert message in str(caught.value)


def test_a_line_of_the_side_to_move_is_refused() -> None:
    with pytest.raises(FenError, match="X is to move but has four in a line"):
        Connect4(4, 2).state("OOOO/XXXX")


def test_sizes_are_checked() -> None:
    with pytest.raises(ConfigError, match="connect4: a board is 1 to 26 wide"):
        load_game("connect4-30x2")
    for size in ("4x9", "9x4", "20x19", "19x20"):
        with pytest.raises(ConfigError, match=f"gomoku: gomoku is played on 5x5 to 19x19, got {size}"):
            load_game(f"gomoku-{size}")


def test_gomoku_has_many_squares_and_their_names() -> None:
    state = Gomoku(19, 19).state()
    assert (len(state.legal_moves()), Gomoku(19, 19).action_count) == (361, 361)
    assert state.move_text(360) == "s19"
    assert state.play("S19").play("a1").text() == "/".join(["." * 18 + "X", *["." * 19] * 17, "O" + "." * 18])
    assert str(Gomoku(5, 6).state().play("b6")).splitlines()[0] == "6 . X . . ."


@pytest.mark.parametrize(
    ("x", "wins"),
    [
        ("a1 b1 c1 d1 e1", True),
        ("i5 i6 i7 i8 i9", True),
        ("e1 f2 g3 h4 i5", True),
        ("e1 d2 c3 b4 a5", True),
        ("b1 c1 e1 f1 d1", True),
        ("c1 d1 e1 g1 h1 f1", True),  # six
        ("c1 d1 e1 f1", False),
        ("f1 g1 h1 i1 a2", False),  # around the edge
        ("f5 g6 h7 i8 a1", False),
        ("d1 c2 b3 a4 i4", False),
    ],
)
def test_five_or_more_in_a_row_win_gomoku(x: str, wins: bool) -> None:
    game = Gomoku(9, 9)
    state, answers = game.state(), iter(["a9", "c9", "e9", "g9", "b8", "d8", "f8"])
    for ply, move in enumerate(x.split()):
        state = state if ply == 0 else state.play(next(answers))
        assert not state.is_over()
        state = state.play(move)
    assert state.outcome() == (Outcome(0, "five in a row") if wins else None)
    assert state.legal_moves() == [] if wins else len(state.legal_moves()) > 70


def test_a_full_board_of_gomoku_without_five_is_a_draw() -> None:
    state = Gomoku(5, 5).state("XOXOX/XOOXX/OOXXX/OXXOX/OXOOO")
    assert state.outcome() == Outcome(None, "board full")
    assert state.legal_moves() == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XX.../...../...../...../.....", "got 2 and 0"),
        ("XXXXX/OOOOO/...../...../.....", "X is to move but has five in a row already"),
        ("XXXXX/OOOO./...../.....", "must have 5 rows"),
        ("XXXXZ/OOOO./...../...../.....", "got 'Z'"),
    ],
)
def test_impossible_gomoku_is_refused(text: str, message: str) -> None:
    with pytest.raises(FenError) as caught:
        Gomoku(5, 5).state(text)
    assert message in str(caught.value)


def test_a_taken_square_of_gomoku_is_refused() -> None:
    state = Gomoku().state().play("h8")
    for move in ("h8", "p1", 7 * 15 + 7, 225, -1):
        with pytest.raises(IllegalMoveError, match=str(move)):
            state.play(move)
