"""Leela's networks as ONNX models: the numbers of plain numpy for every architecture, and lc0's own for real files."""

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

from philidor.encodings.encoding import expand
from philidor.encodings.leela import LeelaInput
from philidor.encodings.native import NativeLeelaEncoding
from philidor.nets.leela.convert import to_onnx
from philidor.nets.leela.files import format_of, load_leela
from philidor.nets.leela.messages import PolicyKind, ValueKind, WeightCode
from tests.encodings.positions import random_positions
from tests.nets.lc0 import LC0_NETS, SHARED, assert_agrees_with_lc0, needs_lc0_outputs
from tests.nets.leela_arithmetic import Arithmetic
from tests.nets.leela_nets import attention_net, residual_net

NETS = {
    "se, convolution, wdl": residual_net(),
    "classical, dense, tanh": residual_net(
        policy=PolicyKind.CLASSICAL, value=ValueKind.CLASSICAL, squeeze=False, moves_left=False
    ),
    "mish": residual_net(mish=True, seed=2),
    "batch norm not folded": residual_net(folded=False, seed=3),
    "32-bit weights": residual_net(code=WeightCode.FLOAT32, seed=4),
    "16-bit float weights": residual_net(code=WeightCode.FLOAT16, seed=5),
    "attention policy on a tower": residual_net(policy=PolicyKind.ATTENTION, seed=6),
    "attention body": attention_net(),
    "attention body without smolgen": attention_net(smolgen=False, seed=7),
    "attention body on a tower": attention_net(blocks=2, seed=8),
    "attention body, many heads": attention_net(dense=True, seed=9),
    "attention body with policy encoders": attention_net(policy_encoders=2, seed=10),
    "attention body, many heads with policy encoders": attention_net(dense=True, policy_encoders=1, seed=11),
}


def run(model: bytes, planes: Any) -> dict[str, Any]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, {"planes": planes}), strict=True))


def some_planes(input_format: LeelaInput = LeelaInput.CLASSICAL) -> Any:
    encoding = NativeLeelaEncoding(input_format)
    return expand(encoding.encode(list(random_positions("tricky", 1, games=1, plies=6))), encoding.shape)


@pytest.mark.parametrize("name", NETS)
def test_the_model_computes_what_the_description_says(name: str) -> None:
    net, planes = NETS[name], some_planes()
    found = run(to_onnx(net), planes)
    policy, value, moves_left = Arithmetic(net).run(planes)
    np.testing.assert_allclose(found["policy"], policy, atol=2e-5)
    assert np.ptp(policy) > 0.1
    np.testing.assert_allclose(found["wdl" if "wdl" in found else "value"], value, atol=5e-6)
    if "moves_left" in found:
        np.testing.assert_allclose(found["moves_left"], moves_left, atol=1e-5)
        assert moves_left.max() > 0


def test_the_heads_of_a_network_can_be_chosen() -> None:
    net, planes = attention_net(dense=True), some_planes()
    found = run(to_onnx(net, policy="soft", value="q"), planes)
    policy, value, _ = Arithmetic(net, "soft", "q").run(planes)
    np.testing.assert_allclose(found["policy"], policy, atol=2e-5)
    np.testing.assert_allclose(found["wdl"], value, atol=5e-6)
    assert np.abs(found["wdl"] - run(to_onnx(net), planes)["wdl"]).max() > 1e-3


def test_the_model_is_valid_onnx() -> None:
    onnx = pytest.importorskip("onnx")
    for net in NETS.values():
        onnx.checker.check_model(onnx.load_from_string(to_onnx(net)), full_check=True)


# --- Against lc0 -------------------------------------------------------------------------------------------------


@needs_lc0_outputs
@pytest.mark.shared
@pytest.mark.parametrize("name", LC0_NETS)
def test_agreement_with_lc0(name: str) -> None:
    net = load_leela(SHARED / f"nets/{name}.pb.gz")
    input_format = format_of(net).input
    model, shape = to_onnx(net), NativeLeelaEncoding(input_format).shape
    assert_agrees_with_lc0(name, input_format, lambda batch: run(model, expand(batch, shape)))


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="PHILIDOR_SHARED names no folder")
def test_every_real_file_is_read_and_written_the_same(tmp_path: Path) -> None:
    from philidor.nets.leela.files import save_leela

    paths = sorted((SHARED / "nets").glob("*.pb.gz"))
    assert paths
    for path in paths:
        net = load_leela(path)
        save_leela(net, tmp_path / "again.pb.gz")
        assert load_leela(tmp_path / "again.pb.gz") == net
        found = run(to_onnx(net), some_planes(format_of(net).input))
        policy, value, _ = Arithmetic(net).run(some_planes(format_of(net).input))
        np.testing.assert_allclose(found["policy"], policy, atol=1e-4)
        np.testing.assert_allclose(found["wdl" if "wdl" in found else "value"], value, atol=1e-5)
