"""A head is one declaration: every backend finishes it alike, and training weighs it as declared or as told."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from philidor.core.errors import ConfigError, UnknownNameError
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from philidor.nets.converting import export
from philidor.nets.heads import HEADS, Finish, HeadKind
from philidor.nets.network_config import NetworkConfig, preset
from philidor.nets.network_files import load_stored

torch = pytest.importorskip("torch")

from philidor.nets.torch.files import save_network, stored  # noqa: E402
from philidor.nets.torch.heads import PlanesLayers  # noqa: E402
from philidor.nets.torch.losses import losses, weighted_sum  # noqa: E402
from philidor.nets.torch.model import Model, build  # noqa: E402
from tests.nets.own_nets import planes_for, shake, states_of  # noqa: E402


@dataclass
class Settings:
    """A training that has an opinion on one head."""

    value_weight: float = 0.25


@pytest.mark.parametrize("finish", ["none", "softmax", "tanh", "relu"])
@pytest.mark.parametrize("body", ["residual", "mlp"])
def test_a_new_head_is_one_declaration(
    body: str, finish: Finish, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = HeadKind(
        part="mood",
        target="mood",
        loss="cross_entropy",
        finish=finish,
        weight=0.5,
        is_extra=True,
        sizes=lambda config, shape: (3, 7, 4),
    )
    monkeypatch.setitem(HEADS, "mood", kind)
    plain = preset("2x32" if body == "residual" else "mlp", "chess", "leela-1-flat")
    config = replace(plain, filters=16, more_heads=("mood",))
    model = shake(build(config)).eval()
    save_network(tmp_path / "net.safetensors", model)
    export(stored(model), tmp_path / "net.onnx")
    assert load_stored(tmp_path / "net.safetensors").config.more_heads == ("mood",)
    states = states_of(config, 4)
    wanted = _net(tmp_path / "net.safetensors", backend="torch").outputs(states)["mood"]
    raw = _raw(model, config, states)
    by_hand = {"none": raw, "softmax": _softmax(raw), "tanh": np.tanh(raw), "relu": np.maximum(raw, 0)}
    np.testing.assert_allclose(wanted, by_hand[finish], atol=1e-5)
    for path, backend in [("net.onnx", "auto"), ("net.safetensors", "onnx"), ("net.safetensors", "auto")]:
        np.testing.assert_allclose(_net(tmp_path / path, backend=backend).outputs(states)["mood"], wanted, atol=2e-5)
    # Without `more_heads` there is no such head, and without its target it is not trained.
    assert "mood" not in build(plain).predict(planes_for(model, 1))
    targets = {"policy": torch.ones(1, 1858) / 1858, "wdl": torch.ones(1, 3) / 3}
    with pytest.raises(ConfigError, match="the head 'mood' learns from 'mood'"):
        model.loss(model(planes_for(model, 1)), targets)
    with torch.no_grad():
        found = model.loss(model(planes_for(model, 1)), {**targets, "mood": torch.ones(1, 4) / 4})
    total = float(found["policy"]) + 0.25 * float(found["wdl"]) + 0.5 * float(found["mood"])
    assert float(weighted_sum(found, Settings())) == pytest.approx(total)


def test_heads_declare_their_weights_and_settings_replace_them() -> None:
    ones = {name: torch.ones(()) for name in ("policy", "wdl", "moves_left", "reply")}
    assert float(weighted_sum(ones, object())) == pytest.approx(1 + 1 + 0.1 + 0.15)
    assert float(weighted_sum(ones, Settings())) == pytest.approx(1 + 0.25 + 0.1 + 0.15)


def test_a_head_that_nobody_declared_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="'mood'"):
        NetworkConfig(more_heads=("mood",))
    with pytest.raises(UnknownNameError, match="'policy'"):
        NetworkConfig(more_heads=("policy",))


def test_only_the_policy_knows_which_moves_are_legal() -> None:
    logits = torch.zeros(1, 4)
    legal = torch.tensor([[True, True, False, False]])
    wanted = torch.tensor([[1.0, 0, 0, 0]])
    found = losses({"policy": logits, "reply": logits}, {"policy": wanted, "reply": wanted, "legal": legal})
    assert float(found["policy"]) == pytest.approx(np.log(2))
    assert float(found["reply"]) == pytest.approx(np.log(4))


def test_a_reply_in_planes_is_seen_from_the_other_side_of_the_board() -> None:
    model = build(preset("2x32", "chess", blocks=1, filters=8, reply=True), seed=1).eval()
    reply, policy = model.heads["reply"], model.heads["policy"]
    assert isinstance(reply.layers, PlanesLayers)
    policy.load_state_dict(reply.state_dict())
    flow = torch.randn(2, 8, 8, 8)
    torch.testing.assert_close(reply(flow), policy(flow.flip(2)))
    # Tic-tac-toe's squares are the same for both sides.
    same = build(preset("2x32", "tictactoe", filters=8, policy="convolution", reply=True), seed=1).eval()
    same.heads["policy"].load_state_dict(same.heads["reply"].state_dict())
    flow = torch.randn(2, 8, 3, 3)
    torch.testing.assert_close(same.heads["reply"](flow), same.heads["policy"](flow))


def _net(path: Path, **settings: str) -> NetEvaluator:
    net = load_net(path, **settings)
    assert isinstance(net, NetEvaluator)
    return net


def _raw(model: Model, config: NetworkConfig, states: list[object]) -> np.ndarray:
    from philidor.encodings.encoding import expand

    encoding = config.load_encoding()
    with torch.no_grad():
        found: np.ndarray = model(torch.from_numpy(expand(encoding.encode(states), encoding.shape)))["mood"].numpy()
    return found


def _softmax(raw: np.ndarray) -> np.ndarray:
    powers = np.exp(raw)
    found: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
    return found
