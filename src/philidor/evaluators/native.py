"""The compiled evaluations: the handcrafted one explained, and networks made of what was read from a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from philidor._native._ext import DeepChessNetwork as NativeDeepChess
from philidor._native._ext import (
    ExplainedTerm,
    Explanation,
    NnueBoard,
    NnueNetwork,
    TowerNetwork,
    explain_evaluation,
    giraffe_features,
    nnue_kernels,
    tower_kernels,
)
from philidor._native._ext import GiraffeNetwork as NativeGiraffe
from philidor.core.errors import ConfigError
from philidor.nets.tower import FILTER_STEP, Layer, Tower, TowerHead

if TYPE_CHECKING:
    from philidor.nets.dense import DeepChessNetwork, GiraffeNetwork
    from philidor.nets.nnue import Network

__all__ = [
    "ExplainedTerm",
    "Explanation",
    "NativeDeepChess",
    "NativeGiraffe",
    "NnueBoard",
    "NnueNetwork",
    "TowerNetwork",
    "compile_deepchess",
    "compile_giraffe",
    "compile_network",
    "compile_tower",
    "explain_evaluation",
    "giraffe_features",
    "nnue_kernels",
    "tower_kernels",
]


def compile_network(network: Network, kernels: str | None = None) -> NnueNetwork:
    """Lays the weights out for the fastest kernels of this CPU, or for those named.

    The environment variable PHILIDOR_KERNELS names them too, for tests and benchmarks. Raises ConfigError.
    """
    shape = network.architecture
    try:
        return NnueNetwork(
            buckets=list(shape.features.buckets),
            black_mask=shape.features.orientation.mask,
            is_mirrored=shape.features.is_mirrored,
            has_kings=shape.features.has_kings,
            spare=shape.features.spare,
            width=shape.width,
            activation=shape.activation.value,
            hidden=list(shape.hidden),
            output_buckets=shape.output_buckets,
            scale=shape.scale,
            feature_biases=network.feature_biases,
            feature_weights=network.feature_weights,
            stacks=[[(layer.biases, layer.weights) for layer in stack] for stack in network.stacks],
            kernels=os.environ.get("PHILIDOR_KERNELS", "") if kernels is None else kernels,
        )
    except ValueError as error:
        raise ConfigError(str(error)) from None


def compile_giraffe(network: GiraffeNetwork) -> NativeGiraffe:
    """Makes the network that native alpha-beta takes."""
    return NativeGiraffe(
        first=[(layer.weights, layer.biases) for layer in network.first],
        above=[(layer.weights, layer.biases) for layer in network.above],
        scale=network.scale,
    )


def compile_deepchess(network: DeepChessNetwork) -> NativeDeepChess:
    """Makes the network that compares."""
    return NativeDeepChess(
        position=[(layer.weights, layer.biases) for layer in network.position],
        comparison=[(layer.weights, layer.biases) for layer in network.comparison],
    )


def compile_tower(tower: Tower, kernels: str | None = None) -> TowerNetwork:
    """Lays a residual network out for the fastest kernels of this CPU, or for those named. Raises ConfigError.

    The environment variable PHILIDOR_TOWER_KERNELS names them too, for tests and benchmarks.
    """
    if tower.filters % FILTER_STEP:
        raise ConfigError(f"the compiled tower takes filters in steps of {FILTER_STEP}, got {tower.filters}")
    try:
        return TowerNetwork(
            input=tower.input,
            blocks=list(tower.blocks),
            heads=[_head(head) for head in tower.heads.values()],
            activation=tower.activation,
            kernels=os.environ.get("PHILIDOR_TOWER_KERNELS", "") if kernels is None else kernels,
        )
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _head(head: TowerHead) -> tuple[list[Layer], list[int] | None]:
    """Returns the layers as the compiled tower wants them, and for planes of moves each move's cell."""
    if head.cells is None:
        # A 1x1 convolution is a dense layer on each square.
        return [Layer(layer.weights.reshape(len(layer.biases), -1), layer.biases) for layer in head.layers], None
    # The compiled boards are [square][channel], their channels padded.
    plane, square = head.cells // 64, head.cells % 64
    channels = -(-len(head.layers[-1].biases) // FILTER_STEP) * FILTER_STEP
    return head.layers, (square * channels + plane).tolist()
