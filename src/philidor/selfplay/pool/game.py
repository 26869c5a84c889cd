"""One game of a pool, readable: search, choose, play, search again (book, ch. 4.2.2).

cpp/selfplay/pool/game_of.h is the native twin: with the same judge it plays the same game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from philidor.core.abilities import moves_but_pass
from philidor.core.evaluation import Wdl
from philidor.core.game import AnyGame, AnyState, Outcome
from philidor.core.random import SplitMix64
from philidor.records.record import GameRecord, PlyFlag, Result, wdl_bytes
from philidor.search.dirichlet import uniform
from philidor.search.trees.native import PuctSearch
from philidor.selfplay.pool.choice import chances, draw, lesson
from philidor.selfplay.pool.config import PoolConfig
from philidor.selfplay.pool.games import CAPPED, NUMBER, RANDOM

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
        past: GameRecord | None = None,
    ) -> None:
        self.config = config
        self.number = number
        self.start: str | None = None
        # The record's columns, as they grow.
        self._moves: list[int] = []
        self._visits: list[Mapping[int, int]] = []
        self._wdl: list[Wdl | None] = []
        self._flags: list[int] = []
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
            self._moves, self._visits, self._wdl, self._flags = [], [], [], []
            for _ in range(self._random.below(self.config.opening_plies + 1)):
                moves = self.considered_moves(state)
                place = self._random.below(len(moves))
                self._add(place, {}, None, is_full=False, is_sampled=True)
                state = state.play(moves[place])
                if state.is_over():
                    break
            if not state.is_over():
                return state

    def _replay(self, game: AnyGame, past: GameRecord) -> AnyState:
        count = len(past.indices)
        self.start = past.start
        self._moves, self._flags = list(past.indices), list(past.flags or bytes(count))
        self._visits = list(past.visits or [{}] * count)
        self._wdl = [None if wdl is None else Wdl(*wdl) for wdl in past.wdl or [None] * count]
        self._random.state = int(past.tags[RANDOM])
        *_, state = past.states(game)
        return state

    def considered_moves(self, state: AnyState) -> Sequence[Any]:
        """Returns the legal moves, without the pass while nobody may pass yet."""
        return moves_but_pass(state) if state.ply < self.config.first_pass_ply else state.legal_moves()

    def _add(self, place: int, visits: Mapping[int, int], wdl: Wdl | None, *, is_full: bool, is_sampled: bool) -> None:
        self._moves.append(place)
        self._visits.append(visits)
        self._wdl.append(wdl)
        self._flags.append((0 if is_full else PlyFlag.CHEAP) | (PlyFlag.SAMPLED if is_sampled else 0))

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        outcome = self._state.outcome()
        if outcome is None and self.config.max_plies is not None and len(self._moves) >= self.config.max_plies:
            return Outcome(None, CAPPED)
        return outcome

    def played(self, source: str | None) -> GameRecord:
        """Returns the finished game."""
        assert self.outcome is not None
        return self._record(source, {}, result=Result.from_outcome(self.outcome), termination=self.outcome.reason)

    def unfinished(self, source: str | None) -> GameRecord:
        """Returns the game as far as it was played, without a result."""
        return self._record(source, {RANDOM: str(self._random_before)})

    def _record(self, source: str | None, tags: Mapping[str, str], **facts: Any) -> GameRecord:
        return GameRecord(
            start=self.start,
            indices=tuple(self._moves),
            wdl=tuple(self._wdl),
            flags=bytes(self._flags),
            visits=tuple(self._visits),
            tags={NUMBER: str(self.number), **tags},
            source=source,
            **facts,
        )

    @property
    def seat(self) -> int:
        """Who is thinking about a move, if two players change sides from game to game (see `PoolBatch`)."""
        return (self.number ^ self._state.to_move) & 1

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

    def _is_decided(self) -> bool:
        """Says whether the last searches all expected the same side to win.

        Asked of the record alone, in its steps of 1/255, so that a game that is gone on with answers the same.
        """
        known = self._wdl[-self.config.decided_plies :]
        if self.config.decided_value >= 1 or len(known) < self.config.decided_plies or None in known:
            return False
        steps = [win - loss for win, loss in (wdl_bytes(wdl) for wdl in known if wdl is not None)]
        is_sure = all(abs(value) > 255 * self.config.decided_value for value in steps)
        return is_sure and all(one * other < 0 for one, other in pairwise(steps))

    def _begin_move(self, played: Any) -> None:
        """Decides how the next move is searched; two draws for every move keep the twins in step."""
        self._random_before = self._random.state
        is_decided = self._is_decided()
        full_share = self.config.full_share if self.config.cheap_simulations else 1.0
        self._is_full = uniform(self._random) < full_share * (self.config.decided_share if is_decided else 1.0)
        seed = self._random.next() >> 1
        self._search_config = self.config.search_config(self._is_full, seed, is_decided=is_decided)
        if self.outcome is not None:
            return
        if played is not None and self.config.keeps_tree:
            self._search.advance(played, self._search_config)
        else:
            self._search = PuctSearch(self._state, self._search_config, memory_mb=self.config.memory_mb)

    def _move(self) -> None:
        """Chooses by the finished search and plays."""
        temperature = self.config.temperature_at(len(self._moves))
        is_gumbel = self.config.search == "gumbel"
        is_sampled = temperature > 0 or (is_gumbel and len(self._moves) < self.config.drawn_plies)
        if temperature > 0:
            place = draw(chances(self._search, self._search_config, self.config), temperature, self._random)
        else:
            place = self._search.likeliest if is_gumbel and not is_sampled else self._search.best
        learned = lesson(self._search, self._search_config, self.config)
        visits = {at: count for at, count in enumerate(learned) if count}
        self._add(place, visits, self._expected(place), is_full=self._is_full, is_sampled=is_sampled)
        move = self._state.legal_moves()[place]
        self._state = self._state.play(move)
        self._begin_move(move)

    def _expected(self, place: int) -> Wdl:
        """Returns what the player to move expects: the mean of all visits.

        Gumbel search visits every move that it has drawn, however bad it turns out, so there it is what the played move
        is worth.
        """
        if self.config.search == "gumbel" and not self._search.is_proven:
            played = self._search.moves()[place]
            if played.value is not None and played.draw is not None:
                return _shares(
                    Wdl((1 - played.draw + played.value) / 2, played.draw, (1 - played.draw - played.value) / 2)
                )
        assert self._search.wdl is not None
        return _shares(self._search.wdl)


def _shares(wdl: Wdl) -> Wdl:
    """Cuts off what rounding left below nothing."""
    return Wdl(max(wdl.win, 0.0), max(wdl.draw, 0.0), max(wdl.loss, 0.0))
