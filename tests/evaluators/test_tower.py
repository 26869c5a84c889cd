"""The compiled tower: the numbers of plain numpy for every shape and every instruction set, and lc0's own."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from philidor.core.errors import ConfigError, NetError
from philidor.encodings.encoding import expand
from philidor.encodings.native import NativeLeelaEncoding
from philidor.evaluators.loading import load_net
from philidor.evaluators.native import tower_kernels
from philidor.evaluators.network import NetEvaluator
from philidor.evaluators.onnx import OnnxBackend
from philidor.evaluators.tower import TowerBackend
from philidor.games.chess import Position
from philidor.nets.leela.files import format_of, load_leela, save_leela
from philidor.nets.leela.messages import Net, PolicyKind, ValueKind
from philidor.nets.leela.residual import tower_of
from philidor.nets.tower import Layer
from tests.encodings.positions import random_positions
from tests.nets.lc0 import LC0_NETS, SHARED, assert_agrees_with_lc0, needs_lc0_outputs
from tests.nets.leela_arithmetic import Arithmetic
from tests.nets.leela_nets import attention_net, residual_net

CLASSICAL = residual_net(policy=PolicyKind.CLASSICAL, value=ValueKind.CLASSICAL, squeeze=False, moves_left=False)
NETS = {
    "se, convolution, wdl": residual_net(),
    "classical, dense, tanh": CLASSICAL,
    "mish": residual_net(mish=True, seed=2),
    "batch norm not folded": residual_net(folded=False, seed=3),
    "48 filters": residual_net(filters=48, seed=4),
    "80 filters without blocks": residual_net(filters=80, blocks=0, seed=5),
}


@pytest.mark.parametrize("kernels", tower_kernels())
@pytest.mark.parametrize("name", NETS)
def test_the_tower_computes_what_the_description_says(name: str, kernels: str) -> None:
    net, encoding = NETS[name], NativeLeelaEncoding()
    batch = encoding.encode(list(random_positions("tricky", 3, games=1, plies=29)))
    policy, value, moves_left = Arithmetic(net).run(expand(batch, encoding.shape))
    found = TowerBackend(tower_of(net), kernels=kernels).run(batch)
    np.testing.assert_allclose(found["policy"], policy, atol=3e-5)
    np.testing.assert_allclose(found["wdl" if "wdl" in found else "value"], value, atol=1e-5)
    if "moves_left" in found:
        np.testing.assert_allclose(found["moves_left"], moves_left, atol=2e-5)


@pytest.mark.parametrize("kernels", tower_kernels())
def test_any_number_of_boards_and_threads_gives_the_same_numbers(kernels: str) -> None:
    encoding, tower = NativeLeelaEncoding(), tower_of(residual_net(filters=32, seed=6))
    positions = list(random_positions("standard", 4, games=1, plies=40))
    whole = TowerBackend(tower, kernels=kernels).run(encoding.encode(positions))
    for count in (1, 2, 5, 11, 12, 13, 26, 40):
        for threads in (1, 3):
            part = TowerBackend(tower, threads=threads, kernels=kernels).run(encoding.encode(positions[:count]))
            np.testing.assert_allclose(part["policy"], whole["policy"][:count], atol=1e-5)
            np.testing.assert_allclose(part["wdl"], whole["wdl"][:count], atol=1e-6)


def test_no_boards_are_no_rows() -> None:
    found = TowerBackend(tower_of(residual_net())).run(NativeLeelaEncoding().encode([]))
    assert found["policy"].shape == (0, 1858)


def test_the_backend_is_chosen_by_the_network(tmp_path: Path) -> None:
    cases: list[tuple[Net, type]] = [
        (residual_net(), TowerBackend),
        (residual_net(filters=24), OnnxBackend),
        (residual_net(policy=PolicyKind.ATTENTION), OnnxBackend),
        (attention_net(), OnnxBackend),
    ]
    for net, backend in cases:
        save_leela(net, tmp_path / "net.pb.gz")
        loaded = load_net(tmp_path / "net.pb.gz")
        assert isinstance(loaded, NetEvaluator)
        assert isinstance(loaded.backend, backend)
        by_onnx = load_net(tmp_path / "net.pb.gz", backend="onnx")
        assert isinstance(by_onnx, NetEvaluator)
        positions = list(random_positions("tricky", 5, games=1, plies=5))
        for ours, theirs in zip(loaded.evaluate(positions), by_onnx.evaluate(positions), strict=True):
            np.testing.assert_allclose(ours.priors, theirs.priors, atol=1e-5)
            np.testing.assert_allclose(ours.wdl, theirs.wdl, atol=1e-5)


def test_what_the_tower_cannot_compute_is_named(tmp_path: Path) -> None:
    save_leela(attention_net(), tmp_path / "net.pb.gz")
    with pytest.raises(NetError, match="not made of convolutions alone: attention with attention policy"):
        load_net(tmp_path / "net.pb.gz", backend="compiled")
    save_leela(residual_net(filters=24), tmp_path / "net.pb.gz")
    with pytest.raises(NetError, match="filters in steps of 16, got 24"):
        load_net(tmp_path / "net.pb.gz", backend="compiled")
    with pytest.raises(ConfigError, match="no network kernels 'mmx'"):
        TowerBackend(tower_of(residual_net()), kernels="mmx")


@needs_lc0_outputs
@pytest.mark.shared
@pytest.mark.parametrize("kernels", tower_kernels())
@pytest.mark.parametrize("name", LC0_NETS)
def test_agreement_with_lc0(name: str, kernels: str) -> None:
    net = load_leela(SHARED / f"nets/{name}.pb.gz")
    backend = TowerBackend(tower_of(net), kernels=kernels)
    assert_agrees_with_lc0(name, format_of(net).input, backend.run)


@pytest.mark.parametrize("kernels", tower_kernels())
@pytest.mark.parametrize("name", ["se, convolution, wdl", "classical, dense, tanh", "mish"])
def test_a_tower_that_overflows_does_not_answer_as_if_nothing_were_wrong(name: str, kernels: str) -> None:
    tower = tower_of(NETS[name])
    huge = dataclasses.replace(tower, input=Layer(np.sign(tower.input.weights) * np.float32(3e38), tower.input.biases))
    batch = NativeLeelaEncoding().encode(list(random_positions("standard", 4, games=1, plies=3)))
    found = TowerBackend(huge, kernels=kernels).run(batch)
    assert not np.isfinite(found["policy"]).any()
    assert not np.isfinite(found["wdl" if "wdl" in found else "value"]).any()


@pytest.mark.parametrize("kernels", tower_kernels())
def test_a_gate_that_is_no_number_leaves_no_answer(kernels: str) -> None:
    tower = tower_of(NETS["se, convolution, wdl"])
    block = tower.blocks[-1]
    assert block.squeeze is not None
    inner, outer = block.squeeze
    # The first half of what comes out scales the channels; the second, which is added, stays as it is.
    biases = np.where(np.arange(len(outer.biases)) < tower.filters, np.float32(np.nan), outer.biases)
    spoilt = block._replace(squeeze=(inner, Layer(outer.weights, biases)))
    batch = NativeLeelaEncoding().encode([Position()])
    found = TowerBackend(dataclasses.replace(tower, blocks=[*tower.blocks[:-1], spoilt]), kernels=kernels).run(batch)
    assert not np.isfinite(found["policy"]).any()
    assert not np.isfinite(found["wdl"]).any()
