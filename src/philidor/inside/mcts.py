"""A Monte Carlo tree as it grows: selection, expansion, evaluation and backup of every simulation, with the numbers.

Book: Figures 3.11 to 3.17 for random playouts (UCT), 4.8 to 4.10 for a network's priors and values (PUCT). The tree is
grown by the reference searches themselves; here is only written down what they did.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from philidor.core.abilities import move_name
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Evaluator
from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.core.thinking import Stop
from philidor.inside.nets import load_policy_net
from philidor.inside.tree_pictures import TreeDict, draw_tree
from philidor.search import puct, uct
from philidor.search.puct import PuctConfig
from philidor.search.uct import UctConfig

MOST_SIMULATIONS = 100_000
_SHOWN_MOVES, _SHOWN_PLIES = 3, 3


@dataclass(slots=True)
class TreeNode:
    """A position of the tree and its whole past; statistics belong to the player who moved here."""

    id: int
    parent: int | None
    place: int
    """Of the move that leads here, among the parent's in canonical order."""
    state: AnyState
    step: int
    """The simulation that made the node."""
    children: list[int] = field(default_factory=list)
    priors: Sequence[float] = ()
    """P of its moves, from a search that has them."""
    own_value: float | None = None
    """V: what the evaluator said, in the view of the player who moved here."""
    ending: str | None = None
    steps: list[int] = field(default_factory=list)
    """The simulations that came by, and N and W after each."""
    counts: list[int] = field(default_factory=list)
    sums: list[float] = field(default_factory=list)
    proven_step: int | None = None
    proven: float | None = None

    def at(self, step: int) -> tuple[int, float]:
        """Returns N and W after a simulation."""
        place = bisect_right(self.steps, step) - 1
        return (0, 0.0) if place < 0 else (self.counts[place], self.sums[place])

    def note(self, step: int, visits: int, value_sum: float) -> None:
        """Writes down N and W after a simulation that changed them."""
        self.steps.append(step)
        self.counts.append(visits)
        self.sums.append(value_sum)


@dataclass(frozen=True, slots=True)
class Simulation:
    """What one simulation did."""

    path: tuple[int, ...]
    """Nodes from the root to the leaf."""
    is_new: bool
    """Whether the leaf was made by it."""
    by: str
    """Who judged the leaf: "network", "playout" or "rules"."""
    value: float
    """The verdict in the view of the player who moved to the leaf: -1 to 1, for playouts 0, 0.5 or 1."""


