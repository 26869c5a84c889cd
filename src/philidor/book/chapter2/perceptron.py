"""The perceptron, its error and how it is made smaller: ch. 2.1, 2.2 and 2.5, figure by figure."""

from __future__ import annotations

import numpy as np

from philidor.book.chapter2.diagrams import error_surface, network_drawing
from philidor.book.chapter2.losses import mean_squared
from philidor.book.chapter2.neurons import SIGMOID, Array, Layer, Network, sigmoid, threshold
from philidor.book.items import Exhibit, Finding, Item, close
from philidor.core.charts import Chart, Series

AND_INPUTS: Array = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float64)
AND_OUTCOMES: Array = np.array([[0], [0], [0], [1]], dtype=np.float64)
XOR_OUTCOMES: Array = np.array([[0], [1], [1], [0]], dtype=np.float64)

_CODE = "src/philidor/book/chapter2/perceptron.py"
_AND_WEIGHTS = np.array([[-10.0], [6.0], [6.0]])
_START = np.array([[1.0], [2.0], [3.0]])
_TWO_EXAMPLES = np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[0.0], [1.0]])


def curve(name: str, low: float, high: float, function: object) -> Series:
    """Returns a smooth line of a numpy function."""
    x = np.linspace(low, high, 161)
    y = function(x)  # type: ignore[operator]
    return Series(name, tuple(zip(x.tolist(), y.tolist(), strict=True)))


def points(name: str, places: Array) -> Series:
    """Returns points [n, 2] without a line."""
    return Series(name, tuple((float(x), float(y)) for x, y in places), has_line=False)


def line_through_two_points() -> Exhibit:
    """Figure 2.1: y = ax + b through (0, 5/3) and (1, 2/3)."""
    given = np.array([[0.0, 5 / 3], [1.0, 2 / 3]])
    a, b = np.linalg.solve(np.column_stack([given[:, 0], np.ones(2)]), given[:, 1])
    panel = Chart(
        "y = -x + 5/3", "x", (curve("y = ax + b", -0.5, 2.0, lambda x: a * x + b), points("given", given)), bottom=-1
    )
    return Exhibit((close("a", -1.0, a, 1e-12), close("b", 1.6667, b, 1e-4)), panels=(panel,))


def perceptron_drawn() -> Exhibit:
    """Figure 2.2: n + 1 inputs, their weights, one neuron."""
    return Exhibit(panels=(network_drawing("The perceptron", (["1", "x1", "x2", "...", "xn"], ["a(v)"])),))


def and_by_hand() -> Exhibit:
    """Table 2.1 and Figure 2.3: -10 + 6 x1 + 6 x2, then a threshold."""
    net = AND_INPUTS @ _AND_WEIGHTS[1:] + _AND_WEIGHTS[0]
    out = threshold(net)
    findings = [
        Finding(
            f"x1 = {x[0]:g}, x2 = {x[1]:g}", f"v = {v:g}, out {r:g}", f"v = {n[0]:g}, out {o[0]:g}", bool(n[0] == v)
        )
        for x, v, r, n, o in zip(AND_INPUTS, (-10, -4, -4, 2), AND_OUTCOMES[:, 0], net, out, strict=True)
    ]
    findings.append(Finding("all four as in Table 2.1", "yes", "yes", bool((out == AND_OUTCOMES).all())))
    note = "The text writes w_0 = 10 once; Figure 2.3 and the four lines above it need w_0 = -10."
    drawing = network_drawing("AND by hand", (["1", "x1", "x2"], ["a(v)"]), {(0, 0): "-10", (1, 0): "6", (2, 0): "6"})
    return Exhibit(tuple(findings), (note,), (drawing,))


def sigmoid_drawn() -> Exhibit:
    """Figure 2.4."""
    values = [close("sigmoid(0.001)", 0.5, float(sigmoid(np.array(0.001))), 0.001)]
    values += [close(f"sigmoid({v})", b, float(sigmoid(np.array(float(v)))), 0.008) for v, b in ((3, 0.95), (6, 0.99))]
    return Exhibit(tuple(values), panels=(Chart("sigmoid(x)", "x", (curve("sigmoid", -8, 8, sigmoid),), 1.0),))


