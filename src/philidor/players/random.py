"""The random player: every legal move is as likely as any other (book, ch. 5.5, the opponent of Table 5.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from philidor.core.analysis import Analysis, MoveStats
from philidor.core.config import Dataclass, spin, validate
from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.core.thinking import NO_LIMITS, Limits, Report, Stop
from philidor.players.player import check_state, player_text, with_limits


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomConfig:
    """Knobs of the random player."""

    seed: int = field(default=0, metadata=spin("Seed", 0))
    """Seed of the random moves."""

    def __post_init__(self) -> None:
        validate(self)


class RandomPlayer:
    """Plays any legal move."""

    name: ClassVar[str] = "random"
    config_class: ClassVar[type[Dataclass]] = RandomConfig
    levels: ClassVar[tuple[Any, ...]] = (RandomConfig(),)
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = None
    heeds: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, config: RandomConfig | None = None, /) -> None:
        self.config = config or RandomConfig()

    def __repr__(self) -> str:
        return player_text(self.name, self.config)

    @property
    def config(self) -> RandomConfig:
        """The settings in force; with new ones the series of moves begins anew."""
        return self._config

    @config.setter
    def config(self, config: RandomConfig) -> None:
        self._config = config
        self._random = SplitMix64(config.seed)

    def choose(self, state: AnyState, /) -> str:
        """Returns a legal move: the next of a series that the seed determines."""
        check_state(state)
        moves = state.legal_moves()
        return state.move_text(moves[self._random.below(len(moves))])

    def think(
        self,
        state: AnyState,
        /,
        limits: Limits = NO_LIMITS,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Analysis:
        """Returns what `choose` does, and counts nothing."""
        return Analysis(best=self.choose(state))

    def analyse(self, state: AnyState, /, **limits: Any) -> Analysis:
        """Returns equal probabilities, and one of the moves as the best."""
        check_state(state)
        config = with_limits(self.config, limits)
        if state.is_over():
            return Analysis(best=None)
        moves = [state.move_text(move) for move in state.legal_moves()]
        best = moves[SplitMix64(config.seed).below(len(moves))]
        return Analysis(best=best, moves=tuple(MoveStats(move, prior=1 / len(moves)) for move in moves))

    def new_game(self) -> None:
        """There is nothing to forget: the series of moves goes on."""
