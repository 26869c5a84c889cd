"""Many trees at once: a network likes large batches, and a leaf of each tree makes one without virtual loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from philidor.core.evaluation import Evaluator
from philidor.search.trees.native import PuctSearch


def grow_together(trees: Sequence[PuctSearch], evaluator: Evaluator[Any], simulations: int) -> None:
    """Grows each tree until it has so many visits, is proven or full; each comes out as if it had grown alone."""
    growing = [tree for tree in trees if tree.visits < simulations]
    while growing:
        before = [tree.visits for tree in growing]
        leaves = [(tree, *found) for tree in growing for found in tree.collect(1, simulations - tree.visits)]
        _evaluate(leaves, evaluator)
        # A tree that gave no leaf may still have walked to ends of games; one that stood still will not move again.
        growing = [tree for tree, visits in zip(growing, before, strict=True) if visits < tree.visits < simulations]


def _evaluate(leaves: list[tuple[PuctSearch, Any, Any]], evaluator: Evaluator[Any]) -> None:
    waiting = list(leaves)
    try:
        evaluations = evaluator.evaluate([state for _, _, state in leaves]) if leaves else []
        for (tree, leaf, state), evaluation in zip(leaves, evaluations, strict=True):
            tree.apply(leaf, state, evaluation)
            waiting.pop(0)
    finally:
        for tree, leaf, _ in waiting:
            tree.cancel(leaf)
