"""The compiled pool: games, trees and encoders in C++, on as many threads as there are cores, without the GIL.

It plays the readable pool's games, for those of our games and encodings that the compiled core knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from philidor._native import _ext
from philidor._native._ext import GamePool, PoolSettings, PoolSetup
from philidor.core.errors import ConfigError, RecordError
from philidor.core.evaluation import Wdl
from philidor.core.game import AnyGame, Outcome
from philidor.core.native_settings import fill
from philidor.encodings.alphazero import check_standard
from philidor.encodings.encoding import Batch, Encoding
from philidor.search.native import native_root
from philidor.search.pool.config import PoolConfig
from philidor.search.pool.games import PlayedGame, PlayedPly, PoolBatch, UnfinishedGame
from philidor.search.pool.numbers import Numbers
from philidor.search.trees.native import make_settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# By classes, named and not imported: a pool of one game does not load the others. A class of the user's own, even one
# that is derived from ours, may have other rules and is played by the readable pool.
_GAMES = {
    "philidor.games.chess.game:Chess",
    "philidor.games.connect4:Connect4",
    "philidor.games.gomoku:Gomoku",
    "philidor.games.hexapawn:Hexapawn",
    "philidor.games.tictactoe:TicTacToe",
}
_MAKERS: dict[str, Callable[[PoolSetup, list[Any], Any], GamePool]] = {
    "philidor.encodings.native:NativeAlphaZeroEncoding": lambda setup, roots, _: _ext.alphazero_pool(setup, roots),
    "philidor.encodings.native:NativeLeelaEncoding": lambda setup, roots, encoding: _ext.leela_pool(
        setup, roots, *encoding.arguments
    ),
    "philidor.encodings.boards:BoardEncoding": lambda setup, roots, encoding: _ext.board_pool(
        setup, roots, encoding.history
    ),
    "philidor.encodings.hexapawn:HexapawnEncoding": lambda setup, roots, _: _ext.hexapawn_pool(setup, roots),
}


def _name(value: object) -> str:
    return f"{type(value).__module__}:{type(value).__qualname__}"


def knows(game: AnyGame, encoding: Encoding) -> bool:
    """Says whether the compiled core can play this game with this encoding."""
    if _name(game) not in _GAMES or _name(encoding) not in _MAKERS:
        return False
    try:
        native_root(game.state())
    except ConfigError:  # a board that the core cannot hold
        return False
    return True


class NativePool:
    """`Pool` for what `knows` says; arguments are checked there."""

    def __init__(
        self,
        game: AnyGame,
        encoding: Encoding,
        config: PoolConfig,
        seed: int,
        *,
        games: int,
        threads: int,
        numbers: Numbers,
        starts: Sequence[str],
        resume: Sequence[UnfinishedGame],
    ) -> None:
        self._encoding = encoding
        self._starts: list[str | None] = [None, *starts]
        setup = PoolSetup()
        setup.settings, setup.seed = make_pool_settings(config), seed % 2**64
        setup.games, setup.threads, setup.start_count = games, threads, len(self._starts)
        self._starts += sorted({past.start for past in resume if past.start not in self._starts}, key=str)
        states = [game.state(start) for start in self._starts]
        if encoding.name == "alphazero":
            for state in states:
                check_standard(state)
        self._pool = _MAKERS[_name(encoding)](setup, [native_root(state) for state in states], encoding)
        self._pool.set_numbers(numbers.gaps, numbers.next)
        self._past = {past.number: past.plies for past in resume}
        for past in resume:
            self._resume(past)

    def _resume(self, past: UnfinishedGame) -> None:
        places = [ply.place for ply in past.plies]
        try:
            self._pool.resume(self._starts.index(past.start), past.number, places, past.random_state)
        except ValueError as error:
            raise RecordError(f"game {past.number}: {error}") from None

    def stop_after(self, count: int | None) -> None:
        """Begins no game whose number is `count` or more."""
        self._pool.set_end(-1 if count is None else count)

    def collect(self, limit: int) -> PoolBatch | None:
        """Returns leaves of games that wait for nothing else."""
        leaves = self._pool.collect(limit)
        if leaves is None:
            return None
        number, planes, scalars, offsets, legal = leaves
        shape = self._encoding.shape
        packed: Any = planes.reshape(len(planes), shape.packed_planes, shape.words)
        return PoolBatch(number, Batch(packed, scalars, offsets, legal))

    def apply(
        self,
        batch_id: int,
        logits: NDArray[np.float32],
        wdl: NDArray[np.float32],
        moves_left: NDArray[np.float32] | None,
    ) -> None:
        """Hands a batch's evaluations to its games."""
        self._pool.apply(batch_id, logits, wdl, moves_left)

    def cancel(self, batch_id: int) -> None:
        """Gives a batch up."""
        self._pool.cancel(batch_id)

    def finished(self) -> list[PlayedGame]:
        """Hands out the games that ended since the last call."""
        games = []
        for number, root, plies, winner, ending, _ in self._pool.take_finished():
            outcome = Outcome(None if winner < 0 else winner, ending)
            games.append(PlayedGame(number, self._starts[root], self._plies(number, plies), outcome))
            self._past.pop(number, None)
        return games

    def unfinished(self) -> list[UnfinishedGame]:
        """Returns all games that have begun and not ended."""
        return [
            UnfinishedGame(number, self._starts[root], self._plies(number, plies), state)
            for number, root, plies, _, _, state in self._pool.unfinished()
        ]

    def _plies(self, number: int, rows: Sequence[Any]) -> tuple[PlayedPly, ...]:
        """Of a game that was resumed the core knows only the moves; the rest is still here."""
        past = self._past.get(number, ())
        played = (
            PlayedPly(place, dict(visits), is_full, is_sampled, None if wdl is None else Wdl(*wdl))
            for place, visits, is_full, is_sampled, wdl in rows[len(past) :]
        )
        return (*past, *played)

    @property
    def live(self) -> int:
        """Games that have begun and not ended."""
        return self._pool.live


def make_pool_settings(config: PoolConfig) -> PoolSettings:
    """Writes a config down for the compiled core."""
    search = make_settings(config.search_config(is_full=True, seed=1), 1.0, config.memory_mb)
    return fill(PoolSettings(), config, search=search, max_plies=config.max_plies or 0)
