"""Games in the terminal against the player that plays like people."""

from pathlib import Path

import pytest

from philidor.core.analysis import Analysis
from philidor.core.manners import Gesture
from philidor.frontends.terminal import GameChoice
from philidor.nets import shipped
from philidor.players.human import HumanPlayer
from tests.frontends.test_terminal import Typist, play, play_at_a_terminal


@pytest.fixture(autouse=True)
def _data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_a_rating_is_read_where_a_level_would_be() -> None:
    typist = Typist("human 3000", "human 1350", "", "quit")
    text = play_at_a_terminal(GameChoice(), typist)
    assert "rating must be an integer from 600 to 2600, got 3000" in text
    assert "human, rating 1350" in text


def test_without_its_network_the_human_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "shipped_nets", lambda: {"philidor-4": Path()})
    typist = Typist("", "", "quit")
    text = play_at_a_terminal(GameChoice(), typist)
    assert "alphabeta, depth 3" in text
    assert "human" not in text


def test_an_opponent_with_manners_resigns_and_offers_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    choice = GameChoice(opponent="human", side="white")
    monkeypatch.setattr(HumanPlayer, "gesture", lambda *_: Gesture.RESIGN)
    assert "You win: resignation. White wins, 1-0" in play(choice, "e4")
    monkeypatch.setattr(HumanPlayer, "gesture", lambda *_: Gesture.OFFER_DRAW)
    monkeypatch.setattr(HumanPlayer, "accepts_draw", lambda *_: False)
    text = play(choice, "draw", "e4", "draw")
    assert "human wants to play on." in text
    assert "human offers a draw; 'draw' takes it." in text
    assert "Draw: agreement. 1/2-1/2" in text


MOVES = ("e4", "d4", "c4", "b4", "a4", "h4", "g4", "f4")


def test_its_rating_follows_the_results_from_game_to_game(monkeypatch: pytest.MonkeyPatch) -> None:
    # It answers each move of a pawn with the same one of its own, so that the moves of the typist are always legal.
    monkeypatch.setattr(HumanPlayer, "gesture", lambda *_: None)
    answers = {f"{move[0]}2{move}": f"{move[0]}7{move[0]}5" for move in MOVES}
    monkeypatch.setattr(
        HumanPlayer, "think", lambda _, state, *__, **___: Analysis(best=answers[str(state.last_move.uci())])
    )
    choice = GameChoice(opponent="human", side="white", level=1500, settings={"follows": True})
    five = MOVES[:5]
    text = play(choice, *five, "resign", "new", *five, "resign", "undo", "e4", "resign", "new", "e4", "resign", "quit")
    assert text.count("'new' plays at 1450.") == 1
    assert text.count("'new' plays at 1400.") == 1, "a game counts once, and one of two moves not at all"
    assert text.count("plays at") == 2
    assert "human, rating 1450" in text
    assert "human, rating 1400" in text
    still = play(GameChoice(opponent="human", side="white", level=1500), *five, "resign")
    assert "plays at" not in still
