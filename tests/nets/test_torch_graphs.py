"""ONNX graphs in torch: the answers of ONNX Runtime, for every kind of network."""

from pathlib import Path

import numpy as np
import pytest

from philidor.core.errors import NetError
from philidor.encodings.native import NativeLeelaEncoding
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from philidor.evaluators.onnx import OnnxBackend
from philidor.nets.leela.convert import to_onnx
from philidor.nets.leela.files import save_leela
from philidor.nets.leela.messages import Net, PolicyKind, ValueKind
from philidor.nets.onnx.graph import BATCH, Graph
from tests.encodings.positions import standard_positions
from tests.nets.leela_nets import attention_net, residual_net

torch = pytest.importorskip("torch")

from philidor.evaluators.torch import TorchBackend  # noqa: E402
from philidor.nets.torch.graphs import GraphModel  # noqa: E402

torch.set_num_threads(1)

NETS = {
    "residual": residual_net(mish=True),
    "flat policy": residual_net(policy=PolicyKind.CLASSICAL, value=ValueKind.CLASSICAL, squeeze=False),
    "attention policy": residual_net(policy=PolicyKind.ATTENTION),
    "attention": attention_net(policy_encoders=1),
    "attention on a tower": attention_net(blocks=1, smolgen=False),
    "attention with dense embedding": attention_net(dense=True),
}


@pytest.mark.parametrize("net", NETS.values(), ids=NETS)
def test_torch_computes_what_the_graph_says(net: Net) -> None:
    encoding = NativeLeelaEncoding()
    batch = encoding.encode(standard_positions(seed=3, games=1)[:6])
    model = to_onnx(net)
    wanted = OnnxBackend(model, encoding.shape).run(batch)
    found = TorchBackend(GraphModel(model, encoding.shape), "cpu").run(batch)
    assert set(found) == set(wanted)
    for name, values in wanted.items():
        np.testing.assert_allclose(found[name], values, atol=2e-5, err_msg=name)


def test_files_of_any_kind_are_played_by_torch(tmp_path: Path) -> None:
    save_leela(attention_net(), tmp_path / "net.pb.gz")
    (tmp_path / "net.onnx").write_bytes(to_onnx(attention_net()))
    positions = standard_positions(seed=5, games=1)[:3]
    wanted = load_net(tmp_path / "net.pb.gz").evaluate(positions)
    for name in ("net.pb.gz", "net.onnx"):
        net = load_net(tmp_path / name, backend="torch")
        assert isinstance(net, NetEvaluator)
        assert isinstance(net.backend, TorchBackend)
        for found, same in zip(net.evaluate(positions), wanted, strict=True):
            np.testing.assert_allclose(found.priors, same.priors, atol=1e-5)


def small_graph(operation: str, **attributes: object) -> bytes:
    graph = Graph("test")
    planes = graph.input("planes", [BATCH, 112, 8, 8])
    graph.output(graph.add(operation, planes, **attributes), "policy", [BATCH, 112, 8, 8])
    return graph.model({})


def test_what_torch_is_not_told_is_named() -> None:
    shape = NativeLeelaEncoding().shape
    with pytest.raises(NetError, match="Cos"):
        GraphModel(small_graph("Cos"), shape)
    with pytest.raises(NetError, match="Softmax with settings not known here: depth"):
        GraphModel(small_graph("Softmax", axis=1, depth=2), shape)
    with pytest.raises(NetError, match="no policy of 1858 moves"):
        GraphModel(small_graph("Relu"), shape)
    with pytest.raises(NetError, match="cannot be computed"):
        GraphModel(small_graph("Transpose", perm=[0, 1, 2]), shape)
    with pytest.raises(NetError, match="no graph"):
        GraphModel(b"", shape)
    with pytest.raises(NetError):
        GraphModel(to_onnx(residual_net())[:-50], shape)
