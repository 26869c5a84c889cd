"""Minimax: look at every line to a fixed depth, the first player maximizes, the second minimizes.

Book: ch. 3.1, Listings 3.4 and 3.5. Listing 3.4 as printed never stops at depth 0; here it does.
"""

from dataclasses import dataclass, field
from typing import Any

from philidor.core.config import check, spin, validate
from philidor.core.evaluation import Heuristic, no_opinion
from philidor.core.game import FIRST, AnyState
from philidor.search.limits import NO_LIMITS, Budget, Limits, Stop
from philidor.search.result import Leaves, SearchResult, Variation, choose_root_move, root_analysis
from philidor.search.trace import TraceLimit, TraceNode, Tracer


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimaxConfig:
    """Knobs of minimax."""

    depth: int = field(default=3, metadata=spin("Depth", 1, 1_000))
    """How many moves to look ahead."""
    prefers_quick_wins: bool = field(default=False, metadata=check("PrefersQuickWins"))
    """Score a win one less for every move it takes; the book scores all wins alike."""

    def __post_init__(self) -> None:
        validate(self)


DEFAULT = MinimaxConfig()


def minimax(
    state: AnyState,
    config: MinimaxConfig = DEFAULT,
    *,
    heuristic: Heuristic[Any] = no_opinion,
    limits: Limits = NO_LIMITS,
    stop: Stop | None = None,
    trace: TraceLimit | None = None,
) -> SearchResult[Any]:
    """Returns the best move at the config's depth.

    `nodes` counts the positions reached by moves inside the recursion, as the book does: without those that the
    root moves lead to.
    """
    budget, tracer = Budget(limits, stop), Tracer(state, trace)
    leaves = Leaves(heuristic, config.depth, prefers_quick_wins=config.prefers_quick_wins)
    search = _Minimax(leaves, budget, tracer)
    moves = state.legal_moves()
    best, found = choose_root_move(
        state, moves, lambda child, node, _: search.explore(child, config.depth - 1, node), tracer
    )
    counters = {"root_moves": len(moves), "evaluations": leaves.evaluations}
    return SearchResult(best, root_analysis(state, best, found, budget, config.depth, counters), tracer.root)


class _Minimax:
    def __init__(self, leaves: Leaves, budget: Budget, tracer: Tracer) -> None:
        self.leaves = leaves
        self.budget = budget
        self.tracer = tracer

    def explore(self, state: AnyState, depth: int, node: TraceNode | None) -> Variation:
        """Returns the best both sides can do within `depth` moves."""
        best = self.leaves.score(state, depth, node)
        if best is None:
            choose = max if state.to_move == FIRST else min
            best = choose(self._successors(state, depth, node), key=lambda variation: variation.score)
        if node is not None:
            node.value = best.score
        return best

    def _successors(self, state: AnyState, depth: int, node: TraceNode | None) -> list[Variation]:
        variations = []
        for move in state.legal_moves():
            self.budget.spend()
            child = self.tracer.branch(node, state, move)
            variations.append(self.explore(state.play(move), depth - 1, child).after(move))
        return variations
