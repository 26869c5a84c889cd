"""Matches in other games than chess: our players, random openings or positions of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from philidor.arena.game import GameResult
from philidor.arena.many_games import opening_places
from philidor.arena.match import Match, MatchConfig
from philidor.arena.openings import random_openings
from philidor.arena.report import text_report
from philidor.core.errors import PhilidorError
from philidor.games import load_game


def config(game: str, *engines: str, **settings: Any) -> MatchConfig:
    return MatchConfig(game=game, engines=engines or ("uct iterations=60", "random"), **settings)


def test_a_match_of_gomoku_is_played_and_counted(tmp_path: Path) -> None:
    match = Match(config("gomoku-9x9", max_moves=40), tmp_path / "run")
    results: list[GameResult] = []
    match.play(2, 1, results.append)
    assert [result.fault for result in results] == [None, None]
    first, second = sorted(results, key=lambda result: result.number)
    assert (first.white, first.black, second.white, second.black) == (0, 1, 1, 0)
    # The pair begins with the same two random moves.
    moves = [result.pgn.split("\n\n")[1].split()[1:3] for result in (first, second)]
    assert moves[0] == moves[1]
    assert '[Variant "gomoku-9x9"]' in first.pgn
    assert match.pgn_path is not None
    assert match.pgn_path.read_text(encoding="utf-8") == "".join(result.pgn for result in results)
    assert "(gomoku-9x9, no limit, random openings)" in text_report(match, {})
    again = Match(config("gomoku-9x9", max_moves=40), tmp_path / "run")
    assert again.standings.games == 2


def test_positions_of_a_file_are_openings(tmp_path: Path) -> None:
    (tmp_path / "starts.txt").write_text("# two in a row\nXX./OO./...\n", encoding="utf-8")
    match = Match(config("tictactoe", "minimax depth=1", "random", openings=tmp_path / "starts.txt"))
    results: list[GameResult] = []
    match.play(1, 1, results.append)
    first = next(result for result in results if result.number == 0)
    assert (first.result, first.reason, first.plies) == ("1-0", "three in a row", 1)
    assert '[FEN "XX./OO./..."]' in first.pgn


def test_random_openings_are_the_same_for_the_same_seed_and_do_not_end_the_game() -> None:
    game = load_game("hexapawn")
    openings = random_openings(game, 3, 5)
    assert openings == random_openings(game, 3, 5) != random_openings(game, 3, 6)
    assert len(openings) == 500
    for opening in openings:
        state = opening.state(game)
        for move in opening.moves:
            state = state.play(move)
        assert state.ply == 3
        assert not state.is_over()


def test_nobody_passes_in_random_openings_of_go() -> None:
    game = load_game("go-2x2")  # a pass would be one of few moves
    assert {move for opening in random_openings(game, 2, 5) for move in opening.moves} == {"a1", "a2", "b1", "b2"}
    places = [opening_places(game, 2, 5, number) for number in range(100)]
    assert {first for first, _ in places} == {0, 1, 2, 3}  # the pass is the last of five
    assert {second for _, second in places} <= {0, 1, 2}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"engines": ("nnue", "random")}, "nnue is of no use in gomoku-9x9"),
        ({"engines": ("stockfish", "random")}, "programs play chess"),
        ({"syzygy": Path("tables")}, "Syzygy tables are for chess"),
        ({"openings": Path("nowhere.txt")}, "nowhere.txt"),
        ({"openings": Path(__file__)}, "must have 9 rows"),
        ({"opening_plies": 82}, "hardly a game of gomoku-9x9 lasts longer than 82"),
        ({"game": "gomoko"}, "did you mean 'gomoku'"),
    ],
)
def test_what_does_not_fit_is_one_line(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(PhilidorError, match=message):
        Match(MatchConfig(**{"game": "gomoku-9x9", "engines": ("uct", "random"), **settings}))


def test_only_chess_has_a_clock_by_itself() -> None:
    assert not config("gomoku").limit
    assert str(config("chess").limit) == "10+0.1"
    assert str(config("gomoku", tc="5+0.1").limit) == "5+0.1"
