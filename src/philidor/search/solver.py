"""Solves small games exactly: who wins, in how many moves, and how (book, ch. 5.3, where minimax solves hexapawn)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from philidor.core.analysis import Analysis, Line, MoveStats, Score
from philidor.core.config import spin, validate
from philidor.core.errors import SolveError
from philidor.core.evaluation import Heuristic, Wdl, no_opinion
from philidor.core.game import AnyState, Symmetry
from philidor.search.limits import NO_LIMITS, Budget, Limits, OutOfBudgetError, Stop
from philidor.search.orders import canonical
from philidor.search.result import SearchResult
from philidor.search.trace import TraceLimit, Tracer


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverConfig:
    """Knobs of the solver."""

    max_positions: int | None = field(default=None, metadata=spin(None, 1))
    """Positions to look at before giving up; 5,000,000 if not given, and no limit in compiled connect four."""
    table_mb: int = field(default=256, metadata=spin(None, 1, 65_536))
    """Memory for what compiled connect four remembers, in MiB."""

    def __post_init__(self) -> None:
        validate(self)


DEFAULT = SolverConfig()
# Remembering a position takes some hundred bytes.
_MAX_POSITIONS = 5_000_000


@dataclass(frozen=True, slots=True, order=True)
class Solution:
    """A position's worth under perfect play; the winner hurries, the loser delays. Ordered from bad to good."""

    value: int
    """1, 0 or -1 in the side to move's view."""
    haste: int
    """Orders solutions of the same value: quick wins and slow losses are the better ones."""
    plies: int = field(compare=False)
    """Moves to the end of the game; in a drawn game, of the line that was found first."""

    @classmethod
    def of(cls, value: int, plies: int) -> "Solution":
        """Makes the solution with this value and length."""
        return cls(value, -value * plies, plies)

    def before(self) -> "Solution":
        """Returns the same one move earlier, in the other player's view."""
        return Solution.of(-self.value, self.plies + 1)


class AnySolver(Protocol):
    """What a solver can be asked."""

    def best_moves(self, state: AnyState) -> dict[Any, Solution]:
        """Returns the solution of each move, in the mover's view, in canonical order."""

    def line(self, state: AnyState) -> list[Any]:
        """Returns a perfect game from here on; of equal moves the first is played."""


class Solver:
    """Solves positions of one game and remembers all of them; for games without cycles whose past does not matter."""

    def __init__(self, config: SolverConfig = DEFAULT, budget: Budget | None = None) -> None:
        self.known: dict[Any, Solution | None] = {}
        self._max_positions = config.max_positions or _MAX_POSITIONS
        self._budget = budget

    def solve(self, state: AnyState) -> Solution:
        """Returns the position's value and length; raises SolveError if the game is too large or repeats."""
        if state in self.known:
            solution = self.known[state]
            if solution is None:  # its own successor: solving it was begun and not ended
                raise SolveError(f"cannot solve: the position {state.text()!r} can repeat")
            return solution
        if len(self.known) >= self._max_positions:
            raise SolveError(f"cannot solve: more than {self._max_positions:,} positions")
        if self._budget is not None:
            self._budget.spend()
        self.known[state] = None
        solution = self._compute(state)
        self.known[state] = solution
        return solution

    def best_moves(self, state: AnyState) -> dict[Any, Solution]:
        """Returns the solution of each move, in the mover's view, in canonical order."""
        return {move: self.solve(state.play(move)).before() for move in state.legal_moves()}

    def line(self, state: AnyState) -> list[Any]:
        """Returns a perfect game from here on; of equal moves the first is played."""
        moves = []
        while not state.is_over():
            solutions = self.best_moves(state)
            move = max(solutions, key=solutions.__getitem__)
            moves.append(move)
            state = state.play(move)
        return moves

    def _compute(self, state: AnyState) -> Solution:
        outcome = state.outcome()
        if outcome is not None:
            return Solution.of(round(outcome.value_for(state.to_move)), 0)
        best: Solution | None = None
        for move in state.legal_moves():
            found = self.solve(state.play(move)).before()
            best = found if best is None or found > best else best
            if best.value == 1 and best.plies == 1:
                break  # nothing is better than to win at once
        assert best is not None, state
        return best


def game_value(
    state: AnyState,
    *,
    order: Callable[[AnyState], Sequence[Any]] = canonical,
    symmetries: Sequence[Symmetry[Any, Any]] = (),
) -> int:
    """Returns only who wins, as 1, 0 or -1 for the side to move; reaches further than `Solver`, as it may cut off.

    A good order and the game's symmetries save most of the work; they do not change the value.
    """
    bounds: dict[Any, tuple[int, int]] = {}

    def can_reach(state: AnyState, goal: int) -> bool:
        """Says whether the side to move can get `goal` or better: 0 a draw, 1 a win."""
        outcome = state.outcome()
        if outcome is not None:
            return outcome.value_for(state.to_move) >= goal
        images = (symmetry.state(state) for symmetry in symmetries)
        image = next((image for image in images if image in bounds), state)
        low, high = bounds.get(image, (-1, 1))
        if low >= goal or high < goal:
            return low >= goal
        # We get at least g if after some move the other side cannot get 1 - g: 1 - 0 is its win, 1 - 1 its draw.
        is_reached = any(not can_reach(state.play(move), 1 - goal) for move in order(state))
        bounds[image] = (goal, high) if is_reached else (low, goal - 1)
        return is_reached

    if can_reach(state, 1):
        return 1
    return 0 if can_reach(state, 0) else -1


def solve(
    state: AnyState,
    config: SolverConfig = DEFAULT,
    *,
    heuristic: Heuristic[Any] = no_opinion,
    limits: Limits = NO_LIMITS,
    stop: Stop | None = None,
    trace: TraceLimit | None = None,
) -> SearchResult[Any]:
    """Returns a perfect move; `nodes` counts the different positions. The heuristic is not asked.

    Raises SolveError when a limit ends it: half a solution is none.
    """
    budget = Budget(limits, stop)
    return result_of(state, Solver(config, budget), budget, trace)


def result_of(state: AnyState, solver: AnySolver, budget: Budget, trace: TraceLimit | None) -> SearchResult[Any]:
    """Asks a solver that spends `budget` and writes its answers as a search's result."""
    tracer = Tracer(state, trace)
    try:
        solutions = solver.best_moves(state)
        line = solver.line(state)
    except OutOfBudgetError:
        raise SolveError(f"not solved after {budget.visited:,} positions and {budget.time_s:.1f} s") from None
    for move, solution in solutions.items():
        node = tracer.branch(tracer.root, state, move)
        if node is not None:
            node.value = solution.value if state.to_move == 0 else -solution.value
    analysis = Analysis(
        best=state.move_text(line[0]),
        score=_score(solutions[line[0]]),
        wdl=Wdl(*((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))[1 - solutions[line[0]].value]),
        lines=(Line(_texts(state, line), _score(solutions[line[0]])),),
        moves=tuple(
            MoveStats(state.move_text(move), value=float(solution.value), score=_score(solution))
            for move, solution in solutions.items()
        ),
        depth=solutions[line[0]].plies,
        nodes=budget.visited,
        time_s=budget.time_s,
    )
    return SearchResult(line[0], analysis, tracer.root)


def _score(solution: Solution) -> Score:
    if solution.value == 0:
        return Score(cp=0)
    return Score(mate=solution.value * ((solution.plies + 1) // 2))


def _texts(state: AnyState, moves: list[Any]) -> tuple[str, ...]:
    texts = []
    for move in moves:
        texts.append(state.move_text(move))
        state = state.play(move)
    return tuple(texts)