def squared_error_drawn() -> Exhibit:
    """Figure 2.5: the error of an outcome that should be 1."""
    findings = tuple(close(f"error of a difference of {d}", e, d * d, 1e-9) for d, e in ((0.1, 0.01), (2.0, 4.0)))
    panel = Chart("(out - 1)^2", "out", (curve("error", -1.0, 3.0, lambda out: (out - 1) ** 2),))
    return Exhibit(findings, panels=(panel,))


def three_steps_down() -> Exhibit:
    """Figure 2.6: from 0.95 by steps of 0.5 against the slope's sign."""
    x, seen = 0.95, []
    for _ in range(3):
        seen.append((x, x * x))
        x -= 0.5 * np.sign(2 * x)
    findings = [
        close(f"place {n + 1}", b, p, 1e-9) for n, (b, (p, _)) in enumerate(zip((0.95, 0.45, -0.05), seen, strict=True))
    ]
    errors = zip((0.9025, 0.2, 0.0025), seen, strict=True)
    findings += [close(f"error at place {n + 1}", b, e, 0.003) for n, (b, (_, e)) in enumerate(errors)]
    panel = Chart("x^2, stepped down", "out", (curve("error", -1, 1, np.square), points("steps", np.array(seen))))
    return Exhibit(tuple(findings), panels=(panel,))


def one_step_of_descent() -> Exhibit:
    """Section 2.2: one step for w_1 and w_2 with learning rate 10."""
    x, r = _TWO_EXAMPLES
    network = Network([Layer(_START.copy(), SIGMOID)])
    out = network.predict(x)[:, 0]
    _, (gradient,) = network.gradients(x, r, mean_squared)
    w1, w2 = 2 - 10 * gradient[1, 0], 3 - 10 * gradient[2, 0]
    after = sigmoid(np.array([1 + w1, 1 + w1 + w2]))
    exact = out[0] * out[0] * (1 - out[0]) + (out[1] - 1) * out[1] * (1 - out[1])
    findings = (
        Finding("out_1, out_2 at first", "0.95, 0.99", f"{out[0]:.4f}, {out[1]:.4f}", bool(abs(out[0] - 0.95) < 0.005)),
        Finding("dE/dw_1", "0.0912", f"{gradient[1, 0]:.5f}", bool(abs(gradient[1, 0] - exact) < 1e-12)),
        Finding("dE/dw_2", "-0.000297", f"{gradient[2, 0]:.8f}", bool(gradient[2, 0] < 0)),
        Finding("w_1, w_2 after the step", "1.088, 3.000297", f"{w1:.4f}, {w2:.6f}"),
        Finding(
            "out_1, out_2 after the step", "0.75, 0.99", f"{after[0]:.4f}, {after[1]:.4f}", bool(after[0] < out[0])
        ),
    )
    notes = (
        "dnet_1/dw_1 is the input x_1 = 1; the book takes the weight w_1 = 2. The sign is the same.",
        "Both examples count for each weight: the second adds a little to dE/dw_1, the first nothing to dE/dw_2.",
        "The printed w_2 lacks the learning rate, and sigmoid(1 + 1.088) is 0.89, not 0.75.",
        "The average error is printed as a sum of reciprocals; the formula below it, used here, is right.",
    )
    return Exhibit(findings, notes)


def surface_drawn() -> Exhibit:
    """Figure 2.7: the error of both examples over w_1 and w_2, with w_0 = 1, and a descent on it."""
    x, r = _TWO_EXAMPLES
    network = Network([Layer(_START.copy(), SIGMOID)])
    path = []
    for _ in range(400):
        total, (gradient,) = network.gradients(x, r, mean_squared)
        path.append((network.weights[0][1, 0], network.weights[0][2, 0], float(total)))
        network.weights[0][1:] -= 10 * gradient[1:]

    def error(w1: Array, w2: Array) -> Array:
        first, second = sigmoid(1 + w1), sigmoid(1 + w1 + w2)
        return (first**2 + (second - 1) ** 2) / 2

    findings = (
        Finding("error at (2, 3)", "", f"{path[0][2]:.4f}"),
        Finding("error after 400 steps", "near 0", f"{path[-1][2]:.4f}", path[-1][2] < 0.01),
    )
    return Exhibit(findings, panels=(error_surface("E_total over w_1 and w_2", error, path),))


