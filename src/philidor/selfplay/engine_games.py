"""Games of an engine against itself with a score for every move: what networks for alpha-beta learn from (ch. 4.6.3).

Each game begins with some random moves, so that no two are alike, and goes on at fixed nodes or depth. A game is a
function of the run's seed and its number: a run that was killed goes on where its shards end and plays the same games.
Our own engines play in C++ (`NativeGames`); `ReadableGames` is the same loop for any player, and the twin that says
what those games should be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from philidor.core.config import spin, text
from philidor.core.random import SplitMix64, game_random
from philidor.games.chess import Position
from philidor.players.engine import EnginePlayer
from philidor.players.scoring import ScoringEngine, SearchSettings
from philidor.records import GameRecord, Result
from philidor.selfplay.openings import BookLine, read_book


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineGamesConfig(SearchSettings):
    """A run of self-play games of an engine, but for its length."""

    shard_games: int = field(default=500, metadata=spin(None, 1, 1_000_000))
    """Games in one file."""
    random_plies: int = field(default=8, metadata=spin(None, 0, 60))
    """Random moves at the start of a game; half of the games have one more."""
    book: Path | None = field(default=None, metadata=text())
    """An opening book (EPD or PGN) that every second game begins with; it must not change while the run goes on."""
    book_random_plies: int = field(default=2, metadata=spin(None, 0, 60))
    """Random moves after a line of the book; up to two more are drawn."""
    opening_limit: int = field(default=400, metadata=spin(None, 1))
    """Score (centipawns) of the first search above which an opening is replaced by another."""
    win_cp: int = field(default=2_000, metadata=spin(None, 1, 31_000))
    """Score (centipawns) at which a game may be adjudicated as won."""
    win_plies: int = field(default=4, metadata=spin(None, 1))
    """Consecutive plies that the winning score must hold."""
    draw_cp: int = field(default=8, metadata=spin(None, 0))
    """Score (centipawns) within which a game may be adjudicated as drawn."""
    draw_plies: int = field(default=12, metadata=spin(None, 1))
    """Consecutive plies that the drawish score must hold."""
    draw_from: int = field(default=80, metadata=spin(None, 0))
    """Plies before which no game is adjudicated as drawn."""
    max_plies: int = field(default=400, metadata=spin(None, 2, 10_000))
    """Plies after which a game is a draw."""
    seed: int = field(default=1, metadata=spin(None, 0, 2**63 - 1))
    """Seed of the openings."""


class GameMaker:
    """One engine and the games it plays against itself."""

    def __init__(
        self, config: EngineGamesConfig, is_stopped: Callable[[], bool] = lambda: False, source: str = ""
    ) -> None:
        """`source` is what the records say of where they are from. Raises ConfigError."""
        self.config = config
        player = config.player()
        if isinstance(player, EnginePlayer):
            from philidor.selfplay.native import NativeGames

            self._games: ReadableGames | NativeGames = NativeGames(config, player, is_stopped, source)
        else:
            self._games = ReadableGames(config, is_stopped, source)

    def game(self, number: int) -> GameRecord | None:
        """Plays the game of this number; None if it was told to stop."""
        return self._games.game(number)

    def close(self) -> None:
        """There is nothing to end: the engine is ours."""

    def kill(self) -> None:
        """There is nothing to end."""


class ReadableGames:
    """The loop in Python; cpp/selfplay/engine_games.cpp is its native twin."""

    def __init__(
        self, config: EngineGamesConfig, is_stopped: Callable[[], bool] = lambda: False, source: str = ""
    ) -> None:
        self._config = config
        self._engine = ScoringEngine(config)
        self._is_stopped = is_stopped
        self._source = source
        self._book = read_book(config.book) if config.book is not None else []

    def game(self, number: int) -> GameRecord | None:
        """Plays the game of this number; None if it was told to stop."""
        random = game_random(self._config.seed, number)
        while not self._is_stopped():
            line, position, places = self._opening(random, number)
            self._engine.new_game()
            record = self._play_on(line, position, places)
            if record is not None:
                return record
        return None

    def _opening(self, random: SplitMix64, number: int) -> tuple[BookLine, Position, list[int]]:
        """Draws random moves that do not end the game, every second time after a line of the book."""
        is_booked = bool(self._book) and number % 2 == 1
        while True:
            line = self._book[random.below(len(self._book))] if is_booked else BookLine()
            position, places = line.position(), list(line.indices)
            if is_booked:
                plies = self._config.book_random_plies + random.below(3)
            else:
                plies = self._config.random_plies and self._config.random_plies + random.below(2)
            while plies > 0 and not position.is_over():
                moves = position.legal_moves()
                places.append(random.below(len(moves)))
                position = position.play(moves[places[-1]])
                plies -= 1
            if not position.is_over():
                return line, position, places

    def _play_on(self, line: BookLine, position: Position, opening: list[int]) -> GameRecord | None:
        """Plays to the end; None where the opening is no good, or when told to stop."""
        places = list(opening)
        scores: list[int | None] = [None] * len(opening)
        judge = _Judge(self._config)
        ending: tuple[Result, str] | None = None
        while ending is None:
            if (outcome := position.outcome()) is not None:
                ending = Result.from_outcome(outcome), outcome.reason
                break
            best, score = self._engine.search(position)
            if self._is_stopped():
                return None
            if len(places) == len(opening) and abs(score or 0) > self._config.opening_limit:
                return None
            move = position.parse_uci(best)
            places.append(position.legal_moves().index(move))
            scores.append(score)
            ending = judge.verdict(score, position.to_move, len(places))
            position = position.play(move)
        # Moves of the opening are those without a score: a column of flags would only say so again. A player that has
        # no scores leaves no column of them; its games teach by their results.
        return GameRecord(
            start=line.start,
            indices=tuple(places),
            result=ending[0],
            termination=ending[1],
            scores=tuple(scores) if any(score is not None for score in scores) else None,
            source=self._source or None,
        )


class _Judge:
    """Calls games whose result is clear."""

    def __init__(self, config: EngineGamesConfig) -> None:
        self._config = config
        self._winner: int | None = None
        self._won_for = 0
        self._drawn_for = 0

    def verdict(self, score: int | None, to_move: int, plies: int) -> tuple[Result, str] | None:
        """Takes the score of the move just played; returns the result once it is called."""
        config = self._config
        if score is None:
            return (Result.DRAW, "max plies") if plies >= config.max_plies else None
        winner = None if abs(score) < config.win_cp else to_move if score > 0 else 1 - to_move
        self._won_for = self._won_for + 1 if winner is not None and winner == self._winner else int(winner is not None)
        self._winner = winner
        self._drawn_for = self._drawn_for + 1 if abs(score) <= config.draw_cp else 0
        if self._winner is not None and self._won_for >= config.win_plies:
            return (Result.FIRST_WINS, Result.SECOND_WINS)[self._winner], "adjudication"
        if plies >= config.draw_from and self._drawn_for >= config.draw_plies:
            return Result.DRAW, "adjudication"
        return (Result.DRAW, "max plies") if plies >= config.max_plies else None
