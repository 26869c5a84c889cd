"""What the server sends to the page /inside (docs/web-protocol.md). P, N, W, Q, U and V are the book's letters."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import Field

from philidor.frontends.web.schema import BoardView, MoveView, PositionView, Side, Square, View

Algorithm: TypeAlias = Literal["uct", "puct", "alphabeta"]


class InsideNet(View):
    """A network that can be looked into."""

    name: str
    title: str
    game: str
    kind: Literal["nnue", "policy", "value"]
    """A network of the third kind has no policy: its layers can be seen, and no move of its own."""
    has_value: bool
    """Whether it says who is winning, which a search needs."""
    layers: int | None
    """Of a tower of convolutions: the first convolution and what stands behind it, blocks or convolutions."""
    filters: int | None
    """Of its first convolution."""


class InsideList(View):
    """All of them, and the order of moves that alpha-beta can be asked to take."""

    nets: list[InsideNet]
    orders: list[str]


class TreeMade(View):
    """A tree that the server keeps for a while."""

    id: str
    algorithm: Algorithm
    judge: str
    """Who judged its leaves."""
    steps: int
    """Simulations, or nodes in the order of the search."""
    nodes: int
    is_whole: bool
    """Whether the search came to its end."""
    board: BoardView
    position: PositionView


class TreeNode(View):
    """A position of a tree; what the algorithm does not have is null."""

    id: int
    parent: int | None
    move: str
    to_move: Side
    below: int
    """How many nodes lie right below, shown or not."""
    children: list[TreeNode]
    ending: str | None
    P: float | None = None
    N: int | None = None
    W: float | None = None
    Q: float | None = None
    V: float | None = None
    proven: float | None = None
    alpha: float | None = None
    beta: float | None = None
    value: float | None = None
    is_done: bool = True
    is_cutoff: bool = False
    skipped: list[str] = Field(default_factory=list)
    size: int | None = None
    """How many nodes lie below and here."""


class MoveRow(View):
    """What a selection sees of a move."""

    move: str
    node: int | None
    P: float | None
    N: int
    Q: float | None
    U: float | None
    score: float | None
    V: float | None
    drawn: MoveView | None = None
    """How to draw it on the board, in the tables of a node."""


class Selection(View):
    """One step down the tree."""

    node: int
    chosen: int
    moves: list[MoveRow]


class Backup(View):
    """What a simulation changed in a node of its path."""

    node: int
    move: str
    N_before: int
    W_before: float
    N: int
    W: float
    Q: float


class TreeStep(View):
    """What one step of a search did."""

    number: int
    path: list[int]
    words: list[str]
    """The phases in sentences."""
    selection: list[Selection]
    expansion: int | None
    by: str | None
    value: float | None
    backup: list[Backup]
    position: PositionView
    """At the end of the path."""


class NodeTable(View):
    """A node's position and its moves."""

    position: PositionView
    line: list[str]
    """The moves from the root."""
    moves: list[MoveRow]


class Term(View):
    """A term of the handcrafted evaluation, in centipawns."""

    name: str
    meaning: str
    white: float
    black: float


class Terms(View):
    """The handcrafted evaluation."""

    score_cp: int
    terms: list[Term]


class NeuronView(View):
    """One side's half of an NNUE network's first layer."""

    side: str
    features: list[str]
    firing: int
    neurons: list[int]


class NeuronChange(View):
    """What a move changes in an NNUE network."""

    move: str
    score_cp: int
    on: tuple[list[str], list[str]]
    off: tuple[list[str], list[str]]
    neurons: tuple[int, int]
    largest: list[tuple[str, int, int, int]]


class NnueInside(View):
    """An NNUE network at work: what pieces are worth to it, and what fires. Centipawns in White's view."""

    score_cp: int
    pieces: dict[Square, int]
    views: tuple[NeuronView, NeuronView]
    change: NeuronChange | None


class PlaneSet(View):
    """Planes over the board, or the small squares of a filter; rows count from the bottom."""

    title: str
    width: int
    height: int
    total: int
    """How many there are; those with the most contrast are sent."""
    numbers: list[int]
    """Of the planes that are sent."""
    planes: list[list[float]]


class SaliencyView(View):
    """What a network's choice rests on."""

    move: str
    probability: float
    value: float
    squares: dict[Square, float]
    drawn: MoveView


class SharedMove(View):
    """A move in two networks' eyes."""

    move: str
    shares: tuple[float, float]
    drawn: MoveView


class NetComparison(View):
    """Two networks on one position; values are the side to move's."""

    values: tuple[float, float]
    agreement: float
    moves: list[SharedMove]
