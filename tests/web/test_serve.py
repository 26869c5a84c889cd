"""Starting the server: ports, tokens, games of one's own, and what is missing."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from philidor.cli import main
from philidor.core.errors import ConfigError
from philidor.frontends.web import serve
from philidor.frontends.web.serve import PortTakenError, bind, is_loopback, loopback_hosts
from tests.web.conftest import Server
from tests.web.tab import Tab, new_game

EXAMPLE = Path(__file__).parents[2] / "examples" / "last_stone.py"


def test_a_port_that_was_asked_for_and_is_taken_is_an_error(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "philidor", "play", "--no-browser", "--port", str(port)]
        environment = Server(tmp_path).environment
        done = subprocess.run(
            [*command, "--data", str(tmp_path / "games")], capture_output=True, text=True, timeout=60, env=environment
        )
    assert done.returncode == 1
    assert f"port {port} is taken by another program; choose another with --port" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_wish_the_next_free_port_is_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(serve, "DEFAULT_PORT", port)
        with bind("127.0.0.1", None) as listener:
            found = listener.getsockname()[1]
            assert port < found < port + 20
        assert f"Port {port} is taken by another program; using {found}." in capsys.readouterr().out
        with pytest.raises(PortTakenError):
            bind("127.0.0.1", port)


def test_an_address_that_is_none_is_named() -> None:
    with pytest.raises(ConfigError, match=r"no address 'nowhere\.invalid'"):
        bind("nowhere.invalid", 0)


def test_only_this_machine_is_loopback() -> None:
    assert all(is_loopback(host) for host in ("127.0.0.1", "127.8.9.1", "::1", "localhost"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "192.168.1.5", "localhost.example", ""))
    assert "[::1]:80" in loopback_hosts("::1", 80)


def test_a_browser_is_opened_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    serve._show("http://a/", serve.ServeOptions())
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    serve._show("http://b/", serve.ServeOptions(opens_browser=False))
    serve._show("http://c/", serve.ServeOptions())
    assert opened == ["http://c/"]


@pytest.fixture
def give_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Starts a server that is expected not to begin; returns its exit code and what it says."""
    monkeypatch.setenv("PHILIDOR_PAGES", Server(tmp_path).environment["PHILIDOR_PAGES"])

    def run(*arguments: str) -> tuple[int, str]:
        code = main(["play", "--no-browser", *arguments])
        return code, capsys.readouterr().err

    return run


