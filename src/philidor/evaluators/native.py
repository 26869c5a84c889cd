"""The compiled NNUE evaluation, made of a network that was read from a file."""

import os

from philidor._native._ext import NnueBoard, NnueNetwork, nnue_kernels
from philidor.core.errors import ConfigError
from philidor.nets.nnue import Network

__all__ = ["NnueBoard", "NnueNetwork", "compile_network", "nnue_kernels"]


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
