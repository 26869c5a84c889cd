"""A trained network's integers, computed in batches: what the native evaluator will say, and what rounding has cost."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from philidor.nets.nnue import Activation, Network
from philidor.nets.nnue.reference import CLIPPED_ONE, HIDDEN_SHIFT, PAIRWISE_SHIFT, SQUARED_ONE
from philidor.train.nnue_data import Batches
from philidor.train.torch.nnue_model import NnueModel

# Positions whose columns are gathered at a time: 32 columns of up to 1024 numbers each.
_CHUNK = 512


@torch.no_grad()
def raw(network: Network, own: Tensor, theirs: Tensor, bucket: Tensor) -> Tensor:
    """Returns the raw integers [n] of inputs [n, 32], as the reference and the native evaluator compute them."""
    table = torch.from_numpy(network.feature_weights).int()
    table = torch.cat([table, table.new_zeros(1, table.shape[1])])
    biases = torch.from_numpy(network.feature_biases).int()
    found = []
    for start in range(0, len(own), _CHUNK):
        part = slice(start, start + _CHUNK)
        # Accumulators are int16 and wrap around.
        views = [(table[view[part].long()].sum(1) + biases).short() for view in (own, theirs)]
        inputs = torch.cat([_activate(network.architecture.activation, view.long()) for view in views], dim=1)
        found.append(_propagate(network, inputs, bucket[part].long()))
    return torch.cat(found)


def _activate(activation: Activation, values: Tensor) -> Tensor:
    if activation is Activation.CLIPPED:
        return values.clamp(0, CLIPPED_ONE)
    clipped = values.clamp(0, SQUARED_ONE)
    if activation is Activation.SQUARED:
        return clipped * clipped
    first, second = clipped.chunk(2, dim=1)
    return (first * second) >> PAIRWISE_SHIFT


def _propagate(network: Network, inputs: Tensor, bucket: Tensor) -> Tensor:
    found = torch.empty(len(inputs), dtype=torch.long)
    for number, layers in enumerate(network.stacks):
        chosen = bucket == number
        values = inputs[chosen]
        for index, layer in enumerate(layers):
            weights, biases = torch.from_numpy(layer.weights).long(), torch.from_numpy(layer.biases).long()
            is_last = index == len(layers) - 1
            sums = values @ weights.T
            if is_last and network.architecture.activation is Activation.SQUARED:
                sums = torch.div(sums, SQUARED_ONE, rounding_mode="trunc")
            values = sums + biases
            if not is_last:
                values = (values >> HIDDEN_SHIFT).clamp(0, CLIPPED_ONE)
        found[chosen] = values.squeeze(1)
    return found


@dataclass(frozen=True, slots=True)
class QuantizationReport:
    """What rounding to integers has cost, on held-out positions where there are any."""

    positions: int
    mean_error_cp: float
    largest_error_cp: float


@torch.no_grad()
def quantization_report(
    model: NnueModel, network: Network, batches: Batches, positions: int = 50_000
) -> QuantizationReport:
    """Compares the floats with the integers."""
    numerator, denominator = network.architecture.scale
    errors: list[Tensor] = []
    count = 0
    for batch in batches.in_order():
        own, theirs, bucket = (torch.from_numpy(array) for array in (batch.own, batch.theirs, batch.bucket))
        device = model.biases.device
        floats = model(own.to(device), theirs.to(device), bucket.to(device)).cpu()
        errors.append((floats - raw(network, own, theirs, bucket) * (numerator / denominator)).abs())
        count += len(batch)
        if count >= positions:
            break
    joined = torch.cat(errors)
    return QuantizationReport(len(joined), joined.mean().item(), joined.max().item())
