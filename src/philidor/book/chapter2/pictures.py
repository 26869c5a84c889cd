"""Filters over pictures, by hand and learned, and what the first layers of our own networks look for: ch. 2.8."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from philidor.book.chapter2.convolution import EDGES, SOBEL, black_and_white, convolve, max_pool, picture
from philidor.book.chapter2.diagrams import network_drawing
from philidor.book.chapter2.neurons import Array
from philidor.book.items import Exhibit, Finding, Item
from philidor.core.charts import Image

if TYPE_CHECKING:
    from philidor.nets.tower import Layer

_CODE = "src/philidor/book/chapter2/pictures.py"
_OURS = "The book's picture is of a stuffed toy and not ours to show; this one is drawn by convolution.py."
_MATE_IN_ONE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
_SHOWN = 6


def image_of(title: str, pixels: NDArray[Any], **settings: object) -> Image:
    """Returns a panel of a picture."""
    return Image(title, tuple(map(tuple, np.asarray(pixels, dtype=np.float64).tolist())), **settings)  # type: ignore[arg-type]


def picture_drawn() -> Exhibit:
    """Figure 2.12: a gray picture is a matrix of numbers from 0 to 255."""
    pixels = picture()
    low, high = pixels.min(), pixels.max()
    findings = (Finding("numbers", "0 to 255", f"{low:.0f} to {high:.0f}", bool(0 <= low < high <= 255)),)
    return Exhibit(findings, (_OURS,), (image_of("A face of our own", pixels),))


def filter_applied() -> Exhibit:
    """Figure 2.13: a filter on a picture of 6x6 gives one of 4x4; padding, stride and pooling change the size."""
    pixels = np.arange(36.0).reshape(6, 6) % 7
    filtered = convolve(pixels, EDGES)
    x = pixels.reshape(-1)
    by_formula = x[0] - x[2] + x[6] - x[8] + x[12] - x[14]
    cases = (
        ("3x3 filter", "4x4", filtered),
        ("with padding 1", "6x6", convolve(pixels, EDGES, padding=1)),
        ("with stride 2", "2x2", convolve(pixels, EDGES, stride=2)),
        ("2x2 maximum of the picture", "3x3", max_pool(pixels)),
    )
    findings = [
        Finding(f"size, {name}", size, "{}x{}".format(*got.shape), "{}x{}".format(*got.shape) == size)
        for name, size, got in cases
    ]
    findings.append(
        Finding(
            "upper left, equation 2.2", f"{by_formula:g}", f"{filtered[0, 0]:g}", bool(by_formula == filtered[0, 0])
        )
    )
    panels = (image_of("6x6", pixels, has_numbers=True), image_of("filtered, 4x4", filtered, has_numbers=True))
    return Exhibit(tuple(findings), panels=panels)


def edges_found() -> Exhibit:
    """Listing 2.7, Figures 2.14 and 2.15: the edge filter and Sobel's, without and with a threshold."""
    pixels = picture()
    panels = []
    shares = {}
    for name, kernel in (("edge filter", EDGES), ("Sobel", SOBEL)):
        across, down = convolve(pixels, kernel), convolve(pixels, kernel.T)
        strength = np.hypot(across, down)
        shares[name] = float((strength > 150).mean())
        panels += [
            image_of(f"{name}, left to right", across),
            image_of(f"{name}, both ways, thresholded", black_and_white(strength, 150)),
        ]
    findings = tuple(
        Finding(f"pixels on an edge, {name}", "", f"{share:.1%}", 0.02 < share < 0.5) for name, share in shares.items()
    )
    notes = (
        _OURS,
        "The text's matrices look for upright edges, the listing's for level ones: each is the other turned. Both are "
        "shown together. The listing's loops leave out the last row and column.",
        "The author sees almost no difference between the two filters; neither do we.",
    )
    return Exhibit(findings, notes, tuple(panels))


