"""Trees that pages look at: grown once, kept for a while, and sent in parts."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from philidor.core.errors import PhilidorError
from philidor.core.game import AnyState
from philidor.core.thinking import Stop
from philidor.frontends.web.drawing import Drawer
from philidor.frontends.web.inside.requests import TreeRequest
from philidor.frontends.web.inside.schema import Backup, MoveRow, NodeTable, Selection, TreeMade, TreeNode, TreeStep
from philidor.inside import MctsTree, WindowTree, alphabeta_tree, grow_tree
from philidor.search.puct import PuctConfig
from philidor.search.uct import UctConfig

_KEPT = 6


class NoSuchTreeError(PhilidorError):
    """The tree is not kept any more."""


class KeptTree:
    """A tree with what draws its game."""

    def __init__(self, tree: MctsTree | WindowTree, drawer: Drawer) -> None:
        self.id, self.tree, self._drawer = secrets.token_hex(6), tree, drawer

    def made(self) -> TreeMade:
        """Describes the whole tree."""
        tree = self.tree
        return TreeMade.model_validate(
            {
                "id": self.id,
                "algorithm": tree.algorithm if isinstance(tree, MctsTree) else "alphabeta",
                "judge": tree.judge if isinstance(tree, MctsTree) else "the game's heuristic",
                "steps": len(tree) if isinstance(tree, MctsTree) else len(tree.nodes) - 1,
                "nodes": len(tree.nodes),
                "is_whole": tree.is_whole,
                "board": self._drawer.board,
                "position": self._drawer.position(tree.state),
            }
        )

    def subtree(self, node: int, step: int | None, plies: int, most: int, keep: Sequence[int]) -> TreeNode:
        """Returns a part of the tree. Raises ConfigError."""
        return TreeNode.model_validate(self.tree.subtree(node, step, plies=plies, most=most, keep=keep))

    def _state(self, node: int) -> AnyState:
        if isinstance(self.tree, WindowTree):
            return self.tree.state_at(node)
        return self.tree.nodes[node].state

    def _line(self, node: int) -> list[str]:
        names, at = [], node
        while at:
            found = self.tree.node(at)
            names.append(found["move"])
            at = found["parent"]
        return names[::-1]

    def table(self, node: int, step: int | None) -> NodeTable:
        """Returns a node's position with its moves. Raises ConfigError."""
        self.tree.node(node, step)
        state = self._state(node)
        rows = []
        if isinstance(self.tree, MctsTree):
            legal = [] if state.is_over() else state.legal_moves()
            for move, row in zip(legal, self.tree.moves(node, step), strict=False):
                rows.append(MoveRow.model_validate({**row, "drawn": self._drawer.move(state, move)}))
        return NodeTable(position=self._drawer.position(state), line=self._line(node), moves=rows)

    def step(self, number: int) -> TreeStep:
        """Tells what a step did. Raises ConfigError."""
        if isinstance(self.tree, WindowTree):
            return self._searched(self.tree, number)
        done = self.tree.simulation(number)
        leaf = done["path"][-1]
        backup = [Backup(**row, move=self.tree.node(row["node"])["move"]) for row in done["backup"]]
        return TreeStep(
            number=number,
            path=done["path"],
            words=_phases(self.tree, done, self._line(leaf)),
            selection=[Selection.model_validate(each) for each in done["selection"]],
            expansion=done["expansion"],
            by=done["evaluation"]["by"],
            value=done["evaluation"]["value"],
            backup=backup,
            position=self._drawer.position(self._state(leaf)),
        )

    def _searched(self, tree: WindowTree, number: int) -> TreeStep:
        node = tree.node(number)
        return TreeStep(
            number=number,
            path=tree.line(number),
            words=_window_words(node, self._drawer.sides),
            selection=[],
            expansion=number,
            by=node["ending"],
            value=node["value"],
            backup=[],
            position=self._drawer.position(tree.state_at(number)),
        )


class Trees:
    """The newest few trees of a server."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, KeptTree] = OrderedDict()

    def keep(self, tree: KeptTree) -> KeptTree:
        """Keeps a tree, and forgets the oldest one."""
        self._kept[tree.id] = tree
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return tree

    def find(self, number: str) -> KeptTree:
        """Returns a tree. Raises NoSuchTreeError."""
        if number not in self._kept:
            raise NoSuchTreeError("this tree is not kept any more; grow it again")
        self._kept.move_to_end(number)
        return self._kept[number]


def make_tree(wanted: TreeRequest, state: AnyState, net: Any, stop: Stop) -> MctsTree | WindowTree:
    """Grows a tree. Raises ConfigError, NetError."""
    if wanted.algorithm == "alphabeta":
        return alphabeta_tree(state, depth=wanted.depth, order=wanted.order, stop=stop)
    config = UctConfig() if wanted.algorithm == "uct" else PuctConfig()
    return grow_tree(state, net, wanted.simulations, config=config, stop=stop)


def _phases(tree: MctsTree, done: dict[str, Any], line: list[str]) -> list[str]:
    """Writes the four phases of a simulation in the book's words."""
    way = " ".join(line) or "the root"
    judged = {
        "network": "the network judges the leaf",
        "playout": "a random playout from the leaf",
        "rules": "the rules decide the leaf",
    }
    unit = "points for who moved there" if tree.algorithm == "uct" else "for who moved there"
    value = done["evaluation"]["value"]
    made = "a new node is added" if done["expansion"] is not None else "nothing new: the game is over there"
    if len(done["path"]) == 1:
        made = "the root gets its moves"
    return [
        f"Selection: {way}" if done["selection"] else "Selection: the root itself",
        f"Expansion: {made}" + (f" after {way}" if done["expansion"] is not None else ""),
        f"Evaluation: {judged[done['evaluation']['by']]}: {value:+.2f} {unit}",
        f"Backup: N grows by 1 in {len(done['path'])} nodes, W by the value, its sign in turn"
        if tree.algorithm == "puct"
        else f"Backup: N grows by 1 in {len(done['path'])} nodes, W by the points of who moved there",
    ]


def _window_words(node: dict[str, Any], sides: tuple[str, str]) -> list[str]:
    """Writes what alpha-beta did at a node."""
    low, high = ("−∞" if node["alpha"] is None else f"{node['alpha']:g}"), node["beta"]
    window = f"the window {low} to {'∞' if high is None else f'{high:g}'}"
    words = [
        f"{sides[1 - node['to_move']]} tries {node['move']}, in {window}" if node["parent"] is not None else "Root"
    ]
    if node["ending"] is not None:
        words.append(f"The line ends here: {node['ending']}")
    if node["value"] is not None:
        words.append(f"It is worth {node['value']:g} centipawns for {sides[0]}")
    if node["is_cutoff"]:
        words.append(
            f"Cut-off: {sides[node['to_move']]} has an answer that {sides[1 - node['to_move']]} would not allow; "
            f"{len(node['skipped'])} moves are skipped"
        )
    return words
