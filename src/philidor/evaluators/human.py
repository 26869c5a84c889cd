"""Networks with ratings: one network judges as players of any strength would (book, ch. 4.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from philidor.core.errors import NetError
from philidor.encodings.human import HumanEncoding, Ratings
from philidor.evaluators.network import NetEvaluator

if TYPE_CHECKING:
    from philidor.core.evaluation import Evaluation
    from philidor.games.chess import Position


def at_ratings(net: NetEvaluator, rating: int | None, opponent_rating: int | None) -> NetEvaluator:
    """Returns the same network, not loaded again, as one that judges for these ratings.

    Raises NetError for a network without ratings, EncodingError for a rating that is none.
    """
    return net.with_encoding(human_encoding(net).with_ratings(rating, opponent_rating))


def evaluate_at_ratings(
    net: NetEvaluator, positions: Sequence[Position], ratings: Sequence[Ratings]
) -> list[Evaluation[Any]]:
    """Judges each position for a pair of ratings of its own, all in one batch; for a rating curve repeat the position.

    Raises NetError for a network without ratings, EncodingError for a rating that is none.
    """
    return net.evaluate_encoded(positions, human_encoding(net).encode_at(positions, ratings))


def human_encoding(net: NetEvaluator) -> HumanEncoding:
    """Returns the encoding of a network with ratings. Raises NetError for any other."""
    if not isinstance(net.encoding, HumanEncoding):
        raise NetError(f"{net.name}: a network over {net.encoding.name!r} knows no ratings")
    return net.encoding
