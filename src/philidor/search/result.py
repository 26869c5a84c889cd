"""What a reference search answers, and how root moves become an Analysis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from philidor.core.analysis import Analysis, Line, MoveStats, Score
from philidor.core.evaluation import MATE_SCORE, Heuristic
from philidor.core.game import FIRST, AnyState, M, S
from philidor.search.limits import Budget, OutOfBudgetError
from philidor.search.trace import TraceNode, Tracer

# Scores of wins lie above this, also those that were lowered for each ply; heuristics stay below.
_WIN_SCORE = MATE_SCORE - 1_000


@dataclass(frozen=True)
class SearchResult(Generic[M]):
    """The chosen move, all that is known about the root, and the tree if it was asked for."""

    best: M | None
    analysis: Analysis
    tree: TraceNode | None = None


@dataclass(frozen=True, slots=True)
class Variation:
    """A score in the first player's view and the moves that lead to it."""

    score: int
    moves: tuple[Any, ...] = ()

    def after(self, move: Any) -> Variation:
        """Returns the variation one ply earlier."""
        return Variation(self.score, (move, *self.moves))


class Leaves:
    """Scores the ends of lines for the first player: finished games by their outcome, others by a heuristic."""

    def __init__(self, heuristic: Heuristic[Any], depth: int, *, prefers_quick_wins: bool) -> None:
        self.evaluations = 0
        self._heuristic = heuristic
        self._depth = depth
        self._prefers_quick_wins = prefers_quick_wins

    def score(self, state: AnyState, depth_left: int, node: TraceNode | None) -> Variation | None:
        """Returns None where the line goes on: the game is not over and there is depth left."""
        outcome = state.outcome()
        if outcome is None and depth_left > 0:
            return None
        if node is not None:
            node.ending = "evaluated" if outcome is None else outcome.reason
        if outcome is None:
            self.evaluations += 1
            return Variation(self._heuristic(state))
        win = MATE_SCORE - (self._depth - depth_left) if self._prefers_quick_wins else MATE_SCORE
        return Variation(round(outcome.value_for(FIRST)) * win)


def choose_root_move(
    state: S,
    moves: Sequence[Any],
    explore: Callable[[S, TraceNode | None, Variation | None], Variation],
    tracer: Tracer,
) -> tuple[Any, dict[Any, Variation]]:
    """Explores every root move and returns the best with all variations (Listing 3.5).

    The first of equal moves wins. Out of budget, the best of the moves that were finished is returned, and at
    least some legal move. `explore` gets the best variation so far, to narrow its window with.
    """
    best: Variation | None = None
    found: dict[Any, Variation] = {}
    for move in moves:
        node = tracer.branch(tracer.root, state, move)
        try:
            variation = explore(state.play(move), node, best).after(move)
        except OutOfBudgetError:
            break
        found[move] = variation
        is_better = best is None or (
            variation.score > best.score if state.to_move == FIRST else variation.score < best.score
        )
        best = variation if is_better else best
    if tracer.root is not None and best is not None:
        tracer.root.value = best.score
    return (best.moves[0] if best is not None else moves[0]), found


def root_analysis(
    state: AnyState, best: Any, found: Mapping[Any, Variation], budget: Budget, depth: int, counters: Mapping[str, int]
) -> Analysis:
    """Makes the Analysis of a search that scores every root move; views turn from the first player's to the mover's."""
    scores = {move: mover_score(state, variation) for move, variation in found.items()}
    line = _line_text(state, found[best].moves) if best in found else ()
    return Analysis(
        best=state.move_text(best),
        score=scores.get(best),
        lines=(Line(line, scores.get(best), depth=depth),) if line else (),
        moves=tuple(
            MoveStats(state.move_text(move), score=scores[move]) for move in state.legal_moves() if move in found
        ),
        depth=depth,
        nodes=budget.visited,
        time_s=budget.time_s,
        counters=dict(counters),
    )


def mover_score(state: AnyState, variation: Variation) -> Score:
    """Turns a variation of `state` into the side to move's score; wins become moves to mate."""
    score = variation.score if state.to_move == FIRST else -variation.score
    if abs(score) >= _WIN_SCORE:
        moves_to_win = (len(variation.moves) + 1) // 2
        return Score(mate=moves_to_win if score > 0 else -moves_to_win)
    return Score(cp=score)


def _line_text(state: AnyState, moves: Sequence[Any]) -> tuple[str, ...]:
    texts = []
    for move in moves:
        texts.append(state.move_text(move))
        state = state.play(move)
    return tuple(texts)
