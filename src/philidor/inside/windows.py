"""The tree of alpha-beta with windows and cut-offs, in the order in which it was searched (book, Figures 3.2 to 3.4).

Listing 3.7 itself searches, and keeps what it saw: nodes are numbered as they were visited.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from philidor.core.abilities import move_name
from philidor.core.analysis import Analysis
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Heuristic
from philidor.core.game import AnyState
from philidor.core.thinking import Stop
from philidor.evaluators import default_heuristic
from philidor.inside.tree_pictures import TreeDict, draw_tree
from philidor.search.alphabeta import AlphaBetaConfig, alphabeta
from philidor.search.limits import Limits
from philidor.search.trace import TraceLimit, TraceNode

MOST_NODES = 100_000
_OPEN = 99_999
"""What alpha-beta takes for infinite."""


@dataclass(frozen=True, slots=True)
class WindowTree:
    """A searched tree; scores and windows are centipawns in the first player's view."""

    state: AnyState
    depth: int
    analysis: Analysis
    """What the search itself says."""
    nodes: tuple[TraceNode, ...]
    """In the order of the search; the root is the first."""
    parents: tuple[int, ...]
    ends: tuple[int, ...]
    """The number after the last one below each node."""

    @property
    def is_whole(self) -> bool:
        """Whether the search came to its end."""
        return len(self.nodes) < MOST_NODES

    def _check(self, number: int) -> int:
        if not 0 <= number < len(self.nodes):
            raise ConfigError(f"nodes are from 0 to {len(self.nodes) - 1}, got {number}")
        return number

    def line(self, number: int) -> list[int]:
        """Returns the nodes from the root to one. Raises ConfigError."""
        path = [self._check(number)]
        while path[-1] != 0:
            path.append(self.parents[path[-1]])
        return path[::-1]

    def state_at(self, number: int) -> AnyState:
        """Returns a node's position. Raises ConfigError."""
        state = self.state
        for each in self.line(number)[1:]:
            state = state.play(state.parse_move(self.nodes[each].move or ""))
        return state

    def children(self, number: int) -> list[int]:
        """Returns the nodes right below one. Raises ConfigError."""
        self._check(number)
        found, child = [], number + 1
        while child < self.ends[number]:
            found.append(child)
            child = self.ends[child]
        return found

    def node(self, number: int, step: int | None = None, state: AnyState | None = None) -> dict[str, Any]:
        """Returns what was known of a node when the search had come to node `step`; at the end if not given.

        Raises ConfigError.
        """
        step = len(self.nodes) - 1 if step is None else step
        node, parent = self.nodes[self._check(number)], self.parents[number]
        above = (self.state_at(parent) if number else self.state) if state is None else state
        is_done = self.ends[number] - 1 <= step
        return {
            "id": number,
            "parent": parent if number else None,
            "move": move_name(above, above.parse_move(node.move)) if node.move is not None else "",
            "to_move": node.to_move,
            "alpha": _bound(node.alpha),
            "beta": _bound(node.beta),
            "value": node.value if is_done else None,
            "is_done": is_done,
            "is_cutoff": is_done and node.is_cutoff,
            "skipped": list(node.skipped) if is_done else [],
            "ending": node.ending,
            "size": self.ends[number] - number,
            "below": len(self.children(number)),
        }

    def subtree(
        self, number: int = 0, step: int | None = None, *, plies: int = 2, most: int = 40, keep: Sequence[int] = ()
    ) -> dict[str, Any]:
        """Returns a node with those below it that the search had seen; what is left out is counted in `below`.

        Nodes in `keep` are there whatever their number and depth. Raises ConfigError.
        """
        step = len(self.nodes) - 1 if step is None else step
        state = self.state_at(self.parents[number]) if number else self.state
        return self._subtree(number, step, plies, most, keep, state)

    def _subtree(
        self, number: int, step: int, plies: int, most: int, keep: Sequence[int], above: AnyState
    ) -> dict[str, Any]:
        found = self.node(number, step, above)
        found["children"] = []
        if plies > 0 or any(number < child < self.ends[number] for child in keep):
            here = above if number == 0 else above.play(above.parse_move(self.nodes[number].move or ""))
            seen = [child for child in self.children(number) if child <= step]
            chosen = [child for rank, child in enumerate(seen) if (plies > 0 and rank < most) or child in keep]
            found["children"] = [self._subtree(child, step, plies - 1, most, keep, here) for child in chosen]
        return found

    def to_dict(self, *, plies: int = 2) -> dict[str, Any]:
        """Returns plain data for JSON: the upper part of the tree and what the search says."""
        counters = dict(self.analysis.counters)
        tree = self.subtree(plies=plies)
        return {"state": self.state.text(), "depth": self.depth, "counters": counters, "tree": tree}

    def svg(self, step: int | None = None, *, plies: int = 3, most: int = 4) -> str:
        """Draws the tree as it was when the search had come to node `step`, the line to that node in color."""
        last = len(self.nodes) - 1 if step is None else step
        path = self.line(last) if step is not None else self._best_line()
        tree = self.subtree(0, step, plies=plies, most=most, keep=path)

        def lines(node: TreeDict) -> tuple[str, str]:
            window = "" if node["parent"] is None else f"{_text(node['alpha'], '-∞')}..{_text(node['beta'], '∞')}"
            cut = f"cut {len(node['skipped'])}" if node["is_cutoff"] else ""
            return _text(node["value"], "?"), cut or window

        title = f"Alpha-beta, {self.depth} moves ahead: node {last} of {len(self.nodes) - 1}"
        return draw_tree(
            title, self.state.text(), tree, lines, marked=path, is_faint=lambda node: bool(node["is_cutoff"])
        )

    def _best_line(self) -> list[int]:
        """Returns the nodes that the root's value comes from, as far as they are kept."""
        path = [0]
        while below := self.children(path[-1]):
            wanted = self.nodes[path[-1]].value if path[-1] else self._root_value()
            path.append(next((child for child in below if self.nodes[child].value == wanted), below[0]))
        return path

    def _root_value(self) -> float | None:
        values = [value for child in self.children(0) if (value := self.nodes[child].value) is not None]
        return (max if self.state.to_move == 0 else min)(values) if values else None

    def _repr_svg_(self) -> str:
        return self.svg()


