"""Samples from perfect play: every position of a small game with its best move and its result (book, ch. 5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from philidor.core.evaluation import Wdl
from philidor.core.game import AnyGame
from philidor.games.enumeration import reachable
from philidor.search.solver import Solver
from philidor.train.zero_data import Lesson, Samples, encode_lessons

if TYPE_CHECKING:
    from philidor.encodings.encoding import Encoding


def solved_lessons(game: AnyGame) -> Iterator[Lesson]:
    """Yields every position that is not over, once. Raises SolveError for a game that is too large or repeats.

    As in the book one best move is taught where there are several, here the quickest win.
    """
    solver = Solver()
    for state in reachable(game.state()):
        if state.is_over():
            continue
        solutions = list(solver.best_moves(state).values())
        best = max(solutions)
        policy = [0.0] * len(solutions)
        policy[solutions.index(best)] = 1.0
        yield Lesson(state, policy, _WDL[best.value], best.plies)


_WDL = {1: Wdl(1.0, 0.0, 0.0), 0: Wdl(0.0, 1.0, 0.0), -1: Wdl(0.0, 0.0, 1.0)}


class SolvedPositions:
    """All positions of a solved game, drawn from like a window of self-play."""

    def __init__(self, game: AnyGame, encoding: Encoding) -> None:
        self.samples: Samples = encode_lessons(list(solved_lessons(game)), game, encoding, symmetries=False)

    @property
    def size(self) -> int:
        """How many there are."""
        return self.samples.positions

    def draw(self, count: int, random: np.random.Generator) -> Samples:
        """Draws positions; each is as likely as any other."""
        return self.samples.take(random.integers(len(self.samples), size=count))
