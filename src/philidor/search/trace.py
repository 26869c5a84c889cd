"""The tree a search has seen, for the teaching views: what was tried, what it was worth, what was cut off.

Book: the drawings of ch. 3, Figures 3.3 and 3.4 for minimax and alpha-beta, 3.11 to 3.17 for Monte Carlo.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from philidor.core.game import AnyState


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceLimit:
    """How much of the tree to keep; trees outgrow every screen, and soon every memory."""

    nodes: int = 100_000
    plies: int = 100


@dataclass(slots=True)
class TraceNode:
    """One position of the tree. Scores are the first player's view, W and Q that of the player who moved here."""

    move: str | None
    """The move that led here; None at the root."""
    to_move: int
    value: float | None = None
    alpha: float | None = None
    """The window this position was searched with."""
    beta: float | None = None
    is_cutoff: bool = False
    """Whether the rest of the moves was skipped, because the opponent would not allow this position."""
    skipped: list[str] = field(default_factory=list)
    """The moves that a cutoff saved."""
    ending: str | None = None
    """Why there is nothing below: the rule that ended the game, or "evaluated"."""
    visits: int | None = None
    """N, for tree searches that count."""
    value_sum: float | None = None
    """W: the sum of the results, 1 for a win and 0.5 for a draw."""
    ply: int = 0
    """Moves from the root."""
    children: list[TraceNode] = field(default_factory=list)

    @property
    def mean_value(self) -> float | None:
        """Q = W / N."""
        return self.value_sum / self.visits if self.visits and self.value_sum is not None else None

    def count(self) -> int:
        """Returns the number of nodes, this one included."""
        return 1 + sum(child.count() for child in self.children)

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data for JSON; what does not apply is left out."""
        data = {
            "move": self.move,
            "to_move": self.to_move,
            "value": self.value,
            "alpha": self.alpha,
            "beta": self.beta,
            "cutoff": self.is_cutoff or None,
            "skipped": self.skipped or None,
            "ending": self.ending,
            "N": self.visits,
            "W": self.value_sum,
            "Q": self.mean_value,
            "children": [child.to_dict() for child in self.children] or None,
        }
        return {key: value for key, value in data.items() if value is not None}

    def to_json(self, *, indent: int | None = None) -> str:
        """Writes `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=indent)

    def render(self, plies: int = 2, indent: str = "") -> str:
        """Draws the upper part of the tree as text, one node a line."""
        lines = [f"{indent}{self._label()}"]
        if plies > 0:
            lines += [child.render(plies - 1, indent + "  ") for child in self.children]
        return "\n".join(lines)

    def _label(self) -> str:
        parts = [self.move or "root"]
        if self.value is not None:
            parts.append(f"{self.value:g}")
        if self.alpha is not None and self.beta is not None:
            parts.append(f"window {self.alpha:g}..{self.beta:g}")
        if self.visits is not None:
            parts.append(f"N {self.visits}")
        if self.mean_value is not None:
            parts.append(f"Q {self.mean_value:.3f}")
        if self.ending is not None:
            parts.append(self.ending)
        if self.is_cutoff:
            parts.append(f"cutoff, {len(self.skipped)} skipped")
        return "  ".join(parts)


class Tracer:
    """Grows a tree beside a search, or, without a limit, nothing: then every node is None."""

    def __init__(self, state: AnyState, limit: TraceLimit | None) -> None:
        self._limit = limit
        self._count = 1
        self.root = None if limit is None else TraceNode(None, state.to_move)

    def branch(
        self, parent: TraceNode | None, state: AnyState, move: Any, window: tuple[int, int] | None = None
    ) -> TraceNode | None:
        """Adds the node after `move` of `state`; None when the parent is not kept or the limit is reached."""
        if parent is None or self._limit is None:
            return None
        if self._count >= self._limit.nodes or parent.ply >= self._limit.plies:
            return None
        self._count += 1
        node = TraceNode(state.move_text(move), 1 - state.to_move, ply=parent.ply + 1)
        if window is not None:
            node.alpha, node.beta = window
        parent.children.append(node)
        return node