class MctsTree:
    """A tree with its history; simulations count from 1."""

    def __init__(self, state: AnyState, config: UctConfig | PuctConfig, judge: str, wanted: int) -> None:
        self.state, self.config, self.judge, self.wanted = state, config, judge, wanted
        self.algorithm = "uct" if isinstance(config, UctConfig) else "puct"
        self.nodes = [TreeNode(0, None, 0, state, 0)]
        self.simulations: list[Simulation] = []

    def __len__(self) -> int:
        return len(self.simulations)

    @property
    def is_whole(self) -> bool:
        """Whether the search came to its end: all simulations done, or the root proven."""
        return len(self) >= self.wanted or self.nodes[0].proven is not None

    # --- What is to be seen -------------------------------------------------------------------------------------

    def _step(self, step: int | None) -> int:
        if step is None:
            return len(self)
        if not 0 <= step <= len(self):
            raise ConfigError(f"steps are from 0 to {len(self)}, got {step}")
        return step

    def _node(self, number: int) -> TreeNode:
        if not 0 <= number < len(self.nodes):
            raise ConfigError(f"nodes are from 0 to {len(self.nodes) - 1}, got {number}")
        return self.nodes[number]

    def node(self, number: int, step: int | None = None) -> dict[str, Any]:
        """Returns a node's numbers after a simulation, the last one if not given. Raises ConfigError."""
        step, node = self._step(step), self._node(number)
        visits, value_sum = node.at(step)
        parent = None if node.parent is None else self.nodes[node.parent]
        prior = parent.priors[node.place] if parent is not None and parent.priors else None
        return {
            "id": node.id,
            "parent": node.parent,
            "move": "" if parent is None else self._name(parent, node.place),
            "to_move": node.state.to_move,
            "P": prior,
            "N": visits,
            "W": value_sum,
            "Q": value_sum / visits if visits else None,
            "V": node.own_value,
            "proven": node.proven if node.proven_step is not None and node.proven_step <= step else None,
            "ending": node.ending,
            "below": sum(self.nodes[child].step <= step for child in node.children),
        }

    def subtree(
        self, number: int = 0, step: int | None = None, *, plies: int = 2, most: int = 8, keep: Sequence[int] = ()
    ) -> dict[str, Any]:
        """Returns a node with those below it, the most visited moves first; what is left out is counted in `below`.

        Nodes in `keep` are there however seldom they were visited, and however deep. Raises ConfigError.
        """
        step = self._step(step)
        found = self.node(number, step)
        there = [child for child in self.nodes[number].children if self.nodes[child].step <= step]
        there.sort(key=lambda child: (-self.nodes[child].at(step)[0], self.nodes[child].place))
        chosen = [child for rank, child in enumerate(there) if (plies > 0 and rank < most) or child in keep]
        shown = sorted(chosen, key=lambda child: self.nodes[child].place)
        found["children"] = [self.subtree(child, step, plies=plies - 1, most=most, keep=keep) for child in shown]
        return found

    def moves(self, number: int = 0, step: int | None = None) -> list[dict[str, Any]]:
        """Returns what a selection at a node sees after a simulation: P, N, Q, U and the score of each move.

        Q of a move that was never tried is the first-play urgency; UCT tries such moves before all others.
        Raises ConfigError.
        """
        step, node = self._step(step), self._node(number)
        by_place = {self.nodes[child].place: self.nodes[child] for child in node.children}
        by_place = {place: child for place, child in by_place.items() if child.step <= step}
        legal = [] if node.ending is not None else node.state.legal_moves()
        total = sum(child.at(step)[0] for child in by_place.values())
        rows = []
        for place in range(len(legal)):
            child = by_place.get(place)
            visits, value_sum = (0, 0.0) if child is None else child.at(step)
            q: float | None = value_sum / visits if visits else None
            if child is not None and child.proven_step is not None and child.proven_step <= step:
                q = child.proven
            prior = node.priors[place] if node.priors else None
            u = self._bonus(node, step, prior, visits, total)
            shown = self._first_play(node, step, by_place) if q is None else q
            rows.append(
                {
                    "move": self._name(node, place),
                    "node": None if child is None else child.id,
                    "P": prior,
                    "N": visits,
                    "Q": shown,
                    "U": u,
                    "score": None if shown is None or u is None else shown + u,
                    "V": None if child is None else child.own_value,
                }
            )
        return rows

    def simulation(self, number: int) -> dict[str, Any]:
        """Returns the four phases of a simulation with their numbers. Raises ConfigError."""
        if not 1 <= number <= len(self):
            raise ConfigError(f"simulations are from 1 to {len(self)}, got {number}")
        done = self.simulations[number - 1]
        selected = done.path if not done.is_new or self.algorithm == "puct" else done.path[:-1]
        selection = [
            {"node": above, "chosen": below, "moves": self.moves(above, number - 1)}
            for above, below in pairwise(selected)
        ]
        backup = []
        for node in reversed(done.path):
            (n, w), (old_n, old_w) = self.nodes[node].at(number), self.nodes[node].at(number - 1)
            backup.append({"node": node, "N_before": old_n, "W_before": old_w, "N": n, "W": w, "Q": w / n})
        return {
            "number": number,
            "path": list(done.path),
            "selection": selection,
            "expansion": done.path[-1] if done.is_new else None,
            "evaluation": {"by": done.by, "value": done.value},
            "backup": backup,
        }

    def to_dict(self, *, plies: int = 2, most: int = 8) -> dict[str, Any]:
        """Returns plain data for JSON: the upper part of the tree and all simulations."""
        return {
            "state": self.state.text(),
            "algorithm": self.algorithm,
            "judge": self.judge,
            "tree": self.subtree(plies=plies, most=most),
            "simulations": [
                {"path": list(each.path), "is_new": each.is_new, "by": each.by, "value": each.value}
                for each in self.simulations
            ],
        }

    def svg(self, step: int | None = None) -> str:
        """Draws the tree after a simulation, its path in color; the moves that were visited most."""
        step = self._step(step)
        path = self.simulations[step - 1].path if step else ()
        tree = self.subtree(0, step, plies=_SHOWN_PLIES, most=_SHOWN_MOVES, keep=path)

        def lines(node: TreeDict) -> tuple[str, str]:
            return f"N {node['N']}", "" if node["Q"] is None else f"Q {node['Q']:.2f}"

        title = f"After simulation {step} of {len(self)}"
        return draw_tree(title, f"{self.state.text()}, {self.judge}", tree, lines, marked=path)

    def _repr_svg_(self) -> str:
        return self.svg()

    # --- How the searches choose, by their own formulas ---------------------------------------------------------

    def _name(self, node: TreeNode, place: int) -> str:
        return move_name(node.state, node.state.legal_moves()[place])

    def _bonus(self, node: TreeNode, step: int, prior: float | None, visits: int, total: int) -> float | None:
        if isinstance(self.config, UctConfig):
            parent = node.at(step)[0]
            return self.config.exploration * math.sqrt(math.log(parent) / visits) if visits and parent else None
        if prior is None:
            return None
        scale = puct.exploration(self.config, 1 + total) * math.sqrt(max(total, 1))
        return scale * prior / (1 + visits)

    def _first_play(self, node: TreeNode, step: int, tried: dict[int, TreeNode]) -> float | None:
        """Returns the Q of a move that was never tried."""
        config = self.config
        if isinstance(config, UctConfig) or not node.priors:
            return None
        if config.fpu == "absolute":
            return config.fpu_value
        seen = sum(node.priors[place] for place, child in tried.items() if child.at(step)[0])
        visits, value_sum = node.at(step)
        mover = 1 - self.state.to_move if node.parent is None else self.nodes[node.parent].state.to_move
        mean = value_sum / visits if visits else 0.0
        turned = -mean if puct.is_turned(mover, node.state.to_move, config) else mean
        return turned - config.fpu_value * math.sqrt(seen)


