"""Alpha-beta that compares positions instead of numbers (DeepChess: David, Netanyahu and Wolf 2016; book, 2.14).

Alpha and beta are positions here: the best that each side is sure of elsewhere. Where ordinary alpha-beta asks whether
one number is above another, this asks a judge which of two positions is better. With a judge that compares numbers both
visit the same positions and find the same move. A judge that was learned may prefer A to B, B to C and C to A; then the
answer depends on the order of the moves, as nothing else could.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

from philidor.core.abilities import TellsExchanges
from philidor.core.analysis import Analysis, Line
from philidor.core.config import check, combo, spin, validate
from philidor.core.errors import ConfigError
from philidor.core.game import FIRST, AnyState
from philidor.search.limits import NO_LIMITS, Budget, Limits, OutOfBudgetError, Stop
from philidor.search.orders import ORDERS, load_order
from philidor.search.result import SearchResult

V = TypeVar("V")
_WIN = 1_000_000


class Judge(Protocol[V]):
    """Says which of two positions is better for the first player."""

    def look(self, state: AnyState, /) -> V:
        """Returns what the judge remembers of a position; asked for once, compared many times."""

    def compare(self, first: V, second: V, /) -> float:
        """Returns a number above zero if the first is better, below if the second is."""

    def compare_with_draw(self, view: V, /) -> float:
        """Returns a number above zero if the position is better than a draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparingConfig:
    """Knobs of the comparing alpha-beta."""

    depth: int = field(default=2, metadata=spin("Depth", 1, 1_000))
    """How many moves to look ahead."""
    order: str = field(default="captures-first", metadata=combo("Order", tuple(ORDERS)))
    """Which moves to try first."""
    quiescence: bool = field(default=True, metadata=check("Quiescence"))
    """Look at captures that lose nothing until there are none, before a position is judged."""
    deepening: bool = field(default=True, metadata=check("Deepening"))
    """Look one move ahead first, then two and so on, the best move first: time may then be up at any moment."""

    def __post_init__(self) -> None:
        validate(self)


DEFAULT = ComparingConfig()


@dataclass(frozen=True, slots=True)
class End(Generic[V]):
    """The position at the end of a line."""

    win: int
    """Above zero if the first player has won, the more the sooner; below if the second has; or else zero."""
    view: V | None
    """What the judge remembers of it; None if the game is over."""
    moves: tuple[Any, ...] = ()
    """The moves that lead there."""


def compare_positions(
    state: AnyState,
    judge: Judge[V],
    config: ComparingConfig = DEFAULT,
    *,
    limits: Limits = NO_LIMITS,
    stop: Stop | None = None,
    moves: Sequence[Any] = (),
) -> SearchResult[Any]:
    """Returns the move to the best position that can be reached at the config's depth, or so far when time is up.

    `moves` are those to choose from, all if none are given. `nodes` counts as in minimax: without the positions after
    the root moves. There is no score: nothing is a number.
    """
    if config.quiescence and not isinstance(state, TellsExchanges):
        raise ConfigError("quiescence needs a game with captures and exchanges; set quiescence=False")
    budget = Budget(limits, stop)
    search = _Comparing(judge, config, budget, state)
    choices = [move for move in search.order(state) if not moves or move in moves]
    best: End[V] | None = None
    depth = 0
    for target in range(1 if config.deepening else config.depth, config.depth + 1):
        found = search.root(state, choices, target)
        if found is None:
            break
        best, depth = found, target
        choices.remove(best.moves[0])
        choices.insert(0, best.moves[0])
    texts = _texts(state, best.moves if best is not None else (choices[0],))
    analysis = Analysis(
        best=texts[0],
        lines=(Line(texts, depth=depth),),
        depth=depth,
        nodes=budget.visited,
        time_s=budget.time_s,
        counters={"comparisons": search.comparisons, "evaluations": search.looks},
    )
    return SearchResult(choices[0], analysis)


