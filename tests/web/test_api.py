"""What can be asked without a socket: games, opponents, lists, PGN, positions, settings, pages."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import chess.pgn
import httpx
import pytest

from philidor.nets.shipped import HUMAN_NET
from philidor.players import PLAYERS, offered_players
from tests.web.conftest import Server
from tests.web.tab import Tab, new_game


def offered() -> list[str]:
    """The players that a server of its own process offers: the human only with a network that ships."""
    has_human = (Path(__file__).parents[2] / "nets" / f"{HUMAN_NET}.safetensors").is_file()
    return [name for name in PLAYERS if name != "human" or has_human]


def get(server: Server, path: str, **parameters: Any) -> Any:
    answer = httpx.get(f"{server.url}{path}", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_server_tells_what_can_be_played(shared_server: Server) -> None:
    about = get(shared_server, "/api/about")
    assert about["protocol"] == 1
    assert about["notice"] is None
    assert [rules["name"] for rules in about["games"]] == ["chess", "connect4", "go", "gomoku", "hexapawn", "tictactoe"]
    by_name = {opponent["name"]: opponent for opponent in about["opponents"]}
    # Networks that ship are opponents too.
    assert {name for name in by_name if not name.startswith("net:")} == {*offered_players(), "person"}
    assert by_name["sparring"]["strength"] == {
        "kind": "elo",
        "min": 800,
        "max": 2400,
        "step": 50,
        "default": 1200,
        "has_full": True,
        "scale": None,
        "words": [],
        "estimated_below": None,
    }
    assert by_name["minimax"]["strength"]["levels"] == [
        "Looks one move ahead (depth 1)",
        "Looks two moves ahead (depth 2)",
        "Looks three moves ahead (depth 3)",
    ]
    for engine in ("classic", "nnue"):
        assert by_name[engine]["strength"]["levels"][0] == "Quick thinker (100 nodes)"
    assert about["games"][0]["default_opponent"] == ("human" if "human" in offered() else "sparring")
    for rules in about["games"]:
        assert rules["default_opponent"] in rules["opponents"]
        assert len(rules["start"]["cells"]) == rules["board"]["width"] * rules["board"]["height"]
        assert set(rules["start"]["cells"]) <= {*rules["board"]["pieces"], "."}


def test_sizes_have_rules_of_their_own(shared_server: Server) -> None:
    small, large = (get(shared_server, f"/api/rules/hexapawn-{size}") for size in ("3x3", "6x5"))
    assert (large["board"]["width"], large["board"]["height"]) == (6, 5)
    assert large["title"] == "Hexapawn 6×5"
    assert "solver" in small["opponents"]
    assert "solver" not in large["opponents"]


@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_of_the_table_can_be_played(shared_server: Server, name: str) -> None:
    about = get(shared_server, "/api/about")
    if name not in offered():
        pytest.skip(f"the network of {name} is not there")
    game = next(rules["name"] for rules in about["games"] if name in rules["opponents"])
    strength = next(each["strength"] for each in about["opponents"] if each["name"] == name)
    wish = {"elo": {"elo": strength.get("min")}, "levels": {"level": 1}, "none": None}[strength["kind"]]
    with Tab(shared_server.url, new_game(shared_server.url, game, opponent=name, strength=wish)["id"]) as tab:
        tab.move_and_wait(tab.game["legal"][0]["text"])
        assert len(tab.game["moves"]) == 2


def test_settings_make_an_opponent_of_ones_own(shared_server: Server) -> None:
    view = new_game(shared_server.url, opponent="uct", strength={"settings": {"iterations": 37}})
    with Tab(shared_server.url, view["id"]) as tab:
        tab.move_and_wait("e4")
        assert tab.game["moves"][-1]["thought"]["nodes"] == 37
        assert tab.game["players"][1]["name"] == "UCT, iterations 37"


def test_full_strength_thinks_by_the_clock(shared_server: Server) -> None:
    clock = {"base_ms": 3_000, "increment_ms": 0}
    with Tab(shared_server.url, new_game(shared_server.url, strength={"full": True}, clock=clock)["id"]) as tab:
        tab.move("e4")
        tab.wait("thinking")
        while tab.game["status"] == "engine_turn":
            tab.receive()
        assert tab.game["players"][1]["name"] == "NNUE engine, full strength"
        assert 0 < tab.game["clock"]["remaining_ms"][1] < 3_000


def test_whose_time_is_over_has_lost(shared_server: Server) -> None:
    clock = {"base_ms": 1_000, "increment_ms": 0}
    with Tab(shared_server.url, new_game(shared_server.url, opponent="person", clock=clock)["id"]) as tab:
        tab.move("e4")
        tab.send("flag")  # too early: nothing happens
        result = tab.wait("game", status="over")["game"]["result"]
        assert result["text"] == "White wins: time over."
        assert tab.game["clock"]["remaining_ms"][1] == 0
        twin = httpx.post(f"{shared_server.url}/api/games/{tab.id}/play_on").json()
        assert (twin["result"], twin["clock"]["remaining_ms"]) == (None, [1_000, 1_000])


def test_who_cannot_mate_does_not_win_on_time(shared_server: Server) -> None:
    start = {"kind": "position", "text": "4k3/8/8/8/8/8/4P3/4KB2 b - - 0 1"}
    clock = {"base_ms": 1_000, "increment_ms": 0}
    view = new_game(shared_server.url, opponent="person", clock=clock, start=start)
    with Tab(shared_server.url, view["id"]) as tab:
        tab.move("Kd7")  # White's clock runs, and Black has a king only
        assert tab.wait("game", status="over")["game"]["result"]["score"] == "1/2-1/2"


def test_increments_are_added(shared_server: Server) -> None:
    clock = {"base_ms": 60_000, "increment_ms": 5_000}
    with Tab(shared_server.url, new_game(shared_server.url, opponent="person", clock=clock)["id"]) as tab:
        tab.move("e4")
        tab.move("e5")
        white, black = tab.game["clock"]["remaining_ms"]
        assert white <= 60_000
        assert 60_000 < black <= 65_000
        assert tab.game["moves"][1]["clock_ms"] == black
        tab.move("Nf3")
        pgn = httpx.get(f"{shared_server.url}/api/games/{tab.game['id']}/pgn").text
    assert '[TimeControl "60+5"]' in pgn
    read = chess.pgn.read_game(io.StringIO(pgn))
    assert read is not None
    assert pytest.approx([node.clock() for node in read.mainline()], abs=3) == [60, 65, 65]
    assert "1... e5" in " ".join(pgn.split())


# --- Lists, PGN, positions ----------------------------------------------------------------------------------------


def test_my_games_are_listed_searched_and_exported(server: Server) -> None:
    httpx.put(f"{server.url}/api/settings", json={"name": "Anna Ö"})
    for number in range(3):
        with Tab(server.url, new_game(server.url, opponent="person")["id"]) as tab:
            for text in (("e4", "c5"), ("d4", "Nf6"), ("f3", "e5", "g4", "Qh4"))[number]:
                tab.move(text)
    other = new_game(server.url, "hexapawn", opponent="random")
    listed = get(server, "/api/games")
    assert listed["total"] == 4
    assert listed["games"][0]["id"] == other["id"]  # the newest first
    for query, count in (("sicilian", 1), ("anna ö", 4), ("hexapawn random", 1), ("checkmate", 1), ("nobody", 0)):
        assert get(server, "/api/games", query=query)["total"] == count, query
    [over] = get(server, "/api/games", status="over")["games"]
    assert over["result"]["score"] == "0-1"
    assert over["ply_count"] == 4
    pages = [get(server, "/api/games", page=page, per_page=3) for page in (1, 2, 3)]
    assert [len(page["games"]) for page in pages] == [3, 1, 0]
    assert {page["pages"] for page in pages} == {2}
    exported = httpx.get(f"{server.url}/api/games.pgn", params={"game": "chess"})
    games = []
    stream = io.StringIO(exported.text)
    while (read := chess.pgn.read_game(stream)) is not None:
        games.append(read)
    assert len(games) == 3
    assert {read.headers["White"] for read in games} == {"Anna Ö"}
    assert {read.headers["Result"] for read in games} == {"*", "0-1"}
    assert not any(read.errors for read in games)


def test_a_deleted_game_is_gone(shared_server: Server) -> None:
    game_id = new_game(shared_server.url)["id"]
    assert httpx.delete(f"{shared_server.url}/api/games/{game_id}").status_code == 204
    assert httpx.delete(f"{shared_server.url}/api/games/{game_id}").status_code == 404
    assert httpx.get(f"{shared_server.url}/api/games/{game_id}").json()["error"]["code"] == "not_found"


PGN = """[Event "Casual game"]
[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]
[Annotator "somebody"]

