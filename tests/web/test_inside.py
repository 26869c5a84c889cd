"""The look inside over HTTP: what is asked for is answered by the library's own numbers, and nothing else gets in."""

from __future__ import annotations

import json
import os
from http.client import HTTPConnection
from typing import Any

import httpx
import pytest

import philidor
from philidor.games import load_game
from philidor.inside import (
    activations,
    alphabeta_tree,
    grow_tree,
    layer_count,
    neurons,
    piece_values,
    saliency,
    term_values,
)
from philidor.search.uct import UctConfig
from tests.web.conftest import Server

GO = "........./........./........./........./....X..../........./......O../........./......... X"
CORES = os.cpu_count() or 1
ITALIAN = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5"


@pytest.fixture
def ask(shared_server: Server) -> Any:
    def one(path: str, body: dict[str, Any] | None = None, code: int = 200, **query: Any) -> Any:
        url = f"{shared_server.url}/api/inside{path}"
        answer = httpx.get(url, params=query, timeout=60) if body is None else httpx.post(url, json=body, timeout=60)
        assert answer.status_code == code, answer.text
        return answer.json()

    return one


def test_a_tree_is_kept_and_sent_in_parts(ask: Any) -> None:
    made = ask("/trees", {"game": "tictactoe", "algorithm": "uct", "simulations": 300}, 201)
    assert (made["steps"], made["is_whole"], made["judge"]) == (300, True, "random playouts")
    tree = grow_tree(load_game("tictactoe").state(), None, 300, config=UctConfig())
    for step in (1, 57, 300):
        part = ask(f"/trees/{made['id']}", step=step, plies=2, most=40)
        own = tree.subtree(0, step, plies=2, most=40)
        assert [child["N"] for child in part["children"]] == [child["N"] for child in own["children"]]
        assert [row["Q"] for row in ask(f"/trees/{made['id']}/moves", step=step)["moves"]] == [
            row["Q"] for row in tree.moves(0, step)
        ]
        done, seen = tree.simulation(step), ask(f"/trees/{made['id']}/steps/{step}")
        assert (seen["path"], seen["value"]) == (done["path"], done["evaluation"]["value"])
        assert [row["W"] for row in seen["backup"]] == [row["W"] for row in done["backup"]]
        assert len(seen["words"]) == 4
    deep = ask(f"/trees/{made['id']}", node=1, plies=0)
    assert (deep["id"], deep["children"]) == (1, [])


def test_windows_are_sent_as_they_were(ask: Any) -> None:
    made = ask("/trees", {"game": "hexapawn", "algorithm": "alphabeta", "depth": 5}, 201)
    tree = alphabeta_tree(load_game("hexapawn").state(), depth=5)
    assert made["nodes"] == len(tree.nodes)
    part = ask(f"/trees/{made['id']}", plies=3, most=40)
    assert part == {**part, "size": len(tree.nodes), "below": 3}
    cut = next(number for number in range(len(tree.nodes)) if tree.nodes[number].is_cutoff)
    words = ask(f"/trees/{made['id']}/steps/{cut}")["words"]
    assert any("moves are skipped" in each for each in words)


