"""What engines do beside moving, and what boards mark: decided by numbers, so checked by numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import chess
import pytest

from philidor.core.manners import Gesture
from philidor.frontends.playing.level_names import level_name
from philidor.frontends.web.drawing import Drawer
from philidor.frontends.web.manners import engine_gesture
from philidor.frontends.web.networks import network_opponents
from philidor.frontends.web.winning import winning_row
from philidor.games import load_game
from philidor.nets.leela.files import save_leela
from tests.nets.leela_nets import residual_net
from tests.web.conftest import Server
from tests.web.tab import Tab, new_game


@pytest.mark.parametrize(
    ("values", "ply", "declined", "gesture"),
    [
        ([-0.97, -0.96, -0.99], 40, None, Gesture.RESIGN),
        ([-0.97, -0.90, -0.99], 40, None, None),
        ([-0.99, -0.99], 40, None, None),
        ([-0.99, None, -0.99], 40, None, None),
        ([0.99, 0.99, 0.99], 40, None, None),
        ([0.01] * 8, 100, None, Gesture.OFFER_DRAW),
        ([0.01] * 8, 60, None, None),
        ([0.01] * 7, 100, None, None),
        ([0.3, *[0.0] * 7], 100, None, None),
        ([0.0] * 8, 100, 90, None),
        ([0.0] * 8, 110, 90, Gesture.OFFER_DRAW),
    ],
)
def test_engines_give_up_and_offer_draws_by_their_searches(
    values: list[float | None], ply: int, declined: int | None, gesture: Gesture | None
) -> None:
    assert engine_gesture(values, ply, declined) is gesture


@pytest.mark.parametrize(
    ("quantity", "amount", "name"),
    [
        ("nodes", 100, "Quick thinker (100 nodes)"),
        ("iterations", 2000, "Steady thinker (2,000 iterations)"),
        ("nodes", 1_000_000, "Tireless thinker (1,000,000 nodes)"),
        ("depth", 1, "Looks one move ahead (depth 1)"),
        ("depth", 12, "Looks 12 moves ahead (depth 12)"),
        ("noise_level", 3, "Noise level 3"),
    ],
)
def test_levels_are_named_in_words(quantity: str, amount: int, name: str) -> None:
    assert level_name(quantity, amount) == name


def test_the_row_that_wins_is_found_in_every_direction() -> None:
    # Rows from the bottom: a diagonal of X, a row of five O of which four would do.
    cells = "X.OOOOO" + ".X....." + "..X...." + "...X..."
    assert winning_row(cells, 7, 4) == [0, 2, 3, 4, 5, 6, 8, 16, 24]
    assert winning_row(cells, 7, 6) == []
    falling = "...X" + "..X." + ".X.." + "X..."
    assert winning_row(falling, 4, 4) == [3, 6, 9, 12]


@pytest.mark.parametrize(
    ("name", "moves", "squares"),
    [
        ("connect4", "a b a b a b a", ["a1", "a2", "a3", "a4"]),
        ("tictactoe", "a1 a2 b1 b2 c1", ["a1", "b1", "c1"]),
    ],
)
def test_results_name_the_row(name: str, moves: str, squares: list[str]) -> None:
    drawer = Drawer(load_game(name))
    state = drawer.game.state()
    for move in moves.split():
        state = state.play(move)
    result = drawer.result(state.outcome(), state)
    assert result is not None
    assert result.squares == squares


def test_networks_of_maia_are_one_opponent(tmp_path: Path) -> None:
    for name in ("maia-1900", "maia-1100", "maia-1500", "other"):
        save_leela(residual_net(), tmp_path / f"{name}.pb.gz")
    found = {opponent.name: opponent for opponent in network_opponents([tmp_path], print)}
    assert [name for name, opponent in found.items() if opponent.is_listed] == ["net:maia", "net:other"]
    maia = found["net:maia"]
    assert maia.view.strength.model_dump() == {
        "kind": "levels",
        "levels": ["Rated 1100", "Rated 1500", "Rated 1900"],
        "default": 2,
    }
    player = maia.make_player({"level": 3}, 1)
    assert "maia-1900" in str(player.config.net)
    assert maia.name_with({"level": 3}) == "Maia, rated 1900"
    # Games of before have the network's own name.
    assert found["net:maia-1100"].title == "Network maia-1100"


LOCKED = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1"
"""Neither king can get past the pawns."""


def fresh_move(board: chess.Board) -> chess.Move:
    """The first move that leads to a position which the game has not had."""
    for move in board.legal_moves:
        board.push(move)
        is_fresh = not board.is_repetition(2)
        board.pop()
        if is_fresh:
            return move
    raise AssertionError(f"every move repeats a position: {board.fen()}")


def test_an_engine_offers_a_draw_in_a_long_level_game(shared_server: Server) -> None:
    board = chess.Board(LOCKED)
    moves: list[str] = []
    while len(moves) < 80:
        move = fresh_move(board)
        moves.append(board.san(move))
        board.push(move)
    pgn = f'[SetUp "1"]\n[FEN "{LOCKED}"]\n\n{" ".join(moves)} *'
    wishes: dict[str, Any] = {"opponent": "classic", "strength": {"settings": {"nodes": 10_000}}, "habits": ["resign"]}
    view = new_game(shared_server.url, start={"kind": "pgn", "text": pgn, "ply": len(moves)}, **wishes)
    with Tab(shared_server.url, view["id"]) as tab:
        for number in range(1, 9):
            assert tab.game["draw_offer"] is None, number
            tab.move_and_wait(fresh_move(board).uci())
            for played in tab.game["moves"][-2:]:
                board.push_san(played["san"])
        assert tab.game["draw_offer"] == 1
        tab.send("accept_draw")
        tab.wait("game", status="over")
        assert tab.game["result"]["text"] == "Draw: agreement."


@pytest.mark.parametrize("habits", [["resign"], []])
def test_an_engine_that_is_lost_gives_up_if_that_was_agreed(shared_server: Server, habits: list[str]) -> None:
    lost = {"kind": "position", "text": "6k1/5ppp/8/8/8/8/1Q3PPP/K2R4 w - - 0 1"}
    wishes: dict[str, Any] = {"opponent": "classic", "strength": {"level": 1}, "habits": habits}
    with Tab(shared_server.url, new_game(shared_server.url, start=lost, **wishes)["id"]) as tab:
        for move in ("g3", "g4", "h3"):
            assert tab.game["result"] is None
            tab.move_and_wait(move)
        if not habits:
            assert len(tab.game["moves"]) == 6
            return
        result = tab.game["result"]
        assert (result["reason"], result["score"], len(tab.game["moves"])) == ("resignation", "1-0", 5)
