"""Minimax as a player (book, ch. 3.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, final

from philidor.core.config import Dataclass, spin
from philidor.core.game import AnyState
from philidor.core.thinking import Limits, Report, Stop
from philidor.players.searching import SearchPlayer, heuristic_for
from philidor.search.minimax import MinimaxConfig, minimax
from philidor.search.result import SearchResult


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimaxPlayerConfig(MinimaxConfig):
    """Knobs of the minimax player."""

    variety: int = field(default=0, metadata=spin("Variety", 0, 1_000))
    """Chance in each evaluation, in centipawns, so that games differ."""
    seed: int = field(default=1, metadata=spin("Seed", 0, 2**63 - 1))
    """Seed of the variety; the same seed gives the same game."""


def _level(depth: int) -> MinimaxPlayerConfig:
    return MinimaxPlayerConfig(depth=depth, prefers_quick_wins=True, variety=10)


@final
class MinimaxPlayer(SearchPlayer[MinimaxPlayerConfig]):
    """Looks at every line of a few moves and counts the pieces at its end."""

    name: ClassVar[str] = "minimax"
    config_class: ClassVar[type[Dataclass]] = MinimaxPlayerConfig
    levels: ClassVar[tuple[Any, ...]] = tuple(_level(depth) for depth in (1, 2, 3))
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = None

    @classmethod
    def _default(cls) -> MinimaxPlayerConfig:
        return MinimaxPlayerConfig()

    def search(
        self,
        state: AnyState,
        config: MinimaxPlayerConfig,
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> SearchResult[Any]:
        """Runs minimax with the game's heuristic."""
        return minimax(
            state, config, heuristic=heuristic_for(state, config.variety, config.seed), limits=limits, stop=stop
        )
