"""What is shown of a network is what it computed."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import philidor
from philidor.core.errors import ConfigError
from philidor.evaluators.heuristic import HeuristicEvaluator
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.inside import compare_networks, filters, layer_count, neurons, saliency
from philidor.inside.layers import tower_of_net
from philidor.nets.leela.files import save_leela
from philidor.nets.nnue.reference import KINDS, accumulator, active_features, propagate
from philidor.nets.shipped import DEFAULT_NET
from philidor.nets.tower import Tower
from tests.nets.leela_nets import residual_net

ITALIAN = Position("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5")


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "small.pb.gz"
    save_leela(residual_net(), path)
    return path


# --- NNUE -------------------------------------------------------------------------------------------------------


def test_the_neurons_lead_to_the_engine_s_own_verdict() -> None:
    found = neurons(ITALIAN)
    evaluator: Any = philidor.load_net(DEFAULT_NET)
    network = evaluator.network
    # Black is to move: its half comes first.
    inputs = np.array([*found.views[1].neurons, *found.views[0].neurons], dtype=np.int64)
    pieces = sum(len(ITALIAN.pieces(letter)) for letter in KINDS + KINDS.lower())
    stack = network.stacks[network.architecture.output_bucket(pieces)]
    assert propagate(network.architecture.activation, inputs, stack) == evaluator.raw(ITALIAN)
    assert found.score_cp == -evaluator.centipawns(ITALIAN)
    for view, is_black in zip(found.views, (False, True), strict=True):
        own = active_features(network.architecture, ITALIAN, is_black=is_black)
        assert [feature.index for feature in view.features] == own
        assert view.firing == sum(accumulator(network, ITALIAN, is_black=is_black) > 0)
    ElementTree.fromstring(found.svg())


def test_a_move_changes_the_features_of_its_pieces() -> None:
    change = neurons(ITALIAN, move="Nd4").change
    assert change is not None
    for side in (0, 1):
        king = ("e1", "e8")[side]
        assert change.off[side] == (f"king {king}, black knight c6",)
        assert change.on[side] == (f"king {king}, black knight d4",)
    evaluator: Any = philidor.load_net(DEFAULT_NET)
    assert change.score_cp == evaluator.centipawns(ITALIAN.play("Nd4"))  # White is to move after it
    before, after = neurons(ITALIAN).views, neurons(ITALIAN.play("Nd4")).views
    for side in (0, 1):
        different = sum(a != b for a, b in zip(before[side].neurons, after[side].neurons, strict=True))
        assert change.neurons[side] == different
    plain = json.loads(json.dumps(neurons(ITALIAN, move="Nd4").to_dict()))
    assert plain["change"]["move"] == "Nd4"


def test_only_nnue_networks_have_such_neurons() -> None:
    with pytest.raises(ConfigError, match="'human-1' is no NNUE network"):
        neurons(ITALIAN, "human-1")


# --- Convolutions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", [Position(), Position().play("e4"), ITALIAN], ids=["white", "black", "italian"])
def test_hiding_a_square_is_asking_without_its_piece(position: Position, net: Path) -> None:
    """Without history, a hidden square is a square without its piece: the network may be asked that way too."""
    found = saliency(position, net)
    evaluator: Any = philidor.load_net(net)
    whole = evaluator.evaluate([position])[0]
    assert found.probability == pytest.approx(max(whole.priors))
    assert found.value == pytest.approx(whole.value)
    batch = evaluator.encoding.encode([position])
    square = "d2" if position.piece_at(11) else "f3"
    place = ("abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)) ^ (56 if position.to_move == 1 else 0)
    batch.planes[0, :, 0] &= ~(np.uint64(1) << np.uint64(place))
    without = evaluator.evaluate_encoded([position], batch)[0]
    chosen = int(np.argmax(whole.priors))
    assert found.squares[square] == pytest.approx(whole.priors[chosen] - without.priors[chosen], abs=1e-6)
    assert len(found.squares) == 32


def test_another_move_and_another_game_can_be_asked_about(net: Path, tmp_path: Path) -> None:
    from tests.nets.onnx_nets import tictactoe_net

    found = saliency(ITALIAN, net, move="O-O")
    assert found.move == "O-O"
    ElementTree.fromstring(found.svg())
    assert set(json.loads(json.dumps(found.to_dict()))["squares"]) == set(found.squares)
    (tmp_path / "noughts.onnx").write_bytes(tictactoe_net())
    state = load_game("tictactoe").state("X../.O./...")
    assert set(saliency(state, tmp_path / "noughts.onnx").squares) == {"a3", "b2"}
    with pytest.raises(ConfigError, match="no board to hide squares of, or no move"):
        saliency(Position("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"), net)


def test_a_filter_is_the_network_s_own(net: Path) -> None:
    tower = tower_of_net(net)
    assert isinstance(tower, Tower)
    weights = tower.input.weights
    assert np.array_equal(filters(net, 2).numbers, weights[2])
    assert layer_count(net) == len(tower.blocks) + 1
    ElementTree.fromstring(filters(net, 0).svg())
    last = filters(net, 1, layer=-1)
    assert np.array_equal(last.numbers, tower.blocks[-1].first.weights[1])
    assert last.title == f"Filter 1 of block {len(tower.blocks)} of {len(tower.blocks)} of {net.name}"
    with pytest.raises(ConfigError, match="the layers are 0 to"):
        filters(net, 0, layer=99)
    with pytest.raises(ConfigError, match=f"the filters are 0 to {len(weights) - 1}, got 999"):
        filters(net, 999)


# --- Two networks -----------------------------------------------------------------------------------------------


def test_two_networks_are_compared_move_by_move(net: Path) -> None:
    uniform = HeuristicEvaluator(lambda _: 100)
    found = compare_networks(ITALIAN, net, uniform)
    evaluator: Any = philidor.load_net(net)
    own = evaluator.evaluate([ITALIAN])[0]
    count = len(ITALIAN.legal_moves())
    assert found.nets == ("small.pb.gz", "HeuristicEvaluator")
    assert {row.text: row.shares[0] for row in found.moves} == pytest.approx(dict(own.policy))
    assert all(row.shares[1] == pytest.approx(1 / count) for row in found.moves)
    assert found.values[0] == pytest.approx(own.value)
    assert found.values[1] < 0  # a pawn up for White is a pawn down for Black
    assert found.agreement == pytest.approx(sum(min(prior, 1 / count) for prior in own.priors))
    assert compare_networks(ITALIAN, net, net).agreement == pytest.approx(1)
    ElementTree.fromstring(found.svg())
    assert "<th>small.pb.gz</th>" in found._repr_html_()
    assert len(json.loads(json.dumps(found.to_dict()))["moves"]) == count
