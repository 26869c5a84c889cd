"""What settings of a search are worth, without whole games: the moves that variants choose, judged by longer searches.

A match of two searches that mostly agree needs hundreds of games to tell them apart. Here all of them choose in the
same positions, and where they differ, the positions behind their moves are searched for longer. A variant's regret is
what its move is expected to lose against the best of those chosen, in results from -1 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, pvariance
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from philidor.core.analysis import Analysis
    from philidor.core.game import AnyGame, AnyState

PLIES = (8, 16, 24, 32, 40)
"""When positions are taken, in turn."""


class Chooser(Protocol):
    """A player, as far as it is asked here."""

    def new_game(self) -> None:
        """Begins another game."""

    def analyse(self, state: AnyState, /) -> Analysis:
        """Thinks about a position."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One position: the moves that were chosen, by the variants' names, and what each is expected to lose."""

    ply: int
    moves: Mapping[str, str]
    regrets: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A variant in all positions."""

    name: str
    regret: float
    error: float
    """One standard error of it."""
    changed: int
    """Positions in which its move is not the first variant's."""


def choices(
    game: AnyGame,
    opening: Chooser,
    variants: Mapping[str, Chooser],
    judges: Sequence[Chooser],
    positions: int,
    *,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Choice]:
    """Yields the variants' choices in positions of games that `opening` plays, at most so many."""
    for number in range(positions):
        state = _opened(game, opening, PLIES[number % len(PLIES)])
        if is_stopped():
            return
        if state.is_over():
            continue
        moves = {name: _best(player, state) for name, player in variants.items()}
        different = sorted(set(moves.values()))
        worth = {move: _worth(state.play(move), judges) for move in different} if len(different) > 1 else {}
        highest = max(worth.values(), default=0.0)
        yield Choice(state.ply, moves, {name: highest - worth.get(move, highest) for name, move in moves.items()})


def _opened(game: AnyGame, opening: Chooser, plies: int) -> AnyState:
    opening.new_game()
    state: AnyState = game.state()
    while state.ply < plies and not state.is_over():
        state = state.play(_best(opening, state))
    return state


def _best(player: Chooser, state: AnyState) -> str:
    best = player.analyse(state).best
    assert best is not None, "the game is not over"
    return best


def _worth(after: AnyState, judges: Sequence[Chooser]) -> float:
    """Returns what the player who moved expects of the position: the judges' mean, or the result."""
    outcome = after.outcome()
    if outcome is not None:
        return -outcome.value_for(after.to_move)
    found = [judge.analyse(after).wdl for judge in judges]
    return -fmean(0.0 if wdl is None else wdl.value for wdl in found)


def choice_rows(found: Sequence[Choice]) -> list[ChoiceRow]:
    """Returns each variant's mean regret; the first variant is what the others' moves are compared with."""
    if not found:
        return []
    names = list(found[0].moves)
    rows = []
    for name in names:
        regrets = [choice.regrets[name] for choice in found]
        changed = sum(choice.moves[name] != choice.moves[names[0]] for choice in found)
        rows.append(ChoiceRow(name, fmean(regrets), sqrt(pvariance(regrets) / len(regrets)), changed))
    return rows
