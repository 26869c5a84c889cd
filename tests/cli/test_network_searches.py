"""Networks on the command line play their own game, whichever it is, and refuse any other by name."""

import json
from pathlib import Path

import pytest

from philidor.cli import main
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from philidor.games import load_game
from philidor.nets.network_files import save_stored
from philidor.search.puct import PuctConfig, puct
from tests.nets.stored_nets import LAST_STONE, own_net


@pytest.fixture
def noughts(tmp_path: Path) -> Path:
    save_stored(tmp_path / "noughts.safetensors", own_net("tictactoe"))
    return tmp_path / "noughts.safetensors"


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 2
    return capsys.readouterr().err.strip()


@pytest.mark.parametrize("algorithm", ["puct", "gumbel"])
def test_a_network_guides_the_search_of_its_game(
    capsys: pytest.CaptureFixture[str], noughts: Path, algorithm: str
) -> None:
    plain = ["search", "-a", algorithm, "--net", str(noughts), "--game", "tictactoe", "--moves", "b2", "--json"]
    assert main([*plain, "--simulations", "24"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["algorithm"], found["nodes"]) == (algorithm, 24)
    assert sum(move.get("visits", 0) for move in found["moves"]) == 23
    if algorithm == "puct":
        net = load_net(noughts)
        assert isinstance(net, NetEvaluator)
        state = load_game("tictactoe").state().play("b2")
        result = puct(state, PuctConfig(simulations=24), evaluator=net)
        assert [move["visits"] for move in found["moves"]] == [move.visits for move in result.analysis.moves]
    assert main([*plain, "--simulations", "500", "--nodes", "3"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"] <= 4  # the root itself is judged before any limit counts


def test_a_network_of_ones_own_game_guides_its_search(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    save_stored(tmp_path / "stone.safetensors", own_net(LAST_STONE))
    arguments = ["search", "-a", "puct", "--net", str(tmp_path / "stone.safetensors"), "--game", LAST_STONE]
    assert main([*arguments, "--simulations", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["best"] in ("1", "2", "3")


def test_a_search_says_what_it_asks(capsys: pytest.CaptureFixture[str], noughts: Path) -> None:
    other = "the network 'noughts.safetensors' plays tictactoe, not chess; --game tictactoe does"
    assert refusal(capsys, "search", "-a", "gumbel", "--net", str(noughts)).endswith(other)
    assert "gumbel is guided by a network: --net FILE" in refusal(capsys, "search", "-a", "gumbel")
    assert "minimax asks no network" in refusal(capsys, "search", "-a", "minimax", "--net", str(noughts))
    assert "puct keeps no trace" in refusal(capsys, "search", "-a", "puct", "--net", str(noughts), "--tree", "2")


def test_networks_meet_in_their_own_game(capsys: pytest.CaptureFixture[str], noughts: Path) -> None:
    stones = noughts.parent / "stone.safetensors"
    save_stored(stones, own_net(LAST_STONE))
    engines = ["--engine", f"net net={stones} simulations=2", "--engine", "random", "--concurrency", "1"]
    out = str(noughts.parent / "run")
    assert main(["match", "--game", LAST_STONE, *engines, "--games", "2", "--json", "--out", out]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
    engines[1] = f"net net={noughts} simulations=2"
    other = "the network 'noughts.safetensors' plays tictactoe, not hexapawn; --game tictactoe does"
    assert other in refusal(capsys, "match", "--game", "hexapawn", *engines, "--games", "2")
