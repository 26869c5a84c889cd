"""What people of a rating would play: one network for all ratings, extrapolated below those that it has learned.

Ratings are over-the-board ones, FIDE's and those of federations like it: the network has seen 1000 to 2600. Below 1000
its logits are extrapolated from what sets 1100 apart from 1700, which is an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, final

from philidor.core.evaluation import Wdl
from philidor.players.sampling import extrapolated

if TYPE_CHECKING:
    from philidor.core.evaluation import Evaluation
    from philidor.evaluators.network import NetEvaluator
    from philidor.games.chess import Position

LOWEST, HIGHEST = 600, 2600
ESTIMATED_BELOW = 1000
"""Ratings below are extrapolated: nobody of them is in the games that the network learned from."""
SCALE = "over-the-board rating, like FIDE's"
_NEAR, _FAR = 1100, 1700

WORDS = (
    (800, "new to chess"),
    (1000, "beginner"),
    (1200, "casual player"),
    (1400, "improving player"),
    (1600, "club player"),
    (1800, "good club player"),
    (2000, "strong club player"),
    (2200, "expert"),
    (2400, "master"),
    (2500, "international master"),
    (HIGHEST + 1, "grandmaster"),
)
"""What people call a rating below each of these."""


def words_for(rating: int) -> str:
    """Returns what people call a rating."""
    return next(word for below, word in WORDS if rating < below)


class Judgment(NamedTuple):
    """What the network says of one position, for one pair of ratings."""

    shares: dict[str, float]
    """How likely a person plays each legal move, in canonical order."""
    wdl: Wdl
    moves_left: float | None


@final
class HumanNetwork:
    """A network that is asked for ratings; one without ratings answers the same for all of them."""

    def __init__(self, net: NetEvaluator) -> None:
        from philidor.encodings.human import is_human

        self.net = net
        self.knows_ratings = is_human(net.encoding)

    def judge(self, position: Position, rating: int, opponent_rating: int, *, extrapolation: float) -> Judgment:
        """Judges for the ratings of the side to move and its opponent; `extrapolation` scales the step below 1000."""
        if rating >= ESTIMATED_BELOW or not self.knows_ratings:
            own = self.evaluate([position], [(rating, opponent_rating)])[0]
            return _judgment(position, own.priors.tolist(), own)
        # The opponent is as much stronger there as here: against a weaker one everybody would expect to win.
        gap = opponent_rating - rating
        near, far = self.evaluate([position] * 2, [(_NEAR, _NEAR + gap), (_FAR, _FAR + gap)])
        k = extrapolation * (_NEAR - rating) / (_FAR - _NEAR)
        shares = extrapolated(near.priors.tolist(), far.priors.tolist(), k) if len(near.priors) else []
        return _judgment(position, shares, near)

    def evaluate(self, positions: Sequence[Position], ratings: Sequence[tuple[int, int]]) -> list[Evaluation[Any]]:
        """Judges each position for the ratings of its side to move and of the opponent."""
        from philidor.evaluators.human import evaluate_at_ratings

        if not self.knows_ratings:
            return self.net.evaluate(positions)
        return evaluate_at_ratings(self.net, positions, ratings)


def _judgment(position: Position, shares: Sequence[float], found: Evaluation[Any]) -> Judgment:
    texts = [position.uci(move) for move in found.moves]
    return Judgment(dict(zip(texts, shares, strict=True)), found.wdl, found.moves_left)
