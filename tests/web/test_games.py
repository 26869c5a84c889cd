"""Games over a real server: from the first move to the result, with everything a person may do on the way."""

from __future__ import annotations

from typing import Any

import chess
import httpx
import pytest

from tests.web.conftest import Server
from tests.web.tab import Tab, new_game

RANDOM = {"opponent": "random"}


def play_to_the_end(tab: Tab) -> None:
    """Plays the first legal move until the game is over."""
    # Of 150 such games of chess against random moves two took more than 400 moves.
    for _ in range(2000):
        if tab.game["status"] == "over":
            return
        tab.move_and_wait(tab.game["legal"][0]["text"])
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("game", ["chess", "connect4", "hexapawn", "hexapawn-5x4", "tictactoe"])
def test_a_game_is_played_to_its_end(shared_server: Server, game: str) -> None:
    with Tab(shared_server.url, new_game(shared_server.url, game, **RANDOM)["id"]) as tab:
        play_to_the_end(tab)
        view = tab.game
    assert view["result"]["text"].endswith(".")
    assert view["legal"] == []
    assert view["engine"]["status"] == "idle"
    assert [move["ply"] for move in view["moves"]] == list(range(1, len(view["moves"]) + 1))
    assert view["position"] == view["moves"][-1]["position"]
    pgn = httpx.get(f"{shared_server.url}/api/games/{view['id']}/pgn").text
    assert view["result"]["score"] in pgn


def test_a_chess_game_agrees_with_python_chess(shared_server: Server) -> None:
    with Tab(shared_server.url, new_game(shared_server.url, **RANDOM)["id"]) as tab:
        board = chess.Board()
        for _ in range(30):
            if tab.game["status"] == "over":
                break
            assert {move["text"] for move in tab.game["legal"]} == {move.uci() for move in board.legal_moves}
            tab.move_and_wait(tab.game["legal"][-1]["text"])
            for played in tab.game["moves"][len(board.move_stack) :]:
                assert played["san"] == board.san(board.parse_uci(played["text"]))
                board.push_uci(played["text"])
                assert played["position"]["text"] == board.fen()
                assert bool(played["position"]["check"]) == board.is_check()
                cells = "".join(p.symbol() if (p := board.piece_at(square)) else "." for square in chess.SQUARES)
                assert played["position"]["cells"] == cells


def test_moves_may_be_typed_as_people_do(shared_server: Server) -> None:
    with Tab(shared_server.url, new_game(shared_server.url, opponent="person")["id"]) as tab:
        for text in ("e4", "e7e5", "nf3", "Nc6", "bc4", "Bc5", "0-0"):
            tab.move(text)
        assert [move["san"] for move in tab.game["moves"]] == ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O"]
        assert tab.game["opening"]["name"].startswith("Italian Game")
        tab.send("move", revision=tab.game["revision"], move="Qxh7", id=3)
        error = tab.wait("error", reply_to=3)
        assert error["code"] == "illegal_move"
        assert error["message"] == "No queen of yours can go to h7. Did you mean Qh4 or Qe7?"


@pytest.mark.parametrize(("side", "you"), [("first", 0), ("second", 1)])
def test_the_engine_begins_when_it_has_to(shared_server: Server, side: str, you: int) -> None:
    view = new_game(shared_server.url, opponent="random", side=side)
    assert view["you"] == you
    assert view["status"] == ("your_turn" if you == 0 else "engine_turn")
    with Tab(shared_server.url, view["id"]) as tab:
        tab.wait("game", status="your_turn") if you == 1 else None
        assert len(tab.game["moves"]) == you


def test_engine_moves_show_what_was_counted(shared_server: Server) -> None:
    view = new_game(shared_server.url, opponent="minimax", strength={"level": 1})
    with Tab(shared_server.url, view["id"]) as tab:
        tab.move_and_wait("e4")
        thought = tab.game["moves"][-1]["thought"]
        assert thought["depth"] == 1
        assert thought["counters"]["root_moves"] == 20
        assert tab.game["players"][1] == {
            "kind": "engine",
            "name": "Minimax, looks one move ahead (depth 1)",
            "opponent": "minimax",
            "strength": {"level": 1},
        }


