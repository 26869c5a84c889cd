"""Our networks in other formats, and without torch: the same answers everywhere."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from philidor.core.errors import ConfigError, NetError
from philidor.encodings.leela import LeelaInput
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from philidor.evaluators.onnx import OnnxBackend
from philidor.evaluators.tower import TowerBackend
from philidor.games import load_game
from philidor.nets.converting import export
from philidor.nets.exporting import to_onnx
from philidor.nets.leela.files import format_of, load_leela, parse_leela
from philidor.nets.leela.messages import PolicyKind, Structure, ValueKind, WeightCode
from philidor.nets.leela.own import from_leela, to_leela
from philidor.nets.leela.residual import is_residual, tower_of
from philidor.nets.loading import NetFormat, net_format
from philidor.nets.network_config import NetworkConfig, preset
from philidor.nets.network_files import load_stored, save_stored
from philidor.nets.network_weights import weight_shapes
from philidor.nets.protobuf import encode
from tests.nets.lc0 import LC0_NETS, SHARED, assert_agrees_with_lc0, needs_lc0_outputs
from tests.nets.leela_nets import attention_net, residual_net

torch = pytest.importorskip("torch")

from philidor.evaluators.torch import TorchBackend  # noqa: E402
from philidor.nets.torch.files import arrays_of, model_of, save_network, stored  # noqa: E402
from philidor.nets.torch.model import Model, build  # noqa: E402
from tests.nets.own_nets import shake, small_configs, states_of  # noqa: E402
from tests.nets.stored_nets import LAST_STONE  # noqa: E402

REAL_FILES = sorted((SHARED / "nets").glob("*.pb.gz"))
LEELA = preset("6x64-se", "chess", "leela-1-flat", blocks=2, filters=16, se_channels=6, value_planes=4, value_hidden=9)


def shaken(config: NetworkConfig) -> Model:
    return shake(build(config)).eval()


def evaluator(path: Path, **settings: Any) -> NetEvaluator:
    net = load_net(path, **settings)
    assert isinstance(net, NetEvaluator)
    return net


def assert_same_outputs(found: dict[str, Any], wanted: dict[str, Any], tolerance: float) -> None:
    assert set(found) == set(wanted)
    for name, values in wanted.items():
        np.testing.assert_allclose(found[name], values, atol=tolerance, rtol=tolerance, err_msg=name)


@given(config=small_configs())
@settings(max_examples=25, deadline=None)
def test_every_network_plays_without_torch_and_as_onnx(
    config: NetworkConfig, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("nets")
    model = shaken(config)
    save_network(folder / "net.safetensors", model)
    export(stored(model), folder / "net.onnx", load_game(config.game))
    assert net_format(folder / "net.onnx") is NetFormat.ONNX
    states = states_of(config, 5)
    wanted = TorchBackend(model, "cpu").run(config.load_encoding().encode(states))
    for name in ("net.safetensors", "net.onnx"):
        net = evaluator(folder / name, game=config.game)
        assert net.encoding.name == config.encoding
        # Winograd's convolutions round more often.
        tolerance = 2e-5 if isinstance(net.backend, TowerBackend) else 1e-5
        assert_same_outputs(net.outputs(states), wanted, tolerance)
    assert isinstance(evaluator(folder / "net.onnx", game=config.game).backend, OnnxBackend)


@given(config=small_configs())
@settings(max_examples=15, deadline=None)
def test_the_layout_of_files_is_that_of_the_modules(config: NetworkConfig) -> None:
    model = build(config)
    assert weight_shapes(config, model.shape) == {key: array.shape for key, array in arrays_of(model).items()}


def test_the_backend_of_a_network_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    save_network(path, shaken(LEELA))
    states = states_of(LEELA, 3)
    backends = {name: evaluator(path, backend=name) for name in ("auto", "compiled", "onnx", "torch")}
    kinds = [TowerBackend, TowerBackend, OnnxBackend, TorchBackend]
    assert [type(net.backend) for net in backends.values()] == kinds
    wanted = backends["onnx"].outputs(states)
    for net in backends.values():
        assert_same_outputs(net.outputs(states), wanted, 2e-5)
    save_network(path, build(preset("mlp", "tictactoe")))
    with pytest.raises(ConfigError, match="8x8"):
        load_net(path, backend="compiled")


@pytest.mark.parametrize("policy", ["convolution", "flat"])
@pytest.mark.parametrize("game", ["gomoku-8x8", "gomoku-9x9", "gomoku", "gomoku-19x19"])
def test_networks_have_boards_of_any_size(game: str, policy: str, tmp_path: Path) -> None:
    config = preset("2x32", game, blocks=1, filters=16, policy=policy)
    model = shaken(config)
    save_network(tmp_path / "net.safetensors", model)
    states = states_of(config, 4)
    wanted = TorchBackend(model, "cpu").run(config.load_encoding().encode(states))
    assert wanted["policy"].shape == (4, load_game(game).action_count)
    net = evaluator(tmp_path / "net.safetensors")
    assert_same_outputs(net.outputs(states), wanted, 2e-5)
    assert len(net.evaluate(states)[0].priors) == load_game(game).action_count
    # The compiled tower is laid out for 8x8; other boards are ONNX Runtime's.
    assert type(net.backend) is (TowerBackend if game == "gomoku-8x8" else OnnxBackend)
    if game != "gomoku-8x8":
        with pytest.raises(ConfigError, match="boards of 8x8; choose backend = 'onnx'"):
            load_net(tmp_path / "net.safetensors", backend="compiled")


def test_a_network_for_another_board_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    save_network(path, build(preset("2x32", "connect4")))
    assert load_net(path).evaluate(states_of(preset("2x32", "connect4"), 1))
    with pytest.raises(NetError, match=r"heads\.policy\.layers\.dense\.0\.weight should be 9 x 72 for its game"):
        load_net(path, game="tictactoe")


def test_a_users_own_game_has_a_network(tmp_path: Path) -> None:
    config = preset("mlp", LAST_STONE)
    assert config.encoding == "text"
    save_network(tmp_path / "net.safetensors", build(config))
    net = load_net(tmp_path / "net.safetensors", game=LAST_STONE)
    for state, found in zip(states_of(config, 4), net.evaluate(states_of(config, 4)), strict=True):
        assert list(found.moves) == list(state.legal_moves())


@needs_lc0_outputs
@pytest.mark.shared
@pytest.mark.parametrize("name", LC0_NETS)
def test_leelas_networks_in_torch_agree_with_lc0(name: str) -> None:
    net = load_leela(SHARED / f"nets/{name}.pb.gz")
    model = model_of(from_leela(net))
    assert_agrees_with_lc0(name, LeelaInput.CLASSICAL, TorchBackend(model, "cpu").run)


@pytest.mark.shared
@pytest.mark.skipif(not REAL_FILES, reason="PHILIDOR_SHARED has no networks")
@pytest.mark.parametrize("path", REAL_FILES, ids=lambda path: path.name)
def test_real_files_become_ours_and_go_back(path: Path) -> None:
    net = load_leela(path)
    if not is_residual(net):
        pytest.skip("an attention network")
    network = from_leela(net)
    batch = network.config.load_encoding().encode(states_of(network.config, 4))
    wanted = TowerBackend(tower_of(net)).run(batch)
    assert_same_outputs(TorchBackend(model_of(network), "cpu").run(batch), wanted, 5e-5)
    again = to_leela(network)
    assert format_of(again) == format_of(net)
    assert again.training_params is not None
    for name, values in TowerBackend(tower_of(again)).run(batch).items():
        # Packed into sixteen bits a second time, now with batch norm folded in.
        np.testing.assert_allclose(values, wanted[name], atol=2e-2, rtol=2e-2, err_msg=name)


def test_playing_does_not_import_torch(tmp_path: Path) -> None:
    save_network(tmp_path / "net.safetensors", build(preset("2x32", "tictactoe")))
    program = (
        "import sys; sys.modules['torch'] = sys.modules['safetensors'] = None\n"
        "import philidor\n"
        "state = philidor.load_game('tictactoe').state()\n"
        f"print(len(philidor.load_net({str(tmp_path / 'net.safetensors')!r}).evaluate([state])[0].policy))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert result.stdout.strip() == "9", result.stderr


@pytest.mark.parametrize("policy", [PolicyKind.CLASSICAL, PolicyKind.CONVOLUTION])
@pytest.mark.parametrize("value", [ValueKind.CLASSICAL, ValueKind.WDL])
@pytest.mark.parametrize("squeeze", [True, False])
def test_leelas_networks_become_ours(policy: PolicyKind, value: ValueKind, squeeze: bool, tmp_path: Path) -> None:
    net = residual_net(policy=policy, value=value, squeeze=squeeze, moves_left=squeeze, mish=squeeze, folded=False)
    save_stored(tmp_path / "net.safetensors", from_leela(net))
    assert load_stored(tmp_path / "net.safetensors").remarks == {"license": "made by a test", "step": "7"}
    config = load_stored(tmp_path / "net.safetensors").config
    batch = config.load_encoding().encode(states_of(config, 5))
    wanted = TowerBackend(tower_of(net)).run(batch)
    assert_same_outputs(evaluator(tmp_path / "net.safetensors").backend.run(batch), wanted, 2e-5)


def test_leelas_attention_does_not_become_ours() -> None:
    with pytest.raises(NetError, match="not made of convolutions alone"):
        from_leela(attention_net())


@pytest.mark.parametrize("encoding", ["leela-1-flat", "leela-4-planes"])
@pytest.mark.parametrize("changes", [{}, {"activation": "mish", "value": "tanh", "moves_left": False}])
def test_files_for_lc0_load_back_identically(encoding: str, changes: dict[str, Any], tmp_path: Path) -> None:
    fields = {"blocks": 2, "filters": 16, "se_channels": 6, "policy": "convolution", "moves_left": True, **changes}
    config = NetworkConfig(encoding=encoding, **fields)
    model = shaken(config)
    network = stored(model, {"step": "31", "license": "GPL-3.0"})
    export(network, tmp_path / "net.pb.gz")
    written = to_leela(network)
    read = load_leela(tmp_path / "net.pb.gz")
    assert read == written
    form = format_of(read)
    assert (form.structure, form.policy, int(form.input)) == (Structure.SE_WITH_HEADS, 2, int(encoding.split("-")[1]))
    assert form.has_moves_left == model.config.moves_left
    assert read.training_params is not None
    assert (read.training_params.training_steps, read.license) == (31, "GPL-3.0")
    # Sixteen bits for each number: the answers are near, and those of exact numbers are the same.
    batch = from_leela(read).config.load_encoding().encode(states_of(config, 5))
    own = TorchBackend(model, "cpu").run(model.config.load_encoding().encode(states_of(config, 5)))
    for code, tolerance in ((WeightCode.LINEAR16, 5e-3), (WeightCode.FLOAT32, 2e-5)):
        found = TowerBackend(tower_of(to_leela(network, code))).run(batch)
        assert set(found) == set(own)
        for name in set(found) - {"policy"}:
            np.testing.assert_allclose(found[name], own[name], atol=tolerance, rtol=tolerance)
        if encoding == "leela-1-flat":
            np.testing.assert_allclose(found["policy"], own["policy"], atol=tolerance)


def test_a_policy_of_planes_is_leelas_too() -> None:
    """The same planes under both numberings of moves give the same legal logits."""
    config = NetworkConfig(encoding="leela-1-planes", blocks=1, filters=16, se_channels=4, policy="convolution")
    model, states = shaken(config), states_of(config, 6)
    net = to_leela(stored(model), WeightCode.FLOAT32)
    flat = from_leela(net).config.load_encoding().encode(states)
    ours = TorchBackend(model, "cpu").judge(config.load_encoding().encode(states))
    theirs = TorchBackend(model_of(from_leela(net)), "cpu").judge(flat)
    np.testing.assert_allclose(theirs.legal_logits, ours.legal_logits, atol=2e-5)


def test_a_flat_policy_is_written_for_lc0() -> None:
    network = stored(shaken(NetworkConfig(encoding="leela-1-flat", blocks=1, filters=16, policy="flat")))
    net = parse_leela(encode(to_leela(network)))
    assert format_of(net).structure is Structure.CLASSICAL_WITH_HEADS
    assert format_of(net).policy is PolicyKind.CLASSICAL


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (preset("2x32", "chess"), "its own encodings"),
        (preset("mlp", "chess", "leela-1-flat"), "its own encodings"),
        (preset("2x32", "chess", "leela-1-planes", policy="flat"), "'leela-1-flat'"),
    ],
)
def test_what_lc0_could_not_play_is_refused(config: NetworkConfig, message: str) -> None:
    with pytest.raises(NetError, match=message):
        to_leela(stored(build(config)))


def test_the_onnx_checker_accepts_our_models() -> None:
    onnx = pytest.importorskip("onnx")
    for config in (LEELA, preset("2x32", "connect4"), preset("hexapawn", "hexapawn")):
        model = onnx.load_model_from_string(to_onnx(stored(build(config))))
        onnx.checker.check_model(model, full_check=True)
        assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"


def test_unknown_formats_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"philidor to \.onnx, \.pb, \.pb\.gz"):
        export(stored(build(preset("mlp", "tictactoe"))), tmp_path / "net.tflite")


@pytest.mark.parametrize("backend", ["compiled", "onnx", "torch"])
def test_a_negative_variance_is_refused_by_every_backend(backend: str, tmp_path: Path) -> None:
    network = stored(shaken(LEELA))
    key = "body.blocks.0.first.norm.running_var"
    network.arrays[key] = network.arrays[key].copy()
    network.arrays[key][3] = -1.0
    save_stored(tmp_path / "net.safetensors", network)
    with pytest.raises(
        NetError, match=r"net\.safetensors.*body\.blocks\.0\.first has weights that are not finite once"
    ):
        load_net(tmp_path / "net.safetensors", backend=backend)


@pytest.mark.parametrize("backend", ["compiled", "onnx", "torch"])
def test_a_network_that_overflows_is_refused_by_every_backend(backend: str, tmp_path: Path) -> None:
    network = stored(shaken(LEELA))
    for key in ("body.input.conv.weight", "body.blocks.0.first.conv.weight"):
        network.arrays[key] = network.arrays[key] * np.float32(1e30)
    save_stored(tmp_path / "net.safetensors", network)
    with pytest.raises(NetError, match="not finite"):
        load_net(tmp_path / "net.safetensors", backend=backend).evaluate(states_of(LEELA, 2))
