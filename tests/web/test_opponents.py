"""Networks and programs as opponents: found at the start, chosen by name, and gone without harm."""

from __future__ import annotations

import os
import queue
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from philidor.core.errors import ConfigError
from philidor.frontends.web import programs
from philidor.frontends.web.networks import network_opponents
from philidor.frontends.web.programs import parse_program, program_opponents
from philidor.frontends.web.roster import Roster
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.nets.leela.files import save_leela
from philidor.nets.network_files import save_stored
from tests.nets.leela_nets import residual_net
from tests.nets.onnx_nets import tictactoe_net
from tests.nets.stored_nets import LAST_STONE, own_net
from tests.players.test_running import Pipe
from tests.players.test_running import uci as shell_uci
from tests.web.conftest import Server
from tests.web.tab import Tab, new_game

FAKE = Path(__file__).parents[1] / "arena" / "fake_engine.py"


def fake(mode: str) -> str:
    return f"{mode}={sys.executable} {FAKE} {mode}"


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nets")
    save_leela(residual_net(), folder / "small.pb.gz")
    save_leela(residual_net(), folder / "<b>odd name.pb.gz")
    (folder / "noughts.onnx").write_bytes(tictactoe_net())
    save_stored(folder / "ours.safetensors", own_net("chess"))
    save_stored(folder / "pawns.safetensors", own_net("hexapawn-4x4"))
    save_stored(folder / "code.safetensors", own_net(LAST_STONE))
    (folder / "broken.pb.gz").write_bytes(b"\x1f\x8bnothing")
    (folder / "notes.txt").write_text("no network")
    (folder / "folder.onnx").mkdir()
    return folder


