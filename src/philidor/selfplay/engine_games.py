"""Games of an engine against itself with a score for every move: what networks for alpha-beta learn from (ch. 4.6.3).

Each game begins with some random moves, so that no two are alike, and goes on at fixed nodes or depth. A game is a
function of the run's seed and its number: a run that was killed goes on where its shards end and plays the same games.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from philidor.core.config import spin
from philidor.games.chess import Position
from philidor.records import GameRecord, Result
from philidor.selfplay.engine import ScoringEngine, SearchSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineGamesConfig(SearchSettings):
    """A run of self-play games of an engine, but for its length."""

    shard_games: int = field(default=500, metadata=spin(None, 1, 1_000_000))
    """Games in one file."""
    random_plies: int = field(default=8, metadata=spin(None, 0, 60))
    """Random moves at the start of a game; every second game has one more."""
    opening_limit: int = field(default=400, metadata=spin(None, 1))
    """Openings that one side stands so many centipawns better in are drawn again."""
    win_cp: int = field(default=2_000, metadata=spin(None, 1, 31_000))
    """A game is called won when both sides' searches see so much for the same side,"""
    win_plies: int = field(default=4, metadata=spin(None, 1))
    """so many times in a row."""
    draw_cp: int = field(default=8, metadata=spin(None, 0))
    """A game is called drawn when no search sees more than this,"""
    draw_plies: int = field(default=12, metadata=spin(None, 1))
    """so many times in a row,"""
    draw_from: int = field(default=80, metadata=spin(None, 0))
    """after so many plies."""
    max_plies: int = field(default=400, metadata=spin(None, 2, 10_000))
    """A game of so many plies is a draw."""
    seed: int = field(default=1, metadata=spin(None, 0))
    """Of the openings."""


class GameMaker:
    """One engine and the games it plays against itself."""

    def __init__(self, config: EngineGamesConfig, is_stopped: Callable[[], bool] = lambda: False) -> None:
        self.config = config
        self._engine = ScoringEngine(config)
        self._is_stopped = is_stopped

    def game(self, number: int) -> GameRecord | None:
        """Plays the game of this number; None if it was told to stop."""
        chance = random.Random(f"{self.config.seed}/{number}")
        while True:
            position, opening = self._opening(chance, number)
            self._engine.new_game()
            record = self._play_on(position, opening)
            if record is not None or self._is_stopped():
                return record

    def _opening(self, chance: random.Random, number: int) -> tuple[Position, list[int]]:
        """Draws random moves that do not end the game."""
        plies = self.config.random_plies + (number % 2 if self.config.random_plies else 0)
        while True:
            position = Position()
            places: list[int] = []
            while len(places) < plies and not position.is_over():
                moves = position.legal_moves()
                places.append(chance.randrange(len(moves)))
                position = position.play(moves[places[-1]])
            if not position.is_over():
                return position, places

    def _play_on(self, position: Position, opening: list[int]) -> GameRecord | None:
        """Plays to the end; None where the opening is no good, or when told to stop."""
        places = list(opening)
        scores: list[int | None] = [None] * len(opening)
        judge = _Judge(self.config)
        ending: tuple[Result, str] | None = None
        while ending is None:
            if (outcome := position.outcome()) is not None:
                ending = Result.from_outcome(outcome), outcome.reason
                break
            if self._is_stopped():
                return None
            best, score = self._engine.search(position)
            if len(places) == len(opening) and abs(score) > self.config.opening_limit:
                return None
            move = position.parse_uci(best)
            places.append(position.legal_moves().index(move))
            scores.append(score)
            ending = judge.verdict(score, position.to_move, len(places))
            position = position.play(move)
        # Random moves are those without a score: a column of flags would only say so again.
        return GameRecord(indices=tuple(places), result=ending[0], termination=ending[1], scores=tuple(scores))

    def close(self) -> None:
        """There is nothing to end: the engine is ours."""

    def kill(self) -> None:
        """There is nothing to end."""


class _Judge:
    """Calls games whose result is clear."""

    def __init__(self, config: EngineGamesConfig) -> None:
        self._config = config
        self._winner: int | None = None
        self._won_for = 0
        self._drawn_for = 0

    def verdict(self, score: int, to_move: int, plies: int) -> tuple[Result, str] | None:
        """Takes the score of the move just played; returns the result once it is called."""
        config = self._config
        winner = None if abs(score) < config.win_cp else to_move if score > 0 else 1 - to_move
        self._won_for = self._won_for + 1 if winner is not None and winner == self._winner else int(winner is not None)
        self._winner = winner
        self._drawn_for = self._drawn_for + 1 if abs(score) <= config.draw_cp else 0
        if self._winner is not None and self._won_for >= config.win_plies:
            return (Result.FIRST_WINS, Result.SECOND_WINS)[self._winner], "adjudication"
        if plies >= config.draw_from and self._drawn_for >= config.draw_plies:
            return Result.DRAW, "adjudication"
        return (Result.DRAW, "max plies") if plies >= config.max_plies else None
