"""Networks that learn AND, XOR and x^2, choices instead of numbers, and why matrices are fast: ch. 2.3 to 2.7."""

from __future__ import annotations

import time

import numpy as np

from philidor.book.chapter2.diagrams import network_drawing
from philidor.book.chapter2.losses import categorical_cross_entropy, mean_squared, softmax, softmax_cross_entropy
from philidor.book.chapter2.neurons import LINEAR, RELU, SIGMOID, TANH, Activation, Array, Error, Network
from philidor.book.chapter2.optimizers import adam, fit, sgd
from philidor.book.chapter2.perceptron import AND_INPUTS, AND_OUTCOMES, XOR_OUTCOMES, curve
from philidor.book.items import Exhibit, Finding, Item, close
from philidor.core.charts import Chart, Series

_CODE = "src/philidor/book/chapter2/practice.py"
_EPOCHS = 50_000


def choices_scored() -> Exhibit:
    """Section 2.3: softmax, negative log likelihood and cross-entropy on the book's numbers."""
    before = np.array([[0.7, 0.1, 0.2], [0.6, 0.3, 0.1]])
    after = np.array([[0.7, 0.1, 0.2], [0.3, 0.6, 0.1]])
    labels = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    chances = softmax(np.array([2.0, 1.0, 0.1]))
    findings = (
        close("loss before the update", 0.78, float(categorical_cross_entropy(before, labels).mean()), 0.005),
        close("loss after the update", 0.43, float(categorical_cross_entropy(after, labels).mean()), 0.005),
        close("1 log 0.7 + 0 log 0.1 + 0 log 0.2", -0.35, -float(categorical_cross_entropy(before, labels)[0]), 0.007),
        Finding("softmax of (2, 1, 0.1)", "", ", ".join(f"{p:.3f}" for p in chances)),
        Finding("its sum", "1", f"{chances.sum():.12g}", bool(abs(chances.sum() - 1) < 1e-12)),
    )
    notes = ("The book prints softmax with a sum of o_j below; it must be the sum of e^o_j, or the sum is not 1.",)
    return Exhibit(findings, notes)


def trained(
    outcomes: Array, hidden: int = 0, *, seed: int = 42, copies: int = 0
) -> tuple[Network, list[tuple[float, Array]]]:
    """Trains a network of sigmoids as Listings 2.1 and 2.3 do; returns it and its error now and then."""
    sizes = (2, hidden, 1) if hidden else (2, 1)
    network = Network.random(sizes, [SIGMOID] * (len(sizes) - 1), seed, copies)
    seen: list[tuple[float, Array]] = []
    fit(
        network,
        AND_INPUTS,
        outcomes,
        sgd(0.1),
        error=mean_squared,
        epochs=_EPOCHS,
        every=1000,
        watch=lambda epoch, error: seen.append((epoch, error)),
    )
    return network, seen


def optimizers_compared() -> Exhibit:
    """Section 2.2 goes straight down the slope; momentum and Adam do so faster. XOR again, from the same weights."""
    steps = {"plain descent": sgd(0.1), "momentum 0.9": sgd(0.1, 0.9), "Adam": adam(0.01)}
    curves, ends = [], {}
    for name, step in steps.items():
        network = Network.random((2, 8, 1), (SIGMOID, SIGMOID), seed=42)
        seen: list[tuple[float, float]] = []

        def watch(epoch: int, error: Array, into: list[tuple[float, float]] = seen) -> None:
            into.append((epoch, float(np.mean(error))))

        fit(network, AND_INPUTS, XOR_OUTCOMES, step, error=mean_squared, epochs=2000, every=40, watch=watch)
        curves.append(Series(name, tuple(seen)))
        ends[name] = seen[-1][1]
    plain, momentum, last = ends.values()
    findings = (
        Finding("error after 2,000 steps, plain descent", "", f"{plain:.4f}", plain > 0.2),
        Finding("with momentum", "", f"{momentum:.4f}", momentum < plain / 10),
        Finding("with Adam", "", f"{last:.4f}", last < momentum),
    )
    note = "Plain descent gets there too, in the 50,000 steps of listing-2.3: at first the slope is nearly flat."
    panel = Chart("XOR with 8 hidden neurons", "step", tuple(curves), is_logarithmic=True)
    return Exhibit(findings, (note,), (panel,))


