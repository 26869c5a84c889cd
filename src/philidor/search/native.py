"""UCT with random playouts in the compiled core, for the games it knows: uct.py's tree, visit for visit, but fast.

The search runs in a thread of its own without the GIL: `start`, then `next_event` until the last one, or `stop`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from philidor._native._ext import Connect4, Hexapawn, RolloutUct, TicTacToe, UctEvent
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Heuristic, no_opinion
from philidor.core.game import AnyState
from philidor.search.limits import NO_LIMITS, Limits, Stop
from philidor.search.result import SearchResult
from philidor.search.trace import TraceLimit
from philidor.search.uct import RootStatistics, UctConfig, uct_result

# By the state's class, named and not imported: searching one game does not load the others.
_ROOTS: dict[str, Callable[[Any], Any]] = {
    "philidor.games.chess.position:Position": lambda state: state.native,
    "philidor.games.connect4:Connect4State": lambda state: Connect4(state.grid.width, state.grid.height, *state.stones),
    "philidor.games.hexapawn:HexapawnState": lambda state: Hexapawn(
        state.grid.width, state.grid.height, state.pawns[0], state.pawns[1], state.to_move
    ),
    "philidor.games.tictactoe:TicTacToeState": lambda state: TicTacToe(*state.stones),
}

# Without a limit of its own a search ends by its config's iterations, so waiting may be long; but Python sees Ctrl-C
# only between two waits, and a stop callback is only asked there.
_PATIENCE_S = 0.1
_STOP_POLL_S = 0.002
_DEFAULTS = UctConfig()


@dataclass(frozen=True, slots=True)
class UctProgress:
    """An event of a running search."""

    result: SearchResult[Any]
    end: str | None
    """None while the search runs; else why it ended: "simulations", "time", "memory", "stopped"."""


def native_root(state: AnyState) -> Any:
    """Returns the compiled twin of a state; raises ConfigError if there is none."""
    name = f"{type(state).__module__}:{type(state).__qualname__}"
    if name not in _ROOTS:
        raise ConfigError(f"the compiled core does not know the game of {type(state).__name__}; use the search 'uct'")
    try:
        return _ROOTS[name](state)
    except (TypeError, ValueError) as error:  # a board of more than 64 bits
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
        self._search = RolloutUct(native_root(state), config.exploration, config.seed, config.playout_limit, memory_mb)

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
) -> SearchResult[Any]:
    """Returns what `philidor.search.uct.uct` returns. The heuristic is not asked; a trace is refused."""
    if trace is not None:
        raise ConfigError("the compiled search keeps no trace; use the search 'uct'")
    search = UctSearch(state, config)
    search.start(limits, report_every_s=3600.0)
    try:
        while (event := search.next_event(_PATIENCE_S if stop is None else _STOP_POLL_S)) is None or event.end is None:
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
