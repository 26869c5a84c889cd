"""What a network knows besides winning: how it likes to open, and what pieces are worth to it.

AlphaZero's paper shows which openings it chose during its training (Silver et al. 2018, Table 2); McGrath et al. (2022)
found the values of the pieces in its expected results, by a regression of this kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from philidor.arena.people.matching import chunks
from philidor.core.abilities import move_name
from philidor.games.chess import Position

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.arena.people.predictors import NetPredictor
    from philidor.arena.people.sample import Sample
    from philidor.core.game import AnyState
    from philidor.evaluators.network import NetEvaluator

PIECES = "PNBRQ"
_MOST = 0.995
"""Expected results closer to certain count as this: beyond, a pawn more or less changes nothing."""


def move_shares(net: NetEvaluator, state: AnyState) -> dict[str, float]:
    """Returns how likely the policy plays each move, as people write it."""
    (judged,) = net.evaluate([state])
    names = [move_name(state, move) for move in judged.moves]
    return dict(zip(names, map(float, judged.priors), strict=True))


def piece_worths(sample: Sample, predictor: NetPredictor) -> dict[str, float]:
    """Returns what one piece more of each kind adds to the expected result, on the scale of its inverse tanh.

    By least squares over positions of games in which nothing is about to be taken: in the middle of an exchange a piece
    more is worth little. Whose move it is may be worth something too, and is left out of the answer.
    """
    counts: list[list[float]] = []
    results: list[NDArray[np.float32]] = []
    for rows, states, _ in chunks(sample):
        is_quiet = [_is_quiet(state) for state in states]
        values = predictor.expect(predictor.boards.encode(states), sample.ratings[rows]).value
        results.append(values[is_quiet])
        counts += [_differences(state) for state, is_kept in zip(states, is_quiet, strict=True) if is_kept]
    if not counts:
        return {}
    worth = np.arctanh(np.concatenate(results).astype(np.float64).clip(-_MOST, _MOST))
    found, *_ = np.linalg.lstsq(np.array(counts), worth, rcond=None)
    return dict(zip(PIECES, found[: len(PIECES)].tolist(), strict=True))


def _is_quiet(state: AnyState) -> bool:
    assert isinstance(state, Position)
    gains = (move for move in state.legal_moves() if state.is_capture(move) and state.see(move) > 0)
    return not state.is_check() and next(gains, None) is None


def _differences(state: AnyState) -> list[float]:
    """Returns how many more pieces of each kind the player to move has, and 1 for the move."""
    assert isinstance(state, Position)
    sign = 1.0 if state.to_move == 0 else -1.0
    return [sign * (len(state.pieces(kind)) - len(state.pieces(kind.lower()))) for kind in PIECES] + [1.0]
