"""The book's items: every one runs, and every number that is claimed comes out."""

import importlib.util
import os
import re
from pathlib import Path

import numpy as np
import pytest

from philidor.book.chapter2.convolution import SOBEL, black_and_white, convolve, max_pool, picture
from philidor.book.chapter2.losses import mean_absolute, mean_squared, softmax
from philidor.book.chapter2.neurons import LINEAR, RELU, SIGMOID, TANH, Layer, Network, sigmoid
from philidor.book.chapter2.optimizers import adam, fit, sgd
from philidor.book.chapter2.perceptron import AND_INPUTS, XOR_OUTCOMES, least_xor_error
from philidor.book.chapter2.practice import gradient_error
from philidor.book.chapter3.positions import DEEP_BLUE, DEEP_BLUE_ENDED
from philidor.book.chapter4.games import MAIA_GAME, after, author_against_maia
from philidor.book.index import all_items, find_items
from philidor.book.items import Item
from philidor.core.charts import draw_charts
from philidor.core.errors import UnknownNameError
from philidor.games.chess import Position

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("PHILIDOR_SHARED", "no-shared-data"))
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="PHILIDOR_SHARED names no folder")
# These learn for seconds, or search deep.
SLOW = {
    *("listing-2.1", "listing-2.3", "listing-2.4", "2.4", "2.9", "2.11-norm", "fig-2.19", "2.13"),
    *("2.14-inputs", "2.14-players", "fig-3.18", "37.be4", "3.4-power", "elo", "positions"),
    *("listing-4.1", "4.3-heads", "4.3-gate", "fig-4.13", "fig-4.20", "table-5.1", "table-5.2"),
}


def _cases() -> list[object]:
    return [
        pytest.param(item, id=item.name, marks=[pytest.mark.slow] if item.name in SLOW else [])
        for item in all_items()
        if item.run is not None
    ]


@pytest.mark.parametrize("item", _cases())
def test_an_item_runs_and_keeps_its_claims(item: Item) -> None:
    if item.needs_torch:
        pytest.importorskip("torch")
    assert item.run is not None
    exhibit = item.run()
    assert exhibit.panels or (exhibit.findings and not item.name.startswith("fig-")), "a figure is drawn"
    assert not [finding for finding in exhibit.findings if finding.agrees is False]
    if exhibit.panels:
        assert draw_charts(item.title, "", exhibit.panels, columns=exhibit.columns).startswith("<svg")


@pytest.mark.parametrize("item", all_items(), ids=lambda item: item.name)
def test_an_item_says_where_its_code_is_and_why_it_differs(item: Item) -> None:
    assert not item.code or (ROOT / item.code).is_file()
    assert item.run is not None or item.command or item.status == "not reproducible"
    is_of_the_book = item.name.startswith(("fig-", "listing-", "table-"))
    assert item.reason or item.status == "same" or (item.status == "experiment" and not is_of_the_book)


def test_no_figure_listing_or_table_of_the_book_is_silent() -> None:
    names = [name for item in all_items() for name in item.names]
    assert len(names) == len(set(names))
    figures = {1: 3, 2: 21, 3: 18, 4: 29, 5: 3}
    listings, tables = {2: 9, 3: 10, 4: 1, 5: 17}, {2: 2, 3: 2, 4: 4, 5: 2}
    wanted = {
        f"{kind}-{chapter}.{number}"
        for kind, counts in (("fig", figures), ("listing", listings), ("table", tables))
        for chapter, count in counts.items()
        for number in range(1, count + 1)
    }
    assert wanted - set(names) == set()


@needs_shared
@pytest.mark.shared
def test_the_book_has_no_more_figures_listings_and_tables_than_that() -> None:
    text = (SHARED / "book/neural-networks-for-chess.txt").read_text(encoding="utf-8")
    names = {name for item in all_items() for name in item.names}
    kinds = {"Figure": "fig", "Listing": "listing", "Table": "table"}
    said = {f"{kinds[kind]}-{number}" for kind, number in re.findall(r"\b(Figure|Listing|Table)\s+(\d\.\d+)\b", text)}
    assert len(said) > 100
    assert said - names == set()


def test_deep_blue_s_game_goes_on_from_the_position_that_is_searched() -> None:
    position = Position(DEEP_BLUE)
    for move in DEEP_BLUE_ENDED.split():
        position = position.play(move)
    assert position.fen().startswith("1r6/5kp1/RqQb1p1p/1p1PpP2/1Pp1B3/2P4P/6P1/5K2 b")


def test_the_author_s_game_against_maia_ends_in_mate() -> None:
    assert str(after(MAIA_GAME, len(MAIA_GAME)).outcome()) != "None"


@needs_shared
@pytest.mark.shared
def test_maia_itself_finds_the_bot_s_moves() -> None:
    shown = author_against_maia(SHARED / "nets/maia-1100.pb.gz")
    found = {finding.what: finding.ours for finding in shown.findings}
    assert found["moves of Maia that maia-1100 finds likeliest"] == "27 of 29"
    assert [row[0] for row in shown.tables[0].rows if row[4].split()[0] != row[0].split("...")[1]] == [
        "2...Qe7",
        "3...d6",
    ]