def and_separated() -> Exhibit:
    """Figure 2.8: the line of the AND perceptron parts the points."""
    sides = AND_INPUTS @ _AND_WEIGHTS[1:] + _AND_WEIGHTS[0] >= 0
    panel = Chart(
        "AND",
        "x1",
        (
            points("0", AND_INPUTS[AND_OUTCOMES[:, 0] == 0]),
            points("1", AND_INPUTS[AND_OUTCOMES[:, 0] == 1]),
            curve("x2 = -x1 + 10/6", 0, 5 / 3, lambda x: -x + 10 / 6),
        ),
    )
    parted = bool((sides[:, 0] == (AND_OUTCOMES[:, 0] == 1)).all())
    return Exhibit((Finding("the line parts 0 and 1", "yes", "yes" if parted else "no", parted),), panels=(panel,))


def least_xor_error() -> float:
    """Returns the least mean squared error of one sigmoid neuron on XOR, by a scan over its sums.

    The sums a, b, c, d at (0,0), (0,1), (1,0), (1,1) are not free: a + d = b + c. By symmetry b and c can be scanned
    together with a; d follows.
    """
    axis = np.linspace(-16, 16, 65)
    a, b, c = np.meshgrid(axis, axis, axis, indexing="ij")
    errors = sigmoid(a) ** 2 + (1 - sigmoid(b)) ** 2 + (1 - sigmoid(c)) ** 2 + sigmoid(b + c - a) ** 2
    return float(errors.min() / 4)


def xor_impossible() -> Exhibit:
    """Section 2.5 and Figure 2.9: no line parts XOR, so one neuron cannot learn it."""
    least = least_xor_error()
    panel = Chart(
        "XOR",
        "x1",
        (points("0", AND_INPUTS[XOR_OUTCOMES[:, 0] == 0]), points("1", AND_INPUTS[XOR_OUTCOMES[:, 0] == 1])),
    )
    findings = (
        Finding("least mean squared error of one neuron", "impossible", f"{least:.4f}", abs(least - 0.25) < 0.001),
    )
    notes = (
        "One neuron's sums are v(0,0) + v(1,1) = v(0,1) + v(1,0). XOR wants the left side below and the right side "
        "above zero, so at least one example is on the wrong side of 1/2 and the mean squared error is at least 1/16.",
        "The scan shows the real bound, 1/4: answering 1/2 always, or three of four right, is the best there is.",
    )
    return Exhibit(findings, notes, (panel,))


ITEMS = (
    Item(
        name="fig-2.1",
        title="The line y = -x + 5/3",
        section="2.1",
        status="same",
        code=_CODE,
        run=line_through_two_points,
    ),
    Item(name="fig-2.2", title="The perceptron", section="2.1", status="same", code=_CODE, run=perceptron_drawn),
    Item(
        name="table-2.1",
        also=("fig-2.3",),
        title="The logical AND by weights set by hand",
        section="2.1",
        status="corrected",
        code=_CODE,
        run=and_by_hand,
        reason="the sign of w_0 in the text",
    ),
    Item(name="fig-2.4", title="The sigmoid function", section="2.2", status="same", code=_CODE, run=sigmoid_drawn),
    Item(name="fig-2.5", title="The square error", section="2.2", status="same", code=_CODE, run=squared_error_drawn),
    Item(name="fig-2.6", title="Minimizing the error", section="2.2", status="same", code=_CODE, run=three_steps_down),
    Item(
        name="2.2",
        title="One step of gradient descent, computed",
        section="2.2",
        status="corrected",
        code=_CODE,
        run=one_step_of_descent,
        reason="dnet/dw is the input, not the weight; the learning rate and a sigmoid are missing",
    ),
    Item(
        name="fig-2.7", title="The error over two weights", section="2.2", status="same", code=_CODE, run=surface_drawn
    ),
    Item(name="fig-2.8", title="A line separates AND", section="2.5", status="same", code=_CODE, run=and_separated),
    Item(name="fig-2.9", title="No line separates XOR", section="2.5", status="same", code=_CODE, run=xor_impossible),
)