def test_missing_pages_are_told_in_a_line(
    give_up: Callable[..., tuple[int, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PHILIDOR_PAGES", str(tmp_path / "nothing"))
    code, told = give_up("--data", str(tmp_path / "games"))
    assert code == 1
    assert "make web" in told
    assert "--terminal" in told


def test_a_wheel_without_pages_tells_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "why.txt").write_text("Node.js is missing; on Debian: apt install nodejs npm\n", encoding="utf-8")
    monkeypatch.delenv("PHILIDOR_PAGES", raising=False)
    monkeypatch.setattr("philidor.frontends.web.pages.STATIC", tmp_path / "static")
    monkeypatch.setattr("philidor.frontends.web.pages._WHY_MISSING", tmp_path / "why.txt")
    assert main(["play", "--no-browser", "--data", str(tmp_path / "games")]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "when philidor was installed, Node.js is missing; on Debian: apt install nodejs npm; then 'pip" in told
    main(["doctor", "--json"])
    findings = {finding["name"]: finding for finding in json.loads(capsys.readouterr().out)}
    assert findings["pages"]["state"] == "absent"
    assert "apt install nodejs npm" in findings["pages"]["advice"]


def test_a_game_that_is_none_is_told_in_a_line(give_up: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    code, told = give_up("--game", "nothing.py:Game", "--data", str(tmp_path / "games"))
    assert code == 2
    assert "nothing.py" in told


def test_a_game_that_does_not_work_is_told_in_a_line(give_up: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "from philidor.games.tictactoe import TicTacToe\n"
        "class Broken(TicTacToe):\n"
        "    name = 'broken'\n"
        "    def state(self, text=None):\n"
        "        return None\n"
    )
    code, told = give_up("--game", f"{tmp_path / 'broken.py'}:Broken", "--data", str(tmp_path / "games"))
    assert code == 2
    assert "Broken' cannot be shown: AttributeError" in told


def test_what_is_chosen_in_the_browser_is_not_taken_here(give_up: Callable[..., tuple[int, str]]) -> None:
    code, told = give_up("--opponent", "uct")
    assert code == 2
    assert "--opponent would be ignored: it is chosen in the browser" in told


@pytest.fixture
def stones(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, "--game", f"{EXAMPLE}:LastStone")
    server.start()
    yield server
    server.kill()


def test_a_game_of_ones_own_is_offered_first_and_played(stones: Server) -> None:
    about = httpx.get(f"{stones.url}/api/about").json()
    name = about["first_game"]
    assert name == f"{EXAMPLE}:LastStone"
    rules = next(rules for rules in about["games"] if rules["name"] == name)
    assert rules["title"] == "Last Stone"
    assert rules["board"] == {"kind": "text"}
    assert "o" * 21 in rules["start"]["drawing"]
    with Tab(stones.url, new_game(stones.url, name, opponent="minimax")["id"]) as tab:
        assert [(move["text"], move["to"]) for move in tab.game["legal"]] == [("1", None), ("2", None), ("3", None)]
        while tab.game["status"] != "over":
            tab.move_and_wait("1")
        game_id = tab.game["id"]
    # Without --game the rules are not there: the game is kept and waits for them.
    stones.arguments = ()
    stones.restart()
    answer = httpx.get(f"{stones.url}/api/games/{game_id}")
    assert answer.status_code == 409
    assert "LastStone" in answer.json()["error"]["message"]
    listed = httpx.get(f"{stones.url}/api/games").json()
    assert listed["total"] == len(listed["games"]) == 1
    [line] = listed["games"]
    assert (line["id"], line["title"], line["can_open"]) == (game_id, "Last Stone", False)
    assert line["board"] == {"kind": "text"}
    assert line["result"] is not None
    assert httpx.delete(f"{stones.url}/api/games/{game_id}").status_code == 204


def test_a_game_with_a_board_gets_squares(tmp_path: Path) -> None:
    (tmp_path / "domino.py").write_text(
        "from philidor.core.descriptor import Descriptor, GridDrawing, Piece\n"
        "from philidor.games.tictactoe import TicTacToe\n"
        "class Noughts(TicTacToe):\n"
        "    name = 'noughts'\n"
        "    descriptor = Descriptor(\n"
        "        name='noughts', title='Noughts', sides=('Crosses', 'Noughts'), rules='Three in a row win.',\n"
        "        drawing=GridDrawing(pieces={'X': Piece('cross', 0), 'O': Piece('nought', 1)}, style='points'))\n"
    )
    server = Server(tmp_path, "--game", f"{tmp_path / 'domino.py'}:Noughts")
    server.start()
    try:
        view = new_game(server.url, f"{tmp_path / 'domino.py'}:Noughts", opponent="random")
        assert view["board"]["style"] == "points"
        assert (view["sides"], view["board"]["art"]) == (["Crosses", "Noughts"], "letters")
        [listed] = [rules for rules in httpx.get(f"{server.url}/api/about").json()["games"] if ":" in rules["name"]]
        assert (listed["title"], listed["rules"]) == ("Noughts", "Three in a row win.")
        assert view["board"]["pieces"] == {
            "X": {"side": 0, "name": "cross"},
            "O": {"side": 1, "name": "nought"},
        }
        assert [move["to"] for move in view["legal"]][:3] == ["a1", "b1", "c1"]
    finally:
        server.kill()


# --- Others than this machine -------------------------------------------------------------------------------------


def test_who_comes_from_elsewhere_needs_the_token(open_server: tuple[Server, str]) -> None:
    server, token = open_server
    for path in ("/", "/api/about", "/api/games", "/?token=wrong", "/?token=", f"/?token={token}x"):
        answer = httpx.get(f"{server.url}{path}")
        assert answer.status_code == 401, path
        assert token not in answer.text
    game = {"game": "chess"}
    assert httpx.post(f"{server.url}/api/games", json=game).status_code == 401
    with httpx.Client(base_url=server.url) as visitor:
        first = visitor.get("/games", params={"token": token, "query": "a b"})
        assert first.status_code == 303
        assert first.headers["location"] == "/games?query=a+b"
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert visitor.get("/").status_code == 200
        game_id = visitor.post("/api/games", json=game).json()["id"]
        foreign = visitor.post("/api/games", json=game, headers={"origin": "http://evil.example"})
        assert foreign.status_code == 403
    with pytest.raises(InvalidStatus) as refused:
        Tab(server.url, game_id)
    assert refused.value.response.status_code == 401
    with Tab(server.url, game_id, additional_headers={"Cookie": f"philidor_token_{server.port}={token}"}) as tab:
        assert tab.game["id"] == game_id


def test_the_first_visit_cannot_be_sent_to_another_site(open_server: tuple[Server, str]) -> None:
    server, token = open_server
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as raw:
        request = (
            f"GET //evil.example/?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n"
        )
        raw.sendall(request.encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b"")).decode()
    location = re.search(r"location: (\S*)", answer)
    assert location is not None
    assert location[1] == "/evil.example/"
