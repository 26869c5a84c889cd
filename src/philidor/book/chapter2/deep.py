"""What deep networks need: scaled inputs, slopes that do not vanish, and more than memory: ch. 2.11 and 2.13."""

from __future__ import annotations

import numpy as np

from philidor.book.chapter2.losses import mean_squared
from philidor.book.chapter2.neurons import LINEAR, RELU, SIGMOID, TANH, Activation, Array, Layer, Network, sigmoid
from philidor.book.chapter2.optimizers import adam, fit, sgd
from philidor.book.items import Exhibit, Finding, Item, close
from philidor.core.charts import Chart, Series

_CODE = "src/philidor/book/chapter2/deep.py"
_CREDIT = np.array([[26.0, 2500.0, 0.4], [37.0, 3000.0, 0.5], [65.0, 26000.0, 0.9]])


_BY_HEART = "30 and 30 hidden neurons, 12 examples"
Curve = list[tuple[float, float, float]]


def normalized(columns: Array) -> Array:
    """Returns columns with mean 0 and variance 1."""
    return np.asarray((columns - columns.mean(axis=0)) / columns.std(axis=0))


def credit_scaled() -> Exhibit:
    """Table 2.2: why inputs are normalized."""
    inputs, outcomes = _CREDIT[:, :2], _CREDIT[:, 2:]
    start = np.array([[1.0], [2.0], [3.0]])
    net = float(inputs[0] @ start[1:, 0] + start[0, 0])
    out = float(sigmoid(np.array(net)))
    ages = normalized(inputs)[:, 0]
    curves = []
    for name, x in (("as they are", inputs), ("normalized", normalized(inputs))):
        network = Network([Layer(start.copy(), SIGMOID)])
        errors: list[Array] = []
        for _ in range(60):
            fit(network, x, outcomes, sgd(1.0), error=mean_squared, epochs=5)
            errors.append(mean_squared(network.predict(x), outcomes)[0])
        seen = [(5.0 * number, float(error)) for number, error in enumerate(errors, start=1)]
        curves.append(Series(name, tuple(seen)))
    ends = [series.points[-1][1] for series in curves]
    findings = (
        close("Jack's sum", 7553, net, 1e-9),
        close("its sigmoid", 1, out, 1e-9),
        close("dE/dout", 0.6, out - 0.4, 1e-9),
        Finding("dout/dnet", "0.24", f"{out * (1 - out):.3g}", out * (1 - out) < 1e-6),
        close("mean age", 42.66, float(inputs[:, 0].mean()), 0.01),
        close("standard deviation of the ages", 16.41, float(inputs[:, 0].std()), 0.02),
        *(
            close(f"{who}'s age, normalized", book, float(age), 0.01)
            for who, book, age in zip(("Jack", "Jill", "Hipp"), (-1.015, -0.34, 1.36), ages, strict=True)
        ),
        Finding("error after 300 steps, as they are", "nothing changes", f"{ends[0]:.3f}", ends[0] > 0.15),
        Finding("error after 300 steps, normalized", "", f"{ends[1]:.4f}", ends[1] < 0.02),
    )
    note = "dout/dnet is out (1 - out), which is zero here: the book puts 0.6 for out. That is why nothing changes."
    return Exhibit(findings, (note,), (Chart("Learning the credit score", "step", tuple(curves)),))


def slopes_by_layer(activation: Activation, depth: int = 16, width: int = 16) -> Array:
    """Returns the mean size of the gradient of each layer of a new deep network, the first layer first."""
    sizes = (4, *[width] * depth, 1)
    network = Network.random(sizes, (*[activation] * depth, LINEAR), seed=5)
    if activation is RELU:
        for weights in network.weights:  # He's scale: half of all ReLUs are silent
            weights[1:] *= np.sqrt(2.0)
    random = np.random.default_rng(5)
    _, gradients = network.gradients(random.normal(size=(64, 4)), random.normal(size=(64, 1)), mean_squared)
    return np.array([np.abs(gradient[1:]).mean() for gradient in gradients[:-1]])