1. e4 e5 2. f4 exf4 3. Bc4 {a gambit} (3. Nf3 g5) Qh4+ 1-0
"""


def test_a_pgn_is_opened_as_it_ended_or_played_on(shared_server: Server) -> None:
    finished = new_game(shared_server.url, start={"kind": "pgn", "text": PGN})
    assert finished["result"]["text"] == "White wins: as recorded."
    assert [player["name"] for player in finished["players"]] == ["Anderssen", "Kieseritzky"]
    assert finished["you"] is None
    assert len(finished["moves"]) == 6
    written = httpx.get(f"{shared_server.url}/api/games/{finished['id']}/pgn").text
    assert '[Annotator "somebody"]' in written
    assert "Termination" not in written, "the PGN said nothing"
    assert '[White "Anderssen"]' in written
    played_on = new_game(shared_server.url, opponent="random", start={"kind": "pgn", "text": PGN, "ply": 6})
    assert played_on["status"] == "your_turn"
    assert played_on["you"] == 0
    with Tab(shared_server.url, played_on["id"]) as tab:
        tab.move_and_wait("Kf1")
        assert len(tab.game["moves"]) == 8


@pytest.mark.parametrize(
    ("tag", "result", "text"),
    [
        ("", "1/2-1/2", "Draw: as recorded."),
        ('[Termination "Time forfeit"]', "0-1", "Black wins: time forfeit."),
        ('[Termination ""]', "0-1", "Black wins: as recorded."),
    ],
)
def test_why_an_imported_game_ended_is_not_made_up(shared_server: Server, tag: str, result: str, text: str) -> None:
    pgn = f'[Result "{result}"]\n{tag}\n\n1. e4 e5 {result}'
    view = new_game(shared_server.url, start={"kind": "pgn", "text": pgn})
    assert view["result"]["text"] == text
    checked = httpx.post(f"{shared_server.url}/api/positions", json={"game": "chess", "pgn": pgn}).json()
    assert checked["result"]["text"] == text


def test_a_pgn_may_start_anywhere(shared_server: Server) -> None:
    pgn = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"]\n\n40... Kd7 41. e4 *'
    view = new_game(shared_server.url, opponent="person", start={"kind": "pgn", "text": pgn})
    assert view["variant"] == "position"
    assert view["start"]["to_move"] == 1
    written = httpx.get(f"{shared_server.url}/api/games/{view['id']}/pgn").text
    assert "40... Kd7 41. e4 *" in written


def check(server: Server, **asked: Any) -> Any:
    answer = httpx.post(f"{server.url}/api/positions", json={"game": "chess", **asked})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_positions_are_checked_for_the_editor(shared_server: Server) -> None:
    fine = check(shared_server, text="4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    assert fine["ok"]
    assert fine["legal_count"] == 16
    bad = check(shared_server, text="8/8/8/8/8/8/8/R3K3 w Q - 0 1")
    assert not bad["ok"]
    assert "king" in bad["problem"]
    over = check(shared_server, text="7k/5KQ1/8/8/8/8/8/8 b - - 0 1")
    assert over["ok"]
    assert over["result"]["reason"] == "checkmate"
    read = check(shared_server, pgn=PGN)
    assert [move["san"] for move in read["moves"]] == ["e4", "e5", "f4", "exf4", "Bc4", "Qh4+"]
    assert read["tags"]["White"] == "Anderssen"
    broken = check(shared_server, pgn="1. e4 e4")
    assert not broken["ok"]
    assert "e4" in broken["problem"]


def test_settings_are_kept_and_told_to_all_tabs(server: Server) -> None:
    with Tab(server.url, new_game(server.url)["id"]) as tab:
        changed = httpx.put(f"{server.url}/api/settings", json={"theme": "dark", "volume": 0.5, "sound": True})
        assert changed.json() == {"sound": True, "theme": "dark", "volume": 0.5}
        assert tab.wait("settings")["settings"] == changed.json()
    httpx.put(f"{server.url}/api/settings", json={"theme": None})
    server.restart()
    assert get(server, "/api/about")["settings"] == {"sound": True, "volume": 0.5}


def test_the_pages_are_served_and_revalidated(tmp_path: Path) -> None:
    server = Server(tmp_path)
    pages = tmp_path / "built"
    (pages / "assets").mkdir(parents=True)
    (pages / "index.html").write_text("<!doctype html><title>philidor</title>")
    (pages / "app.js").write_text("'use strict'")
    (pages / "assets" / "font-0123abcd.woff2").write_bytes(b"x")
    server.environment["PHILIDOR_PAGES"] = str(pages)
    server.start()
    try:
        for path in ("/", "/games", "/game/abc123", "/new", "/editor", "/settings", "/index.html"):
            answer = httpx.get(f"{server.url}{path}")
            assert answer.status_code == 200
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
        script = httpx.get(f"{server.url}/app.js")
        assert script.headers["content-type"] == "text/javascript; charset=utf-8"
        assert script.headers["cache-control"] == "no-cache"
        again = httpx.get(f"{server.url}/app.js", headers={"if-none-match": script.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert "immutable" in httpx.get(f"{server.url}/assets/font-0123abcd.woff2").headers["cache-control"]
        # What appears later is not there: nothing is looked up on the disk.
        (pages / "late.js").write_text("")
        assert httpx.get(f"{server.url}/late.js").status_code == 404
    finally:
        server.kill()
