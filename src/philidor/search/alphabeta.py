"""Alpha-beta: minimax that skips what the opponent would not allow (book, ch. 3.2, Listing 3.7)."""

from dataclasses import dataclass, field
from typing import Any

from philidor.core.config import check, combo, spin, validate
from philidor.core.evaluation import Heuristic, no_opinion
from philidor.core.game import FIRST, AnyState
from philidor.search.limits import NO_LIMITS, Budget, Limits, Stop
from philidor.search.orders import ORDERS, Order, load_order
from philidor.search.result import Leaves, SearchResult, Variation, choose_root_move, root_analysis
from philidor.search.trace import TraceLimit, TraceNode, Tracer

_INFINITY = 99_999


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaBetaConfig:
    """Knobs of alpha-beta."""

    depth: int = field(default=3, metadata=spin("Depth", 1, 1_000))
    """How many moves to look ahead."""
    order: str = field(default="canonical", metadata=combo("Order", tuple(ORDERS)))
    """Which moves to try first."""
    root_window: str = field(default="full", metadata=combo("RootWindow", ("full", "shared")))
    """Whether each root move is searched with a full window, as in the book, or may be cut off by the ones before."""
    prefers_quick_wins: bool = field(default=False, metadata=check("PrefersQuickWins"))
    """Score a win one less for every move it takes; the book scores all wins alike."""

    def __post_init__(self) -> None:
        validate(self)


DEFAULT = AlphaBetaConfig()


def alphabeta(
    state: AnyState,
    config: AlphaBetaConfig = DEFAULT,
    *,
    heuristic: Heuristic[Any] = no_opinion,
    limits: Limits = NO_LIMITS,
    stop: Stop | None = None,
    trace: TraceLimit | None = None,
) -> SearchResult[Any]:
    """Returns a best move at the config's depth: minimax's score, with fewer positions visited.

    `nodes` counts as in minimax: without the positions after the root moves. With a shared root window the
    scores of root moves that were cut off are bounds.
    """
    budget, tracer = Budget(limits, stop), Tracer(state, trace)
    leaves = Leaves(heuristic, config.depth, prefers_quick_wins=config.prefers_quick_wins)
    search = _AlphaBeta(leaves, load_order(config.order, state), budget, tracer)

    def explore(child: AnyState, node: TraceNode | None, best: Variation | None) -> Variation:
        alpha, beta = -_INFINITY, _INFINITY
        if best is not None and config.root_window == "shared":
            alpha, beta = (best.score, beta) if state.to_move == FIRST else (alpha, best.score)
        if node is not None:
            node.alpha, node.beta = alpha, beta
        return search.explore(child, config.depth - 1, alpha, beta, node)

    best, found = choose_root_move(state, search.order(state), explore, tracer)
    counters = {
        "root_moves": len(state.legal_moves()),
        "evaluations": leaves.evaluations,
        "cutoffs": search.cutoffs,
    }
    return SearchResult(best, root_analysis(state, best, found, budget, config.depth, counters), tracer.root)


class _AlphaBeta:
    def __init__(self, leaves: Leaves, order: Order, budget: Budget, tracer: Tracer) -> None:
        self.leaves = leaves
        self.order = order
        self.budget = budget
        self.tracer = tracer
        self.cutoffs = 0

    def explore(self, state: AnyState, depth: int, alpha: int, beta: int, node: TraceNode | None) -> Variation:
        """Returns the best both sides can do within `depth` moves, if that lies between alpha and beta.

        Alpha is what the first player is sure of elsewhere, beta what the second is. A score outside is a bound.
        """
        best = self.leaves.score(state, depth, node)
        if best is None:
            if state.to_move == FIRST:
                best = self._maximize(state, depth, alpha, beta, node)
            else:
                best = self._minimize(state, depth, alpha, beta, node)
        if node is not None:
            node.value = best.score
        return best

    def _maximize(self, state: AnyState, depth: int, alpha: int, beta: int, node: TraceNode | None) -> Variation:
        best = Variation(-_INFINITY)
        moves = self.order(state)
        for tried, move in enumerate(moves, start=1):
            variation = self._try(state, move, depth, alpha, beta, node)
            best = variation if variation.score > best.score else best
            alpha = max(alpha, best.score)
            if alpha >= beta:
                self._cut_off(state, moves[tried:], node)
                break
        return best

    def _minimize(self, state: AnyState, depth: int, alpha: int, beta: int, node: TraceNode | None) -> Variation:
        best = Variation(_INFINITY)
        moves = self.order(state)
        for tried, move in enumerate(moves, start=1):
            variation = self._try(state, move, depth, alpha, beta, node)
            best = variation if variation.score < best.score else best
            beta = min(beta, best.score)
            if beta <= alpha:
                self._cut_off(state, moves[tried:], node)
                break
        return best

    def _try(self, state: AnyState, move: Any, depth: int, alpha: int, beta: int, node: TraceNode | None) -> Variation:
        self.budget.spend()
        child = self.tracer.branch(node, state, move, (alpha, beta))
        return self.explore(state.play(move), depth - 1, alpha, beta, child).after(move)

    def _cut_off(self, state: AnyState, skipped: Any, node: TraceNode | None) -> None:
        self.cutoffs += 1
        if node is not None:
            node.is_cutoff = True
            node.skipped = [state.move_text(move) for move in skipped]
