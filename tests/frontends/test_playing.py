"""What the terminal and the web board share: captures, advice and the answer to a draw offer."""

import pytest

from philidor.core.analysis import Analysis, Score
from philidor.core.grid import board_rows, side_of
from philidor.frontends.playing.advice import accepts_draw, advise
from philidor.frontends.playing.material import captures
from philidor.games import load_game
from philidor.games.chess import Position


def test_a_promoted_pawn_was_not_captured() -> None:
    start = Position("8/P6k/8/8/8/8/6pK/8 w - - 0 1")
    state = start.play("a8=Q")
    assert captures(start, state, 1) == ("", -8)
    assert captures(start, state, 0) == ("", 8)


def test_a_captured_piece_is_listed_strongest_first() -> None:
    start = Position("3q3k/2P5/8/8/8/8/5p2/4Q2K b - - 0 1")
    state = start.play("fxe1=Q+").play("Kh2").play("Qde8")
    assert captures(start, state, 1) == ("Q", 17)
    assert captures(start, start, 0) == ("", 0)


def test_other_games_count_no_material() -> None:
    state = load_game("hexapawn").state()
    assert captures(state, state, 0) == ("", 0)


@pytest.mark.parametrize(
    ("score", "plies", "is_accepted"),
    [
        (Score(cp=0), 40, True),
        (Score(cp=-1), 40, False),
        (Score(cp=30), 4, False),
        (Score(cp=150), 4, True),
        (Score(mate=2), 4, True),
        (Score(mate=-2), 90, False),
    ],
)
def test_a_draw_is_welcome_to_who_is_not_ahead(score: Score, plies: int, is_accepted: bool) -> None:
    assert accepts_draw(Analysis(best="e2e4", score=score), plies) is is_accepted


@pytest.mark.parametrize(
    ("name", "adviser"), [("hexapawn", "solver"), ("hexapawn-8x3", "uct"), ("chess", "nnue"), ("connect4", "uct")]
)
def test_advice_is_exact_in_small_games_and_soon_there_in_all(name: str, adviser: str) -> None:
    game = load_game(name)
    state = game.state()
    who, analysis = advise(game, state)
    assert who == adviser
    assert analysis.best in [state.move_text(move) for move in state.legal_moves()]


def test_a_board_is_read_from_text_where_there_is_one() -> None:
    assert board_rows("p.p/.p./PPP w 4") == ("p.p", ".p.", "PPP")
    assert board_rows("8/8/8/8/8/8/8/K6k w - - 0 1") == (*["." * 8] * 7, "K......k")
    for text in ("", "21 stones after 0", "abc", "ab/c"):
        assert board_rows(text) is None
    assert [side_of(piece) for piece in "PpXO"] == [0, 1, 0, 1]