def test_evaluations_and_networks_answer(ask: Any) -> None:
    position = philidor.chess.Position(ITALIAN)
    chess = {"text": ITALIAN}
    assert ask("/terms", chess)["score_cp"] == term_values(position).score_cp
    nnue = ask("/nnue", {**chess, "move": "O-O"})
    own = neurons(position, move="O-O")
    assert nnue["pieces"] == piece_values(position).values
    assert [view["neurons"] for view in nnue["views"]] == [list(view.neurons) for view in own.views]
    assert own.change is not None
    assert nnue["change"]["score_cp"] == own.change.score_cp
    seen = ask("/saliency", {**chess, "net": "human-1"})
    assert seen["squares"] == pytest.approx(saliency(position, "human-1").squares, abs=1e-6)
    names = [net["name"] for net in ask("")["nets"]]
    assert {"human-1", "games-1", "philidor-4", "alphago-9x9-policy"} <= set(names)
    assert not {"giraffe", "alphago-9x9-rollout"} & set(names)
    assert ask("/planes", {**chess, "net": "human-1", "what": "layer", "number": 2})["total"] == 128
    assert ask("/compare", {**chess, "net": "human-1", "other": "human-1"})["agreement"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/trees", {"algorithm": "puct"}, 422, "a network has to be named"),
        ("/trees", {"algorithm": "puct", "net": "/etc/passwd"}, 422, "no network '/etc/passwd'"),
        ("/trees", {"algorithm": "uct", "text": "nonsense"}, 422, "nonsense"),
        ("/trees", {"algorithm": "uct", "game": "os:path"}, 422, "no game 'os:path'"),
        ("/trees", {"algorithm": "alphabeta", "depth": 99}, 422, "depth"),
        ("/trees", {"algorithm": "uct", "text": "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"}, 422, "the game is over"),
        ("/nnue", {"game": "tictactoe"}, 422, "this view is for chess"),
        ("/nnue", {"net": "human-1"}, 422, "is no NNUE network"),
        ("/nnue", {"move": "Qh9"}, 422, "Qh9"),
        ("/saliency", {"net": "philidor-4"}, 422, "no convolutional network"),
        ("/planes", {"net": "human-1", "what": "layer", "number": 77}, 422, "the layers are 0 to 10"),
        ("/saliency", {"net": "human-1", "game": "go-9x9"}, 422, "human-1 plays chess, not go-9x9"),
        ("/saliency", {"net": "alphago-9x9-value", "game": "go-9x9"}, 422, "has no policy"),
    ],
)
def test_what_cannot_be_is_refused(ask: Any, path: str, body: dict[str, Any], status: int, words: str) -> None:
    assert words in ask(path, body, status)["error"]["message"]


def test_the_list_says_what_the_networks_are(ask: Any) -> None:
    nets = {net["name"]: net for net in ask("")["nets"]}
    for name in ("human-1", "alphago-9x9-policy", "alphago-9x9-value"):
        assert nets[name]["layers"] == layer_count(name), name
        assert nets[name]["filters"] == len(activations(load_game(nets[name]["game"]).state(), name, 0).numbers)
    assert not nets["alphago-9x9-policy"]["has_value"]
    assert [nets[f"alphago-9x9-{kind}"]["kind"] for kind in ("policy", "value")] == ["policy", "value"]
    asked = {"game": "go-9x9", "net": "alphago-9x9-value", "what": "layer", "number": 8}
    assert ask("/planes", asked)["title"] == "After convolution 9 of 9 of alphago-9x9-value.safetensors"
    # A policy network of Go sees the board of any Go on that board.
    found = ask("/saliency", {"game": "go-9x9", "net": "alphago-9x9-policy", "text": GO})
    assert found["probability"] > 0.05
    assert set(found["squares"]) == {"e5", "g3"}


def test_a_closed_page_ends_its_search(shared_server: Server) -> None:
    """Each of these takes ten seconds, and all together longer than anybody waits for the last one."""
    endless = {"game": "chess", "algorithm": "uct", "simulations": 20_000}
    quick = {"game": "tictactoe", "algorithm": "uct", "simulations": 5}
    path = "/api/inside/trees"
    pages = [HTTPConnection(shared_server.url.removeprefix("http://")) for _ in range(min(150, 3 * CORES))]
    for page in pages:
        page.request("POST", path, json.dumps(endless), {"Content-Type": "application/json"})
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{shared_server.url}{path}", json=quick, timeout=0.5)
    for page in pages:
        page.close()
    assert httpx.post(f"{shared_server.url}{path}", json=quick, timeout=25).status_code == 201
    assert "Traceback" not in shared_server.log.read_text(encoding="utf-8")


def test_a_tree_that_is_gone_is_named(ask: Any) -> None:
    assert "grow it again" in ask("/trees/nothing", None, 404)["error"]["message"]
    first = ask("/trees", {"game": "tictactoe", "algorithm": "uct", "simulations": 5}, 201)["id"]
    for _ in range(6):
        ask("/trees", {"game": "tictactoe", "algorithm": "uct", "simulations": 5}, 201)
    ask(f"/trees/{first}", None, 404)
