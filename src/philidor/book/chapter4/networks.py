"""Chapter 4's networks, built and counted: AlphaGo's, AlphaGo Zero's, Leela's; and Table 4.4, how fast engines look."""

from __future__ import annotations

from philidor.book.flows import flow_drawing
from philidor.book.items import Exhibit, Finding, Item
from philidor.core.charts import Drawing
from philidor.games.chess import Position
from philidor.nets.network_config import preset
from philidor.nets.shipped import HUMAN_NET, shipped_nets
from philidor.players import load_engine

_POINTS = 19 * 19
_SECONDS = 0.5


def _weights(name: str, game: str, encoding: str | None = None) -> int:
    from philidor.nets.torch.model import build

    return build(preset(name, game, encoding), seed=1).parameter_count


def _convolution(inputs: int, outputs: int, side: int) -> int:
    """Returns the weights of a convolution with a bias for each filter."""
    return inputs * outputs * side * side + outputs


def policy_network() -> Exhibit:
    """Figures 4.1 and 4.3: the policy network, layer by layer."""
    config = preset("alphago-192", "go-19x19", "alphago-48")
    shape = config.load_encoding().shape
    layers = [_convolution(48, 192, 5), *[_convolution(192, 192, 3)] * 11]
    last = 192 + _POINTS  # one filter of 1x1, and a bias for each point
    counted, built = sum(layers) + last, _weights("alphago-192", "go-19x19", "alphago-48")
    findings = (
        Finding("planes of the input", "48", str(shape.planes), shape.planes == 48),
        Finding("filters", "192", str(config.filters), config.filters == 192),
        Finding("convolutions of 3x3", "10", str(config.blocks), config.blocks == 11),
        Finding("moves among the outputs", "362, with the pass", f"{_POINTS}, without"),
        Finding("weights, counted by hand", "", f"{counted:,}", counted == 3_882_793),
        Finding("weights of the network that is built", "", f"{built:,}", built == counted),
    )
    notes = (
        "The paper has thirteen layers: 5x5, eleven of 3x3, 1x1. Its policy cannot pass.",
        "philidor train alphago-19x19-policy trains it; docs/alphago.md says how far.",
    )
    drawn = flow_drawing(
        "From the board to the chance of each move",
        (
            [f"{shape.planes} planes of 19x19"],
            [f"{config.filters} filters of 5x5, ReLU"],
            [f"{config.blocks} layers of {config.filters} filters of 3x3, ReLU"],
            ["1 filter of 1x1, a bias for each point"],
            [f"softmax over {_POINTS} points"],
        ),
    )
    return Exhibit(findings, notes, (drawn,))


def value_network() -> Exhibit:
    """Figures 4.2 and 4.5: the value network."""
    config = preset("alphago-value", "go-19x19", "alphago-49")
    planes = config.load_encoding().shape.planes
    built = _weights("alphago-value", "go-19x19", "alphago-49")
    findings = (
        Finding("planes of the input: who moves is one more", "49", str(planes), planes == 49),
        Finding("outputs", "1, by tanh", f"1, by {config.value}", config.value == "tanh"),
        Finding("weights", "", f"{built:,}"),
    )
    drawn = flow_drawing(
        "From the board to the chance to win",
        (
            [f"{planes} planes of 19x19"],
            [f"{config.filters} filters of 5x5, ReLU"],
            [f"{config.blocks} layers of {config.filters} filters of 3x3, ReLU"],
            [f"{config.value_planes} filter of 1x1, ReLU"],
            [f"{config.value_hidden} units, ReLU"],
            [f"1 unit, {config.value}"],
        ),
    )
    note = "The value is the side to move's, not White's or Black's as the book has it."
    return Exhibit(findings, (note,), (drawn,))