def grow_tree(
    state: AnyState,
    net: str | Path | Evaluator[Any] | None = None,
    simulations: int = 100,
    *,
    config: PuctConfig | UctConfig | None = None,
    stop: Stop | None = None,
) -> MctsTree:
    """Searches and writes down every simulation: by random playouts, or by a network or evaluator with PUCT.

    A proven root ends a search with PUCT before. Raises ConfigError, NetError.
    """
    if not 1 <= simulations <= MOST_SIMULATIONS:
        raise ConfigError(f"simulations must be from 1 to {MOST_SIMULATIONS}, got {simulations}")
    if state.is_over():
        raise ConfigError("there is nothing to search: the game is over")
    if net is None:
        if isinstance(config, PuctConfig):
            raise ConfigError("PUCT needs a network or an evaluator")
        tree = MctsTree(state, config or UctConfig(), "random playouts", simulations)
        _grow_uct(tree, simulations, stop or _never)
        return tree
    if isinstance(config, UctConfig):
        raise ConfigError("UCT plays at random and asks no network")
    evaluator, name = load_policy_net(net)
    tree = MctsTree(state, config or PuctConfig(), name, simulations)
    _grow_puct(tree, evaluator, simulations, stop or _never)
    return tree


def _never() -> bool:
    return False


def _grow_uct(tree: MctsTree, simulations: int, stop: Stop) -> None:
    config = tree.config
    assert isinstance(config, UctConfig)
    root, random = uct.Node(tree.state), SplitMix64(config.seed)
    known = {id(root): 0}
    while len(tree) < simulations and not stop():
        step = len(tree) + 1
        path = uct.descend(root, config)
        leaf = path[-1]
        is_new = id(leaf) not in known
        if is_new:
            parent = path[-2]
            node = _add(tree, known[id(parent)], len(parent.children) - 1, leaf.state, step)
            known[id(leaf)] = node.id
            node.ending = None if leaf.outcome is None else leaf.outcome.reason
        outcome = leaf.outcome or uct.playout(leaf.state, config.playout_limit, random)
        uct.back_up(path, outcome)
        for each in path:
            tree.nodes[known[id(each)]].note(step, each.visits, each.half_points / 2)
        value = (1 + outcome.value_for(1 - leaf.state.to_move)) / 2
        by = "playout" if leaf.outcome is None else "rules"
        tree.simulations.append(Simulation(tuple(known[id(each)] for each in path), is_new, by, value))


def _grow_puct(tree: MctsTree, evaluator: Evaluator[Any], simulations: int, stop: Stop) -> None:
    config = tree.config
    assert isinstance(config, PuctConfig)
    root = puct.make_root(tree.state, config, evaluator)
    known = {id(root): 0}
    _note_puct(tree, known, [root], 1, is_new=False, by="network")
    while root.visits < simulations and root.proven is None and not stop():
        visited = {id(child) for child in root.children if child is not None}
        path = puct.simulate(root, config, evaluator)
        leaf = path[-1]
        is_new = id(leaf) not in known
        by = "network" if leaf.priors else "rules"
        step = len(tree) + 1
        # A win at once may be tried beside the simulation's own path.
        beside = [child for child in root.children if child is not None and id(child) not in visited]
        _note_puct(tree, known, path, step, is_new=is_new, by=by, beside=[each for each in beside if each not in path])


def _note_puct(
    tree: MctsTree,
    known: dict[int, int],
    path: Sequence[puct.Node],
    step: int,
    *,
    is_new: bool,
    by: str,
    beside: Sequence[puct.Node] = (),
) -> None:
    pairs = [*pairwise(path), *((path[0], child) for child in beside)]
    for above, below in pairs:
        if id(below) in known:
            continue
        place = next(place for place, child in enumerate(above.children) if child is below)
        node = _add(tree, known[id(above)], place, below.state, step)
        known[id(below)] = node.id
        node.ending = None if below.outcome is None else below.outcome.reason
    for each in (*path, *beside):
        node = tree.nodes[known[id(each)]]
        node.note(step, each.visits, each.value_sum)
        if not node.priors and each.priors:
            node.priors = each.priors
        if node.own_value is None:
            node.own_value = each.own_value if each.mover == each.state.to_move else -each.own_value
        if each.proven is not None and node.proven_step is None:
            node.proven_step, node.proven = step, each.proven
    leaf = tree.nodes[known[id(path[-1])]]
    before = leaf.sums[-2] if len(leaf.sums) > 1 else 0.0
    ids = tuple(known[id(each)] for each in path)
    tree.simulations.append(Simulation(ids, is_new, by, leaf.sums[-1] - before))


def _add(tree: MctsTree, parent: int, place: int, state: AnyState, step: int) -> TreeNode:
    node = TreeNode(len(tree.nodes), parent, place, state, step)
    tree.nodes.append(node)
    tree.nodes[parent].children.append(node.id)
    return node