def _bound(value: float | None) -> float | None:
    """Returns a bound, or None where the window is open."""
    return None if value is None or abs(value) >= _OPEN else value


def _text(value: float | None, unknown: str) -> str:
    return unknown if value is None else f"{value:g}"


def alphabeta_tree(
    state: AnyState,
    *,
    depth: int = 3,
    order: str = "canonical",
    root_window: str = "shared",
    heuristic: Heuristic[Any] | None = None,
    stop: Stop | None = None,
) -> WindowTree:
    """Searches with Listing 3.7 and keeps the tree; a search that needs more than 100,000 nodes ends there.

    Raises ConfigError.
    """
    if state.is_over():
        raise ConfigError("there is nothing to search: the game is over")
    config = AlphaBetaConfig(depth=depth, order=order, root_window=root_window)
    judge = default_heuristic(state) if heuristic is None else heuristic
    limits = Limits(nodes=MOST_NODES)
    result = alphabeta(state, config, heuristic=judge, limits=limits, stop=stop, trace=TraceLimit(nodes=MOST_NODES))
    assert result.tree is not None
    nodes: list[TraceNode] = []
    parents: list[int] = []
    ends: list[int] = []
    _number(result.tree, 0, nodes, parents, ends)
    return WindowTree(state, depth, result.analysis, tuple(nodes), tuple(parents), tuple(ends))


def _number(node: TraceNode, parent: int, nodes: list[TraceNode], parents: list[int], ends: list[int]) -> None:
    number = len(nodes)
    nodes.append(node)
    parents.append(parent)
    ends.append(0)
    for child in node.children:
        _number(child, number, nodes, parents, ends)
    ends[number] = len(nodes)
