"""AlphaGo's policy network: its weight count, its three ways to be computed, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from philidor.core.errors import ConfigError, NetError
from philidor.encodings.encoding import expand
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from philidor.games import load_game
from philidor.nets.network_config import NetworkConfig, preset
from philidor.nets.onnx.signature import POLICY, VALUE
from philidor.nets.torch.files import load_network, save_network
from philidor.nets.torch.model import build

TINY = NetworkConfig(
    game="go-5x5,ko=simple",
    encoding="alphago-48",
    body="plain",
    blocks=2,
    filters=8,
    policy="points",
    value="none",
)


def test_the_weights_of_the_paper_are_counted() -> None:
    # 25 * 48 * 192 + 11 * 9 * 192^2 + 192 weights, 12 * 192 biases of hidden layers, and a bias for each of 361 points.
    config = preset("alphago-192", game="go", encoding="alphago-48")
    assert build(config).parameter_count == 3_882_793
    # AlphaGo Zero's 19 blocks as the literature counts them, with the biases of 39 convolutions of 256 planes and of
    # both heads' that batch norm makes idle, and that ours leaves out.
    zero = preset("19x256", game="go", encoding="boards-8")
    assert build(zero).parameter_count == 22_837_864 - (39 * 256 + 2 + 1)


@pytest.mark.parametrize("backend", ["onnx", "torch"])
def test_a_policy_without_value_plays_and_expects_nothing(tmp_path: Path, backend: str) -> None:
    torch.manual_seed(2)
    model = build(TINY, seed=3)
    for tensor in model.heads[POLICY].parameters():
        torch.nn.init.normal_(tensor)
    path = tmp_path / "policy.safetensors"
    save_network(path, model)
    game = load_game("go-5x5,ko=simple")
    states = [game.state(), game.state().play("c3"), game.state().play("a1").play("pass")]
    net = load_net(path, backend=backend)
    assert isinstance(net, NetEvaluator)
    batch = net.encoding.encode(states)
    with torch.no_grad():
        expected = load_network(path).eval().predict(torch.from_numpy(expand(batch, net.encoding.shape)))
    outputs = net.outputs(states)
    np.testing.assert_allclose(outputs[POLICY], expected[POLICY].numpy(), atol=2e-5)
    assert not outputs[VALUE].any()
    assert outputs[POLICY].shape == (3, 26)
    assert not outputs[POLICY][:, 25].any()  # the pass
    for judged in net.evaluate(states):
        assert judged.value == 0
        assert judged.priors.sum() == pytest.approx(1, abs=1e-5)


def test_a_point_has_a_bias_of_its_own() -> None:
    model = build(TINY, seed=1)
    with torch.no_grad():
        next(each for each in model.heads[POLICY].parameters() if each.shape == (25,))[7] = 5.0
        found = model.predict(torch.zeros(1, 48, 5, 5))[POLICY][0]
    assert int(found.argmax()) == 7


def test_bodies_and_heads_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="body = 'plain'"):
        replace(TINY, body="residual")
    with pytest.raises(ConfigError, match="plain convolutions"):
        replace(TINY, policy="convolution")
    with pytest.raises(ConfigError, match="64 points and a pass"):
        build(NetworkConfig(body="plain", blocks=1, filters=4, policy="points"))
    path = tmp_path / "policy.safetensors"
    save_network(path, build(TINY))
    with pytest.raises(NetError, match="for its game"):
        load_net(path, game="go-7x7")