class _Comparing(Generic[V]):
    def __init__(self, judge: Judge[V], config: ComparingConfig, budget: Budget, state: AnyState) -> None:
        self.order = load_order(config.order, state)
        self.comparisons = self.looks = 0
        self._judge, self._config, self._budget = judge, config, budget

    def root(self, state: AnyState, moves: Sequence[Any], depth: int) -> End[V] | None:
        """Returns the best line; None if time was up before the first move was searched to the end."""
        best: End[V] | None = None
        alpha: End[V] = End(-_WIN, None)
        beta: End[V] = End(_WIN, None)
        for move in moves:
            try:
                end = self._after(move, self._explore(state.play(move), depth - 1, 1, alpha, beta))
            except OutOfBudgetError:
                # What was searched first is the best of the last round: better than nothing, and so is what beat it.
                return best
            if best is None or self._is_better(end, best, state.to_move):
                best = end
            alpha, beta = (best, beta) if state.to_move == FIRST else (alpha, best)
        return best

    def _explore(self, state: AnyState, depth: int, ply: int, alpha: End[V], beta: End[V]) -> End[V]:
        """Returns the best both sides can reach within `depth` moves, if that lies between alpha and beta."""
        outcome = state.outcome()
        if outcome is not None:
            return End(round(outcome.value_for(FIRST)) * (_WIN - ply), None)
        if depth > 0:
            return self._best(state, self.order(state), depth, ply, alpha, beta, None)
        if not self._config.quiescence:
            return self._look(state)
        # In check nothing is quiet: every way out counts, and standing still is none of them.
        if state.is_check():  # type: ignore[attr-defined]
            return self._best(state, self.order(state), depth, ply, alpha, beta, None)
        return self._best(state, _good_captures(state), depth, ply, alpha, beta, self._look(state))

    def _best(
        self,
        state: AnyState,
        moves: Sequence[Any],
        depth: int,
        ply: int,
        alpha: End[V],
        beta: End[V],
        best: End[V] | None,
    ) -> End[V]:
        """Tries moves until the other side would not allow the position; `best` is what is sure without moving."""
        player = state.to_move
        if best is not None:
            alpha, beta = self._narrowed(best, player, alpha, beta)
        for move in moves:
            if best is not None and not self._is_better(beta, alpha, FIRST):
                break
            self._budget.spend()
            end = self._after(move, self._explore(state.play(move), depth - 1, ply + 1, alpha, beta))
            if best is None or self._is_better(end, best, player):
                best = end
                alpha, beta = self._narrowed(best, player, alpha, beta)
        assert best is not None, "a game that is not over has moves"
        return best

    def _narrowed(self, best: End[V], player: int, alpha: End[V], beta: End[V]) -> tuple[End[V], End[V]]:
        if player == FIRST:
            return (best if self._is_better(best, alpha, FIRST) else alpha), beta
        return alpha, (best if self._is_better(beta, best, FIRST) else beta)

    def _is_better(self, end: End[V], other: End[V], player: int) -> bool:
        """Says whether a player would rather have the one than the other."""
        difference = self._compare(end, other)
        return difference > 0 if player == FIRST else difference < 0

    def _compare(self, end: End[V], other: End[V]) -> float:
        if end.win or other.win:
            return end.win - other.win
        if end.view is None and other.view is None:
            return 0.0
        self.comparisons += 1
        if other.view is None:
            assert end.view is not None
            return self._judge.compare_with_draw(end.view)
        if end.view is None:
            return -self._judge.compare_with_draw(other.view)
        return self._judge.compare(end.view, other.view)

    def _look(self, state: AnyState) -> End[V]:
        self.looks += 1
        return End(0, self._judge.look(state))

    def _after(self, move: Any, end: End[V]) -> End[V]:
        return replace(end, moves=(move, *end.moves))


def _good_captures(state: Any) -> list[Any]:
    """Captures that lose no material, the most profitable first."""
    gains = [(state.see(move), move) for move in state.legal_moves() if state.is_capture(move)]
    return [move for gain, move in sorted(gains, key=lambda pair: -pair[0]) if gain >= 0]


def _texts(state: AnyState, moves: Sequence[Any]) -> tuple[str, ...]:
    texts = []
    for move in moves:
        texts.append(state.move_text(move))
        state = state.play(move)
    return tuple(texts)
