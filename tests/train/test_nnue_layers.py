"""The compiled layers of NNUE training are torch's: numbers, gradients, and none of them by the number of threads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from philidor.nets.nnue import ARCHITECTURES, Activation, Architecture
from philidor.train.native import judge_sums

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")

from philidor.train.torch.nnue_model import NnueModel  # noqa: E402

if TYPE_CHECKING:
    from torch import Tensor

SHAPES = {
    "squared": replace(ARCHITECTURES["mirrored-256"], width=64),
    "pairwise": replace(ARCHITECTURES["paired-256"], width=128),
    "pairwise without hidden layers": replace(ARCHITECTURES["paired-256"], width=128, hidden=()),
    "clipped": replace(ARCHITECTURES["halfkp-256"], features=ARCHITECTURES["mirrored-256"].features, width=64),
}


def _model(architecture: Architecture, seed: int) -> NnueModel:
    torch.manual_seed(seed)
    model = NnueModel(architecture)
    with torch.no_grad():  # of all sizes, so that numbers lie below, between and beyond the ends
        model.biases.uniform_(-0.5, 1.5)
        for weights, biases in zip(model.layer_weights, model.layer_biases, strict=True):
            weights.uniform_(-0.2, 0.2)
            biases.uniform_(-0.5, 1.0)
    model.clip()
    return model


def _inputs(architecture: Architecture, count: int) -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(5)
    rows = architecture.features.count
    own, theirs = (torch.randint(0, rows, (count, 32), generator=generator, dtype=torch.int32) for _ in range(2))
    own[:, 20:] = theirs[:, 20:] = rows
    buckets = torch.randint(0, architecture.output_buckets, (count,), generator=generator, dtype=torch.uint8)
    return own, theirs, buckets


def _gradients(model: NnueModel) -> list[Tensor]:
    return [parameter.grad.clone() for parameter in model.parameters() if parameter.grad is not None]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("threads", [1, 3])
def test_numbers_and_gradients_are_those_of_the_formulas(shape: str, threads: int) -> None:
    architecture = SHAPES[shape]
    own, theirs, bucket = _inputs(architecture, 700)  # more than are added up at a time
    target = torch.linspace(-300, 300, 700)
    results = []
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        for is_compiled in (True, False):
            model = _model(architecture, seed=3)
            found = model(own, theirs, bucket) if is_compiled else _by_formulas(model, own, theirs, bucket)
            (torch.sigmoid(found / 150) - torch.sigmoid(target / 150)).square().mean().backward()
            results.append((found.detach(), _gradients(model)))
    finally:
        torch.set_num_threads(before)
    (found, gradients), (expected, expected_gradients) = results
    assert expected.std() > 5, "numbers that hardly differ show nothing"
    # Where a sum lies at a step of the integers, the order of its terms decides on which side.
    assert ((found - expected).abs() < 0.01).float().mean() > 0.99
    assert (found - expected).abs().max() < 5
    assert len(gradients) == len(expected_gradients)
    for gradient, other in zip(gradients, expected_gradients, strict=True):
        assert other.abs().max() > 0
        assert (gradient - other).norm() < 2e-3 * other.norm()


def _by_formulas(model: NnueModel, own: Tensor, theirs: Tensor, bucket: Tensor) -> Tensor:
    table = torch.cat([model.feature_table(), torch.zeros(1, model.architecture.width)])
    sums = torch.nn.functional.embedding_bag(torch.cat([own, theirs]), table, mode="sum")
    rounded = [model.rounded_layer(number, weights) for number, weights in enumerate(model.layer_weights)]
    return model.judge(sums, bucket, rounded)


def test_gradients_do_not_depend_on_the_number_of_threads() -> None:
    architecture = SHAPES["pairwise"]
    own, theirs, bucket = _inputs(architecture, 1000)
    results = []
    before = torch.get_num_threads()
    try:
        for threads in (1, 2, 5):
            torch.set_num_threads(threads)
            model = _model(architecture, seed=4)
            model(own, theirs, bucket).square().mean().backward()
            results.append(_gradients(model))
    finally:
        torch.set_num_threads(before)
    for other in results[1:]:
        assert all(torch.equal(one, two) for one, two in zip(results[0], other, strict=True))


def test_arrays_that_do_not_fit_are_refused() -> None:
    activation = list(Activation).index(Activation.PAIRWISE)
    sums, biases = np.zeros((4, 128), np.float32), np.zeros(128, np.float32)
    weights, layer_biases = [np.zeros((8, 1, 128), np.float32)], [np.zeros((8, 1), np.float32)]
    sets, found = np.zeros(2, np.uint8), np.zeros(2, np.float32)
    judge_sums(activation, sums, biases, sets, weights, layer_biases, found)
    for wrong in (
        (activation, sums, biases, np.full(2, 8, np.uint8), weights, layer_biases, found),
        (activation, sums, biases[:64], sets, weights, layer_biases, found),
        (activation, sums, biases, sets, weights, layer_biases, np.zeros(3, np.float32)),
        (activation, sums, biases, sets, [np.zeros((8, 1, 64), np.float32)], layer_biases, found),
        (activation, sums, biases, sets, [np.zeros((8, 2, 128), np.float32)], [np.zeros((8, 2), np.float32)], found),
        (3, sums, biases, sets, weights, layer_biases, found),
        (activation, sums, biases, sets, [], [], found),
    ):
        with pytest.raises(ValueError, match=r"fit|one output"):
            judge_sums(*wrong)
