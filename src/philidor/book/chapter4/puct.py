"""Chapter 4: the worked example of AlphaGo Zero's search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from philidor.book.items import Exhibit, Finding, Item, close
from philidor.book.trees import Twig, tree_drawing
from philidor.core.evaluation import Evaluation, Wdl
from philidor.core.game import AnyState
from philidor.games import load_game
from philidor.search.puct import Node, PuctConfig, select, simulate

BOOK = PuctConfig(c_puct=1.0, c_factor=0.0, perspective="fixed", prove=False)
"""Figures 4.8 to 4.10: c = 1, no growth, and a viewpoint that never changes."""


def figure_4_8() -> tuple[Node, Node, Node]:
    """Returns the root, its right move and the left one below that.

    The root's moves have N 3, Q 0.2, P 0.1 and N 2, Q 0.4, P 0.7; below the right one N 1, Q 0.5 and 0.4. Which game it
    is does not matter to the numbers.
    """
    state = load_game("tictactoe").state()
    root, left, right = Node(state, 1), Node(state, 0), Node(state, 0)
    below_left, below_right = Node(state, 1), Node(state, 1)
    left.visits, left.value_sum = 3, 0.6
    right.visits, right.value_sum = 2, 0.8
    below_left.visits, below_left.value_sum = 1, 0.5
    below_right.visits, below_right.value_sum = 1, 0.4
    root.visits = 6
    root.priors, root.children = [0.1, 0.7], [left, right]
    right.priors, right.children = [0.6, 0.7], [below_left, below_right]
    return root, right, below_left


def scores(node: Node) -> list[float]:
    """Returns U = Q + u of each move, by the formula of 4.2.2."""
    visits = sum(child.visits for child in node.children if child is not None)
    return [
        child.value + prior * math.sqrt(visits) / (1 + child.visits)
        for prior, child in zip(node.priors, node.children, strict=True)
        if child is not None
    ]


class SevenTenths:
    """A network that answers 0.7 to everything, as the figure's does."""

    def evaluate(self, states: Sequence[AnyState], /) -> list[Evaluation[Any]]:
        """Judges a batch."""
        return [Evaluation.uniform(state, Wdl(0.85, 0.0, 0.15)) for state in states]


def one_simulation() -> Exhibit:
    """Figures 4.8 to 4.10: selection, expansion and back-propagation with their numbers."""
    root, right, below_left = figure_4_8()
    at_root, below = scores(root), scores(right)
    first, second = select(root, BOOK, is_root=True), select(right, BOOK)
    selected = tree_drawing("Figure 4.8: N in the circles, Q beside them", _twig(root, [root, right, below_left]))
    path = simulate(root, BOOK, SevenTenths())
    updated = tree_drawing("Figure 4.10: after 0.7 went up the path", _twig(root, path))
    findings = (
        Finding(
            "U at the root",
            "0.76, 1.14",
            ", ".join(f"{u:.3f}" for u in at_root),
            [round(u, 3) for u in at_root] == [0.256, 0.922],
        ),
        Finding("selected at the root", "right", ("left", "right")[first], first == 1),
        Finding(
            "U below", "0.92, 0.89", ", ".join(f"{u:.2f}" for u in below), [round(u, 2) for u in below] == [0.92, 0.89]
        ),
        Finding("selected below", "left", ("left", "right")[second], second == 0),
        Finding(
            "path of the simulation",
            "right, left",
            "right, left" if path == [root, right, below_left] else "another",
            path == [root, right, below_left],
        ),
        close("Q of the leaf after it", 0.6, below_left.value, 1e-6),
        close("Q of the right move after it", 0.5, right.value, 1e-6),
    )
    notes = (
        "At the root the book leaves P out of u: 0.56 is sqrt(5) / 4. With P, U is 0.256 and 0.922; the choice stays.",
        "The prose says that Q rises from 0.3; the figure's number, and ours, is 0.4.",
        "The figures add +0.7 at both plies: a fixed viewpoint. In play the sign turns at each ply.",
    )
    return Exhibit(findings, notes, (selected, updated))


def _twig(node: Node, path: Sequence[Node]) -> Twig:
    """Returns the tree as a picture, with the path of a simulation marked."""
    children = [_twig(child, path) for child in node.children if child is not None]
    is_marked = any(node is each for each in path)
    return Twig(str(node.visits), f"Q {node.value:.2g}" if node.visits else "", is_marked, children=children)


ITEMS = (
    Item(
        name="fig-4.8",
        also=("fig-4.9", "fig-4.10"),
        title="AlphaGo Zero: selection, expansion, back-propagation",
        section="4.2",
        status="corrected",
        code="src/philidor/search/puct.py",
        run=one_simulation,
        reason="P is left out of u at the root",
    ),
)