def zero_network() -> Exhibit:
    """Figure 4.7: AlphaGo Zero's residual tower with two heads."""
    names = ("19x256", "39x256")
    shape = preset(names[0], "go-19x19", "boards-8").load_encoding().shape
    blocks = " or ".join(str(preset(name, "go-19x19", "boards-8").blocks) for name in names)
    built = {name: _weights(name, "go-19x19", "boards-8") for name in names}
    block = 2 * (256 * 256 * 9 + 2 * 256)  # two convolutions with the two numbers of batch normalization a filter
    difference = built["39x256"] - built["19x256"]
    findings = (
        Finding("planes of the input", "17", str(shape.planes), shape.planes == 17),
        Finding("residual blocks", "19 or 39", blocks, blocks == "19 or 39"),
        Finding("outputs of the policy", "362", str(shape.policy_size), shape.policy_size == _POINTS + 1),
        Finding("weights with 19 blocks", "", f"{built['19x256']:,}"),
        Finding("weights with 39 blocks", "", f"{built['39x256']:,}", difference == 20 * block),
    )
    drawn = _tower(
        f"{shape.planes} planes of 19x19",
        f"{blocks} residual blocks of 256 filters",
        [["2 filters of 1x1", "1 filter of 1x1"], [f"policy: {shape.policy_size}", "value: 256 units, then 1, tanh"]],
    )
    note = f"A block has {block:,} weights, both convolutions and their normalization."
    return Exhibit(findings, (note,), (drawn,))


def leela_network() -> Exhibit:
    """Figure 4.12: a tower with squeeze and excitation, and Leela's three heads."""
    config = preset("10x128-se", "chess", "leela-1-flat")
    shape = config.load_encoding().shape
    built = _weights("10x128-se", "chess", "leela-1-flat")
    findings = (
        Finding("planes of the input", "112", str(shape.planes), shape.planes == 112),
        Finding("value: win, draw and loss", "3 outputs", config.value, config.value == "wdl"),
        Finding("moves left", "1 output", "yes" if config.moves_left else "no", config.moves_left),
        Finding("weights, 10 blocks of 128 filters", "", f"{built:,}"),
    )
    heads = [f"policy: {shape.policy_size:,}", "value: win, draw, loss", "moves left: 1"]
    tower = f"{config.blocks} residual blocks of {config.filters} filters with SE"
    drawn = _tower(f"{shape.planes} planes of 8x8", tower, [heads])
    return Exhibit(findings, ("Leela's own files are read and played: docs/leela.md.",), (drawn,))


def _tower(planes: str, tower: str, heads: list[list[str]]) -> Drawing:
    first = ["3x3 filters, normalized, ReLU"]
    return flow_drawing("One tower, a head for each answer", ([planes], first, [tower], *heads))


def speeds() -> Exhibit:
    """Table 4.4: positions a second, on this machine and one core, while searching the first position."""
    position = Position()
    engine = load_engine("nnue").analyse(position, movetime=_SECONDS)
    tree = load_engine("net", net=str(shipped_nets()[HUMAN_NET])).analyse(position, movetime=_SECONDS)
    fast, slow = engine.nodes_per_second, tree.nodes_per_second
    findings = (
        Finding("Deep Blue, alpha-beta", "200,000,000", ""),
        Finding("Stockfish 8, alpha-beta", "70,000,000", ""),
        Finding("AlphaZero, MCTS", "80,000", ""),
        Finding("nnue, alpha-beta, one core", "", f"{fast:,}"),
        Finding("net, MCTS with human-1, one core", "", f"{slow:,}"),
        Finding("alpha-beta looks at more positions, times", "", f"{fast / max(1, slow):.0f}", fast > slow),
    )
    return Exhibit(findings, ("Other machines, other decades: compare only the ratio of the two searches.",))


_MODEL = "src/philidor/nets/network_config.py"
ITEMS = (
    Item(
        name="fig-4.3",
        also=("fig-4.1",),
        title="AlphaGo's policy network",
        section="4.1",
        status="corrected",
        code=_MODEL,
        run=policy_network,
        reason="eleven layers of 3x3, and no pass",
        needs_torch=True,
    ),
    Item(
        name="fig-4.5",
        also=("fig-4.2",),
        title="AlphaGo's value network",
        section="4.1",
        status="corrected",
        code=_MODEL,
        run=value_network,
        reason="the value is the side to move's",
        needs_torch=True,
    ),
    Item(
        name="fig-4.7",
        title="AlphaGo Zero's network",
        section="4.2",
        status="same",
        code=_MODEL,
        run=zero_network,
        needs_torch=True,
    ),
    Item(
        name="fig-4.12",
        title="Leela's network",
        section="4.4",
        status="same",
        code=_MODEL,
        run=leela_network,
        needs_torch=True,
    ),
    Item(
        name="table-4.4",
        title="Positions a second",
        section="4.6",
        status="experiment",
        reason="the book's numbers are other machines'; ours are measured on this one",
        code="src/philidor/book/chapter4/networks.py",
        run=speeds,
    ),
)
