"""How far from perfect: moves compared with the solver's, and results against a random player to the last digit.

Book: Tables 5.1 and 5.2, where a network plays a hundred games against a random player. Hexapawn is so small that
nothing needs to be drawn by lot: the chances of all games can be added up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from philidor.arena.many_games import Chooser
from philidor.core.game import AnyGame, AnyState
from philidor.core.random import SplitMix64
from philidor.games.enumeration import evenly, random_play, reachable
from philidor.search.solver import AnySolver


@dataclass(frozen=True, slots=True)
class Verdict:
    """Moves that were compared with the solver's."""

    positions: int
    mistakes: int
    """Moves that gave away a win or a draw."""
    first_mistake: str | None = None
    """The first position in which that happened."""

    @property
    def share(self) -> float:
        """The share of moves that kept what the position was worth."""
        return 1 - self.mistakes / self.positions if self.positions else 1.0


def judge_moves(states: Sequence[AnyState], chooser: Chooser, solver: AnySolver) -> tuple[Verdict, list[Any]]:
    """Compares a chooser's moves with the solver's; returns them too."""
    moves = chooser.choose(states)
    wrong = [state for state, move in zip(states, moves, strict=True) if _is_mistake(solver, state, move)]
    return Verdict(len(states), len(wrong), wrong[0].text() if wrong else None), moves


def judge_play(game: AnyGame, chooser: Chooser, solver: AnySolver) -> Verdict:
    """Plays both sides against every possible reply: without a mistake here, nobody can ever gain from one.

    For small games: the positions that can come up against the chooser are all looked at.
    """
    total = Verdict(0, 0)
    for side in (0, 1):
        start = game.state()
        layer = [start] if start.to_move == side else _replies([start])
        seen = set(layer)
        while layer:
            verdict, moves = judge_moves(layer, chooser, solver)
            total = Verdict(
                total.positions + verdict.positions,
                total.mistakes + verdict.mistakes,
                total.first_mistake or verdict.first_mistake,
            )
            after = [state.play(move) for state, move in zip(layer, moves, strict=True)]
            layer = [state for state in _replies(after) if state not in seen]
            seen.update(layer)
    return total


def random_positions(game: AnyGame, count: int, plies: tuple[int, int], seed: int = 1) -> list[AnyState]:
    """Draws different positions that random play reaches after so many moves, and that are not over."""
    random = SplitMix64(seed)
    found: dict[AnyState, None] = {}
    while len(found) < count:
        state = game.state()
        for _ in range(plies[0] + random.below(plies[1] - plies[0] + 1)):
            if state.is_over():
                break
            moves = state.legal_moves()
            state = state.play(moves[random.below(len(moves))])
        if not state.is_over():
            found[state] = None
    return list(found)


def count_positions(game: AnyGame, most: int) -> int | None:
    """Returns how many positions can be reached; None if there are more than `most`."""
    count = sum(1 for _ in islice(reachable(game.state()), most + 1))
    return count if count <= most else None


def odds_against_random(game: AnyGame, chooser: Chooser | None, side: int = 1) -> dict[int | None, Fraction]:
    """Returns the exact chance of each result when the chooser plays one side and chance the other; None: chance both.

    For small games: all positions are looked at.
    """
    start = game.state()
    if chooser is None:
        return random_play(start)
    asked = [state for state in reachable(start) if not state.is_over() and state.to_move == side]
    chosen = dict(zip(asked, chooser.choose(asked), strict=True))

    def chances(state: AnyState) -> list[Fraction]:
        if state.to_move != side:
            return evenly(state)
        return [Fraction(int(move == chosen[state])) for move in state.legal_moves()]

    return random_play(start, chances)


def _is_mistake(solver: AnySolver, state: AnyState, move: Any) -> bool:
    values = {move: solution.value for move, solution in solver.best_moves(state).items()}
    return values[move] < max(values.values())


def _replies(states: Iterable[AnyState]) -> list[AnyState]:
    """Returns all positions after one more move, each once, those that are over left out."""
    going_on = [state for state in states if not state.is_over()]
    after = dict.fromkeys(state.play(move) for state in going_on for move in state.legal_moves())
    return [state for state in after if not state.is_over()]
