"""Adds up the games of a match: for each two engines, and for each engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from philidor.arena.game import GameResult
from philidor.arena.statistics import PairStatistics


@dataclass
class Score:
    """Games between two engines (or of one against all), from one engine's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: PairStatistics = field(default_factory=PairStatistics)
    """The pairs of which both games are done."""

    @property
    def games(self) -> int:
        """Games that are done."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is one, a draw a half."""
        return self.wins + self.draws / 2

    def add_game(self, points: float) -> None:
        """Counts one game."""
        if points == 1.0:
            self.wins += 1
        elif points == 0.0:
            self.losses += 1
        else:
            self.draws += 1


class Standings:
    """The results so far; the order in which games come in does not matter."""

    def __init__(self, engines: int) -> None:
        self.engines = engines
        self._faults: dict[tuple[int, int], Counter[str]] = {}
        self.reasons: Counter[str] = Counter()
        """How the games ended."""
        self.plies = 0
        self.done: set[int] = set()
        """The numbers of the games."""
        self._scores: dict[tuple[int, int], Score] = {}
        self._totals = [Score() for _ in range(engines)]
        self._halves: dict[int, tuple[int, float]] = {}

    @property
    def games(self) -> int:
        """Games that are done."""
        return len(self.done)

    def add(self, result: GameResult) -> None:
        """Counts a game; one that was counted already is not counted again."""
        if result.number in self.done:
            return
        self.done.add(result.number)
        self.plies += result.plies
        self.reasons[result.reason] += 1
        if result.fault is not None:
            loser = result.black if result.white_points == 1.0 else result.white
            winner = result.white + result.black - loser
            self._faults.setdefault((loser, winner), Counter())[result.fault] += 1
        self._add_points(result.white, result.black, result.white_points)
        self._add_points(result.black, result.white, 1 - result.white_points)
        self._add_half(result)

    def _add_points(self, engine: int, opponent: int, points: float) -> None:
        self._scores.setdefault((engine, opponent), Score()).add_game(points)
        self._totals[engine].add_game(points)

    def _add_half(self, result: GameResult) -> None:
        """Keeps the first game of a pair until the second is there."""
        pair = result.number // 2
        if pair not in self._halves:
            self._halves[pair] = (result.white, result.white_points)
            return
        engine, points = self._halves.pop(pair)
        opponent = result.white
        points += 1 - result.white_points
        for one, other, pair_points in ((engine, opponent, points), (opponent, engine, 2 - points)):
            for score in (self._scores[one, other], self._totals[one]):
                score.pairs = score.pairs.with_pair(pair_points)

    def faults(self, engine: int, opponent: int | None = None) -> Counter[str]:
        """Returns how often an engine failed, by kind; against all others unless one is named."""
        counts = (n for (who, whom), n in self._faults.items() if who == engine and opponent in (None, whom))
        return sum(counts, Counter())

    def between(self, engine: int, opponent: int) -> Score:
        """Returns the games of two engines, from the first one's view."""
        return self._scores.get((engine, opponent), Score())

    def total(self, engine: int) -> Score:
        """Returns all games of an engine."""
        return self._totals[engine]

    def encounters(self) -> Iterable[tuple[int, int]]:
        """Yields each two engines that have met, once."""
        return sorted((a, b) for a, b in self._scores if a < b)
