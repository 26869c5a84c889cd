"""Go on the server: handicap and komi, counting with dead stones, SGF in and out, verdicts, and GTP programs."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from philidor.core.errors import ConfigError
from philidor.frontends.playing.counting import count, likely_dead
from philidor.frontends.web.drawing import Drawer
from philidor.frontends.web.go.judging import Judge
from philidor.frontends.web.networks import network_opponents
from philidor.frontends.web.programs import parse_program
from philidor.frontends.web.roster import Roster
from philidor.games import load_game
from philidor.games.go import Go
from philidor.nets.network_files import save_stored
from tests.nets.stored_nets import own_net
from tests.web.conftest import Server
from tests.web.tab import Tab, new_game

# Black's wall on the third column, White's on the fourth; the stone on a5 is dead in Black's area.
ENDED = "..XO.../..XO.../O.XO.../..XO.../..XO.../..XO.../..XO... X 20 0 - komi7"
FAKE = """
import sys
answers = {"name": "Fake", "list_commands": "name\\nplay\\ngenmove", "genmove": sys.argv[1]}
for line in sys.stdin:
    print("= " + answers.get(line.split()[0], "") + "\\n", flush=True)
"""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("go")
    (folder / "fake.py").write_text(FAKE, encoding="utf-8")
    words = [f"{name}={sys.executable} {folder / 'fake.py'} {name} proto=gtp" for name in ("resign", "a1")]
    if shutil.which("gnugo"):
        words.append("GNU Go=gnugo --mode gtp --level 1 --chinese-rules --positional-superko proto=gtp")
    server = Server(folder, *(word for engine in words for word in ("--engine", engine)))
    server.start()
    while any(each["status"] == "asking" for each in about(server)["opponents"]):
        pass
    yield server
    server.kill()


def about(server: Server) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{server.url}/api/about").json()
    return found


def get(server: Server, game_id: str, what: str) -> Any:
    answer = httpx.get(f"{server.url}/api/games/{game_id}/{what}", timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()


def sgf_of(server: Server, game_id: str) -> str:
    return httpx.get(f"{server.url}/api/games/{game_id}/sgf").text


def passed_out(server: Server) -> str:
    """Plays a game to two passes; returns its id."""
    start = {"kind": "position", "text": ENDED}
    view = new_game(server.url, "go-7x7", opponent="person", start=start)
    with Tab(server.url, view["id"]) as tab:
        tab.move("pass")
        tab.move("pass")
    return str(view["id"])


def test_playouts_find_the_dead_stone_and_area_decides() -> None:
    state = load_game("go-7x7").state(ENDED)
    dead = likely_dead(state)
    assert [state.grid.name(square) for square in dead] == ["a5"]
    # By hand: three columns of seven for Black, four for White; with the stone on a5 the region around it is nobody's.
    assert count(state, dead).area == (21, 28)
    assert count(state, dead).text == "W+14"
    assert count(state).area == (7, 29)


def test_a_finished_game_is_counted_and_the_person_may_change_what_is_dead(host: Server) -> None:
    game = passed_out(host)
    view = get(host, game, "go")
    assert view["count"]["dead"] == ["a5"]
    assert view["count"]["owners"] == "XXXOOOO" * 7
    assert view["count"]["area"] == [21, 28]
    result = httpx.get(f"{host.url}/api/games/{game}").json()["result"]
    assert result["text"] == "White wins by 14 points."
    with Tab(host.url, game) as tab:
        body = {"revision": tab.game["revision"], "square": "d1"}
        answer = httpx.post(f"{host.url}/api/games/{game}/dead", json=body).json()
        assert len(answer["count"]["dead"]) == 8
        assert answer["count"]["score"] == "B+42"
        tab.wait("game", status="over")
        assert tab.game["result"]["text"] == "Black wins by 42 points."
        # The game has gone on for who still looks at the old count.
        assert httpx.post(f"{host.url}/api/games/{game}/dead", json=body).json()["error"]["code"] == "stale_position"
        body = {"revision": tab.game["revision"], "square": "a1"}
        assert "no stone" in httpx.post(f"{host.url}/api/games/{game}/dead", json=body).json()["error"]["message"]
    assert "RE[B+42]" in sgf_of(host, game)
    host.restart()
    assert httpx.get(f"{host.url}/api/games/{game}").json()["result"]["text"] == "Black wins by 42 points."


def test_stones_are_not_marked_while_the_game_goes_on_or_in_another_game(host: Server) -> None:
    view = new_game(host.url, "go-9x9", opponent="person")
    body = {"revision": view["revision"], "square": "a1"}
    answer = httpx.post(f"{host.url}/api/games/{view['id']}/dead", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_possible")
    chess = new_game(host.url, opponent="person")["id"]
    for what in ("go", "sgf", "judgement?ply=0"):
        answer = httpx.get(f"{host.url}/api/games/{chess}/{what}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_possible"), what


def test_playing_on_forgets_the_count(host: Server) -> None:
    game = passed_out(host)
    copy = httpx.post(f"{host.url}/api/games/{game}/play_on").json()
    assert copy["result"] is None
    assert get(host, copy["id"], "go")["count"] is None


def test_handicap_and_komi(host: Server) -> None:
    view = new_game(host.url, "go-9x9,komi=0.5", opponent="person", start={"kind": "handicap", "stones": 3})
    assert view["title"] == "Go 9×9, komi 0.5"
    assert (view["variant"], view["position"]["to_move"]) == ("handicap", 1)
    assert get(host, view["id"], "go") == {"revision": 1, "komi": 0.5, "handicap": 3, "count": None}
    text = sgf_of(host, view["id"])
    assert all(part in text for part in ("HA[3]", "KM[0.5]", "AB[gc][cg][gg]", "PL[W]")), text
    # On 9x9 komi is 7 if nobody says otherwise, so 7.5 has to be said.
    assert new_game(host.url, "go-9x9,komi=7.5", opponent="person")["title"] == "Go 9×9, komi 7.5"
    for start, game in (({"kind": "handicap", "stones": 9}, "go-8x8"), ({"kind": "handicap", "stones": 2}, "gomoku")):
        answer = httpx.post(f"{host.url}/api/games", json={"game": game, "start": start})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "does_not_fit")


GAME = "(;GM[1]FF[4]SZ[9]KM[5.5]PB[Ann\\]a]PW[Bob]EV[Cup]RE[B+3.5];B[ee];W[cc];B[gg](;W[];B[])(;W[aa]))"


def test_a_pasted_game_is_read_looked_at_and_continued(host: Server) -> None:
    check = httpx.post(f"{host.url}/api/go/sgf", json={"sgf": GAME}).json()
    assert (check["ok"], check["game"], len(check["moves"])) == (True, "go-9x9,komi=5.5,ko=simple", 5)
    start = {"kind": "sgf", "text": GAME}
    whole = new_game(host.url, check["game"], start=start)
    assert [player["name"] for player in whole["players"]] == ["Ann]a", "Bob"]
    assert (whole["status"], whole["result"]["text"]) == ("over", "Black wins by 3.5 points.")
    assert get(host, whole["id"], "go")["count"]["can_mark"] is False
    # As it was read, it is written.
    text = sgf_of(host, whole["id"])
    assert text.rstrip().endswith(";B[ee];W[cc];B[gg];W[];B[])")
    assert all(part in text for part in ("PB[Ann\\]a]", "PW[Bob]", "EV[Cup]", "RE[B+3.5]", "KM[5.5]", "SZ[9]")), text
    part = new_game(host.url, check["game"], opponent="uct", side="second", start={**start, "ply": 3})
    assert (part["status"], len(part["moves"]), part["result"]) == ("your_turn", 3, None)
    text = sgf_of(host, part["id"])
    assert all(part in text for part in ("PB[UCT, ", "PW[You]", "EV[Cup]")), text


def test_a_pasted_game_without_names_is_nobodys(host: Server) -> None:
    text = "(;GM[1]SZ[9]KM[0.5]HA[2]AB[cg][gc]BR[6d]RE[W+R];W[ee])"
    check = httpx.post(f"{host.url}/api/go/sgf", json={"sgf": text}).json()
    game = new_game(host.url, check["game"], start={"kind": "sgf", "text": text})
    assert [player["name"] for player in game["players"]] == ["?", "?"]
    assert game["variant"] == "handicap"
    assert "BR[6d]" in sgf_of(host, game["id"])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no game"),
        ("1. e4 e5", "no game"),
        ("(" * 5_000, ""),
        ("(;GM[1]SZ[9];B[ee];W[ee])", "illegal"),
        ("(;GM[1]SZ[25];B[ee])", ""),
        ("(;GM[1]SZ[9]KM[x];B[", ""),
    ],
)
def test_what_is_no_game_of_go_is_told(host: Server, text: str, problem: str) -> None:
    check = httpx.post(f"{host.url}/api/go/sgf", json={"sgf": text}).json()
    assert check["ok"] is False
    assert problem in check["problem"]


def test_an_sgf_of_another_board_is_refused(host: Server) -> None:
    answer = httpx.post(f"{host.url}/api/games", json={"game": "go-13x13", "start": {"kind": "sgf", "text": GAME}})
    assert (answer.status_code, "go-9x9,ko=simple" in answer.json()["error"]["message"]) == (422, True)


def test_a_verdict_sees_the_capture_and_whose_the_board_is(host: Server) -> None:
    # Black to move takes eight stones on the first line, or loses the corner.
    text = "......./......./......./......./.XXXXXX/XOOOOOO/O.OOOOO X 20 0 - komi7"
    view = new_game(host.url, "go-7x7", opponent="person", start={"kind": "position", "text": text})
    found = get(host, view["id"], "judgement?ply=0")
    assert found["candidates"][0]["move"]["text"] == "b1"
    assert found["candidates"][0]["win_rate"] > 0.8
    assert found["win_rate"] > 0.8
    assert found["judge"].startswith("UCT")
    assert len(found["owners"]) == 49
    assert min(found["owners"][14:]) > 0.3
    assert found == get(host, view["id"], "judgement?ply=0")
    answer = httpx.get(f"{host.url}/api/games/{view['id']}/judgement?ply=1")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_possible")
    ended = get(host, passed_out(host), "judgement?ply=2")
    assert (ended["win_rate"], ended["lead"], ended["candidates"]) == (0.0, -14.0, [])


def test_a_program_that_gives_up_loses_and_one_that_cheats_fails(host: Server) -> None:
    view = new_game(host.url, "go-9x9", opponent="engine:resign")
    with Tab(host.url, view["id"]) as tab:
        tab.move_and_wait("e5")
        assert tab.game["result"]["text"] == "Black wins: resignation."
    view = new_game(host.url, "go-9x9", opponent="engine:a1")
    with Tab(host.url, view["id"]) as tab:
        tab.move("a1")
        failed = tab.wait("error", code="engine_failed")
        assert "a1" in failed["message"]


@pytest.mark.skipif(shutil.which("gnugo") is None, reason="GNU Go is not installed")
def test_gnu_go_plays_with_handicap_and_after_a_move_taken_back(host: Server) -> None:
    start = {"kind": "handicap", "stones": 2}
    view = new_game(host.url, "go-9x9,komi=0.5", opponent="engine:GNU Go", start=start)
    assert "engine:GNU Go" not in httpx.get(f"{host.url}/api/rules/gomoku").json()["opponents"]
    with Tab(host.url, view["id"]) as tab:
        tab.wait("game", status="your_turn") if tab.game["status"] != "your_turn" else None
        first = tab.game["moves"][0]["text"]
        tab.move_and_wait("a1")
        tab.send("takeback", revision=tab.game["revision"])
        tab.wait("game", status="your_turn")
        tab.move_and_wait("pass")
        assert [move["text"] for move in tab.game["moves"]][:2] == [first, "pass"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("X=gnugo proto=gtp option.Level=3", "GTP has no options"),
        ("X=stockfish proto=xboard", "UCI or GTP"),
        ("X=uct", "in the menu already"),
    ],
)
def test_engines_that_cannot_be_are_refused(text: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        parse_program(text)


def test_alphago_comes_by_the_command_line_with_its_networks() -> None:
    spec = parse_program("AlphaGo=alphago net=policy.safetensors rollout=fast.phpt mixing=1")
    assert (spec.name, spec.player, spec.settings["mixing"]) == ("AlphaGo", "alphago", "1")


def test_networks_that_do_not_fit_the_board_are_told_before_the_game() -> None:
    roster = Roster(engines=["Mine=alphago-sl net=alphago-9x9-policy"])
    mine = roster.find("engine:Mine")
    assert mine.refuses(load_game("go-9x9,komi=0.5").state()) is None
    problem = mine.refuses(load_game("go-13x13").state())
    start = "Mine cannot play: 'alphago-9x9-policy.safetensors' is a network for go-9x9,ko=simple and does not"
    assert problem is not None
    assert problem.startswith(start)


def test_a_network_plays_every_komi_and_ko_rule_of_its_board(tmp_path: Path) -> None:
    save_stored(tmp_path / "small.safetensors", own_net("go-5x5"))
    [network] = network_opponents([tmp_path], print)
    assert all(network.fits(load_game(name)) for name in ("go-5x5", "go-5x5,komi=0.5,ko=simple"))
    assert not any(network.fits(load_game(name)) for name in ("go-6x6", "gomoku-5x5", "chess"))
    assert network.make_player({"level": 2}, 1).choose(Go(5, 5, komi=0.5).state())


def test_a_network_that_searches_is_the_judge_of_its_board(tmp_path: Path) -> None:
    save_stored(tmp_path / "small.safetensors", own_net("go-5x5"))
    judge, game = Judge(Roster(nets=[tmp_path])), load_game("go-5x5,komi=0.5")
    found = judge.judge(Drawer(game), Go(5, 5, komi=0.5).state(), 0, lambda: False)
    assert found.judge == "Network small, 200 simulations"
    assert sum(candidate.visits for candidate in found.candidates) <= 200
    assert found.candidates[0].prior is not None
    assert judge.judge(Drawer(game), Go(5, 5, komi=0.5).state(), 0, lambda: False) is found
    # A verdict that was cut short is not kept.
    opened = Go(5, 5, komi=0.5).state().play("c3")
    short = judge.judge(Drawer(game), opened, 1, lambda: True)
    assert judge.judge(Drawer(game), opened, 1, lambda: False) is not short
    other = judge.judge(Drawer(load_game("go-6x6")), load_game("go-6x6").state(), 0, lambda: False)
    assert other.judge == "UCT, 20,000 playouts"


def test_the_network_from_zero_judges_by_its_own_rules_unless_the_user_has_another(tmp_path: Path) -> None:
    game = load_game("go-9x9")
    found = Judge(Roster()).judge(Drawer(game), game.state(), 0, lambda: False)
    assert found.judge == "Network go-9x9-zero-1, 200 simulations"
    save_stored(tmp_path / "small.safetensors", own_net("go-9x9"))
    other = Judge(Roster(nets=[tmp_path])).judge(Drawer(game), game.state(), 0, lambda: False)
    assert other.judge == "Network small, 200 simulations"


def test_alphago_judges_where_its_networks_ship() -> None:
    game = load_game("go-9x9,komi=0.5")
    roster = Roster()
    if "alphago" not in roster.fitting(game):
        pytest.skip("AlphaGo's networks do not ship with this build")
    judge, state = Judge(roster), Go(9, 9, komi=0.5).handicap(2)
    found = judge.judge(Drawer(game), state, 0, lambda: False)
    assert found.judge == "AlphaGo, 200 simulations"
    assert 0 < found.win_rate < 1
    assert found.candidates[0].prior is not None
    # After a pass that wins AlphaGo passes without a look: then playouts judge.
    ended = judge.judge(Drawer(game), Go(9, 9).state().play("e5").play("pass"), 2, lambda: False)
    assert ended.judge.startswith("UCT")
    assert ended.win_rate > 0.9
