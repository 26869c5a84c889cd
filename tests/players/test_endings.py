"""The veto keeps won endings won and drawn ones drawn, and mates a bare king whoever chooses among what it leaves."""

import random

import pytest

from philidor.games.chess import Position
from philidor.players.classic import ClassicConfig, ClassicPlayer
from philidor.players.endings import EndingJudge, is_bare_king, men, without_dawdling, without_mistakes


def test_what_turns_a_win_into_a_draw_or_a_draw_into_a_loss_is_left_out() -> None:
    assert without_mistakes({"wins": 500, "also": 260, "draws": 20, "loses": -400}) == ["wins", "also"]
    assert without_mistakes({"draws": 20, "worse": -200, "loses": -400}) == ["draws", "worse"]
    assert without_mistakes({"near": 260, "limit": 240}) == ["near", "limit"]
    assert without_mistakes({"lost": -300, "quickly": -29_990}) == ["lost", "quickly"]


def test_against_a_bare_king_what_leads_nowhere_is_left_out() -> None:
    assert without_dawdling({"best": 900, "nearly": 880, "back": 800}) == ["best", "nearly"]
    assert without_dawdling({"mate in 3": 29_997, "mate in 4": 29_996}) == ["mate in 3"]


@pytest.mark.parametrize(
    ("fen", "kept", "vetoed"),
    [
        ("8/8/3k4/8/8/8/K7/4R3 w - - 0 1", ["e1e3"], ["e1e5", "e1e6", "e1e7"]),  # there the king takes the rook
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", ["g1g7"], ["g1g6"]),  # mate, and stalemate
        ("8/8/8/8/3k4/3p4/3K4/8 w - - 0 1", ["d2d1"], ["d2c1", "d2e1"]),  # only one move draws
        ("3r4/1P6/2K5/8/8/8/6k1/8 w - - 0 1", ["c6c7"], ["b7b8q"]),  # wins, and throws the pawn away
    ],
)
def test_a_position_is_judged_by_its_moves(fen: str, kept: list[str], vetoed: list[str]) -> None:
    sound = EndingJudge().sound_moves(Position(fen))
    assert set(kept) <= set(sound)
    assert not set(vetoed) & set(sound)


@pytest.mark.parametrize(
    ("fen", "count", "is_bare"),
    [
        ("8/8/8/4k3/8/8/8/R3K3 w - - 0 1", 3, True),
        ("8/8/8/4k3/8/8/8/R3K3 b - - 0 1", 3, False),
        ("8/8/4p3/4k3/8/8/8/R3K3 w - - 0 1", 4, False),
        ("8/8/8/4k3/8/8/8/4K3 w - - 0 1", 2, False),
    ],
)
def test_men_and_bare_kings_are_counted(fen: str, count: int, is_bare: bool) -> None:
    assert men(Position(fen)) == count
    assert is_bare_king(Position(fen)) == is_bare


@pytest.mark.parametrize("fen", ["8/8/8/4k3/8/8/8/R3K3 w - - 0 1", "8/8/3k4/8/8/8/5K2/7Q w - - 0 1"])
def test_a_rook_and_a_queen_mate_whichever_sound_move_is_drawn(fen: str) -> None:
    judge, defender, generator = EndingJudge(), ClassicPlayer(ClassicConfig(depth=5, hash=4)), random.Random(5)
    position = Position(fen)
    while not position.is_over():
        if position.turn:
            position = position.play(generator.choice(judge.sound_moves(position)))
        else:
            defender.new_game()
            position = position.play(defender.choose(position))
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.reason == "checkmate", position.fen()
