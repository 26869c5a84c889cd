"""DeepChess: an alpha-beta search that compares positions instead of numbers (book, 2.14)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, final

from philidor.core.config import Dataclass, text
from philidor.core.game import AnyState
from philidor.players.searching import SearchPlayer
from philidor.search.comparing import ComparingConfig, compare_positions
from philidor.search.limits import Limits, Stop
from philidor.search.result import SearchResult

if TYPE_CHECKING:
    from philidor.evaluators.deepchess import DeepChessJudge


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepChessConfig(ComparingConfig):
    """Knobs of DeepChess."""

    net: Path = field(default=Path("deepchess"), metadata=text("DeepChessFile"))
    """The network: a .phfl file, or the shipped one: deepchess."""


@final
class DeepChessPlayer(SearchPlayer[DeepChessConfig]):
    """Never counts anything: asks a network which of two positions it would rather have."""

    name: ClassVar[str] = "deepchess"
    config_class: ClassVar[type[Dataclass]] = DeepChessConfig
    levels: ClassVar[tuple[Any, ...]] = tuple(DeepChessConfig(depth=depth) for depth in (1, 2, 3))
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = ("chess",)

    def __init__(self, config: DeepChessConfig | None = None, /) -> None:
        super().__init__(config)
        self._loaded: tuple[Path, DeepChessJudge] | None = None
        self._judge(self.config)  # what is wrong with the file should be known before the first move

    @classmethod
    def _default(cls) -> DeepChessConfig:
        return DeepChessConfig()

    def search(
        self, state: AnyState, config: DeepChessConfig, limits: Limits, stop: Stop | None = None
    ) -> SearchResult[Any]:
        """Runs the comparing alpha-beta with the network as judge."""
        return compare_positions(state, self._judge(config), config, limits=limits, stop=stop)

    def _judge(self, config: DeepChessConfig) -> DeepChessJudge:
        # Here, not above: menus ask for settings only, and numpy takes its time.
        from philidor.evaluators.deepchess import DeepChessJudge
        from philidor.nets.shipped import find_net

        if self._loaded is None or self._loaded[0] != config.net:
            self._loaded = config.net, DeepChessJudge.load(find_net(config.net))
        return self._loaded[1]
