"""A pool of games of any kind, readable: each game has a compiled tree, the rest is Python."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from philidor.core.evaluation import Evaluation, Wdl
from philidor.core.game import AnyGame, AnyState
from philidor.core.random import game_random
from philidor.encodings.encoding import Encoding
from philidor.records.native import RecordBatch, from_native, to_native
from philidor.records.record import GameRecord
from philidor.selfplay.pool.config import PoolConfig
from philidor.selfplay.pool.game import GameInPlay
from philidor.selfplay.pool.games import PoolBatch, game_numbers
from philidor.selfplay.pool.numbers import Numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class ReadablePool:
    """`Pool` for any game; arguments are checked there."""

    def __init__(
        self,
        game: AnyGame,
        encoding: Encoding,
        config: PoolConfig,
        seed: int,
        *,
        games: int,
        numbers: Numbers,
        starts: Sequence[str],
        resume: RecordBatch,
        source: str | None,
    ) -> None:
        self._game, self._encoding, self._config, self._seed = game, encoding, config, seed
        self._numbers, self._starts, self._size, self._source = numbers, starts, games, source
        left = enumerate(game_numbers(resume))
        self._idle = [self._make(number, from_native(resume[place])) for place, number in left]
        self._waiting: dict[int, list[tuple[GameInPlay, AnyState]]] = {}
        self._finished: list[GameInPlay] = []
        self.live = len(self._idle)
        """Games that have begun and not ended."""
        self._next_id = 0

    def _make(self, number: int, past: GameRecord | None = None) -> GameInPlay:
        random = game_random(self._seed, number)
        return GameInPlay(self._game, self._config, number, random, starts=self._starts, past=past)

    def stop_after(self, count: int | None) -> None:
        """Begins no game whose number is `count` or more."""
        self._numbers.end = count

    def give(self, numbers: Sequence[int]) -> None:
        """Adds numbers of games to be played."""
        self._numbers.gaps += numbers

    def collect(self, limit: int) -> PoolBatch | None:
        """Returns leaves of games that wait for nothing else."""
        import numpy as np

        row: list[tuple[GameInPlay, AnyState]] = []
        for game in self._games_to_walk():
            state = game.walk()
            if state is None:
                self._finished.append(game)
                self.live -= 1
                continue
            row.append((game, state))
            if len(row) == limit:
                break
        if not row:
            return None
        seats = np.array([game.seat for game, _ in row], np.uint8)
        batch = PoolBatch(self._next_id, self._encoding.encode([state for _, state in row]), seats)
        self._waiting[batch.id] = row
        self._next_id += 1
        return batch

    def _games_to_walk(self) -> Iterator[GameInPlay]:
        """Yields idle games, the longest idle first, and new ones where there is room."""
        while self._idle or self._has_room():
            if self._idle:
                yield self._idle.pop(0)
            else:
                self.live += 1
                yield self._make(self._numbers.take())

    def _has_room(self) -> bool:
        return self.live < self._size and self._numbers.has_next()

    def apply(
        self,
        batch_id: int,
        logits: NDArray[np.float32],
        wdl: NDArray[np.float32],
        moves_left: NDArray[np.float32] | None,
    ) -> None:
        """Hands a batch's evaluations to its games."""
        offset = 0
        for row, (game, state) in enumerate(self._waiting.pop(batch_id)):
            moves = game.considered_moves(state)
            priors = softmax([float(logit) for logit in logits[offset : offset + len(moves)]])
            offset += len(state.legal_moves())
            plies = None if moves_left is None else float(moves_left[row])
            game.answer(Evaluation(moves, priors, Wdl(*map(float, wdl[row])), plies))
            self._idle.append(game)

    def cancel(self, batch_id: int) -> None:
        """Gives a batch up."""
        for game, _ in self._waiting.pop(batch_id):
            game.cancel()
            self._idle.append(game)

    def finished(self) -> RecordBatch:
        """Hands out the games that ended since the last call."""
        found, self._finished = self._finished, []
        return _batch(game.played(self._source) for game in _by_number(found))

    def unfinished(self) -> RecordBatch:
        """Returns all games that have begun and not ended."""
        waiting = [game for row in self._waiting.values() for game, _ in row]
        return _batch(game.unfinished(self._source) for game in _by_number([*self._idle, *waiting]))


def _by_number(games: Sequence[GameInPlay]) -> list[GameInPlay]:
    return sorted(games, key=lambda game: game.number)


def _batch(records: Iterable[GameRecord]) -> RecordBatch:
    batch = RecordBatch()
    for record in records:
        batch.append(to_native(record))
    return batch


def softmax(logits: Sequence[float]) -> Any:  # NDArray[np.float32]
    """Returns priors; one number after the other in double precision, as the native twin does."""
    import numpy as np

    highest = max(logits)
    weights = [math.exp(logit - highest) for logit in logits]
    total = 0.0
    for weight in weights:
        total += weight
    return np.array([weight / total for weight in weights], dtype=np.float32)
