"""Makes an evaluator of a heuristic, so that searches which want win, draw and loss can use it too."""

from collections.abc import Sequence
from typing import Any

from philidor.core.evaluation import Evaluation, Heuristic, Wdl
from philidor.core.game import FIRST, AnyState

# The scale of the Elo formula: 400 points are odds of ten to one. A pawn is then worth 100 Elo, which is rough
# but of the right size.
_CENTIPAWNS_PER_DECADE = 400


class HeuristicEvaluator:
    """Judges by a heuristic alone: no policy, no draws but those the rules declare."""

    def __init__(self, heuristic: Heuristic[Any]) -> None:
        self._heuristic = heuristic

    def evaluate(self, states: Sequence[AnyState], /) -> list[Evaluation[Any]]:
        """Judges a batch; finished games by their outcome."""
        return [Evaluation.uniform(state, self._judge(state)) for state in states]

    def _judge(self, state: AnyState) -> Wdl:
        outcome = state.outcome()
        if outcome is not None:
            if outcome.winner is None:
                return Wdl(0.0, 1.0, 0.0)
            return Wdl.from_value(outcome.value_for(state.to_move))
        score = self._heuristic(state)
        return win_chances(score if state.to_move == FIRST else -score)


def win_chances(score_cp: int) -> Wdl:
    """Turns the side to move's centipawns into chances, without draws."""
    win = 1 / (1 + 10 ** (-score_cp / _CENTIPAWNS_PER_DECADE))
    return Wdl(win, 0.0, 1 - win)
