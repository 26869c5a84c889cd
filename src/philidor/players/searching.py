"""What the players have in common that choose their move by one of the book's searches (ch. 3)."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic

from philidor.core.analysis import Analysis, Line, MoveStats
from philidor.core.config import C
from philidor.core.evaluation import Heuristic
from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.core.thinking import NO_LIMITS, Limits, Report, Stop, ending
from philidor.evaluators import default_heuristic
from philidor.players.player import check_lines, check_state, player_text, with_limits
from philidor.search.result import SearchResult

# No search of this kind gets so far.
_DEEPEST = 1_000
CLOCKS = frozenset(("time_s", "time_left", "clock_start"))
"""What every search keeps. How much it searches is otherwise said by its settings: half a search is no answer."""


class SearchPlayer(ABC, Generic[C]):
    """Chooses what its search finds; a subclass names the search."""

    name: ClassVar[str]
    heeds: ClassVar[frozenset[str]] = CLOCKS

    def __init__(self, config: C | None = None, /) -> None:
        self.config = self._default() if config is None else config

    @property
    def config(self) -> C:
        """The settings in force; others are refused when they cannot be played by."""
        return self._config

    @config.setter
    def config(self, config: C) -> None:
        self._prepare(config)
        self._config = config

    def _prepare(self, config: C) -> None:
        """Gets ready to play by other settings. Raises a PhilidorError if that cannot be."""

    def __repr__(self) -> str:
        return player_text(self.name, self.config)

    @classmethod
    @abstractmethod
    def _default(cls) -> C:
        """Returns the config of those who give none."""

    @abstractmethod
    def search(
        self, state: AnyState, config: C, limits: Limits, stop: Stop | None = None, report: Report | None = None
    ) -> SearchResult[Any]:
        """Searches `state`, which is not over, until `stop` says so. Some searches `report` on the way."""

    def choose(self, state: AnyState, /) -> str:
        """Returns the move that the search finds best."""
        check_state(state)
        return state.move_text(self.search(state, self.config, NO_LIMITS).best)

    def think(
        self,
        state: AnyState,
        /,
        limits: Limits = NO_LIMITS,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Analysis:
        """Searches as `choose` does, but no longer than the clock allows; reports when it has done."""
        if state.is_over():
            return Analysis(best=None)
        config = with_depth(self.config, limits) if "depth" in self.heeds else self.config
        allowed = Limits(
            nodes=limits.nodes if "nodes" in self.heeds else None,
            moves=limits.moves,
            is_endless=limits.is_endless,
            replace_own=limits.replace_own,
        )
        found = self.search(state, config, allowed, ending(limits, state.to_move, stop), report).analysis
        line = found.lines[0].moves if found.lines else ()
        if report is not None:
            report(dataclasses.replace(found, best=None))
        return dataclasses.replace(found, ponder=line[1] if len(line) > 1 else None)

    def analyse(
        self,
        state: AnyState,
        /,
        *,
        movetime: float | None = None,
        nodes: int | None = None,
        lines: int = 1,
        **settings: Any,
    ) -> Analysis:
        """Searches for at most `movetime` seconds and `nodes` positions; shows the best `lines` root moves.

        `settings` replace those of the config for this call, such as `depth=5`.
        """
        check_state(state)
        check_lines(lines)
        config = with_limits(self.config, settings)
        limits = Limits(nodes=nodes, time_s=movetime)
        if state.is_over():
            return Analysis(best=None)
        return with_lines(self.search(state, config, limits).analysis, lines)

    def new_game(self) -> None:
        """There is nothing to forget: each search begins anew."""


def with_depth(config: C, limits: Limits) -> C:
    """Returns the config of a search that looks as far as the limits say, or with its own depth no further."""
    if limits.depth is None:
        return config
    own = None if limits.replace_own else getattr(config, "depth", None)
    deepest = min(limits.depth, _DEEPEST) if own is None else min(limits.depth, own)
    return with_limits(config, {"depth": deepest})


def with_lines(analysis: Analysis, count: int) -> Analysis:
    """Returns the analysis with as many lines as asked for; the searches know the rest of the best line only."""
    first = analysis.lines[:1] or (Line(moves=(analysis.best or "",), score=analysis.score),)
    others = sorted((stats for stats in analysis.moves if stats.move != analysis.best), key=_merit, reverse=True)
    more = [Line((stats.move,), stats.score, depth=analysis.depth) for stats in others[: count - 1]]
    return dataclasses.replace(analysis, lines=(*first, *more))


def _merit(stats: MoveStats) -> tuple[float, float]:
    """Orders root moves: by score, a near mate above a far one, or else by visits."""
    if stats.score is None:
        return float(stats.visits or 0), stats.value or 0.0
    if stats.score.cp is not None:
        return float(stats.score.cp), 0.0
    mate = stats.score.mate or 0
    return (1e6 - mate, 0.0) if mate > 0 else (-1e6 - mate, 0.0)


def heuristic_for(state: AnyState, variety: int = 0, seed: int = 0) -> Heuristic[Any]:
    """Returns what the game's descriptor names, or no opinion.

    With `variety` up to so many centipawns are added or taken by chance, for each position always the same:
    equal moves are then chosen in turn, and a search stays a search.
    """
    heuristic = default_heuristic(state)
    if variety == 0:
        return heuristic

    def noisy(state: AnyState, /) -> int:
        return heuristic(state) + SplitMix64(state.key ^ seed).below(2 * variety + 1) - variety

    return noisy
