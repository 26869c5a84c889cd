"""Sums of table rows and their gradient on a GPU, written in Triton, which comes with torch where it knows a GPU.

Torch's own gradient of such sums sorts all indices first, which takes several times as long as everything else in a
step of an NNUE network. Here each list adds its gradient to the rows it names; the GPU's memory adds by itself, in no
fixed order, so that two runs differ by rounding.
"""

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl
from torch import Tensor

# Columns that one program works on: a warp or two with several numbers a thread.
_BLOCK = 256


@triton.jit  # type: ignore[untyped-decorator]
def _sum_kernel(table, indices, sums, rows, width, LENGTH: tl.constexpr, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def] # noqa: N803
    bag = tl.program_id(0).to(tl.int64)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    is_column = columns < width
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for place in range(LENGTH):
        row = tl.load(indices + bag * LENGTH + place).to(tl.int64)
        is_wanted = columns < tl.where(row < rows, width, 0)
        total += tl.load(table + row * width + columns, mask=is_wanted, other=0.0)
    tl.store(sums + bag * width + columns, total, mask=is_column)


@triton.jit  # type: ignore[untyped-decorator]
def _add_kernel(table, indices, gradient, rows, width, LENGTH: tl.constexpr, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def] # noqa: N803
    bag = tl.program_id(0).to(tl.int64)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    is_column = columns < width
    change = tl.load(gradient + bag * width + columns, mask=is_column, other=0.0)
    for place in range(LENGTH):
        row = tl.load(indices + bag * LENGTH + place).to(tl.int64)
        is_wanted = columns < tl.where(row < rows, width, 0)
        # Nothing else reads the table meanwhile: no order is asked for.
        tl.atomic_add(table + row * width + columns, change, mask=is_wanted, sem="relaxed")


def sum_rows(table: Tensor, indices: Tensor, sums: Tensor) -> None:
    """Writes the sums of the rows of `table` that `indices` name."""
    _launch(_sum_kernel, table, indices, sums)


def add_to_rows(table: Tensor, indices: Tensor, gradient: Tensor) -> None:
    """Adds each row of `gradient` to the rows of `table` that its list names."""
    _launch(_add_kernel, table, indices, gradient)


def _launch(kernel: Any, table: Tensor, indices: Tensor, lists: Tensor) -> None:
    rows, width = table.shape
    grid = (len(indices), triton.cdiv(width, _BLOCK))
    kernel[grid](table, indices, lists, rows, width, LENGTH=indices.shape[1], BLOCK=_BLOCK, num_warps=2)
