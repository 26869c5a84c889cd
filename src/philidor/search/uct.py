"""UCT: Monte Carlo tree search with random playouts, for any game (book, ch. 3.5, Listings 3.8 to 3.10).

Two things are not as printed. The formula of 3.5.2 has its fraction upside down; Listing 3.9's own is right:
M + c * sqrt(log(V_parent) / V). And the listing pays 1 for a win, 0.5 for a loss and 0 for a draw, always to one
player; here it is 1, 0.5 for a draw and 0 for a loss, to the player who made the move, so that both sides look
for their own good.

cpp/search/rollout_uct.h is the native twin. With the same seed both grow the same tree: one draw for each playout
move, untried moves in canonical order, results summed in half points, the first of equal scores.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from philidor.core.analysis import Analysis, Line, MoveStats
from philidor.core.config import real, spin, validate
from philidor.core.evaluation import Heuristic, Wdl, no_opinion
from philidor.core.game import AnyState, Outcome
from philidor.core.random import SplitMix64
from philidor.search.limits import NO_LIMITS, Budget, Limits, Stop
from philidor.search.result import SearchResult
from philidor.search.trace import TraceLimit, TraceNode, Tracer


@dataclass(frozen=True, slots=True, kw_only=True)
class UctConfig:
    """Knobs of UCT."""

    iterations: int = field(default=1_000, metadata=spin("Iterations", 1, 1_000_000_000))
    """Playouts per move."""
    exploration: float = field(default=1.4142, metadata=real("Exploration", 0.0, 100.0))
    """c: weight of rarely visited moves in the choice of what to play out next."""
    seed: int = field(default=1, metadata=spin("Seed", 0, 2**63 - 1))
    """Seed of the random playouts; the same seed gives the same search."""
    playout_limit: int = field(default=10_000, metadata=spin(None, 1, 1_000_000))
    """Moves after which a playout counts as a draw, for games that need not end by themselves."""

    def __post_init__(self) -> None:
        validate(self)


DEFAULT = UctConfig()


class Node:
    """A position of the tree; its statistics belong to the player who moved here."""

    __slots__ = ("children", "half_points", "moves", "outcome", "state", "visits")

    def __init__(self, state: AnyState) -> None:
        self.state = state
        self.outcome = state.outcome()
        self.moves = () if self.outcome is not None else tuple(state.legal_moves())
        self.children: list[Node] = []
        """By move, in canonical order; shorter than `moves` until all were tried."""
        self.visits = 0
        self.half_points = 0

    def score(self, parent_visits: int, exploration: float) -> float:
        """Returns the UCT value: the mean result, and more the less the node was visited."""
        mean = self.half_points / (2.0 * self.visits)
        return mean + exploration * math.sqrt(math.log(parent_visits) / self.visits)


@runtime_checkable
class PlaysOut(Protocol):
    """A state that plays itself out, such as Go's, where random moves would fill the mover's own eyes forever."""

    def playout(self, random: SplitMix64, limit: int) -> Outcome:
        """Plays at random to the end, at most `limit` moves, and returns how it ended."""


@dataclass(frozen=True, slots=True)
class RootStatistics:
    """What a search knows of its root; the native twin hands over the same."""

    visits: Sequence[int]
    """Of the moves that were tried, in canonical order."""
    half_points: Sequence[int]
    """Of the same moves, for the player to move: 2 for each win, 1 for each draw."""
    results: tuple[int, int, int]
    """All simulations: won, drawn and lost by the player to move."""
    line: Sequence[int]
    """The most visited line: places of its moves in canonical order."""
    tree_nodes: int


def uct(
    state: AnyState,
    config: UctConfig = DEFAULT,
    *,
    heuristic: Heuristic[Any] = no_opinion,
    limits: Limits = NO_LIMITS,
    stop: Stop | None = None,
    trace: TraceLimit | None = None,
) -> SearchResult[Any]:
    """Returns the most visited move; `nodes` counts the playouts. The heuristic is not asked."""
    budget = Budget(limits, stop, interval=1)
    root = Node(state)
    random = SplitMix64(config.seed)
    results = Counter[float]()
    while budget.visited < config.iterations and not budget.is_spent():
        results[simulate(root, config, random).value_for(state.to_move)] += 1
        budget.visited += 1
    tracer = Tracer(state, trace)
    _copy_tree(root, tracer.root, tracer)
    return uct_result(state, config, _statistics(root, results), budget.time_s, tracer.root)


def simulate(root: Node, config: UctConfig, random: SplitMix64) -> Outcome:
    """Runs one iteration: select, expand, simulate, back up; returns how the playout ended."""
    path = descend(root, config)
    # 3. Simulate: play at random to the end.
    outcome = path[-1].outcome or playout(path[-1].state, config.playout_limit, random)
    back_up(path, outcome)
    return outcome


def descend(root: Node, config: UctConfig) -> list[Node]:
    """Returns the path of an iteration, whose last node is new unless the game is over there."""
    # 1. Select: follow the best UCT value while all moves of a node have been tried.
    path = [root]
    while path[-1].moves and len(path[-1].children) == len(path[-1].moves):
        path.append(best_child(path[-1], config.exploration))
    # 2. Expand: try the first move that was not. The root's very first visit expands too.
    leaf = path[-1]
    if leaf.moves:
        child = Node(leaf.state.play(leaf.moves[len(leaf.children)]))
        leaf.children.append(child)
        path.append(child)
    return path


def back_up(path: Sequence[Node], outcome: Outcome) -> None:
    """Counts a playout along its path."""
    # 4. Back up: a node's points are those of the player who moved into it, the one not to move there.
    for node in path:
        node.visits += 1
        node.half_points += round(1 + outcome.value_for(1 - node.state.to_move))


def best_child(node: Node, exploration: float) -> Node:
    """Returns the child with the highest UCT value, the first of equals."""
    return max(node.children, key=lambda child: child.score(node.visits, exploration))


def playout(state: AnyState, limit: int, random: SplitMix64) -> Outcome:
    """Plays random moves to the end of the game, or as a state that has a `playout` of its own wants it."""
    if isinstance(state, PlaysOut):
        return state.playout(random, limit)
    for _ in range(limit):
        outcome = state.outcome()
        if outcome is not None:
            return outcome
        moves = state.legal_moves()
        state = state.play(moves[random.below(len(moves))])
    return state.outcome() or Outcome(None, "playout limit")


def uct_result(
    state: AnyState, config: UctConfig, root: RootStatistics, time_s: float, tree: TraceNode | None = None
) -> SearchResult[Any]:
    """Describes what was found; values turn from the book's 0..1 to -1..1."""
    moves = state.legal_moves()
    simulations = sum(root.visits)
    stats = []
    for move, visits, half_points in zip(moves, root.visits, root.half_points, strict=False):
        bonus = config.exploration * math.sqrt(math.log(simulations) / visits)
        stats.append(MoveStats(state.move_text(move), visits=visits, value=half_points / visits - 1, exploration=bonus))
    # Stopped before the first simulation, any move is as good as another.
    best = moves[root.line[0] if root.line else 0]
    analysis = Analysis(
        best=state.move_text(best),
        wdl=Wdl(*(count / simulations for count in root.results)) if simulations else None,
        lines=(Line(_line_text(state, root.line)),) if root.line else (),
        moves=tuple(stats),
        nodes=simulations,
        time_s=time_s,
        counters={"tree_nodes": root.tree_nodes},
    )
    return SearchResult(best, analysis, tree)