def _error_chart(title: str, seen: list[tuple[float, Array]]) -> Chart:
    line = tuple((epoch, float(np.mean(error))) for epoch, error in seen)
    return Chart(title, "epoch", (Series("mean squared error", line),))


def and_learned() -> Exhibit:
    """Listing 2.1: one neuron learns AND from its four examples."""
    network, seen = trained(AND_OUTCOMES)
    zero, one = network.predict([[0, 1], [1, 1]])[:, 0]
    findings = (close("prediction for [0, 1]", 0.033, zero, 0.01), close("prediction for [1, 1]", 0.96, one, 0.01))
    note = f"The learned weights: {', '.join(f'{w:.2f}' for w in network.weights[0][:, 0])}. By hand: -10, 6, 6."
    return Exhibit(findings, (note,), (_error_chart("One neuron learns AND", seen),))


def xor_learned(copies: int = 20) -> Exhibit:
    """Listings 2.2 and 2.3: XOR with one neuron, and with eight hidden ones from 20 starts."""
    alone, _ = trained(XOR_OUTCOMES)
    stuck = float(((alone.predict(AND_INPUTS) - XOR_OUTCOMES) ** 2).mean())
    network, seen = trained(XOR_OUTCOMES, 8, copies=copies)
    answers = network.predict(np.broadcast_to(AND_INPUTS, (copies, 4, 2)))[:, :, 0]
    wanted = XOR_OUTCOMES[:, 0] > 0.5
    successes = int(((answers > 0.5) == wanted).all(axis=1).sum())
    findings = (
        Finding("one neuron's error", "impossible", f"{stuck:.4f}", stuck > 0.2499),
        Finding(
            f"8 hidden neurons, {copies} starts that learn it",
            "1 of 1",
            f"{successes} of {copies}",
            successes == copies,
        ),
        close("mean prediction for [0, 1]", 0.97, float(answers[:, 1].mean()), 0.015),
        close("mean prediction for [1, 1]", 0.02, float(answers[:, 3].mean()), 0.015),
    )
    return Exhibit(findings, panels=(_error_chart("Eight hidden neurons learn XOR", seen),))


def square_examples() -> tuple[Array, Array]:
    """Returns 10,000 numbers of 0..50 in steps of 0.01 and their squares, without 2 and 4, as Listing 2.4."""
    x = np.random.default_rng(42).integers(0, 5001, 10_000) / 100
    x = x[(x != 2) & (x != 4)][:, None]
    return x, x**2


