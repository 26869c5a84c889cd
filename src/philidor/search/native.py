"""The compiled searches: uct.py's tree, visit for visit, and solver.py's answers for connect four, but fast.

UCT runs in a thread of its own without the GIL: `start`, then `next_event` until the last one, or `stop`.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from philidor._native._ext import (
    Connect4,
    Connect4Solver,
    RolloutUct,
    UctEvent,
    UctSettings,
    connect4_plies,
    native_games,
)
from philidor.core.abilities import HasTwin
from philidor.core.descriptor import native_name
from philidor.core.errors import ConfigError, SolveError
from philidor.core.evaluation import Heuristic, no_opinion
from philidor.core.game import AnyState
from philidor.core.native_settings import fill
from philidor.core.thinking import Report
from philidor.search import solver as reference
from philidor.search.limits import NO_LIMITS, Budget, Limits, OutOfBudgetError, Stop
from philidor.search.result import SearchResult
from philidor.search.solver import Solution, SolverConfig
from philidor.search.trace import TraceLimit
from philidor.search.uct import RootStatistics, UctConfig, uct_result

# By the descriptor's name: the compiled core's own list, and chess, whose states are compiled already.
_ROOTS: dict[str, Callable[..., Any]] = {"chess": lambda native: native, **native_games()}

# Without a limit of its own a search ends by its config's iterations, so waiting may be long; but Python sees Ctrl-C
# only between two waits, and a stop callback is only asked there.
_PATIENCE_S = 0.1
_STOP_POLL_S = 0.002
_REPORT_S = 0.1
_DEFAULTS = UctConfig()
_SOLVER_DEFAULTS = SolverConfig()
# To visit so many positions takes a few milliseconds: too few to be worth a thread.
_SHORT_NODES = 10_000
_NO_NODE_LIMIT = 2**63
_SOLVER_POLL_S = 0.02
_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class UctProgress:
    """An event of a running search."""

    result: SearchResult[Any]
    end: str | None
    """None while the search runs; else why it ended: "simulations", "time", "memory", "stopped"."""


def native_root(state: AnyState) -> Any:
    """Returns the compiled twin of a state; raises ConfigError if there is none."""
    name = native_name(state)
    if name is None or not isinstance(state, HasTwin):
        raise ConfigError(f"the compiled core does not know the game of {type(state).__name__}; use the search 'uct'")
    try:
        return _ROOTS[name](*state.twin())
    except (TypeError, ValueError) as error:  # a board of more than 64 bits, for a game that is kept in one word
        raise ConfigError(f"the compiled core cannot hold this board ({error}); use the search 'uct'") from None


def knows(state: AnyState) -> bool:
    """Says whether the compiled core has a twin of the state."""
    try:
        native_root(state)
    except ConfigError:
        return False
    return True


class UctSearch:
    """A search that runs while Python does something else. Its methods may be called from different threads."""

    def __init__(self, state: AnyState, config: UctConfig = _DEFAULTS, *, memory_mb: int = 1024) -> None:
        """Prepares the search of `state`, which must not be over; a tree that fills `memory_mb` ends it."""
        self._state = state
        self._config = config
        self._search = RolloutUct(native_root(state), fill(UctSettings(), config, memory_mb=memory_mb))

    def start(self, limits: Limits = NO_LIMITS, *, report_every_s: float = 0.1) -> None:
        """Begins; progress is reported every `report_every_s`. Started again after its end, the search goes on."""
        simulations = min(self._config.iterations, limits.nodes or self._config.iterations)
        # To the compiled core 0 seconds are no limit; to us they are over at once.
        seconds = 0.0 if limits.time_s is None else max(limits.time_s, 1e-9)
        self._search.start(simulations, seconds, report_every_s)

    def next_event(self, timeout_s: float) -> UctProgress | None:
        """Waits for news, at most `timeout_s`; None if there is none, and at once after the last event."""
        event = self._search.next_event(timeout_s)
        if event is None:
            return None
        result = uct_result(self._state, self._config, _statistics(event), event.seconds)
        return UctProgress(result, None if event.end == "running" else event.end)

    def stop(self) -> None:
        """Asks the search to end, which takes it about a millisecond; its last event follows."""
        self._search.stop()


def uct(
    state: AnyState,
    config: UctConfig = _DEFAULTS,
    *,
    heuristic: Heuristic[Any] = no_opinion,
    limits: Limits = NO_LIMITS,
    stop: Stop | None = None,
    trace: TraceLimit | None = None,
    report: Report | None = None,
) -> SearchResult[Any]:
    """Returns what `philidor.search.uct.uct` returns. The heuristic is not asked; a trace is refused.

    `report` is told every tenth of a second what was found so far.
    """
    if trace is not None:
        raise ConfigError("the compiled search keeps no trace; use the search 'uct'")
    search = UctSearch(state, config)
    search.start(limits, report_every_s=3600.0 if report is None else _REPORT_S)
    try:
        while (event := search.next_event(_PATIENCE_S if stop is None else _STOP_POLL_S)) is None or event.end is None:
            if event is not None and report is not None:
                report(replace(event.result.analysis, best=None))
            if stop is not None and stop():
                search.stop()
    finally:
        search.stop()
    return event.result


def _statistics(event: UctEvent) -> RootStatistics:
    tried = sum(1 for visits in event.visits if visits)
    return RootStatistics(
        visits=event.visits[:tried],
        half_points=event.half_points[:tried],
        results=(event.wins, event.draws, event.losses),
        line=event.line,
        tree_nodes=event.nodes,
    )


class NativeSolver:
    """Solves connect four from a table of fixed size: `Solver`'s answers in much less time, and Pons' scores."""

    def __init__(
        self, config: SolverConfig = _SOLVER_DEFAULTS, limits: Limits = NO_LIMITS, stop: Stop | None = None
    ) -> None:
        """Takes limits for all questions together; SolveError or OutOfBudgetError tells that they are reached."""
        self.budget = Budget(limits, stop, interval=1)
        self._max_positions = _NO_NODE_LIMIT if config.max_positions is None else config.max_positions
        self._solver = Connect4Solver(config.table_mb)

    def score(self, state: AnyState) -> int:
        """Returns n if the side to move wins with its n-th last stone, -n if the other side does, 0 in a draw."""
        return self._ask(self._solver.score, state)

    def move_scores(self, state: AnyState) -> dict[Any, int]:
        """Returns the score of each move, in the mover's view, in canonical order."""
        return dict(zip(state.legal_moves(), self._ask(self._solver.move_scores, state), strict=True))

    def solve(self, state: AnyState) -> Solution:
        """Returns the position's value and length, as `Solver.solve` does."""
        outcome = state.outcome()
        if outcome is not None:
            return Solution.of(round(outcome.value_for(state.to_move)), 0)
        return _solution(native_root(state), self.score(state))

    def best_moves(self, state: AnyState) -> dict[Any, Solution]:
        """Returns the solution of each move, in the mover's view, in canonical order."""
        root = native_root(state)
        return {move: _solution(root, score) for move, score in self.move_scores(state).items()}

    def line(self, state: AnyState) -> list[Any]:
        """Returns a perfect game from here on; of equal moves the first is played."""
        moves = []
        for place in self._ask(self._solver.line, state):
            moves.append(state.legal_moves()[place])
            state = state.play(moves[-1])
        return moves

    def _ask(self, question: Callable[[Connect4, int], _Answer | None], state: AnyState) -> _Answer:
        root, left = native_root(state), self.budget.nodes_left
        limit = min(self._max_positions - self.budget.visited, _NO_NODE_LIMIT if left is None else left)
        answer = question(root, min(limit, _SHORT_NODES))
        if answer is None and limit > _SHORT_NODES:
            answer = self._ask_in_thread(question, root, limit - _SHORT_NODES)
        self.budget.visited = self._solver.nodes
        if answer is not None:
            return answer
        if self.budget.visited >= self._max_positions:
            raise SolveError(f"cannot solve: more than {self._max_positions:,} positions")
        raise OutOfBudgetError

    def _ask_in_thread(
        self, question: Callable[[Connect4, int], _Answer | None], root: Connect4, limit: int
    ) -> _Answer | None:
        """Lets another thread do the work; Ctrl-C, the clock and the stop callback are looked after in this one."""
        try:
            with ThreadPoolExecutor(max_workers=1) as pool:
                answer = pool.submit(question, root, limit)
                try:
                    while wait([answer], _SOLVER_POLL_S).not_done:
                        if self.budget.is_spent():
                            self._solver.stop()
                    return answer.result()
                finally:
                    self._solver.stop()
        finally:
            self._solver.resume()


def solve(
    state: AnyState,
    config: SolverConfig = _SOLVER_DEFAULTS,
    *,
    heuristic: Heuristic[Any] = no_opinion,
    limits: Limits = NO_LIMITS,
    stop: Stop | None = None,
    trace: TraceLimit | None = None,
) -> SearchResult[Any]:
    """Returns what `philidor.search.solver.solve` returns: connect four is solved here, all other games there.

    In connect four `nodes` counts the visited positions, some of them more than once.
    """
    if native_name(state) != "connect4" or not knows(state):
        return reference.solve(state, config, heuristic=heuristic, limits=limits, stop=stop, trace=trace)
    solver = NativeSolver(config, limits, stop)
    return reference.result_of(state, solver, solver.budget, trace)


def _solution(root: Connect4, score: int) -> Solution:
    return Solution.of((score > 0) - (score < 0), connect4_plies(root, score))
