"""Batch norm's statistics, estimated again: a running mean of weights has none of its own."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn


@torch.no_grad()
def estimate_norms(model: nn.Module, batches: Iterable[Tensor]) -> None:
    """Sets every batch norm to the mean of its statistics over these inputs; a model without any is left alone.

    A running mean of weights averages the statistics of the weights on the way, which are not those of the mean. Raises
    nothing for no inputs at all: the statistics then stay as they are.
    """
    norms = [layer for layer in model.modules() if isinstance(layer, nn.BatchNorm2d)]
    if not norms:
        return
    was_training, before = model.training, [(norm, norm.momentum) for norm in norms]
    model.train()
    try:
        for number, planes in enumerate(batches):
            for norm in norms:
                # The mean of all so far: the first forgets what was there.
                norm.momentum = 1 / (number + 1)
            model(planes)
    finally:
        for norm, momentum in before:
            norm.momentum = momentum
        model.train(was_training)