def square_learned(epochs: int = 600) -> Exhibit:
    """Listings 2.4 to 2.6: x^2 is learned inside of 0..50, and not outside."""
    x, y = square_examples()
    network = Network.random((1, 8, 8, 1), (RELU, RELU, LINEAR), seed=42)
    fit(network, x, y, adam(0.01), error=mean_squared, epochs=epochs // 2, batch=256)
    fit(network, x, y, adam(0.001), error=mean_squared, epochs=epochs - epochs // 2, batch=256, seed=1)
    inside, outside = np.arange(0, 50.0)[:, None], np.arange(50, 100.0)[:, None]
    two, four = network.predict([[2], [4]])[:, 0]
    error_in, error_out = (float(np.abs(network.predict(part) - part**2).mean()) for part in (inside, outside))
    at_100 = float(network.predict([[100]])[0, 0])
    panels = tuple(
        Chart(
            f"x^2 from {low} to {high}",
            "x",
            (
                curve("x^2", low, high, np.square),
                curve("network", low, high, lambda x: network.predict(x[:, None])[:, 0]),
            ),
        )
        for low, high in ((0, 50), (50, 100))
    )
    findings = (
        Finding("2 squared", "3.2", f"{two:.2f}", abs(two - 4) < 10),
        Finding("4 squared", "23", f"{four:.2f}", abs(four - 16) < 10),
        Finding("mean error inside, 0..49", "works quite well", f"{error_in:.1f}", error_in < 12),
        Finding("mean error outside, 50..99", "quite bad", f"{error_out:.0f}", error_out > 20 * error_in),
        Finding("100 squared", "", f"{at_100:.0f} instead of 10000"),
    )
    notes = (
        "Keras's seeds draw other weights than numpy's, so 3.2 and 23 are one outcome among many.",
        f"Adam, {epochs} epochs with a larger step than the listing's 5,000: the same curve in a tenth of the time.",
    )
    return Exhibit(findings, notes, panels)


def gradient_error(activations: tuple[Activation, ...], error: Error, seed: int = 1) -> float:
    """Returns the largest difference between back-propagation and finite differences, over all weights."""
    random = np.random.default_rng(seed)
    network = Network.random((3, 5, 4, 2), activations, seed)
    x, r = random.normal(size=(6, 3)), softmax(random.normal(size=(6, 2)))
    _, exact = network.gradients(x, r, error)
    worst, step = 0.0, 1e-6
    for weights, gradient in zip(network.weights, exact, strict=True):
        for place in np.ndindex(weights.shape):
            before = weights[place]
            weights[place] = before + step
            above, _ = network.gradients(x, r, error)
            weights[place] = before - step
            below, _ = network.gradients(x, r, error)
            weights[place] = before
            worst = max(worst, abs(float(above - below) / (2 * step) - float(gradient[place])))
    return worst


def gradients_checked() -> Exhibit:
    """Section 2.6 and Figure 2.10: back-propagation through several layers, checked by finite differences."""
    cases = {
        "sigmoid, squared error": gradient_error((SIGMOID, SIGMOID, SIGMOID), mean_squared),
        "tanh, squared error": gradient_error((TANH, TANH, LINEAR), mean_squared),
        "ReLU, softmax and cross-entropy": gradient_error((RELU, RELU, LINEAR), softmax_cross_entropy),
    }
    findings = tuple(
        Finding(f"largest error, {name}", "", f"{worst:.1e}", worst < 1e-6) for name, worst in cases.items()
    )
    layers = (["x1", "x2", "x3"], ["1", "2", "3", "4"], ["", "", ""], ["out"])
    return Exhibit(findings, panels=(network_drawing("A multilayer perceptron", layers),))


def vectorized() -> Exhibit:
    """Section 2.7 and Figure 2.11: the sums of a layer one by one, and as one product of matrices."""
    random = np.random.default_rng(1)
    weights, x = random.normal(size=(256, 256)), random.normal(size=256)
    listed, inputs = weights.tolist(), x.tolist()
    start = time.process_time()
    by_hand = [sum(w * v for w, v in zip(row, inputs, strict=True)) for row in listed]
    slow = time.process_time() - start
    repeats = 200
    start = time.process_time()
    for _ in range(repeats):
        at_once = weights @ x
    fast = max((time.process_time() - start) / repeats, 1e-9)
    same = bool(np.allclose(by_hand, at_once, rtol=1e-9))
    findings = (
        Finding("256 x 256 weights, one by one", "", f"{slow * 1e3:.1f} ms"),
        Finding("as a product of matrices", "", f"{fast * 1e3:.3f} ms"),
        Finding("times as fast", "", f"{slow / fast:,.0f}", slow > 5 * fast),
        Finding("the same numbers", "yes", "yes" if same else "no", same),
    )
    drawing = network_drawing("Two nodes, one matrix", (["1", "x1", "x2", "..."], ["w x", "v x"]))
    return Exhibit(findings, ("The GPU's part of the story is in docs/benchmarks.md.",), (drawing,))


ITEMS = (
    Item(
        name="2.3",
        title="Softmax and its losses",
        section="2.3",
        status="corrected",
        code=_CODE,
        run=choices_scored,
        reason="softmax is printed without exp below",
    ),
    Item(name="listing-2.1", title="A neuron learns AND", section="2.4", status="same", code=_CODE, run=and_learned),
    Item(
        name="listing-2.3",
        also=("listing-2.2",),
        title="XOR with one neuron and with eight",
        section="2.6",
        status="same",
        code=_CODE,
        run=xor_learned,
    ),
    Item(
        name="2.6-optimizers",
        title="Momentum and Adam beside plain descent",
        section="2.6",
        status="experiment",
        code="src/philidor/book/chapter2/optimizers.py",
        run=optimizers_compared,
    ),
    Item(
        name="fig-2.10",
        also=("2.10",),
        title="A multilayer perceptron and its gradients",
        section="2.6",
        status="same",
        code="src/philidor/book/chapter2/neurons.py",
        run=gradients_checked,
    ),
    Item(
        name="listing-2.4",
        also=("listing-2.5", "listing-2.6"),
        title="x^2, inside and outside of what was seen",
        section="2.6",
        status="same",
        code=_CODE,
        run=square_learned,
    ),
    Item(name="fig-2.11", title="Vectorization, timed", section="2.7", status="same", code=_CODE, run=vectorized),
)