def _statistics(root: Node, results: Mapping[float, int]) -> RootStatistics:
    return RootStatistics(
        visits=[child.visits for child in root.children],
        half_points=[child.half_points for child in root.children],
        results=(results.get(1.0, 0), results.get(0.0, 0), results.get(-1.0, 0)),
        line=_most_visited_line(root),
        tree_nodes=1 + len(_descendants(root)),
    )


def _most_visited_line(node: Node) -> list[int]:
    line = []
    while node.children:
        best = max(range(len(node.children)), key=lambda i: node.children[i].visits)
        line.append(best)
        node = node.children[best]
    return line


def _line_text(state: AnyState, line: Sequence[int]) -> tuple[str, ...]:
    texts = []
    for place in line:
        move = state.legal_moves()[place]
        texts.append(state.move_text(move))
        state = state.play(move)
    return tuple(texts)


def _descendants(node: Node) -> list[Node]:
    found = list(node.children)
    for descendant in found:
        found += descendant.children
    return found


def _copy_tree(node: Node, traced: TraceNode | None, tracer: Tracer) -> None:
    """Copies statistics level by level, so that a limit on the nodes keeps the upper part."""
    level = [(node, traced)]
    while level:
        following = []
        for source, target in level:
            if target is None:
                continue
            target.visits, target.value_sum = source.visits, source.half_points / 2
            target.ending = None if source.outcome is None else source.outcome.reason
            following += [
                (child, tracer.branch(target, source.state, move))
                for move, child in zip(source.moves, source.children, strict=False)
            ]
        level = following
