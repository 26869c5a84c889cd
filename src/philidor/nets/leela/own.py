"""Leela's residual networks as networks of our own, to be trained on, and the way back, so that lc0 plays ours."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from philidor.core.errors import NetError
from philidor.encodings.leela import LeelaPolicy, leela_name
from philidor.nets.leela.files import MAGIC, format_of
from philidor.nets.leela.heads import CONVOLUTION_POLICY_PLANES
from philidor.nets.leela.messages import (
    EngineVersion,
    Format,
    Net,
    NetworkFormat,
    PolicyKind,
    Residual,
    SeUnit,
    Structure,
    TrainingParams,
    ValueKind,
    WeightCode,
    Weights,
)
from philidor.nets.leela.residual import tower_of
from philidor.nets.leela.weights import conv_block, layer_of
from philidor.nets.network_config import NetworkConfig
from philidor.nets.network_files import LICENSE_REMARK, STEP_REMARK, StoredNetwork
from philidor.nets.network_weights import check_weights, fold, unfold
from philidor.nets.onnx.signature import MOVES_LEFT, POLICY, VALUE, WDL
from philidor.nets.tower import Layer, Tower, TowerHead

_ENCODING = re.compile(r"leela-(\d+)-(flat|planes)")
# lc0 learned about mish in 0.29; all else here is older than 0.28.
_MISH_VERSION, _RELU_VERSION = EngineVersion(0, 29, 0), EngineVersion(0, 28, 0)


def from_leela(net: Net) -> StoredNetwork:
    """Returns a residual network of Leela's as one of ours, with a batch norm that changes nothing. Raises NetError."""
    tower, form = tower_of(net), format_of(net)
    policy, left = tower.heads[POLICY], tower.heads.get(MOVES_LEFT)
    value = tower.heads[WDL if form.value is ValueKind.WDL else VALUE].layers
    config = NetworkConfig(
        game="chess",
        encoding=leela_name(form.input, LeelaPolicy.FLAT),
        blocks=len(tower.blocks),
        filters=tower.filters,
        se_channels=_se_channels(tower),
        activation="mish" if tower.activation == "mish" else "relu",
        policy="flat" if policy.cells is None else "convolution",
        policy_planes=len(policy.layers[0].biases) if policy.cells is None else 2,
        value="wdl" if form.value is ValueKind.WDL else "tanh",
        value_planes=len(value[0].biases),
        value_hidden=len(value[1].biases),
        moves_left=left is not None,
        moves_left_planes=8 if left is None else len(left.layers[0].biases),
        moves_left_hidden=128 if left is None else len(left.layers[1].biases),
    )
    arrays = _arrays(tower)
    check_weights(arrays, config, config.load_encoding().shape, "the network")
    remarks = {LICENSE_REMARK: net.license} if net.license else {}
    if net.training_params is not None and net.training_params.training_steps:
        remarks[STEP_REMARK] = str(net.training_params.training_steps)
    return StoredNetwork(config, arrays, remarks)


def to_leela(network: StoredNetwork, code: WeightCode = WeightCode.LINEAR16) -> Net:
    """Returns a tower over one of Leela's encodings as Leela's message; LINEAR16 is what every lc0 reads.

    Heads that Leela's format has no place for are left out.
    Raises NetError for a network that lc0 could not play.
    """
    config = network.config
    encoding = _ENCODING.fullmatch(config.encoding)
    if config.body != "residual" or encoding is None:
        raise NetError(f"lc0 plays towers over its own encodings, not a {config.body} over {config.encoding!r}")
    if config.policy == "flat" and encoding[2] != LeelaPolicy.FLAT:
        raise NetError(f"lc0's flat policy is that of 'leela-{encoding[1]}-flat', got {config.encoding!r}")
    shape = network.load_encoding().shape
    check_weights(network.arrays, config, shape, "the network")
    tower = fold(network.arrays, config, shape)
    assert isinstance(tower, Tower)
    form = NetworkFormat(
        input=int(encoding[1]),
        output=2 if config.value == "wdl" else 1,
        network=Structure.SE_WITH_HEADS if config.se_channels else Structure.CLASSICAL_WITH_HEADS,
        policy=PolicyKind.CLASSICAL if config.policy == "flat" else PolicyKind.CONVOLUTION,
        value=ValueKind.WDL if config.value == "wdl" else ValueKind.CLASSICAL,
        moves_left=int(config.moves_left),
        default_activation=int(config.activation == "mish"),
    )
    steps = network.remarks.get(STEP_REMARK, "")
    return Net(
        magic=MAGIC,
        license=network.remarks.get(LICENSE_REMARK),
        min_version=_MISH_VERSION if config.activation == "mish" else _RELU_VERSION,
        format=Format(weights_encoding=WeightCode.LINEAR16, network_format=form),
        training_params=TrainingParams(training_steps=int(steps) if steps.isdecimal() else None),
        weights=_weights(tower, code),
    )


