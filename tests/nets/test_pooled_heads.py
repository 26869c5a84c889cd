"""Networks with pooled heads: three ways to compute them, boards of all sizes, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from philidor.core.errors import ConfigError
from philidor.encodings.encoding import expand
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from philidor.games import load_game
from philidor.nets.network_config import NetworkConfig
from philidor.nets.onnx.signature import MOVES_LEFT, POLICY, WDL
from philidor.nets.torch.files import load_network, save_network
from philidor.nets.torch.model import Model, build

TINY = NetworkConfig(
    game="go-5x5",
    encoding="boards-8",
    blocks=1,
    filters=16,
    se_channels=4,
    heads="pooled",
    policy_planes=3,
    value_planes=4,
    value_hidden=5,
    moves_left=True,
)


def _opinionated() -> Model:
    torch.manual_seed(2)
    model = build(TINY, seed=3)
    for name, tensor in model.heads.named_parameters():
        if "norm" not in name:
            torch.nn.init.normal_(tensor)
    return model


@pytest.mark.parametrize("backend", ["onnx", "torch"])
@pytest.mark.parametrize("board", ["go-5x5", "go-9x9", "go-4x7"])
def test_one_file_answers_on_boards_of_all_sizes(tmp_path: Path, backend: str, board: str) -> None:
    path = tmp_path / "network.safetensors"
    save_network(path, _opinionated())
    net = load_net(path, game=board, backend=backend)
    assert isinstance(net, NetEvaluator)
    game = load_game(board)
    states = [game.state(), game.state().play("c3"), game.state().play("a1").play("pass")]
    planes = torch.from_numpy(expand(net.encoding.encode(states), net.encoding.shape))
    with torch.no_grad():
        expected = load_network(path, net.encoding.shape).eval().predict(planes)
    outputs = net.outputs(states)
    assert outputs[POLICY].shape == (3, game.action_count)
    for name in (POLICY, WDL, MOVES_LEFT):
        np.testing.assert_allclose(outputs[name], expected[name].numpy(), atol=5e-5)


def test_a_game_without_a_pass_has_points_alone(tmp_path: Path) -> None:
    model = build(replace(TINY, game="gomoku-6x5", encoding="boards-1"), seed=3)
    save_network(tmp_path / "network.safetensors", model)
    net = load_net(tmp_path / "network.safetensors", backend="onnx")
    assert isinstance(net, NetEvaluator)
    states = [load_game("gomoku-6x5").state().play("c3")]
    planes = torch.from_numpy(expand(net.encoding.encode(states), net.encoding.shape))
    with torch.no_grad():
        expected = model.eval().predict(planes)[POLICY]
    np.testing.assert_allclose(net.outputs(states)[POLICY], expected.numpy(), atol=5e-5)
    assert expected.shape == (1, 30)


def test_a_pass_is_learned_from_the_whole_board_and_points_turn_with_it() -> None:
    model = _opinionated().eval()
    planes = torch.rand(1, 17, 5, 5)
    with torch.no_grad():
        upright = model.predict(planes)[POLICY][0]
        moved = planes.clone()
        moved[0, :, 0, 0] += 3.0
        other = model.predict(moved)[POLICY][0]
    # The last logit sees a change anywhere.
    assert abs(float(upright[25] - other[25])) > 1e-3
    # Without the board's edges, a head of 1x1 convolutions and pools would turn with the board.
    head = model.heads[POLICY]
    flow = torch.rand(1, 16, 5, 5)
    with torch.no_grad():
        straight, turned = head(flow)[0], head(flow.transpose(2, 3))[0]
    np.testing.assert_allclose(turned[:25].reshape(5, 5), straight[:25].reshape(5, 5).T, atol=1e-5)
    np.testing.assert_allclose(turned[25], straight[25], atol=1e-5)


def test_games_and_bodies_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ConfigError, match="body = 'residual'"):
        replace(TINY, body="mlp")
    with pytest.raises(ConfigError, match="policy = 'flat'"):
        replace(TINY, policy="convolution")
    with pytest.raises(ConfigError, match="42 points and a pass, not 7 moves"):
        build(replace(TINY, game="connect4", encoding="boards-1"))
