"""Alpha-beta as a player (book, ch. 3.2)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

from philidor.core.abilities import TellsCaptures
from philidor.core.config import Dataclass, spin
from philidor.core.game import AnyState
from philidor.core.thinking import Limits, Report, Stop
from philidor.players.searching import SearchPlayer, heuristic_for
from philidor.search.alphabeta import AlphaBetaConfig, alphabeta
from philidor.search.result import SearchResult


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaBetaPlayerConfig(AlphaBetaConfig):
    """Knobs of the alpha-beta player."""

    variety: int = field(default=0, metadata=spin("Variety", 0, 1_000))
    """Chance in each evaluation, in centipawns, so that games differ."""
    seed: int = field(default=1, metadata=spin("Seed", 0, 2**63 - 1))
    """Seed of the variety; the same seed gives the same game."""


def _level(depth: int) -> AlphaBetaPlayerConfig:
    # Captures first and a shared window find the same move as the book's settings, four to ten times as fast.
    return AlphaBetaPlayerConfig(
        depth=depth, order="captures-first", root_window="shared", prefers_quick_wins=True, variety=10
    )


@final
class AlphaBetaPlayer(SearchPlayer[AlphaBetaPlayerConfig]):
    """As minimax, but skips what the other side would not allow, and so looks further ahead."""

    name: ClassVar[str] = "alphabeta"
    config_class: ClassVar[type[Dataclass]] = AlphaBetaPlayerConfig
    levels: ClassVar[tuple[Any, ...]] = tuple(_level(depth) for depth in (1, 2, 3, 4, 5))
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = None

    @classmethod
    def _default(cls) -> AlphaBetaPlayerConfig:
        return AlphaBetaPlayerConfig()

    def search(
        self,
        state: AnyState,
        config: AlphaBetaPlayerConfig,
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> SearchResult[Any]:
        """Runs alpha-beta with the game's heuristic."""
        if config.order == "captures-first" and not isinstance(state, TellsCaptures):
            # The levels are for all games. Where nothing tells captures apart, the order changes the speed only.
            config = dataclasses.replace(config, order="canonical")
        return alphabeta(
            state, config, heuristic=heuristic_for(state, config.variety, config.seed), limits=limits, stop=stop
        )