def learned_filter(steps: int = 3000) -> tuple[Array, float]:
    """Learns the nine weights of a filter from a picture and its Sobel-filtered twin; returns them and the last error.

    A convolution is a neuron with nine inputs that looks at every place with the same weights (Figure 2.16).
    """
    pixels = picture() / 255
    wanted = convolve(pixels, SOBEL).reshape(-1)
    patches = np.lib.stride_tricks.sliding_window_view(pixels, (3, 3)).reshape(-1, 9)
    weights = np.random.default_rng(3).normal(scale=0.1, size=9)
    for _ in range(steps):
        error = patches @ weights - wanted
        weights -= 0.15 * 2 * patches.T @ error / len(wanted)
    return weights.reshape(3, 3), float((error**2).mean())


def filter_learned() -> Exhibit:
    """Figure 2.16: gradient descent finds Sobel's matrix by itself."""
    weights, error = learned_filter()
    worst = float(np.abs(weights - SOBEL).max())
    findings = (
        Finding("mean squared error at the end", "", f"{error:.1e}", error < 1e-3),
        Finding("largest difference from Sobel's matrix", "", f"{worst:.3f}", worst < 0.25),
    )
    inputs = [f"x{row}{column}" for row in (1, 2, 3) for column in (1, 2, 3)]
    panels = (
        image_of("Sobel's filter", SOBEL, has_numbers=True),
        image_of("learned", weights.round(2) + 0.0, has_numbers=True),
        network_drawing("A filter is a neuron with few inputs", (inputs, ["y11"])),
    )
    return Exhibit(findings, panels=panels)


def our_filters(net: Path | None = None) -> Exhibit:
    """Figures 2.17 and 2.18: what the first layer of a chess network of ours looks for.

    By default the shipped network of the engine; `--net` takes any network of convolutions, ours or Leela's.
    """
    from philidor.nets.loading import NetFormat, net_format
    from philidor.nets.shipped import DEFAULT_NET, find_net

    path = find_net(net if net is not None else DEFAULT_NET)
    if net_format(path) in (NetFormat.LEELA, NetFormat.OWN):
        return _convolution_filters(path)
    return _nnue_columns(path)


def _nnue_columns(path: Path) -> Exhibit:
    """Each number of an NNUE's first layer has a weight for every piece on every square: six small boards."""
    from philidor.games.chess import Position
    from philidor.nets.nnue import load_network
    from philidor.nets.nnue.reference import accumulator

    network = load_network(path)
    planes = network.feature_weights[-768:].reshape(12, 8, 8, -1)
    # The neuron that a piece's square matters most to.
    neuron = int(planes.astype(np.float64).var(axis=(0, 1, 2)).argmax())
    names = ("pawns", "knights", "bishops", "rooks", "queens")
    panels = [
        image_of(
            f"neuron {neuron}, own {name}",
            planes[2 * kind, ::-1, :, neuron],
            caption="a1 is lower left; light counts for it",
        )
        for kind, name in enumerate(names)
    ]
    fired = accumulator(network, Position(_MATE_IN_ONE), is_black=False)
    panels.append(
        image_of(
            "all neurons in Figure 3.1",
            np.clip(fired, 0, 127).reshape(16, -1),
            caption="light: how much a neuron fires",
        )
    )
    share = float((fired > 0).mean())
    findings = (
        Finding("numbers in the first layer", "", str(network.architecture.width)),
        Finding("neurons that fire in Figure 3.1", "", f"{share:.0%}", 0.0 < share < 1.0),
    )
    notes = (
        "VGG16's weights (Listings 2.8 and 2.9) do not come with philidor; the question is asked of our own network.",
        "An NNUE network has no convolutions: each neuron is a picture of piece values. `--net FILE` shows the filters "
        "of a network of convolutions.",
    )
    return Exhibit(findings, notes, tuple(panels), columns=3)