def _weights(tower: Tower, code: WeightCode) -> Weights:
    """Returns the messages of all layers."""
    weights = Weights(input=conv_block(*tower.input, code))
    for block in tower.blocks:
        unit = None
        if block.squeeze is not None:
            numbers = (layer_of(array, code) for layer in block.squeeze for array in layer)
            unit = SeUnit(*numbers)
        weights.residual.append(Residual(conv_block(*block.first, code), conv_block(*block.second, code), unit))
    (first, second), cells = tower.heads[POLICY]
    if cells is not None:
        weights.policy1 = conv_block(*first, code)
        weights.policy = conv_block(*_padded(second, CONVOLUTION_POLICY_PLANES), code)
    else:
        weights.policy = conv_block(*first, code)
        weights.ip_pol_w, weights.ip_pol_b = (layer_of(array, code) for array in second)
    value = tower.heads[WDL if WDL in tower.heads else VALUE].layers
    weights.value = conv_block(*value[0], code)
    weights.ip1_val_w, weights.ip1_val_b = (layer_of(array, code) for array in value[1])
    weights.ip2_val_w, weights.ip2_val_b = (layer_of(array, code) for array in value[2])
    if MOVES_LEFT in tower.heads:
        left = tower.heads[MOVES_LEFT].layers
        weights.moves_left = conv_block(*left[0], code)
        weights.ip1_mov_w, weights.ip1_mov_b = (layer_of(array, code) for array in left[1])
        weights.ip2_mov_w, weights.ip2_mov_b = (layer_of(array, code) for array in left[2])
    return weights


def _padded(layer: Layer, outputs: int) -> Layer:
    """Returns a convolution with idle outputs added."""
    missing = outputs - len(layer.biases)
    return Layer(np.pad(layer.weights, [(0, missing), (0, 0), (0, 0), (0, 0)]), np.pad(layer.biases, (0, missing)))


def _se_channels(tower: Tower) -> int:
    sizes = {0 if block.squeeze is None else len(block.squeeze[0].biases) for block in tower.blocks}
    if len(sizes) > 1:
        raise NetError(f"the blocks differ in squeeze and excitation: {', '.join(map(str, sorted(sizes)))} channels")
    return sizes.pop() if sizes else 0


def _arrays(tower: Tower) -> dict[str, NDArray[np.float32]]:
    """Returns the weights by the names of `philidor.nets.network_weights`."""
    arrays = unfold("body.input", tower.input)
    for number, block in enumerate(tower.blocks):
        name = f"body.blocks.{number}"
        arrays |= unfold(f"{name}.first", block.first) | unfold(f"{name}.second", block.second)
        if block.squeeze is not None:
            arrays |= _named(f"{name}.se.squeeze", block.squeeze[0]) | _named(f"{name}.se.excite", block.squeeze[1])
    for head, given in tower.heads.items():
        arrays |= _head(f"heads.{head}.layers", given)
    return arrays


def _head(name: str, head: TowerHead) -> dict[str, NDArray[np.float32]]:
    squares, *rest = head.layers
    if head.cells is not None:
        return unfold(f"{name}.first", squares) | _named(f"{name}.second", *rest)
    arrays = unfold(f"{name}.squares", squares)
    for number, layer in enumerate(rest):
        arrays |= _named(f"{name}.dense.{number}", layer)
    return arrays


def _named(name: str, layer: Layer) -> dict[str, NDArray[np.float32]]:
    return {f"{name}.weight": layer.weights, f"{name}.bias": layer.biases}
