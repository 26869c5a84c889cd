"""Listings 2.1 to 2.4 in PyTorch: the same networks as `philidor.book.chapter2.neurons`, in a framework's words."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from philidor.book.chapter2.losses import mean_squared
from philidor.book.chapter2.neurons import SIGMOID, Network
from philidor.book.chapter2.perceptron import AND_INPUTS, AND_OUTCOMES, XOR_OUTCOMES
from philidor.book.items import Exhibit, Finding

_ACTIVATIONS = {"sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "relu": nn.ReLU, "linear": nn.Identity}


def same_network(network: Network) -> nn.Sequential:
    """Returns a numpy network as a module, with the same weights."""
    parts: list[nn.Module] = []
    for layer in network.layers:
        linear = nn.Linear(layer.weights.shape[0] - 1, layer.weights.shape[1], dtype=torch.float64)
        with torch.no_grad():
            linear.weight.copy_(torch.from_numpy(layer.weights[1:].T.copy()))
            linear.bias.copy_(torch.from_numpy(layer.weights[0].copy()))
        parts += [linear, _ACTIVATIONS[layer.activation.name]()]
    return nn.Sequential(*parts)


def gradients_of(module: nn.Sequential, loss: Tensor) -> list[np.ndarray[Any, Any]]:
    """Returns the gradients of a loss as numpy's matrices have them: the bias first."""
    loss.backward()  # type: ignore[no-untyped-call]
    found = []
    for linear in module:
        if isinstance(linear, nn.Linear):
            assert linear.weight.grad is not None
            assert linear.bias.grad is not None
            found.append(np.vstack([linear.bias.grad.numpy()[None], linear.weight.grad.numpy().T]))
    return found


def listings_in_torch(epochs: int = 3000) -> Exhibit:
    """Trains AND and XOR in both ways from the same weights, and compares weights and gradients."""
    findings = []
    x = torch.from_numpy(AND_INPUTS)
    for name, sizes, outcomes in (("AND", (2, 1), AND_OUTCOMES), ("XOR", (2, 8, 1), XOR_OUTCOMES)):
        network = Network.random(sizes, [SIGMOID] * (len(sizes) - 1), seed=42)
        module = same_network(network)
        descent = torch.optim.SGD(module.parameters(), lr=0.1)
        worst = 0.0
        for _ in range(epochs):
            _, ours = network.gradients(AND_INPUTS, outcomes, mean_squared)
            descent.zero_grad()
            theirs = gradients_of(module, nn.functional.mse_loss(module(x), torch.from_numpy(outcomes)))
            worst = max(worst, *(float(np.abs(a - b).max()) for a, b in zip(ours, theirs, strict=True)))
            for weights, gradient in zip(network.weights, ours, strict=True):
                weights[...] -= 0.1 * gradient
            descent.step()
        apart = float(np.abs(network.predict(AND_INPUTS) - module(x).detach().numpy()).max())
        findings.append(Finding(f"{name}: largest difference of a gradient", "", f"{worst:.1e}", worst < 1e-6))
        findings.append(
            Finding(f"{name}: difference of the outputs after {epochs} epochs", "", f"{apart:.1e}", apart < 1e-6)
        )
    return Exhibit(tuple(findings), ("Back-propagation written out in numpy, and PyTorch's autograd.",))
