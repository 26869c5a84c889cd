"""UCT with random playouts as a player (book, ch. 3.5): the compiled search where it knows the game."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, final

from philidor.core.config import Dataclass
from philidor.core.game import AnyState
from philidor.core.thinking import Limits, Report, Stop
from philidor.players.searching import SearchPlayer
from philidor.search.result import SearchResult
from philidor.search.uct import UctConfig, uct

# Where only the clock or an order to stop ends a search.
_NO_END = 1_000_000_000


@final
class UctPlayer(SearchPlayer[UctConfig]):
    """Plays thousands of random games from the position and trusts the results."""

    name: ClassVar[str] = "uct"
    config_class: ClassVar[type[Dataclass]] = UctConfig
    levels: ClassVar[tuple[Any, ...]] = tuple(
        UctConfig(iterations=iterations) for iterations in (100, 500, 2_000, 10_000)
    )
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = None

    @classmethod
    def _default(cls) -> UctConfig:
        return UctConfig()

    def search(
        self,
        state: AnyState,
        config: UctConfig,
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> SearchResult[Any]:
        """Runs UCT; both searches find the same, the compiled one sooner. Only that one reports on the way."""
        from philidor.search import native

        if limits.is_endless or limits.replace_own:
            config = dataclasses.replace(config, iterations=_NO_END)
        if native.knows(state):
            return native.uct(state, config, limits=limits, stop=stop, report=report)
        return uct(state, config, limits=limits, stop=stop)
