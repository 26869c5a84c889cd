"""One game of a pool, readable: search, choose, play, search again (book, ch. 4.2.2).

cpp/search/pool/game_of.h is the native twin: with the same judge it plays the same game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from philidor.core.evaluation import Wdl
from philidor.core.game import AnyGame, AnyState, Outcome
from philidor.core.random import SplitMix64
from philidor.search.dirichlet import uniform
from philidor.search.gumbel import GumbelConfig
from philidor.search.pool.choice import draw, policy_target, visit_target
from philidor.search.pool.config import PoolConfig
from philidor.search.pool.games import CAPPED, PlayedGame, PlayedPly, UnfinishedGame
from philidor.search.puct import PuctConfig
from philidor.search.trees.native import PuctSearch

if TYPE_CHECKING:
    from philidor.core.evaluation import Evaluation


class GameInPlay:
    """A game that asks for one evaluation after the other."""

    def __init__(
        self,
        game: AnyGame,
        config: PoolConfig,
        number: int,
        random: SplitMix64,
        *,
        starts: Sequence[str] = (),
        past: UnfinishedGame | None = None,
    ) -> None:
        self.config = config
        self.number = number
        self.start: str | None = None
        self.plies: list[PlayedPly] = []
        self._random = random
        self._leaf: tuple[Any, AnyState] | None = None
        self._search: PuctSearch
        if past is None:
            self._state = self._open(game, starts)
        else:
            self._state = self._replay(game, past)
        self._begin_move(None)

    def _open(self, game: AnyGame, starts: Sequence[str]) -> AnyState:
        """Plays random moves that do not end the game."""
        while True:
            self.start = starts[self._random.below(len(starts))] if starts else None
            state: AnyState = game.state(self.start)
            self.plies = []
            for _ in range(self._random.below(self.config.opening_plies + 1)):
                moves = state.legal_moves()
                place = self._random.below(len(moves))
                self.plies.append(PlayedPly(place, {}, is_full=False, is_sampled=True, wdl=None))
                state = state.play(moves[place])
                if state.is_over():
                    break
            if not state.is_over():
                return state

    def _replay(self, game: AnyGame, past: UnfinishedGame) -> AnyState:
        self.start = past.start
        self.plies = list(past.plies)
        self._random.state = past.random_state
        state: AnyState = game.state(past.start)
        for ply in past.plies:
            state = state.play(state.legal_moves()[ply.place])
        return state

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        outcome = self._state.outcome()
        if outcome is None and self.config.max_plies is not None and len(self.plies) >= self.config.max_plies:
            return Outcome(None, CAPPED)
        return outcome

    def played(self) -> PlayedGame:
        """Returns the finished game."""
        outcome = self.outcome
        assert outcome is not None
        return PlayedGame(self.number, self.start, tuple(self.plies), outcome)

    def unfinished(self) -> UnfinishedGame:
        """Returns the game as far as it was played."""
        return UnfinishedGame(self.number, self.start, tuple(self.plies), self._random_before)

    def walk(self) -> AnyState | None:
        """Goes on until an evaluation is needed, and returns of what; None when the game is over."""
        while self.outcome is None:
            leaves = self._search.collect(1, self._search_config.simulations - self._search.visits)
            if leaves:
                self._leaf = leaves[0]
                return self._leaf[1]
            self._move()
        return None

    def answer(self, evaluation: Evaluation[Any]) -> None:
        """Hands over what `walk` asked for."""
        assert self._leaf is not None
        self._search.apply(*self._leaf, evaluation)
        self._leaf = None

    def cancel(self) -> None:
        """Gives up what `walk` asked for; it will ask again."""
        assert self._leaf is not None
        self._search.cancel(self._leaf[0])
        self._leaf = None

    def _begin_move(self, played: Any) -> None:
        """Decides how the next move is searched; two draws for every move keep the twins in step."""
        self._random_before = self._random.state
        is_cheap = uniform(self._random) >= self.config.full_share and self.config.cheap_simulations > 0
        self._is_full = not is_cheap
        self._search_config = self.config.search_config(self._is_full, self._random.next() >> 1)
        if self.outcome is not None:
            return
        if played is not None and self.config.keeps_tree:
            self._search.advance(played, self._search_config)
        else:
            self._search = PuctSearch(self._state, self._search_config, memory_mb=self.config.memory_mb)

    def _move(self) -> None:
        """Chooses by the finished search and plays."""
        counts = self._counts(self._search_config)
        temperature = self.config.temperature_at(len(self.plies))
        place = draw(counts, temperature, self._random) if temperature > 0 else self._search.best
        visits = {at: count for at, count in enumerate(counts) if count}
        is_sampled = temperature > 0 or self.config.search == "gumbel"
        assert self._search.wdl is not None
        self.plies.append(PlayedPly(place, visits, self._is_full, is_sampled, _shares(self._search.wdl)))
        move = self._state.legal_moves()[place]
        self._state = self._state.play(move)
        self._begin_move(move)

    def _counts(self, config: PuctConfig | GumbelConfig) -> list[int]:
        if isinstance(config, GumbelConfig):
            return policy_target(self._search.improved_policy())
        return visit_target(self._search.moves(), config, prune=self.config.prune_targets)


def _shares(wdl: Wdl) -> Wdl:
    """Cuts off what rounding left below nothing."""
    return Wdl(max(wdl.win, 0.0), max(wdl.draw, 0.0), max(wdl.loss, 0.0))