def test_taking_back_goes_to_the_last_own_turn(shared_server: Server) -> None:
    with Tab(shared_server.url, new_game(shared_server.url, **RANDOM)["id"]) as tab:
        tab.send("takeback", revision=tab.game["revision"])
        assert tab.wait("error")["code"] == "nothing_to_take_back"
        tab.move_and_wait("e4")
        tab.move_and_wait(tab.game["legal"][0]["text"])
        tab.send("takeback", revision=tab.game["revision"])
        tab.wait("game", can={**tab.game["can"], "takeback": True})
        while len(tab.game["moves"]) != 2:
            tab.receive()
        assert tab.game["status"] == "your_turn"


def test_a_finished_game_keeps_its_result_and_a_copy_is_played_on(shared_server: Server) -> None:
    with Tab(shared_server.url, new_game(shared_server.url, opponent="person")["id"]) as tab:
        for text in ("f3", "e5", "g4", "Qh4"):
            tab.move(text)
        assert tab.game["result"]["text"] == "Black wins: checkmate."
        assert tab.game["position"]["check"] == "e1"
        tab.send("move", revision=tab.game["revision"], move="a3")
        assert tab.wait("error")["code"] == "game_over"
        assert (tab.game["can"]["takeback"], tab.game["can"]["play_on"]) == (False, True)
        tab.send("takeback", revision=tab.game["revision"])
        assert tab.wait("error")["code"] == "game_over"
        finished = httpx.get(f"{shared_server.url}/api/games/{tab.id}").json()
        # While somebody watches: the game that is in memory stays as it is, not only the one on the disk.
        twin = httpx.post(f"{shared_server.url}/api/games/{tab.id}/play_on")
        assert twin.status_code == 201
        assert httpx.get(f"{shared_server.url}/api/games/{tab.id}").json() == finished
    with Tab(shared_server.url, twin.json()["id"]) as tab:
        assert tab.id != finished["id"]
        assert (tab.game["result"], len(tab.game["moves"])) == (None, 3)
        tab.move("d8e7")
    assert httpx.get(f"{shared_server.url}/api/games/{finished['id']}").json() == finished
    refused = httpx.post(f"{shared_server.url}/api/games/{tab.id}/play_on")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not_possible")


def test_a_game_that_was_given_up_before_a_move_stays_so(shared_server: Server) -> None:
    with Tab(shared_server.url, new_game(shared_server.url, **RANDOM)["id"]) as tab:
        tab.send("resign")
        tab.wait("game", status="over")
        assert not tab.game["can"]["play_on"]
        refused = httpx.post(f"{shared_server.url}/api/games/{tab.id}/play_on")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "nothing_to_take_back")
        assert httpx.get(f"{shared_server.url}/api/games/{tab.id}").json()["result"]["reason"] == "resignation"


def test_resigning_ends_the_game_for_good(shared_server: Server) -> None:
    with Tab(shared_server.url, new_game(shared_server.url, side="second", **RANDOM)["id"]) as tab:
        tab.send("resign")
        result = tab.wait("game", status="over")["game"]["result"]
        assert (result["winner"], result["score"], result["reason"]) == (0, "1-0", "resignation")
        tab.send("resign")
        assert tab.wait("error")["code"] == "game_over"


def test_two_people_can_agree_on_a_draw(shared_server: Server) -> None:
    with Tab(shared_server.url, new_game(shared_server.url, opponent="person")["id"]) as tab:
        tab.send("accept_draw")
        assert tab.wait("error")["code"] == "not_possible"
        tab.send("offer_draw")
        tab.wait("game", draw_offer=0)
        tab.move("e4")
        tab.move("e5")  # to play on is to decline
        assert tab.game["draw_offer"] is None
        tab.send("offer_draw")
        tab.wait("game", draw_offer=0)
        tab.send("decline_draw")
        tab.wait("game", draw_offer=None)
        tab.send("offer_draw")
        assert tab.wait("error")["code"] == "not_possible"  # not twice in the same position
        tab.move("Nf3")
        tab.send("offer_draw")
        tab.wait("game", draw_offer=1)
        tab.send("accept_draw")
        assert tab.wait("game", status="over")["game"]["result"]["text"] == "Draw: agreement."


LOST_FOR_ENGINE = "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 60"
WON_FOR_ENGINE = "4k3/4q3/8/8/8/8/8/4K3 w - - 0 60"


