"""The sums of weight columns at the input of an NNUE network, by the fastest means a device has."""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from torch import Tensor

from philidor.train import native


def sum_rows(table: Tensor, indices: Tensor) -> Tensor:
    """Returns [n, width]: sums of the rows of `table` [rows, width] that `indices` [n, k] names.

    Indices are int32; a list of fewer than k ends with the number of rows, which is none.
    """
    if table.device.type == "cpu" or _gpu_kernels() is not None:
        sums: Tensor = _RowSums.apply(table, indices)  # type: ignore[no-untyped-call]
        return sums
    # Torch wants the padding to be a row. That it is named keeps the many paddings out of the gradient.
    padded = torch.cat([table, table.new_zeros(1, table.shape[1])])
    return torch.nn.functional.embedding_bag(indices, padded, mode="sum", padding_idx=len(table))


@cache
def _gpu_kernels() -> Any:
    """Returns the module of our own sums for a GPU, or None where torch came without Triton, their language."""
    try:
        from philidor.train.torch import gpu_row_sums
    except ImportError:
        return None
    return gpu_row_sums


class _RowSums(torch.autograd.Function):
    """Torch's own gradient sorts all indices first; ours adds along them and is several times as fast."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, indices: Tensor) -> Tensor:
        ctx.save_for_backward(indices)
        ctx.shape = table.shape
        sums = table.new_empty(len(indices), table.shape[1])
        if table.device.type == "cpu":
            native.sum_rows(table.detach().numpy(), indices.numpy(), sums.numpy(), torch.get_num_threads())
        else:
            _gpu_kernels().sum_rows(table.contiguous(), indices, sums)
        return sums

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (indices,) = ctx.saved_tensors
        gradient = gradients[0].contiguous()
        table = gradient.new_zeros(ctx.shape)
        if table.device.type == "cpu":
            native.add_to_rows(table.numpy(), indices.numpy(), gradient.numpy(), torch.get_num_threads())
        else:
            _gpu_kernels().add_to_rows(table, indices, gradient)
        return table, None
