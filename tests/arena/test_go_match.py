"""Matches of Go: our players, GNU Go where it is installed, and programs that fail."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from philidor.arena.adjudication import GameRules
from philidor.arena.competitors import competitor
from philidor.arena.engines import parse_engine
from philidor.arena.game import GameResult, Pairing, play_game
from philidor.arena.limits import NO_LIMIT
from philidor.arena.match import Match, MatchConfig
from philidor.arena.openings import Opening
from philidor.core.errors import PhilidorError
from philidor.core.programs import find_program
from philidor.core.random import SplitMix64
from philidor.games import load_game
from philidor.players.external_gtp import GtpProcess

GNUGO = "gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead proto=gtp name=gnugo"
FAKE = """
import sys, time
for line in sys.stdin:
    words = line.split()
    if words[0] == "genmove":
        {act}
    print("= fake\\n" if words[0] == "name" else "=\\n", flush=True)
"""


def result_of(black: str, white: str, moves: tuple[str, ...] = ()) -> GameResult:
    """One game on a small board, without worker processes."""
    engines = [competitor(parse_engine(text), {}) for text in (black, white)]
    try:
        pairing = Pairing(0, 0, 1, Opening(moves=moves), "go-5x5")
        rules = GameRules(hang_time=0.5)
        return play_game(
            pairing, (engines[0], engines[1]), ("Black", "White"), (NO_LIMIT, NO_LIMIT), rules, lambda: False
        )
    finally:
        for engine in engines:
            engine.kill()


@pytest.mark.parametrize(
    ("act", "fault"),
    [
        ('print("= A1\\n", flush=True); continue', "illegal move"),
        ('print("? no\\n", flush=True); continue', "illegal move"),
        ('print("= castle\\n", flush=True); continue', "illegal move"),
        ("sys.exit(3)", "crash"),
        ("time.sleep(60)", "hang"),
    ],
)
def test_a_program_that_fails_has_lost_and_the_match_goes_on(act: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "fake.py").write_text(FAKE.format(act=act))
    program = f"{sys.executable} {tmp_path}/fake.py proto=gtp name=fake"
    result = result_of("random seed=3", program, ("a1", "c3"))
    assert (result.fault, result.result) == (fault, "1-0")


def test_a_resignation_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "fake.py").write_text(FAKE.format(act='print("= resign\\n", flush=True); continue'))
    result = result_of(f"{sys.executable} {tmp_path}/fake.py proto=gtp name=fake", "random")
    assert (result.fault, result.reason, result.result) == (None, "resignation", "0-1")


def test_what_does_not_fit_is_one_line() -> None:
    for engines, game, message in (
        (("stockfish", "uct"), "go-9x9", "proto=gtp plays Go"),
        (("gnugo proto=gtp", "uct"), "gomoku", "programs play chess and Go"),
        (("cat proto=gtp option.x=1", "uct"), "go-9x9", "GTP has no options"),
        (("alphago", "uct"), "gomoku", "plays Go, not gomoku"),
        (("alphago", "uct"), "go-13x13", "no value network for a board of 13x13 comes with philidor, only for 9x9"),
        (("alphago-sl net=alphago-9x9-policy", "uct"), "go-13x13", "for go-9x9,ko=simple and does not fit go-13x13"),
        (("net net=alphago-9x9-policy", "uct"), "go-13x13", "is for boards of 9x9, not of 13x13"),
    ):
        with pytest.raises(PhilidorError, match=message):
            Match(MatchConfig(game=game, engines=engines))


@pytest.mark.skipif(find_program("gnugo") is None, reason="needs GNU Go")
def test_gnu_go_plays_a_match_and_agrees_on_every_move() -> None:
    result = result_of(GNUGO, "uct iterations=50 exploration=0.5")
    assert result.fault is None, result.detail
    assert result.reason in ("two passes", "resignation", "move limit")


@pytest.mark.skipif(find_program("gnugo") is None, reason="needs GNU Go")
def test_gnu_go_knows_the_same_legal_moves_and_captures() -> None:
    gnugo, random = GtpProcess(["gnugo", "--mode", "gtp", "--chinese-rules"]), SplitMix64(11)
    try:
        for side in (5, 7):
            state = load_game(f"go-{side}x{side},ko=simple").state()
            gnugo.ask(f"boardsize {side}")
            gnugo.ask("clear_board")
            while not state.is_over() and state.ply < 90:
                color = ("black", "white")[state.to_move]
                expected = {state.move_text(move) for move in state.legal_moves()[:-1]}
                assert {word.lower() for word in gnugo.ask(f"all_legal {color}").split()} == expected, state.text()
                if not expected:
                    break
                move = state.legal_moves()[random.below(len(expected))]
                gnugo.ask(f"play {color} {state.move_text(move)}")
                state = state.play(move)
                stones = {state.grid.name(square) for square, letter in enumerate(state.board) if letter == "X"}
                assert {word.lower() for word in gnugo.ask("list_stones black").split()} == stones, state.text()
    finally:
        gnugo.quit()
