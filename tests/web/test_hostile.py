"""Requests that no page of ours sends: each is refused with a reason, and the game is as it was."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.web.conftest import Server
from tests.web.tab import Tab, new_game

JSON = {"content-type": "application/json"}
SCRIPT = "<script>alert(1)</script>\"'&"


@pytest.fixture(scope="module")
def game_id(shared_server: Server) -> str:
    game: str = new_game(shared_server.url, opponent="person")["id"]
    return game


@pytest.fixture(autouse=True)
def the_game_is_intact(shared_server: Server, game_id: str) -> Iterator[None]:
    before = httpx.get(f"{shared_server.url}/api/games/{game_id}").json()
    yield
    assert httpx.get(f"{shared_server.url}/api/games/{game_id}").json() == before


FOREIGN = [
    {"origin": "http://evil.example"},
    {"origin": "null"},
    {"origin": "https://127.0.0.1.evil.example"},
    {"origin": "http://127.0.0.1:1"},
    {"host": "evil.example"},
    {"host": "127.0.0.1.nip.io:8000"},
    {"host": ""},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_other_sites_are_refused(shared_server: Server, game_id: str, headers: dict[str, str], method: str) -> None:
    answer = httpx.request(method, f"{shared_server.url}/api/games/{game_id}", headers=headers)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "forbidden"
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("headers", FOREIGN[:4], ids=str)
def test_other_sites_get_no_socket(shared_server: Server, game_id: str, headers: dict[str, str]) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Tab(shared_server.url, game_id, origin=headers["origin"])
    assert refused.value.response.status_code == 403


def test_a_link_from_another_site_may_open_the_page_but_not_the_api(shared_server: Server) -> None:
    visit = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert httpx.get(shared_server.url, headers=visit).status_code == 200
    assert httpx.post(f"{shared_server.url}/api/games", headers=visit, json={"game": "chess"}).status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/assets/../../serve.py",
        "/index.html/../serve.py",
        "/game/../../etc/passwd",
        "/\\..\\..\\etc\\passwd",
        "/%00",
        "/static/index.html",
        "/api/games/..%2f..%2fgames.sqlite3",
        "/api/games/%2e%2e",
        "/api/rules/..%2f..%2fetc%2fpasswd",
        "/api/rules/os:system",
        "/api/rules/tests.web.conftest:Server",
        "/api/rules/examples%2flast_stone.py:LastStone",
        "/api/nothing",
    ],
)
def test_no_address_leads_to_a_file(shared_server: Server, path: str) -> None:
    host, port = "127.0.0.1", shared_server.port
    with socket.create_connection((host, port), timeout=10) as raw:  # httpx would tidy the path up
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert re.match(rb"HTTP/1.1 (400|404|422) ", answer), answer[:200]
    assert b"root:" not in answer
    assert b"import" not in answer


BAD_GAMES: list[tuple[object, str]] = [
    ([], "bad_request"),
    ("chess", "bad_request"),
    ({}, "bad_request"),
    ({"game": 5}, "bad_request"),
    ({"game": "chess", "unknown": 1}, "bad_request"),
    ({"game": "chess", "side": "white"}, "bad_request"),
    ({"game": "chess", "clock": {"base_ms": -1}}, "bad_request"),
    ({"game": "chess", "clock": {"base_ms": "60000"}}, "bad_request"),
    ({"game": "chess", "clock": {"base_ms": 1e400}}, "bad_request"),
    ({"game": "chess", "start": {"kind": "file", "text": "/etc/passwd"}}, "bad_request"),
    ({"game": "chess", "start": {"kind": "position"}}, "bad_request"),
    ({"game": "chess", "start": {"kind": "position", "text": "x" * 2_000}}, "bad_request"),
    ({"game": "chess", "start": {"kind": "chess960", "number": 960}}, "bad_request"),
    ({"game": "chess", "start": {"kind": "position", "text": SCRIPT}}, "illegal_position"),
    ({"game": "chess", "start": {"kind": "position", "text": "8/8/8/8/8/8/8/8 w - - 0 1"}}, "illegal_position"),
    ({"game": "chess", "start": {"kind": "position", "text": "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"}}, "illegal_position"),
    ({"game": "chess", "start": {"kind": "pgn", "text": "1. e4 e5 2. Qxe8"}}, "illegal_pgn"),
    ({"game": "chess", "start": {"kind": "pgn", "text": SCRIPT}}, "illegal_pgn"),
    ({"game": "chess", "start": {"kind": "pgn", "text": ""}}, "illegal_pgn"),
    ({"game": "chess", "start": {"kind": "pgn", "text": "Nf3 Nf6 Ng1 Ng8 " * 1_000}}, "illegal_pgn"),
    ({"game": "hexapawn", "start": {"kind": "pgn", "text": "1. e4"}}, "does_not_fit"),
    ({"game": "hexapawn", "start": {"kind": "chess960"}}, "does_not_fit"),
    ({"game": "ches"}, "unknown_name"),
    ({"game": "os:system"}, "unknown_name"),
    ({"game": "hexapawn-99x99"}, "does_not_fit"),
    ({"game": "tictactoe-4x4"}, "does_not_fit"),
    ({"game": "chess", "opponent": "stockfish; rm -rf /"}, "unknown_name"),
    ({"game": "hexapawn", "opponent": "classic"}, "does_not_fit"),
    ({"game": "chess", "opponent": "solver"}, "does_not_fit"),
    ({"game": "chess", "opponent": "person", "strength": {"level": 1}}, "does_not_fit"),
    ({"game": "chess", "strength": {"elo": 100}}, "does_not_fit"),
    ({"game": "chess", "strength": {"elo": 1200, "full": True}}, "does_not_fit"),
    ({"game": "chess", "strength": {"settings": {"threads": 500}}}, "does_not_fit"),
    ({"game": "chess", "strength": {"settings": {"hash": 1_000_000}}}, "does_not_fit"),
    ({"game": "chess", "opponent": "nnue", "strength": {"settings": {"net": "/etc/passwd"}}}, "does_not_fit"),
    ({"game": "chess", "opponent": "uct", "strength": {"level": 0}}, "does_not_fit"),
    ({"game": "chess", "opponent": "uct", "strength": {"elo": 1200}}, "does_not_fit"),
    ({"game": "chess", "opponent": "uct", "strength": {"settings": {"iterations": "many"}}}, "does_not_fit"),
]


@pytest.mark.parametrize(("body", "code"), BAD_GAMES, ids=[str(body)[:60] for body, _ in BAD_GAMES])
def test_a_game_that_cannot_be_is_refused_with_a_reason(shared_server: Server, body: object, code: str) -> None:
    answer = httpx.post(f"{shared_server.url}/api/games", content=json.dumps(body), headers=JSON)
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    assert error["code"] == code
    assert error["message"]
    assert len(error["message"]) < 1_000


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b'{"game": "chess"', b"[" * 100_000, b'{"game": "\\ud800"}', b"9" * 10_000, b"NaN"],
    ids=range(8),
)
def test_bodies_that_are_no_json_are_refused(shared_server: Server, body: bytes) -> None:
    for address in ("/api/games", "/api/positions"):
        answer = httpx.post(f"{shared_server.url}{address}", content=body, headers=JSON)
        assert answer.status_code in (400, 422), answer.text
        assert answer.json()["error"]["message"]


SETTINGS: list[object] = [
    {"__proto__": 1},
    {"Theme": "dark"},
    {"a" * 41: 1},
    {"theme": "x" * 1_001},
    {"theme": ["dark"]},
    {"theme": {"a": 1}},
    {"name": "a\nb"},
    {"name": "x" * 81},
    {"name": 5},
    {f"s{number}": 1 for number in range(101)},
    {"volume": float("nan")},
    {"volume": float("inf")},
    {"volume": 10**30},
    ["theme"],
]


@pytest.mark.parametrize("body", SETTINGS, ids=[str(body)[:40] for body in SETTINGS])
def test_settings_that_are_none_are_refused(shared_server: Server, body: object) -> None:
    answer = httpx.put(f"{shared_server.url}/api/settings", content=json.dumps(body), headers=JSON)
    assert answer.status_code == 422, answer.text


def test_a_body_that_is_too_large_is_refused(shared_server: Server) -> None:
    pgn = "{" + "x" * 2_000_000 + "}"
    body = {"game": "chess", "start": {"kind": "pgn", "text": pgn}}
    answer = httpx.post(f"{shared_server.url}/api/games", json=body)
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"


def test_a_body_that_says_it_is_small_is_not_believed(shared_server: Server) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'{"game": "'
        for _ in range(40):
            yield b"x" * 50_000

    answer = httpx.post(f"{shared_server.url}/api/games", content=chunks(), headers=JSON)
    assert answer.status_code == 413


BAD_MESSAGES: list[tuple[str | bytes, str]] = [
    ("", "bad_message"),
    ("{", "bad_message"),
    ("[]", "bad_message"),
    ("null", "bad_message"),
    (b"\x00\x01", "bad_message"),
    ('{"type": "fly"}', "bad_message"),
    ('{"type": "move"}', "bad_message"),
    ('{"type": "move", "revision": "1", "move": "e4"}', "bad_message"),
    ('{"type": "move", "revision": 1, "move": 5}', "bad_message"),
    ('{"type": "move", "revision": 1, "move": ""}', "bad_message"),
    ('{"type": "move", "revision": 1, "move": "e4", "extra": 1}', "bad_message"),
    ('{"type": "move", "revision": 999, "move": "e4"}', "stale_position"),
    ('{"type": "move", "revision": -1, "move": "e4"}', "stale_position"),
    ('{"type": "move", "revision": 1, "move": "e5"}', "illegal_move"),
    ('{"type": "move", "revision": 1, "move": "<b>e4</b>"}', "illegal_move"),
    ('{"type": "move", "revision": 1, "move": "\\u0000"}', "illegal_move"),
    ('{"type": "move", "revision": 1, "move": "0000"}', "illegal_move"),
    ('{"type": "takeback", "revision": 1}', "nothing_to_take_back"),
    ('{"type": "hint", "revision": 7}', "stale_position"),
    ('{"type": "accept_draw"}', "not_possible"),
    ('{"type": "retry"}', "not_possible"),
    ('{"type": "evaluate", "on": "yes"}', "bad_message"),
]


@pytest.mark.parametrize(("text", "code"), BAD_MESSAGES, ids=[str(text)[:60] for text, _ in BAD_MESSAGES])
def test_messages_that_make_no_sense_are_answered(
    shared_server: Server, game_id: str, text: str | bytes, code: str
) -> None:
    with Tab(shared_server.url, game_id) as tab:
        tab.send_text(text)
        error = tab.wait("error")
        assert error["code"] == code
        assert error["message"]


def test_a_message_that_is_too_large_ends_the_conversation(shared_server: Server, game_id: str) -> None:
    with Tab(shared_server.url, game_id) as tab:
        tab.send_text(json.dumps({"type": "move", "revision": 1, "move": "e" * 40_000}))
        with pytest.raises(ConnectionClosed) as closed:
            tab.wait("error")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


def test_a_flood_of_messages_ends_the_conversation(shared_server: Server, game_id: str) -> None:
    def flood(tab: Tab) -> None:
        for _ in range(2_000):
            tab.send("flag")
        tab.wait("error")

    with Tab(shared_server.url, game_id) as tab, pytest.raises(ConnectionClosed) as closed:
        flood(tab)
    assert closed.value.rcvd is None or closed.value.rcvd.code == 4429


def test_a_socket_for_no_game_is_closed(shared_server: Server) -> None:
    for name in ("aaaaaaaaaaaa", "x", "%00"):
        with pytest.raises(ConnectionClosed) as closed:
            Tab(shared_server.url, name)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404


def test_html_in_a_pgn_stays_text(shared_server: Server) -> None:
    tags = (
        'Event "<script>alert(1)</script>"',
        'White "<img src=x onerror=alert(1)>"',
        'Black "\\"><svg onload=alert(1)>"',
    )
    pgn = "".join(f"[{tag}]\n" for tag in tags) + "\n1. e4 {<b>} e5 *"
    view = new_game(shared_server.url, opponent="person", start={"kind": "pgn", "text": pgn})
    assert view["tags"]["White"] == "<img src=x onerror=alert(1)>"
    assert view["players"][0]["name"] == "<img src=x onerror=alert(1)>"
    answer = httpx.get(f"{shared_server.url}/api/games/{view['id']}")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    written = httpx.get(f"{shared_server.url}/api/games/{view['id']}/pgn")
    assert written.headers["content-type"].startswith("application/x-chess-pgn")
    assert written.headers["content-disposition"].startswith("attachment")
    assert '[Black "\\"><svg onload=alert(1)>"]' in written.text
    httpx.delete(f"{shared_server.url}/api/games/{view['id']}")


def test_every_answer_says_what_browsers_must_not_do(shared_server: Server) -> None:
    for path in ("/", "/api/about", "/nothing", "/api/games/none"):
        headers = httpx.get(f"{shared_server.url}{path}").headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe-inline" not in policy
        assert "unsafe-eval" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers
        assert ("no-store" in headers.get("cache-control", "")) == path.startswith("/api/")


def test_too_many_requests_are_slowed_down(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        codes: list[int] = []
        with httpx.Client(base_url=server.url) as client:
            codes = [client.get("/api/chess960/1").status_code for _ in range(600)]
            assert codes[:100] == [200] * 100
            assert 429 in codes
            assert client.get("/api/chess960/1").headers.get("retry-after", "1") == "1"
    finally:
        server.kill()


def test_half_a_request_does_not_keep_others_waiting(shared_server: Server) -> None:
    def hold(connection: socket.socket) -> None:
        connection.sendall(f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{shared_server.port}\r\n".encode())

    held = [socket.create_connection(("127.0.0.1", shared_server.port)) for _ in range(50)]
    threads = [threading.Thread(target=hold, args=(connection,)) for connection in held]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    try:
        # Sooner than half a request is given up, which takes ten.
        assert httpx.get(f"{shared_server.url}/api/about", timeout=8).status_code == 200
    finally:
        for connection in held:
            connection.close()


def names(error: dict[str, Any]) -> str:
    return str(error["error"]["message"])


def test_the_message_names_what_is_wrong(shared_server: Server) -> None:
    answer = httpx.post(f"{shared_server.url}/api/games", json={"game": "ches"})
    assert "did you mean 'chess'" in names(answer.json())
    answer = httpx.post(f"{shared_server.url}/api/games", json={"game": "chess", "clock": {"base_ms": -1}})
    assert "clock.base_ms" in names(answer.json())