def test_items_are_found_by_name_section_and_chapter() -> None:
    assert [item.name for item in find_items("fig-2.3")] == ["table-2.1"]
    for text in ("Figure 2.3", "Fig. 2.3", "fig2.3", " FIG-2.3 "):
        assert find_items(text) == find_items("fig-2.3"), text
    assert [item.name for item in find_items("2.5")] == ["fig-2.8", "fig-2.9"]
    assert {item.chapter for item in find_items("3")} == {"3"}
    assert find_items("4.1.2") == find_items("4.1")
    assert [item.name for item in find_items("4.5.1")] == ["4.5-supervised-vs-zero"]
    assert [item.name for number in ("2.10", "5.2") for item in find_items(number)] == ["fig-2.10", "fig-5.1"]
    with pytest.raises(UnknownNameError, match=r"did you mean 'fig-2\.\d+'"):
        find_items("fig-2.99")


# --- Networks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [mean_squared, mean_absolute], ids=["squared", "absolute"])
@pytest.mark.parametrize("activation", [SIGMOID, TANH, RELU, LINEAR], ids=lambda each: each.name)
def test_back_propagation_agrees_with_finite_differences(activation: object, error: object) -> None:
    assert gradient_error((activation, activation, LINEAR), error) < 1e-6  # type: ignore[arg-type]


def test_networks_side_by_side_learn_as_they_would_alone() -> None:
    both = Network.random((2, 3, 1), (TANH, SIGMOID), seed=1, copies=2)
    alone = Network([Layer(layer.weights[1].copy(), layer.activation) for layer in both.layers])
    for network in (both, alone):
        fit(network, AND_INPUTS, XOR_OUTCOMES, adam(0.05), error=mean_squared, epochs=50)
    assert np.allclose(both.predict(AND_INPUTS)[1], alone.predict(AND_INPUTS), atol=1e-12)


def test_one_step_of_each_optimizer_is_as_its_paper_says() -> None:
    gradient = [np.array([0.5, -2.0])]
    plain, moved, scaled = ([np.array([1.0, 1.0])] for _ in range(3))
    sgd(0.1)(plain, gradient)
    step = sgd(0.1, momentum=0.9)
    step(moved, gradient)
    step(moved, gradient)
    adam(0.1)(scaled, gradient)
    assert np.allclose(plain[0], [0.95, 1.2])
    assert np.allclose(moved[0], [1 - 0.05 - 0.095, 1 + 0.2 + 0.38])
    # Adam's first step is the learning rate itself, whatever the gradient's size.
    assert np.allclose(scaled[0], [0.9, 1.1], atol=1e-6)


def test_batches_see_every_example_once_an_epoch() -> None:
    x = np.arange(10.0)[:, None]
    seen: list[float] = []

    class Watching(Network):
        def gradients(self, x, r, error):  # type: ignore[no-untyped-def]
            seen.extend(x[:, 0].tolist())
            return super().gradients(x, r, error)

    fit(Watching([Layer(np.zeros((2, 1)), LINEAR)]), x, x, sgd(0.0), error=mean_squared, epochs=2, batch=4)
    assert sorted(seen[:10]) == sorted(seen[10:]) == x[:, 0].tolist()
    assert seen[:10] != x[:, 0].tolist()


def test_large_numbers_overflow_nothing() -> None:
    assert sigmoid(np.array([-1e6, 1e6])).tolist() == [0.0, 1.0]
    assert softmax(np.array([1e6, 0.0])).tolist() == [1.0, 0.0]


def test_no_single_neuron_gets_below_a_quarter_on_xor() -> None:
    assert least_xor_error() == pytest.approx(0.25, abs=1e-6)
    random = np.random.default_rng(1)
    for weights in random.normal(scale=20, size=(2000, 3, 1)):
        error, _ = mean_squared(Network([Layer(weights, SIGMOID)]).predict(AND_INPUTS), XOR_OUTCOMES)
        assert error >= 0.25 - 1e-9


# --- Pictures ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stride", "padding"), [(1, 0), (2, 0), (1, 1), (3, 2)])
def test_convolution_and_pooling_agree_with_torch(stride: int, padding: int) -> None:
    torch = pytest.importorskip("torch")
    image = picture(17)
    batch, kernel = torch.from_numpy(image)[None, None], torch.from_numpy(SOBEL)[None, None]
    theirs = torch.nn.functional.conv2d(batch, kernel, stride=stride, padding=padding)[0, 0].numpy()
    assert np.allclose(convolve(image, SOBEL, stride=stride, padding=padding), theirs)
    assert np.allclose(max_pool(image, 3), torch.nn.functional.max_pool2d(batch, 3)[0, 0].numpy())


def test_a_threshold_leaves_black_and_white() -> None:
    assert black_and_white(np.array([[-5.0, 1.0, 5.0]]), 3).tolist() == [[0.0, 255.0, 0.0]]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
@pytest.mark.parametrize("activation", [SIGMOID, TANH, RELU], ids=lambda each: each.name)
def test_numpy_and_torch_have_the_same_gradients(activation: object) -> None:
    import torch

    from philidor.book.chapter2.torch.listings import gradients_of, same_network

    random = np.random.default_rng(3)
    network = Network.random((4, 6, 5, 2), (activation, activation, LINEAR), seed=3)  # type: ignore[arg-type]
    x, r = random.normal(size=(7, 4)), random.normal(size=(7, 2))
    _, ours = network.gradients(x, r, mean_squared)
    module = same_network(network)
    theirs = gradients_of(module, torch.nn.functional.mse_loss(module(torch.from_numpy(x)), torch.from_numpy(r)))
    assert max(float(np.abs(a - b).max()) for a, b in zip(ours, theirs, strict=True)) < 1e-12
