"""Training runs on the server: curves, newest games, networks as opponents; whatever the files hold."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from philidor.core.runs import Run
from philidor.frontends.web.runs.curves import charts_of
from philidor.games import load_game
from philidor.nets.network_files import save_stored
from philidor.nets.shipped import find_net
from philidor.pipelines.nnue_rounds import RoundsConfig
from philidor.records import GameRecord, RecordWriter
from tests.nets.stored_nets import own_net
from tests.pipelines.tiny import tiny_recipe
from tests.web.conftest import Server
from tests.web.tab import Tab, new_game

GAMES = (["a1", "b1", "a2", "b2", "a3"], ["b2", "a1", "c1"])


def make_run(root: Path, name: str) -> Run:
    """A small run of tic-tac-toe with two networks and two games."""
    run = Run.create(name, tiny_recipe(generations=3), root)
    for generation in range(3):
        run.log({"event": "play", "generation": generation, "games": 6, "mean_plies": 7.0 + generation})
        losses = {"policy": 2.0 - generation, "loss": 3.0 - generation}
        run.log({"event": "train", "generation": generation + 1, "losses": losses})
        against = {"random": {"score": 0.5 + generation / 4, "wins": 50 + generation}}
        run.log({"event": "rating", "generation": generation + 1, "against": against})
    for generation in (1, 2):
        save_stored(run.checkpoints / f"network-{generation:04d}.safetensors", own_net("tictactoe"))
    game = load_game("tictactoe")
    with RecordWriter(run.shards / "0-2.rec", "tictactoe") as writer:
        for moves in GAMES:
            writer.add(GameRecord.from_moves(game, moves))
    run.release()
    return run


def make_rounds(root: Path) -> None:
    """Two rounds of NNUE networks with a game each."""
    run = Run.create("rounds", RoundsConfig(from_nothing=True), root)
    for number in range(2):
        run.log({"round": number, "stage": "games", "games": 50, "games_per_second": 9.0 + number})
        run.log({"round": number, "stage": "net", "net": "elsewhere/x.phnn", "held_out_loss": 0.2 - number / 10})
        games = run.path / f"games-{number}" / "shards"
        games.mkdir(parents=True)
        with RecordWriter(games / "000000.rec", "chess") as writer:
            writer.add(GameRecord.from_moves(load_game("chess"), ["e2e4", "e7e5"][: number + 1]))
        shutil.copy(find_net("philidor-3"), run.checkpoints / f"rounds-{number}.phnn")
    run.release()


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    make_run(folder / "runs", "first")
    bad = make_run(folder / "runs", "bad")
    bad.metrics_path.write_text('{"event": "train", "generation": "many", "losses": [1]}\n')
    (bad.shards / "9-9.rec").write_bytes(b"no games")
    (bad.checkpoints / "network-0003.safetensors").write_bytes(b"no network")
    make_rounds(folder / "runs")
    torn = make_run(folder / "runs", "torn")
    torn.metrics_path.write_text("[]\n")
    # What lies elsewhere is nobody's business.
    outside = make_run(folder / "outside", "secret")
    (folder / "runs" / "linked").symlink_to(outside.path)
    (folder / "runs" / "first" / "checkpoints" / "stolen.safetensors").symlink_to(
        outside.checkpoints / "network-0001.safetensors"
    )
    return folder / "runs"


@pytest.fixture(scope="module")
def host(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"), "--runs", str(root))
    server.start()
    yield server
    server.kill()


def get(server: Server, path: str, status: int = 200) -> Any:
    answer = httpx.get(f"{server.url}/api/runs{path}")
    assert answer.status_code == status, answer.text
    return answer.json()


def test_runs_are_listed_and_what_leads_out_of_the_folder_is_not(host: Server, root: Path) -> None:
    found = {run["name"]: run for run in get(host, "")["runs"]}
    assert set(found) == {"first", "bad", "torn", "rounds"}
    assert (found["first"]["state"], found["first"]["generation"], found["first"]["games"]) == ("done", 3, 18)
    assert found["first"]["loss"] == 1.0
    assert found["first"]["problem"] is None
    for name in ("bad", "torn"):
        assert (found[name]["state"], bool(found[name]["problem"])) == ("unreadable", True)
    assert str(root) not in json.dumps(found)
    assert get(host, "/linked", 404)["error"]["code"] == "not_found"
    for name in ("..", "%2e%2e", "..%2foutside%2fsecret", "first%2f..%2ffirst", "x" * 300):
        assert httpx.get(f"{host.url}/api/runs/{name}").status_code in (404, 422)


def test_a_run_has_curves_and_grows_while_one_looks(host: Server, root: Path) -> None:
    view = get(host, "/first")
    charts = {chart["title"]: chart for chart in view["charts"]}
    curves = {curve["name"]: curve for curve in charts["train, losses"]["curves"]}
    assert curves["policy"] == {"name": "policy", "x": [1.0, 2.0, 3.0], "y": [2.0, 1.0, 0.0]}
    assert charts["rating, against"]["curves"] == [{"name": "random", "x": [1.0, 2.0, 3.0], "y": [0.5, 0.75, 1.0]}]
    assert [checkpoint["name"] for checkpoint in view["checkpoints"]] == ["network-0002", "network-0001"]
    with (root / "first" / "metrics.jsonl").open("a") as file:
        file.write(json.dumps({"event": "train", "generation": 4, "losses": {"policy": 0.5}}) + "\n{")
    again = get(host, "/first")["charts"][0]["curves"]
    assert next(curve for curve in again if curve["name"] == "policy")["y"] == [2.0, 1.0, 0.0, 0.5]
    assert get(host, "/bad")["summary"]["problem"]


def test_the_newest_games_are_replayed(host: Server) -> None:
    found = get(host, "/first/games")
    assert found["game"] == "tictactoe"
    assert [[move["text"] for move in game["moves"]] for game in found["games"]] == [GAMES[1], GAMES[0]]
    assert found["games"][1]["result"]["text"] == "X wins: three in a row."
    assert len(get(host, "/first/games?count=1")["games"]) == 1
    refused = get(host, "/bad/games", 422)["error"]
    assert (refused["code"], "9-9.rec" in refused["message"]) == ("unreadable", True)


def test_a_network_of_a_run_is_played(host: Server) -> None:
    found = get(host, "/first/checkpoints/network-0002")
    assert (found["game"], found["opponent"]["title"]) == ("tictactoe", "Network first/network-0002")
    view = new_game(host.url, found["game"], opponent=found["opponent"]["name"], strength={"level": 2})
    with Tab(host.url, view["id"]) as tab:
        tab.move_and_wait("b2")
        assert len(tab.game["moves"]) == 2
    host.restart()
    assert httpx.get(f"{host.url}/api/games/{view['id']}").json()["players"][1]["name"].startswith("Network first")
    assert get(host, "/bad/checkpoints/network-0003", 422)["error"]["code"] == "does_not_fit"
    for name in ("stolen", "network-0009", "..%2f..%2foutside"):
        assert httpx.get(f"{host.url}/api/runs/first/checkpoints/{name}").status_code == 404
    answer = httpx.post(f"{host.url}/api/games", json={"game": "tictactoe", "opponent": "run:first/stolen"})
    assert answer.status_code == 404


def test_rounds_of_nnue_networks_are_watched_replayed_and_played(host: Server) -> None:
    view = get(host, "/rounds")
    charts = {chart["title"]: chart for chart in view["charts"]}
    assert charts["net, held out loss"]["x_label"] == "round"
    assert charts["net, held out loss"]["curves"][0]["x"] == [0.0, 1.0]
    assert "games, round" not in charts
    assert (view["summary"]["generation"], view["summary"]["games"], view["shards"]) == (0, 100, 2)
    assert [len(game["moves"]) for game in get(host, "/rounds/games")["games"]] == [2]
    found = get(host, "/rounds/checkpoints/rounds-1")
    assert (found["game"], found["opponent"]["title"]) == ("chess", "Network rounds/rounds-1")


def test_without_a_folder_there_is_nothing_to_see(shared_server: Server) -> None:
    assert get(shared_server, "") == {"is_given": False, "runs": []}
    assert "--runs" in get(shared_server, "/first", 404)["error"]["message"]
    answer = httpx.post(f"{shared_server.url}/api/games", json={"game": "tictactoe", "opponent": "run:first/x"})
    assert answer.json()["error"]["code"] == "unknown_name"


def test_numbers_are_found_wherever_they_are_and_long_curves_are_thinned() -> None:
    events: list[dict[str, Any]] = [
        {"event": "measure", "step": step, "held_out": {"phase": {"opening": {"top1": step}}}, "ok": step > 5}
        for step in range(1000)
    ]
    odd: list[Any] = [float("nan"), "x", None, [], 10**400, {"a": {}}]
    events += [{"event": "odd", "value": value} for value in odd]
    held_out, is_ok = charts_of(events)
    assert (held_out.title, held_out.x_label, held_out.curves[0].name) == (
        "measure, held out",
        "step",
        "phase opening top1",
    )
    assert (len(held_out.curves[0].x), held_out.curves[0].x[-1]) == (400, 999.0)
    assert is_ok.curves[0].y[0] == 0.0
