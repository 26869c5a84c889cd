"""Hexapawn as the book plays and numbers it (ch. 5.1 and 5.2)."""

import pytest

from philidor.core.errors import ConfigError, FenError, IllegalMoveError
from philidor.core.game import Outcome
from philidor.games import load_game
from philidor.games.hexapawn import Hexapawn, PawnMove

GAME = Hexapawn()

# Section 5.1's network outputs, by mover and move.
BOOK_OUTPUTS = {
    "w": ["a1a2", "b1b2", "c1c2", "a2a3", "b2b3", "c2c3"],
    "b": ["a3a2", "b3b2", "c3c2", "a2a1", "b2b1", "c2c1"],
    "w captures": ["a1b2", "b1a2", "b1c2", "c1b2", "a2b3", "b2a3", "b2c3", "c2b3"],
    "b captures": ["a3b2", "b3a2", "b3c2", "c3b2", "a2b1", "b2a1", "b2c1", "c2b1"],
}
NUMBERED = [(kind[0], text) for kind, texts in BOOK_OUTPUTS.items() for text in texts]


@pytest.mark.parametrize(("index", "side", "text"), [(i, side, text) for i, (side, text) in enumerate(NUMBERED)])
def test_moves_have_the_numbers_of_the_book(index: int, side: str, text: str) -> None:
    # A board with nothing but the mover, and for a capture its victim.
    origin, target = text[:2], text[2:]
    squares = {origin: "P" if side == "w" else "p"}
    if origin[0] != target[0]:
        squares[target] = "p" if side == "w" else "P"
    board = "/".join("".join(squares.get(f"{file}{row}", ".") for file in "abc") for row in (3, 2, 1))
    state = GAME.state(f"{board} {side}")
    assert GAME.action_index(state, state.parse_move(text)) == index


def test_there_are_28_outputs() -> None:
    assert len(NUMBERED) == GAME.action_count == 28


def test_the_start_is_drawn() -> None:
    assert str(GAME.state()) == "3 p p p\n2 . . .\n1 P P P\n  a b c\nWhite to move"


def test_moves_are_sorted_by_from_and_to() -> None:
    state = GAME.state("p.p/.p./PPP w")
    assert [state.move_text(move) for move in state.legal_moves()] == ["a1a2", "a1b2", "c1b2", "c1c2"]
    assert list(state.legal_moves()) == sorted(state.legal_moves())


def test_captures_are_told_apart() -> None:
    state = GAME.state("p.p/.p./PPP w")
    assert [state.is_capture(move) for move in state.legal_moves()] == [False, True, True, False]
    narrow = Hexapawn(1, 3).state()
    assert [narrow.is_capture(move) for move in narrow.legal_moves()] == [False]


def test_a_pawn_on_the_last_row_wins() -> None:
    state = GAME.state("p../.P./... w").play("b2b3")
    assert state.outcome() == Outcome(0, "last row reached")
    assert list(state.legal_moves()) == []


def test_no_move_is_a_loss() -> None:
    assert GAME.state(".p./.P./... b").outcome() == Outcome(0, "no legal move")
    assert GAME.state(".../p../P.. w").outcome() == Outcome(1, "no legal move")
    assert GAME.state("p../.../... w").outcome() == Outcome(1, "no legal move")


@pytest.mark.parametrize("text", ["b1a2", "b1xa2", "B1-A2", " b1a2 "])
def test_captures_are_read_in_several_forms(text: str) -> None:
    assert GAME.state(".pp/p../PPP w").parse_move(text) == PawnMove(1, 3)


def test_an_illegal_move_is_quoted() -> None:
    with pytest.raises(IllegalMoveError, match=r"no legal move 'a1b2' in 'ppp/\.\.\./PPP w 0'"):
        GAME.state().play("a1b2")
    with pytest.raises(IllegalMoveError, match="a1b2"):
        GAME.state().play(PawnMove(0, 4))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 'BOARD SIDE"),
        ("ppp/.../PPP", "expected 'BOARD SIDE"),
        ("ppp/PPP w", "must have 3 rows between '/', got 2"),
        ("ppp/..../PPP w", "a row must have 3 squares, got '....'"),
        ("ppp/..x/PPP w", "one of 'Pp.', got 'x'"),
        ("ppp/.../PPP x", "side to move must be 'w' or 'b', got 'x'"),
        ("ppp/.../PPP w 1", "must be an even number, got '1'"),
        ("ppp/.../PPP b 2", "must be an odd number, got '2'"),
        ("ppp/.../PPP w -2", "must be an even number, got '-2'"),
        ("ppp/.../PPP w ²", "must be an even number"),
        ("ppp/.../PPP w " + "2" * 5000, "must be an even number"),
        ("ppp/p../PPP w", "Black has at most 3 pawns, got 4"),
        ("P../.../.pp w", "side to move has a pawn on its last row"),
    ],
)
def test_wrong_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(FenError) as caught:
        GAME.state(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(("width", "height"), [(0, 3), (27, 3), (3, 1), (3, 100), (-1, -1)])
def test_impossible_sizes_are_refused(width: int, height: int) -> None:
    with pytest.raises(ConfigError, match=r"hexapawn: .*got"):
        load_game("hexapawn", width=width, height=height)
