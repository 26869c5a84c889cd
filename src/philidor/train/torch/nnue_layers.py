"""What an NNUE network makes of its sums, on a CPU: compiled, as torch goes over them once for each small operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from philidor.nets.nnue import Activation
from philidor.train import native

if TYPE_CHECKING:
    from numpy.typing import NDArray

# As the compiled core counts them.
_ACTIVATIONS = (Activation.CLIPPED, Activation.SQUARED, Activation.PAIRWISE)


def judge_sums(
    activation: Activation,
    sums: Tensor,
    biases: Tensor,
    bucket: Tensor,
    weights: Sequence[Tensor],
    layer_biases: Sequence[Tensor],
) -> Tensor:
    """Returns the last layer's numbers [n] from sums without their biases [2n, width], first the sides to move's.

    The sums must come from nowhere else and go nowhere else: they are turned into their own gradients.
    """
    found: Tensor = _Layers.apply(_ACTIVATIONS.index(activation), sums, biases, bucket, *weights, *layer_biases)  # type: ignore[no-untyped-call]
    return found


class _Layers(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, activation: int, sums: Tensor, biases: Tensor, bucket: Tensor, *layers: Tensor) -> Tensor:
        ctx.activation = activation
        ctx.save_for_backward(sums, biases, bucket, *layers)
        found = sums.new_empty(len(bucket))
        native.judge_sums(
            activation,
            _array(sums),
            _array(biases),
            _array(bucket),
            *_halves(layers),
            found.numpy(),
            torch.get_num_threads(),
        )
        return found

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        sums, biases, bucket, *layers = ctx.saved_tensors
        bias_gradient = torch.zeros_like(biases)
        layer_gradients = [torch.zeros_like(layer) for layer in layers]
        native.differentiate_sums(
            ctx.activation,
            _array(sums),
            _array(biases),
            _array(bucket),
            *_halves(layers),
            _array(gradients[0].contiguous()),
            _array(bias_gradient),
            *_halves(layer_gradients),
            torch.get_num_threads(),
        )
        return None, sums.detach(), bias_gradient, None, *layer_gradients


def _array(tensor: Tensor) -> NDArray[Any]:
    found: NDArray[Any] = tensor.detach().numpy()
    return found


def _halves(layers: Sequence[Tensor]) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
    """Returns the layers' weights and their biases."""
    arrays = list(map(_array, layers))
    return arrays[: len(arrays) // 2], arrays[len(arrays) // 2 :]