@pytest.mark.parametrize(("fen", "is_accepted"), [(LOST_FOR_ENGINE, True), (WON_FOR_ENGINE, False)])
def test_the_engine_answers_a_draw_offer_by_its_judgement(shared_server: Server, fen: str, is_accepted: bool) -> None:
    start = {"kind": "position", "text": fen}
    with Tab(shared_server.url, new_game(shared_server.url, start=start, **RANDOM)["id"]) as tab:
        tab.send("offer_draw", id=9)
        if is_accepted:
            assert tab.wait("game", status="over")["game"]["result"]["score"] == "1/2-1/2"
        else:
            assert tab.wait("notice", reply_to=9)["code"] == "draw_declined"
            assert tab.game["status"] == "your_turn"
            assert not tab.game["can"]["offer_draw"]


@pytest.mark.parametrize("game", ["chess", "hexapawn", "connect4"])
def test_a_hint_is_a_legal_move(shared_server: Server, game: str) -> None:
    with Tab(shared_server.url, new_game(shared_server.url, game, **RANDOM)["id"]) as tab:
        tab.send("hint", revision=tab.game["revision"], id=1)
        hint = tab.wait("hint", reply_to=1)
        assert hint["move"]["text"] in [move["text"] for move in tab.game["legal"]]
        assert hint["line"][0] == hint["move"]["san"]


def test_a_hint_sees_a_mate(shared_server: Server) -> None:
    start = {"kind": "position", "text": "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"}
    with Tab(shared_server.url, new_game(shared_server.url, start=start)["id"]) as tab:
        tab.send("hint", revision=tab.game["revision"])
        hint = tab.wait("hint")
        assert hint["move"]["san"] == "Ra8#"
        assert hint["score"] == {"cp": None, "mate": 1}


def test_the_eval_bar_shows_the_first_players_view(shared_server: Server) -> None:
    start = {"kind": "position", "text": "4k3/4q3/8/8/8/8/8/4K3 w - - 0 60"}
    with Tab(shared_server.url, new_game(shared_server.url, start=start, opponent="person")["id"]) as tab:
        tab.send("evaluate", on=True)
        assert tab.wait("evaluation", ply=0)["value"] < -0.9
        tab.move("Kf1")
        verdict = tab.wait("evaluation", ply=1)
        assert verdict["value"] < -0.9
        assert sum(verdict["wdl"]) == pytest.approx(1)
        tab.send("resign")
        # Who has given up a won game has still won it on the board.
        assert tab.wait("evaluation", ply=1)["value"] < -0.9


def test_an_earlier_position_is_judged_when_it_is_looked_at(shared_server: Server) -> None:
    start = {"kind": "position", "text": "4k3/4q3/8/8/8/8/8/4K3 w - - 0 60"}
    with Tab(shared_server.url, new_game(shared_server.url, start=start, opponent="person")["id"]) as tab:
        for move in ("Kf1", "Qe2+", "Kxe2"):
            tab.move(move)
        tab.send("evaluate", on=True, ply=0)
        assert tab.wait("evaluation", ply=0)["value"] < -0.9
        tab.send("evaluate", on=True, ply=3)
        assert tab.wait("evaluation", ply=3)["value"] == 0.0  # only kings are left


def test_only_new_moves_are_sent(shared_server: Server) -> None:
    with Tab(shared_server.url, new_game(shared_server.url, opponent="person")["id"]) as tab:
        sizes = []
        for _ in range(30):
            for move in ("Nf3", "Nf6", "Ng1", "Ng8")[: 4 if tab.game["result"] is None else 0]:
                tab.send("move", revision=tab.game["revision"], move=move)
                message = tab.wait("game")
                sizes.append(message["size"])
                assert message["kept"] == len(tab.game["moves"]) - 1
        assert [move["san"] for move in tab.game["moves"][:4]] == ["Nf3", "Nf6", "Ng1", "Ng8"]
        assert max(sizes) < 8_000
        tab.close()
        with Tab(shared_server.url, tab.id) as other:
            assert other.game == tab.game


def test_small_games_are_judged_to_the_end(shared_server: Server) -> None:
    with Tab(shared_server.url, new_game(shared_server.url, "hexapawn", opponent="person")["id"]) as tab:
        tab.send("evaluate", on=True)
        assert tab.wait("evaluation")["value"] == -1.0  # 3x3 hexapawn is lost for who begins