def _first_convolution(path: Path) -> tuple[Layer, Array]:
    """Returns a chess network's first layer and the planes it sees in Figure 3.1. Raises NetError."""
    from philidor.core.errors import NetError
    from philidor.encodings import load_encoding
    from philidor.encodings.encoding import expand
    from philidor.encodings.leela import LeelaPolicy, leela_name
    from philidor.games.chess import Chess, Position
    from philidor.nets.leela.files import format_of, load_leela
    from philidor.nets.leela.residual import is_residual, tower_of
    from philidor.nets.loading import NetFormat, net_format
    from philidor.nets.network_files import load_stored
    from philidor.nets.network_weights import fold
    from philidor.nets.tower import Tower

    if net_format(path) is NetFormat.LEELA:
        leela = load_leela(path)
        if not is_residual(leela):
            raise NetError(f"{str(path)!r} has no convolutions to show")
        encoding = load_encoding(leela_name(format_of(leela).input, LeelaPolicy.FLAT), Chess())
        tower = tower_of(leela)
    else:
        stored = load_stored(path)
        if stored.config.game != "chess":
            raise NetError(f"{str(path)!r} plays {stored.config.game}, expected a chess network")
        encoding = load_encoding(stored.config.encoding, Chess())
        folded = fold(stored.arrays, stored.config, encoding.shape)
        if not isinstance(folded, Tower):
            raise NetError(f"{str(path)!r} has no convolutions to show")
        tower = folded
    planes = expand(encoding.encode([Position(_MATE_IN_ONE)]), encoding.shape)[0]
    return tower.input, planes.astype(np.float64)


def _convolution_filters(path: Path) -> Exhibit:
    layer, planes = _first_convolution(path)
    strongest = np.abs(layer.weights).sum(axis=(2, 3)).max(axis=1).argsort()[::-1][:_SHOWN]
    panels = []
    for unit in strongest:
        plane = int(np.abs(layer.weights[unit]).sum(axis=(1, 2)).argmax())
        panels.append(
            image_of(f"filter {unit}, input plane {plane}", layer.weights[unit, plane].round(2), has_numbers=True)
        )
    total = sum(
        convolve(plane, kernel, padding=1) for plane, kernel in zip(planes, layer.weights[strongest[0]], strict=True)
    )
    fired = np.maximum(total + layer.biases[strongest[0]], 0)
    panels.append(
        image_of(f"filter {strongest[0]} in Figure 3.1", fired[::-1], caption="a1 is lower left; light: fires")
    )
    findings = (
        Finding("filters, each over input planes", "", f"{layer.weights.shape[0]} over {layer.weights.shape[1]}"),
    )
    return Exhibit(findings, panels=tuple(panels), columns=3)


ITEMS = (
    Item(name="fig-2.12", title="A picture as numbers", section="2.8", status="same", code=_CODE, run=picture_drawn),
    Item(
        name="fig-2.13",
        title="Applying a filter; padding, stride, pooling",
        section="2.8",
        status="same",
        code="src/philidor/book/chapter2/convolution.py",
        run=filter_applied,
    ),
    Item(
        name="listing-2.7",
        also=("fig-2.14", "fig-2.15"),
        title="Edges by a filter and by Sobel's",
        section="2.8",
        status="corrected",
        code=_CODE,
        run=edges_found,
        reason="the listing leaves out a row and a column and turns the text's filter",
    ),
    Item(
        name="fig-2.16",
        title="A filter that is learned",
        section="2.8",
        status="experiment",
        reason="the book draws the filter as a layer; here its weights are learned",
        code=_CODE,
        run=filter_learned,
    ),
    Item(
        name="fig-2.18",
        also=("fig-2.17",),
        title="What a network of ours looks for",
        section="2.8",
        status="experiment",
        code=_CODE,
        run=our_filters,
        takes_net=True,
        reason="our chess network instead of VGG16",
    ),
    Item(
        name="listing-2.8",
        also=("listing-2.9",),
        title="VGG16's filters",
        section="2.8",
        status="not reproducible",
        code=_CODE,
        reason="VGG16's weights do not come with philidor; fig-2.18 asks the same of a chess network",
    ),
)
