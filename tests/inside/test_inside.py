"""What is shown of evaluations, networks and searches is what they computed."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import philidor
from philidor.core.errors import ConfigError
from philidor.evaluators.handcrafted import explain
from philidor.evaluators.heuristic import HeuristicEvaluator
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.inside import (
    activations,
    filters,
    input_planes,
    layer_count,
    piece_values,
    search_growth,
    term_values,
)
from philidor.inside.layers import convolved, forward, tower_of_net
from philidor.nets.heads import finished
from philidor.nets.leela.files import save_leela
from philidor.nets.shipped import DEFAULT_NET
from philidor.nets.tower import PlainTower, PointsHead, Tower
from philidor.search.puct import PuctConfig
from philidor.search.trees.native import PuctSearch
from tests.nets.leela_nets import residual_net

ITALIAN = Position("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5")
GO = load_game("go-9x9").state()
POSITIONS = [
    Position(),
    ITALIAN,
    Position("8/5k2/3p4/p7/P1P5/8/4K1R1/8 w - - 3 40"),
    Position("8/8/8/4k3/8/8/3QK3/8 w - - 0 1"),
]


@pytest.fixture
def net(tmp_path: Path) -> Path:
    path = tmp_path / "small.pb.gz"
    save_leela(residual_net(), path)
    return path


def read(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


# --- Evaluations ------------------------------------------------------------------------------------------------


def test_a_piece_is_worth_what_the_verdict_loses_without_it() -> None:
    found = piece_values(ITALIAN)
    evaluator: Any = philidor.load_net(DEFAULT_NET)
    without = Position(ITALIAN.fen().replace("2NP1N2", "3P1N2"))
    whole = -evaluator.centipawns(ITALIAN)  # Black is to move
    assert found.score_cp == whole
    assert found.values["c3"] == whole + evaluator.centipawns(without)
    assert set(found.values) == {
        f"{'abcdefgh'[square % 8]}{square // 8 + 1}"
        for square in range(64)
        if (ITALIAN.piece_at(square) or "k") not in "kK"
    }
    assert json.loads(json.dumps(found.to_dict()))["values"]["d1"] > 300
    assert f"{found.values['d1'] / 100:.1f}" in found.svg()


def test_only_nnue_networks_are_asked_without_pieces() -> None:
    with pytest.raises(ConfigError, match="'giraffe' is no NNUE network"):
        piece_values(Position(), "giraffe")


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.fen())
def test_terms_add_up_to_the_verdict(position: Position) -> None:
    found = term_values(position)
    assert found.score_cp == explain(position).white_score
    assert sum(term.total for term in found.terms) == pytest.approx(found.score_cp, abs=2)
    read(found.svg())
    assert json.loads(json.dumps(found.to_dict()))["fen"] == position.fen()


def test_the_figure_shows_what_makes_a_difference() -> None:
    queen_up = term_values(Position("4k3/8/8/8/8/8/8/3QK3 w - - 0 1"))
    assert queen_up.terms[0].name == "Material"
    assert queen_up.terms[0].white > queen_up.terms[0].black
    assert "Material" in queen_up.svg()
    assert "Material" not in term_values(Position()).svg()


# --- Searches ---------------------------------------------------------------------------------------------------


def test_the_tree_that_is_shown_is_the_tree_that_the_search_built(net: Path) -> None:
    evaluator: Any = philidor.load_net(net)
    found = search_growth(ITALIAN, net, 60, at=[1, 10, 60])
    assert [step.nodes for step in found.steps] == [1, 10, 60]
    tree = PuctSearch(ITALIAN, PuctConfig())
    tree.run(evaluator, 60)
    assert found.steps[-1].moves == tree.result().analysis.moves
    assert [sum(row["N"] for row in found.table(step)) for step in range(3)] == [0, 9, 59]
    best = found.table()[0]
    after = evaluator.evaluate([ITALIAN.play(best["move"])])[0]
    assert best["V"] == pytest.approx(-after.value, abs=1e-5)
    priors = evaluator.evaluate([ITALIAN])[0]
    assert best["P"] == pytest.approx(
        dict(zip(map(ITALIAN.san, priors.moves), priors.priors, strict=True))[best["move"]]
    )


def test_growth_has_a_table_and_a_figure(net: Path) -> None:
    found = search_growth(ITALIAN, net, 40)
    assert len(found.steps) == 20
    read(found.svg())
    assert "<th>P</th>" in found._repr_html_()
    assert len(json.loads(json.dumps(found.to_dict()))["steps"]) == 20


def test_any_game_and_evaluator_will_do() -> None:
    found = search_growth(load_game("tictactoe").state(), HeuristicEvaluator(lambda _: 0), 30)
    assert sum(row["N"] for row in found.table()) == 29


def test_growth_refuses_what_cannot_be(net: Path) -> None:
    with pytest.raises(ConfigError, match="moments are from 1 to 10 simulations"):
        search_growth(ITALIAN, net, 10, at=[11])
    with pytest.raises(ConfigError, match="has no policy"):
        search_growth(ITALIAN, "philidor-4", 10)


# --- Layers -----------------------------------------------------------------------------------------------------


def test_input_planes_are_what_the_encoding_says(net: Path) -> None:
    planes = input_planes(ITALIAN, net).numbers
    evaluator: Any = philidor.load_net(net)
    assert planes.shape == (evaluator.encoding.shape.planes, 8, 8)
    # Black sees the board from its side: its pawns are the first plane, on its second rank.
    assert planes[0].sum() == 8
    assert planes[0][1].tolist() == [1, 1, 1, 1, 0, 1, 1, 1]
    assert planes[0][3].tolist() == [0, 0, 0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize("name", ["small", "human-1"])
def test_activations_lead_to_the_network_s_own_answer(name: str, net: Path) -> None:
    file = net if name == "small" else Path(name)
    tower, evaluator = tower_of_net(file), philidor.load_net(file)
    assert isinstance(tower, Tower)
    assert hasattr(evaluator, "outputs")
    last = activations(ITALIAN, file, -1).numbers
    head = "wdl" if "wdl" in tower.heads else next(each for each in tower.heads if each != "policy")
    first, *rest = tower.heads[head].layers
    flow: Any = convolved(last, first).reshape(-1)
    for layer in rest:
        flow = layer.weights @ (
            np.maximum(flow, 0) if tower.activation == "relu" else flow * np.tanh(np.logaddexp(0, flow))
        )
        flow = flow + layer.biases
    own = evaluator.outputs([ITALIAN])[head][0]
    assert finished({head: flow[None].astype(np.float32)})[head][0] == pytest.approx(own, abs=1e-4)


def test_the_plain_convolutions_of_alphago_lead_to_its_policy() -> None:
    name = "alphago-9x9-policy"
    state, tower, evaluator = GO.play("e5").play("g3"), tower_of_net(name), philidor.load_net(name)
    assert isinstance(tower, PlainTower)
    assert hasattr(evaluator, "outputs")
    assert layer_count(name) == len(tower.layers)
    last, head = activations(state, name, -1), tower.heads["policy"]
    assert isinstance(head, PointsHead)
    points = convolved(last.numbers, head.layer).reshape(-1) + head.biases.reshape(-1)
    assert points == pytest.approx(evaluator.outputs([state])["policy"][0][: len(points)], abs=1e-4)
    assert last.title == f"After convolution {len(tower.layers)} of {len(tower.layers)} of {name}"
    assert filters(name, 3).numbers.shape == (48, 5, 5)
    assert np.array_equal(filters(name, 3, layer=2).numbers, tower.layers[2].weights[3])


def test_layers_are_counted_from_the_first_convolution(net: Path) -> None:
    tower = tower_of_net(net)
    planes = input_planes(ITALIAN, net).numbers
    assert np.array_equal(activations(ITALIAN, net, 0).numbers, forward(tower, planes, 0))
    with pytest.raises(ConfigError, match="the layers are 0 to"):
        activations(ITALIAN, net, 99)
    read(activations(ITALIAN, net, 1).svg())
    read(input_planes(ITALIAN, net).svg(places=(0, 1)))


@pytest.mark.parametrize("name", ["giraffe", "philidor-4"])
def test_a_network_without_planes_is_named(name: str) -> None:
    with pytest.raises(ConfigError, match=f"'{name}' "):
        activations(Position(), name, 0)