def test_a_rematch_exchanges_the_sides(shared_server: Server) -> None:
    clock = {"base_ms": 60_000, "increment_ms": 1_000}
    first = new_game(shared_server.url, opponent="uct", strength={"level": 1}, clock=clock, side="first")
    second = httpx.post(f"{shared_server.url}/api/games/{first['id']}/rematch").json()
    assert (first["you"], second["you"]) == (0, 1)
    assert second["id"] != first["id"]
    for key in ("game", "clock", "start"):
        assert second[key] == first[key]
    assert second["players"][0]["name"] == first["players"][1]["name"] == "UCT, quick thinker (100 iterations)"


CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def drop_squares(view: dict[str, Any], origin: str) -> dict[str, str]:
    """Square -> move text for all ways to drop a piece."""
    moves = [move for move in view["legal"] if move["from"] == origin]
    return {square: move["text"] for move in moves for square in (move["to"], *move["also"])}


def test_castling_may_be_dropped_on_the_rook_or_on_the_target(shared_server: Server) -> None:
    view = new_game(shared_server.url, start={"kind": "position", "text": CASTLING}, opponent="person")
    squares = drop_squares(view, "e1")
    assert squares["g1"] == squares["h1"] == "e1g1"
    assert squares["c1"] == squares["a1"] == "e1c1"
    with Tab(shared_server.url, view["id"]) as tab:
        tab.move("e1g1")
        assert tab.game["position"]["cells"].startswith("R....RK.")
        tab.move("e8c8")
        assert [move["san"] for move in tab.game["moves"]] == ["O-O", "O-O-O"]


def test_in_chess960_the_plain_king_move_is_not_taken_for_castling(shared_server: Server) -> None:
    # King on f1, rook on h1: to go to g1 may be a step or castling; the square means the step, the rook castling.
    view = new_game(
        shared_server.url, start={"kind": "position", "text": "4k3/8/8/8/8/8/8/5K1R w H - 0 1"}, opponent="person"
    )
    assert view["variant"] == "chess960"
    squares = drop_squares(view, "f1")
    assert squares["g1"] == "f1g1"
    assert squares["h1"] == "f1h1"


def test_chess960_starts_can_be_numbered_or_random(shared_server: Server) -> None:
    view = new_game(shared_server.url, start={"kind": "chess960", "number": 0})
    assert view["position"]["cells"].startswith("BBQNNRKR")
    assert (view["variant"], view["chess960_number"]) == ("chess960", 0)
    assert httpx.get(f"{shared_server.url}/api/chess960/0").json() == view["position"]
    random = new_game(shared_server.url, start={"kind": "chess960", "number": None})
    assert 0 <= random["chess960_number"] < 960
    usual = new_game(shared_server.url, start={"kind": "chess960", "number": 518}, opponent="person")
    assert usual["position"]["cells"].startswith("RNBQKBNR")


def test_promotions_are_moves_of_their_own(shared_server: Server) -> None:
    start = {"kind": "position", "text": "8/P6k/8/8/8/8/8/K7 w - - 0 1"}
    view = new_game(shared_server.url, start=start, opponent="person")
    moves = [move for move in view["legal"] if move["from"] == "a7"]
    assert {move["promotion"] for move in moves} == {"q", "r", "b", "n"}
    with Tab(shared_server.url, view["id"]) as tab:
        tab.move("a7a8n")
        assert tab.game["moves"][0]["san"] == "a8=N"
        assert tab.game["captured"] == ["", ""]
        assert tab.game["material"] == 3


def test_stones_may_be_dropped_anywhere_in_a_column(shared_server: Server) -> None:
    view = new_game(shared_server.url, "connect4", opponent="person")
    move = next(move for move in view["legal"] if move["text"] == "d")
    assert (move["from"], move["to"]) == (None, "d1")
    assert set(move["also"]) == {"d2", "d3", "d4", "d5", "d6"}


def test_captured_pieces_are_counted(shared_server: Server) -> None:
    with Tab(shared_server.url, new_game(shared_server.url, opponent="person")["id"]) as tab:
        for text in ("e4", "d5", "exd5", "Qxd5", "Nc3", "Qxg2"):
            tab.move(text)
        assert tab.game["captured"] == ["p", "PP"]
        assert tab.game["material"] == -1
        assert [move["captured"] for move in tab.game["moves"]] == [None, None, "p", "P", None, "P"]