def slopes_vanish() -> Exhibit:
    """Section 2.11: sigmoids lose the gradient on its way back, ReLUs keep it."""
    series, ratios = [], {}
    for activation in (SIGMOID, TANH, RELU):
        sizes = slopes_by_layer(activation)
        ratios[activation.name] = float(sizes[0] / sizes[-1])
        series.append(Series(activation.name, tuple((float(n + 1), float(size)) for n, size in enumerate(sizes))))
    findings = (
        Finding(
            "first layer's gradient over the last one's, sigmoid",
            "vanishes",
            f"{ratios['sigmoid']:.1e}",
            ratios["sigmoid"] < 1e-5,
        ),
        Finding("the same with tanh", "", f"{ratios['tanh']:.2g}"),
        Finding("the same with ReLU", "sensible", f"{ratios['relu']:.2g}", ratios["relu"] > 0.05),
    )
    panel = Chart("Mean gradient of each layer", "layer", tuple(series), is_logarithmic=True)
    return Exhibit(findings, panels=(panel,))


def _noisy_sine(count: int, random: np.random.Generator) -> tuple[Array, Array]:
    x = random.uniform(-1, 1, (count, 1))
    return x, np.sin(3 * x) + random.normal(scale=0.2, size=(count, 1))


def _fitted(draw: int) -> dict[str, Curve]:
    """Trains on twelve examples, as they are and with each remedy; returns (epoch, error, error on unseen ones)."""
    random = np.random.default_rng(draw)
    few, many, unseen = _noisy_sine(12, random), _noisy_sine(120, random), _noisy_sine(1000, random)
    copies = np.repeat(few[0], 10, axis=0)
    distorted = copies + random.normal(scale=0.15, size=copies.shape), np.repeat(few[1], 10, axis=0)
    large, small = (1, 30, 30, 1), (1, 2, 1)
    cases = {_BY_HEART: (few, large), "ten times the examples": (many, large), "2 hidden neurons": (few, small)}
    cases["distorted copies"] = distorted, large
    curves: dict[str, Curve] = {}
    for name, ((x, r), sizes) in cases.items():
        network = Network.random(sizes, (*[TANH] * (len(sizes) - 2), LINEAR), seed=2)
        seen: Curve = []
        curves[name] = seen

        def watch(epoch: int, error: Array, network: Network = network, into: Curve = seen) -> None:
            into.append((epoch, float(error), float(mean_squared(network.predict(unseen[0]), unseen[1])[0])))

        fit(network, x, r, adam(0.01), error=mean_squared, epochs=1500, every=30, watch=watch)
    return curves


def memorized(draws: int = 10) -> Exhibit:
    """Section 2.13: twelve examples learned by heart, and three remedies, over ten draws of the examples."""
    runs = [_fitted(draw) for draw in range(draws)]
    panels = tuple(
        Chart(
            name,
            "epoch",
            (
                Series("examples", tuple((e, t) for e, t, _ in seen)),
                Series("unseen", tuple((e, v) for e, _, v in seen)),
            ),
            top=0.4,
        )
        for name, seen in runs[0].items()
    )
    means = {name: np.mean([run[name][-1][1:] for run in runs], axis=0) for name in runs[0]}
    learned, unknown = means[_BY_HEART]
    findings = [
        Finding("error on the 12 examples", "very well", f"{learned:.4f}", bool(learned < 0.01)),
        Finding("error on unseen ones; 0.04 is the noise", "poorly", f"{unknown:.3f}", bool(unknown > 0.08)),
    ]
    findings += [
        Finding(f"unseen, {name}", "better", f"{error:.3f}", bool(error < unknown))
        for name, (_, error) in means.items()
        if name != _BY_HEART
    ]
    return Exhibit(tuple(findings), (f"Means over {draws} draws; the curves are the first draw's.",), panels)


ITEMS = (
    Item(
        name="table-2.2",
        title="Credit prediction: inputs must be normalized",
        section="2.11",
        status="corrected",
        code=_CODE,
        run=credit_scaled,
        reason="dout/dnet is out (1 - out) = 0, not 0.24",
    ),
    Item(
        name="2.11",
        title="Gradients that vanish, and ReLUs",
        section="2.11",
        status="experiment",
        code=_CODE,
        run=slopes_vanish,
    ),
    Item(
        name="2.13",
        title="Overfitting and its remedies",
        section="2.13",
        status="experiment",
        code=_CODE,
        run=memorized,
    ),
)
