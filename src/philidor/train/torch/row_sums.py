"""The sums of weight columns at the input of an NNUE network, by the fastest means a device has."""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from torch import Tensor

from philidor.train.native import add_to_rows
from philidor.train.native import sum_rows as native_sum_rows


def sum_rows(table: Tensor, indices: Tensor) -> Tensor:
    """Returns [n, width]: sums of the rows of `table` [rows, width] that `indices` [n, k] names.

    Indices are int32; a list of fewer than k ends with the number of rows, which is none.
    """
    own = _NativeRowSums if table.device.type == "cpu" else _gpu_row_sums()
    if own is not None:
        sums: Tensor = own.apply(table, indices)
        return sums
    # Torch wants the padding to be a row. That it is named keeps the many paddings out of the gradient.
    padded = torch.cat([table, table.new_zeros(1, table.shape[1])])
    return torch.nn.functional.embedding_bag(indices, padded, mode="sum", padding_idx=len(table))


@cache
def _gpu_row_sums() -> Any:
    """Returns our own sums for a GPU, or None where torch came without Triton, which they are written in."""
    try:
        from philidor.train.torch.gpu_row_sums import GpuRowSums
    except ImportError:
        return None
    return GpuRowSums


class _NativeRowSums(torch.autograd.Function):
    """Torch's own gradient sorts all indices first; ours adds along them and is several times as fast on a CPU."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, indices: Tensor) -> Tensor:
        ctx.save_for_backward(indices)
        ctx.shape = table.shape
        sums = table.new_empty(len(indices), table.shape[1])
        native_sum_rows(table.detach().numpy(), indices.numpy(), sums.numpy(), torch.get_num_threads())
        return sums

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (indices,) = ctx.saved_tensors
        (gradient,) = gradients
        table = gradient.new_zeros(ctx.shape)
        add_to_rows(table.numpy(), indices.numpy(), gradient.contiguous().numpy(), torch.get_num_threads())
        return table, None