@pytest.fixture(scope="module")
def host(nets: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    engines = [word for mode in ("plays", "crashes", "cheats", "hangs") for word in ("--engine", fake(mode))]
    limited = ["--engine", f"Quick={sys.executable} {FAKE} plays nodes=7 option.Hash=2"]
    server = Server(tmp_path_factory.mktemp("server"), "--nets", str(nets), *engines, *limited)
    server.start()
    wait_for_programs(server)
    yield server
    server.kill()


def about(server: Server) -> dict[str, Any]:
    view: dict[str, Any] = httpx.get(f"{server.url}/api/about").json()
    return view


def wait_for_programs(server: Server) -> dict[str, dict[str, Any]]:
    """Waits until all programs have said who they are; returns what is known of them."""
    while any(each["status"] == "asking" for each in about(server)["opponents"]):
        time.sleep(0.05)
    return {each["title"]: each for each in about(server)["opponents"] if each["name"].startswith("engine:")}


def test_networks_are_listed_under_safe_names(host: Server, nets: Path) -> None:
    found = {each["name"]: each for each in about(host)["opponents"] if each["name"].startswith("net:")}
    own = {"net:small", "net:b-odd-name", "net:noughts", "net:ours", "net:pawns"}
    assert set(found) == {"net:games-1", "net:self-taught-1", "net:go-9x9-zero-1", *own}
    assert "from nothing but its rules" in found["net:self-taught-1"]["description"]
    assert found["net:self-taught-1"]["games"] == ["chess"]
    assert found["net:small"]["title"] == "Network small"
    assert found["net:small"]["games"] == ["chess"]
    assert found["net:noughts"]["games"] == ["tictactoe"]
    assert found["net:ours"]["games"] == ["chess"]
    assert found["net:pawns"]["games"] == ["hexapawn-4x4"]
    assert found["net:small"]["strength"]["levels"][0] == "By instinct (no search)"
    offered = {rules["name"]: rules["opponents"] for rules in about(host)["games"]}
    assert "net:small" in offered["chess"]
    assert "net:small" not in offered["tictactoe"]
    assert "net:noughts" in offered["tictactoe"]
    assert str(nets) not in httpx.get(f"{host.url}/api/about").text
    assert "broken.pb.gz" in host.log.read_text()
    assert "code.safetensors' is for a game that is not offered" in host.log.read_text()


def test_checkpoints_are_called_by_their_run(tmp_path: Path) -> None:
    folder = tmp_path / "hexapawn-zero" / "checkpoints"
    folder.mkdir(parents=True)
    for name in ("network.safetensors", "network-0014.safetensors", "best.safetensors"):
        save_stored(folder / name, own_net("hexapawn-4x4"))
    titles = [opponent.view.title for opponent in network_opponents([folder], print)]
    assert titles == ["Network best", "Network hexapawn-zero-0014", "Network hexapawn-zero"]


@pytest.mark.parametrize(
    ("game", "name", "strength", "shown"),
    [
        ("chess", "net:small", None, "Network small, by instinct (no search)"),
        ("chess", "net:small", {"level": 2}, "Network small, at a glance (10 simulations)"),
        ("chess", "net:small", {"settings": {"simulations": 3}}, "Network small, simulations 3"),
        ("tictactoe", "net:noughts", {"level": 2}, "Network noughts, at a glance (10 simulations)"),
        ("chess", "net:ours", {"level": 2}, "Network ours, at a glance (10 simulations)"),
        ("chess", "engine:plays", {"level": 1}, "plays, quick thinker (0.1 s a move)"),
        ("chess", "engine:Quick", None, "Quick"),
    ],
)
def test_they_play_like_any_other(
    host: Server, game: str, name: str, strength: dict[str, Any] | None, shown: str
) -> None:
    with Tab(host.url, new_game(host.url, game, opponent=name, strength=strength)["id"]) as tab:
        assert tab.game["players"][1]["name"] == shown
        tab.move_and_wait(tab.game["legal"][0]["text"])
        tab.move_and_wait(tab.game["legal"][0]["text"])
        assert len(tab.game["moves"]) == 4
        assert tab.game["moves"][-1]["thought"]["nodes"] > 0
    [listed] = [each for each in httpx.get(f"{host.url}/api/games").json()["games"] if each["id"] == tab.id]
    assert listed["names"][1] == shown


def test_a_network_obeys_the_clock(host: Server) -> None:
    wish: dict[str, Any] = {"opponent": "net:small", "strength": {"settings": {"simulations": 1_000_000}}}
    with Tab(host.url, new_game(host.url, clock={"base_ms": 6_000}, **wish)["id"]) as tab:
        tab.move_and_wait("e4")
        assert tab.game["clock"]["remaining_ms"][1] > 3_000


def test_no_search_opens_differently_and_goes_on_alike(host: Server) -> None:
    answers = set()
    for _ in range(12):
        with Tab(host.url, new_game(host.url, opponent="net:small")["id"]) as tab:
            tab.move_and_wait("e4")
            answers.add(tab.game["moves"][1]["text"])
    assert len(answers) > 1


def test_a_program_plays_chess960_only_if_it_can(host: Server) -> None:
    wish = {"game": "chess", "opponent": "engine:plays", "start": {"kind": "chess960", "number": 1}}
    answer = httpx.post(f"{host.url}/api/games", json=wish)
    assert answer.status_code == 422
    assert answer.json()["error"] == {"code": "does_not_fit", "message": "plays does not play Chess960"}


@pytest.mark.parametrize(("mode", "message"), [("crashes", "exit code 3"), ("cheats", "e1e8")])
def test_a_program_that_fails_leaves_the_game_as_it_was(host: Server, mode: str, message: str) -> None:
    with Tab(host.url, new_game(host.url, opponent=f"engine:{mode}", side="second")["id"]) as tab:
        while tab.game["status"] != "your_turn":
            tab.receive()
        tab.move_and_wait("a6")
        tab.move("b6")
        assert message in tab.wait("error")["message"]
        tab.wait("game", status="engine_turn")
        assert len(tab.game["moves"]) == 4
        tab.send("retry")
        assert message in tab.wait("error")["message"]


def running(server: Server, mode: str) -> int:
    """Counts the programs that a server has started, by Linux's /proc."""
    children = [file.read_text() for file in Path(f"/proc/{server.pid}/task").glob("*/children")]
    commands = [Path(f"/proc/{child}/cmdline") for child in " ".join(children).split()]
    return sum(command.exists() and mode in command.read_text().split("\0") for command in commands)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in Linux's /proc")
@pytest.mark.parametrize("mode", ["plays", "hangs"])
def test_a_program_ends_with_the_last_tab_of_its_game(host: Server, mode: str) -> None:
    with Tab(host.url, new_game(host.url, opponent=f"engine:{mode}", side="second")["id"]) as tab:
        while tab.game["status"] != "your_turn":
            tab.receive()
        tab.move_and_wait("a6")
        tab.move("b6")
        assert running(host, mode) >= 1
    deadline = time.monotonic() + 15
    while running(host, mode) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert running(host, mode) == 0


@pytest.mark.skipif(os.name != "posix", reason="the program of this test is a shell script")
@pytest.mark.slow
def test_nothing_of_a_program_outlives_the_server(tmp_path: Path) -> None:
    held = Pipe(tmp_path / "pipe")
    # Deaf while it thinks, so that it hears neither "quit" nor the end of its input.
    script = tmp_path / "deaf.sh"
    script.write_text(f"#!/bin/sh\n{shell_uci('sleep 1000', held.begin)[-1]}\n")
    script.chmod(0o700)
    server = Server(tmp_path, "--engine", f"Deaf={script}")
    server.start()
    try:
        with Tab(server.url, new_game(server.url, opponent="engine:Deaf", side="second")["id"]):
            while not held.is_held(0.01):
                time.sleep(0.01)
            server.end(signal.SIGTERM)
        assert not held.is_held(10)
    finally:
        server.kill()
        os.close(held.file)


def test_a_game_waits_for_an_opponent_who_is_not_here(nets: Path, tmp_path: Path) -> None:
    server = Server(tmp_path, "--nets", str(nets), "--engine", fake("plays"))
    server.start()
    try:
        ids = {name: new_game(server.url, opponent=name)["id"] for name in ("net:small", "engine:plays")}
        server.arguments = ()
        server.restart()
        for name, advice in (("net:small", "--nets"), ("engine:plays", "--engine")):
            with Tab(server.url, ids[name]) as tab:
                assert tab.game["players"][1]["name"] == name.partition(":")[2]
                tab.move("e4")
                assert advice in tab.wait("error")["message"]
            answer = httpx.post(f"{server.url}/api/games", json={"game": "chess", "opponent": name})
            assert answer.json()["error"]["code"] == "unknown_name"
        listed = httpx.get(f"{server.url}/api/games").json()["games"]
        assert {each["names"][1] for each in listed} == {"small", "plays"}
        server.arguments = ("--nets", str(nets))
        server.restart()
        with Tab(server.url, ids["net:small"]) as tab:
            while tab.game["status"] != "your_turn":
                tab.receive()
            assert len(tab.game["moves"]) == 2
    finally:
        server.kill()


def test_the_users_own_folder_of_networks_is_always_looked_at(tmp_path: Path) -> None:
    server = Server(tmp_path)
    (server.data / "nets").mkdir(parents=True)
    save_leela(residual_net(), server.data / "nets" / "mine.pb.gz")
    server.start()
    try:
        assert "net:mine" in {each["name"] for each in about(server)["opponents"]}
    finally:
        server.kill()


HOSTILE = [
    "net:../../etc/passwd",
    "net:/etc/passwd",
    "net:small.pb.gz",
    "net:small\u0000",
    "net:",
    "net:broken",
    "net:SMALL",
    "engine:stockfish",
    "engine:plays; rm -rf /",
    "engine:plays\n",
    "net",
    "galaxy",
    "program",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_that_were_not_listed_lead_nowhere(host: Server, name: str) -> None:
    answer = httpx.post(f"{host.url}/api/games", json={"game": "chess", "opponent": name})
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"] == "unknown_name"


@pytest.mark.parametrize(
    ("game", "name", "message"),
    [
        ("chess", "net:pawns", "Network pawns does not play Chess (chess)"),
        ("tictactoe", "net:small", "Network small does not play Tic-tac-toe (tictactoe)"),
        ("hexapawn-3x3", "net:pawns", "Network pawns does not play Hexapawn (hexapawn-3x3)"),
    ],
)
def test_a_network_of_another_game_is_refused_by_name(host: Server, game: str, name: str, message: str) -> None:
    answer = httpx.post(f"{host.url}/api/games", json={"game": game, "opponent": name})
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"] == {"code": "does_not_fit", "message": message}


@pytest.mark.parametrize(
    ("opponent", "settings"),
    [
        ("net:small", {"net": "/etc/passwd"}),
        ("net:small", {"simulations": 0}),
        ("net:small", {"memory_mb": 1_000_000}),
        ("net:small", {"threads": 500}),
        ("engine:plays", {"command": "sh"}),
        ("engine:plays", {"options": "x"}),
        ("engine:plays", {"movetime": 1.0}),
    ],
)
def test_what_is_the_servers_business_cannot_be_set(host: Server, opponent: str, settings: dict[str, Any]) -> None:
    wish = {"game": "chess", "opponent": opponent, "strength": {"settings": settings}}
    answer = httpx.post(f"{host.url}/api/games", json=wish)
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"] == "does_not_fit"


def test_a_network_that_vanishes_is_told_without_its_folder(nets: Path, tmp_path: Path) -> None:
    folder = tmp_path / "secret"
    folder.mkdir()
    save_leela(residual_net(), folder / "gone.pb.gz")
    server = Server(tmp_path, "--nets", str(folder))
    server.start()
    try:
        (folder / "gone.pb.gz").unlink()
        with Tab(server.url, new_game(server.url, opponent="net:gone")["id"]) as tab:
            tab.move("e4")
            message = tab.wait("error")["message"]
            assert "gone.pb.gz" in message
            assert "secret" not in message
    finally:
        server.kill()


# --- At the start -------------------------------------------------------------------------------------------------


def test_a_file_may_not_name_a_game_that_is_code(tmp_path: Path) -> None:
    (tmp_path / "evil.onnx").write_bytes(tictactoe_net(game="evil.py:Game"))
    complaints: list[str] = []
    assert network_opponents([tmp_path], complaints.append) == []
    assert "a game that is not offered" in complaints[0]


def test_equal_names_are_told_apart(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        save_leela(residual_net(), tmp_path / folder / "small.pb.gz")
    found = network_opponents([tmp_path / "one", tmp_path / "two"], pytest.fail)
    assert [each.name for each in found] == ["net:small", "net:small-2"]


def test_the_network_that_ships_is_an_opponent_of_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("philidor.nets.shipped._FOLDERS", ())
    assert "net:games-1" not in Roster().fitting(load_game("chess"))
    save_leela(residual_net(), tmp_path / "games-1.pb.gz")
    monkeypatch.setattr("philidor.nets.shipped._FOLDERS", (tmp_path,))
    # The same file in a folder of the user's is the same opponent.
    roster = Roster(nets=[tmp_path])
    assert [name for name in roster.fitting(load_game("chess")) if name.startswith("net:")] == ["net:games-1"]
    assert "net:games-1" not in roster.fitting(load_game("tictactoe"))
    player = roster.find("net:games-1").make_player({"level": 1}, 1)
    Position().parse_uci(player.choose(Position()))


def test_the_network_from_zero_is_an_opponent_on_its_board() -> None:
    roster, name = Roster(), "net:go-9x9-zero-1"
    state = load_game("go-9x9").state()
    chosen = roster.find(name).make_player({"level": 2}, 1).choose(state)
    assert chosen in [state.move_text(move) for move in state.legal_moves()]
    assert name in roster.fitting(load_game("go-9x9"))
    assert name not in roster.fitting(load_game("go-13x13"))


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot look for networks"):
        network_opponents([tmp_path / "nothing"], pytest.fail)


@pytest.mark.parametrize(
    ("text", "name", "command"),
    [
        ("Fish=stockfish", "Fish", ("stockfish",)),
        ("Fish 16 = /opt/fish --uci", "Fish 16", ("/opt/fish", "--uci")),
        ("Fish=stockfish option.Hash=64 movetime=2", "Fish", ("stockfish",)),
        ("/opt/stockfish option.Hash=64", "stockfish", ("/opt/stockfish",)),
        ("stockfish name=Fish", "Fish", ("stockfish",)),
    ],
)
def test_programs_are_named_before_their_command(text: str, name: str, command: tuple[str, ...]) -> None:
    spec = parse_program(text)
    assert (spec.name, spec.command) == (name, command)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["Mine=classic"], "in the menu already"),
        (["Old=gnuchess proto=xboard"], "speak UCI"),
        (["Slow=stockfish tc=10+1"], "clocks are chosen"),
        (["a/b=stockfish"], "an engine's name"),
        (["Fish=no-such-program-anywhere"], "cannot start"),
        ([fake("plays"), fake("plays")], "two engines are called"),
    ],
)
def test_programs_that_cannot_be_are_refused(texts: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        program_opponents(texts, pytest.fail)


@pytest.mark.skipif(os.name != "posix", reason="the programs of this test are shell scripts")
def test_programs_that_are_of_no_use_are_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "_PATIENCE_S", 2.0)
    picky = tmp_path / "picky.sh"
    picky.write_text(f"#!/bin/sh\necho option name Hash type spin default 1 min 1 max 2\n{shell_uci()[-1]}\n")
    picky.chmod(0o700)
    complaints: queue.Queue[str] = queue.Queue()
    found = {
        each.title: each
        for each in program_opponents(
            ["Silent=sleep 1000", "Short=true", f"Picky={picky} option.Hush=1"], complaints.put
        )
    }
    assert found["Silent"].newest_view.status == "asking"
    heard = sorted(complaints.get(timeout=30) for _ in found)
    assert heard == [
        "Picky: Shell has no option 'Hush'; did you mean 'Hash'?",
        "Short: Short has ended (exit code 0)",
        "Silent: Silent does not answer",
    ]
    for text in heard:
        name, _, problem = text.partition(": ")
        view = found[name].newest_view
        assert (view.status, view.problem) == ("unavailable", problem)
        assert found[name].refuses(Position()) == f"{name} cannot play: {problem}"
