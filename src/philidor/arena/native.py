"""Games between our own engines in C++, many at a time in threads of one process: no Python between two moves.

The games are those of `philidor.arena.game` at the same fixed nodes or depth, move for move; only the times differ.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from philidor._native._ext import Duel, DuelGame, DuelRules
from philidor.arena.adjudication import GameRules
from philidor.arena.engines import EngineSpec
from philidor.arena.game import AbandonedError, GameResult, Pairing, result_of
from philidor.arena.limits import Limit
from philidor.arena.openings import Opening
from philidor.arena.pgn import PlayedMove
from philidor.arena.thought import Thought
from philidor.core.config import settings
from philidor.core.errors import ConfigError
from philidor.core.game import Outcome
from philidor.core.native_settings import fill
from philidor.core.options import set_uci_option
from philidor.games.chess import Position
from philidor.players import player_class
from philidor.players.engine import EngineConfig, EnginePlayer
from philidor.players.native import score_of

# A search that was about to begin may not have heard the order to stop; it is repeated until all have ended.
_POLL_S = 0.02

NativeLimit = tuple[int | None, int | None, int | None]
"""Depth, nodes after which no iteration begins, and nodes of each search."""


def native_player(spec: EngineSpec, options: Mapping[str, str] | None = None) -> EnginePlayer[Any]:
    """Makes the player of an engine that can play natively. Raises ConfigError for one that cannot."""
    kind = None if spec.player is None else player_class(spec.player)
    if kind is None or not issubclass(kind, EnginePlayer):
        raise ConfigError(f"{spec.name!r} cannot play natively; nnue, classic and giraffe can")
    config: Any = spec.config()
    known = {setting.uci_name.lower() for setting in settings(kind.config_class) if setting.uci_name}
    for name, value in (options or {}).items():
        if name.lower() in known:
            config = set_uci_option(config, name, value)
    return kind(config)


def native_limit(limit: Limit, config: EngineConfig) -> NativeLimit:
    """Returns the limits of each search: the match's and the player's own. Raises ConfigError if they are not fixed."""
    if limit.is_timed or config.movetime is not None:
        raise ConfigError("native games have fixed nodes or depth, not a clock or a time for each move")
    depth = min((value for value in (limit.depth, config.depth) if value is not None), default=None)
    nodes = min((value for value in (limit.nodes, config.nodes) if value is not None), default=None)
    if depth is None and nodes is None and limit.soft_nodes is None:
        raise ConfigError("native games need a limit of nodes or depth")
    return depth, limit.soft_nodes, nodes


class Table:
    """Two engines and the games between them, one at a time."""

    def __init__(
        self,
        players: tuple[EnginePlayer[Any], EnginePlayer[Any]],
        limits: tuple[Limit, Limit],
        rules: GameRules,
    ) -> None:
        """The players are the table's own. Raises ConfigError."""
        self.players = players
        self._limits = native_limit(limits[0], players[0].config), native_limit(limits[1], players[1].config)
        self._duel = Duel(players[0].engine, players[1].engine, fill(DuelRules(), rules))

    def play(self, start: Position, white: int) -> DuelGame:
        """Plays a game in which player `white` (0 or 1) has White. Raises AbandonedError."""
        first, second = self._limits
        game = self._duel.play(start.native, white, first, second)
        if game is None:
            raise AbandonedError
        return game

    def stop(self) -> None:
        """Ends the game, from any thread."""
        self._duel.stop()


class Tables:
    """Tables in threads; a job is given one that is free."""

    def __init__(self, make: Callable[[], Table], count: int) -> None:
        self._all = [make() for _ in range(count)]
        self._free: queue.SimpleQueue[Table] = queue.SimpleQueue()
        for table in self._all:
            self._free.put(table)
        self._is_closed = threading.Event()
        self._pool = ThreadPoolExecutor(count, "games")

    def submit(self, job: Callable[[Table], Any]) -> Future[Any]:
        """Runs a job as soon as a table is free."""
        return self._pool.submit(self._run, job)

    def _run(self, job: Callable[[Table], Any]) -> Any:
        with self._table() as table:
            if self._is_closed.is_set():
                raise AbandonedError
            return job(table)

    @contextlib.contextmanager
    def _table(self) -> Iterator[Table]:
        table = self._free.get()
        try:
            yield table
        finally:
            self._free.put(table)

    def close(self) -> None:
        """Abandons what is being played and waits for the threads to end."""
        self._is_closed.set()
        self._pool.shutdown(wait=False, cancel_futures=True)
        while self._free.qsize() < len(self._all):
            for table in self._all:
                table.stop()
            time.sleep(_POLL_S)
        self._pool.shutdown()


def start_of(opening: Opening) -> Position:
    """Returns the position in which the engines take over. Raises FenError, IllegalMoveError."""
    position = opening.position()
    for text in opening.moves:
        position = position.play(position.parse_uci(text))
    return position


class NativeWorkers:
    """Plays the games of a match, as the worker processes do."""

    def __init__(
        self, engines: tuple[EngineSpec, ...], limit: Limit, rules: GameRules, options: Mapping[str, str], count: int
    ) -> None:
        """Raises ConfigError for engines and limits that cannot be native."""
        first, second = (native_player(spec, options) for spec in engines)
        self._names = engines[0].name, engines[1].name
        self._limits = engines[0].limit or limit, engines[1].limit or limit
        limits = self._limits
        self._tables = Tables(lambda: Table((first.another(), second.another()), limits, rules), count)

    def submit(self, pairing: Pairing) -> Future[GameResult]:
        """Plays a game as soon as a thread is free."""
        return self._tables.submit(lambda table: self._play(table, pairing))

    def _play(self, table: Table, pairing: Pairing) -> GameResult:
        began = time.monotonic()
        game = table.play(start_of(pairing.opening), pairing.white)
        seconds = time.monotonic() - began
        position = pairing.opening.position()
        sheet: list[PlayedMove] = []
        for text in pairing.opening.moves:
            move = position.parse_uci(text)
            sheet.append(PlayedMove(position.san(move)))
            position = position.play(move)
        for played in game.moves:
            thought = Thought(
                position.uci(played.move), seconds / len(game.moves), score_of(played.score), played.depth, played.nodes
            )
            sheet.append(PlayedMove(position.san(played.move), thought))
            position = position.play(played.move)
        names = self._names[pairing.white], self._names[pairing.black]
        limits = self._limits[pairing.white], self._limits[pairing.black]
        outcome = Outcome(None if game.winner < 0 else game.winner, game.reason)
        return result_of(pairing, names, limits, sheet, outcome, seconds)

    def close(self) -> None:
        """Abandons what is being played."""
        self._tables.close()
