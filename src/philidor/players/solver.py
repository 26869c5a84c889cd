"""The perfect player of small games (book, ch. 5.3)."""

from __future__ import annotations

from typing import Any, ClassVar, final

from philidor.core.abilities import RemembersPast
from philidor.core.config import Dataclass
from philidor.core.descriptor import descriptor_of
from philidor.core.errors import SolveError
from philidor.core.game import AnyState
from philidor.core.thinking import Limits, Report, Stop
from philidor.players.searching import SearchPlayer
from philidor.search.result import SearchResult
from philidor.search.solver import SolverConfig


@final
class SolverPlayer(SearchPlayer[SolverConfig]):
    """Knows small games to the end and never makes a mistake."""

    name: ClassVar[str] = "solver"
    config_class: ClassVar[type[Dataclass]] = SolverConfig
    # A quarter of a million positions are a few seconds; hexapawn has 135, tic-tac-toe 5,478.
    levels: ClassVar[tuple[Any, ...]] = (SolverConfig(max_positions=250_000),)
    # Connect four on 4x4 has 161,029 positions; one row more is ten times that.
    longest_game: ClassVar[int | None] = 17
    games: ClassVar[tuple[str, ...] | None] = None

    @classmethod
    def _default(cls) -> SolverConfig:
        return SolverConfig()

    def search(
        self,
        state: AnyState,
        config: SolverConfig,
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> SearchResult[Any]:
        """Solves the position. Raises SolveError when the game is too large."""
        if isinstance(state, RemembersPast):
            title = descriptor_of(state).title.lower() or "this game"
            raise SolveError(f"cannot solve: in {title} positions repeat, and there are too many of them")
        from philidor.search import native

        return native.solve(state, config, limits=limits, stop=stop)
