"""Chess positions with both players' ratings: what a network sees that plays like people (book, ch. 4.8).

Leela's classical 112 planes and its policy of 1,858 moves, then ten constant planes for the rating of the side to move
and ten for its opponent's: nine hat functions at 1000, 1200, ..., 2600 and "unknown". Between two of these ratings both
hats are up in part and add up to 1, so a network interpolates; beyond the ends the rating counts as the end.

Maia (McIlroy-Young et al. 2020) has a network for each rating; Maia-2 (Tang et al. 2024) one for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, final

from philidor.core.errors import EncodingError
from philidor.core.game import Symmetry
from philidor.encodings.encoding import Batch
from philidor.encodings.leela import HistoryFill
from philidor.encodings.native import NativeLeelaEncoding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from philidor.games.chess import Position

HUMAN_ENCODING: Final = "human-1"
LOWEST_RATING, HIGHEST_RATING = 1000, 2600
RATING_STEP = 200
RATING_CENTERS = tuple(range(LOWEST_RATING, HIGHEST_RATING + 1, RATING_STEP))
PLANES_PER_RATING = len(RATING_CENTERS) + 1
"""A hat for each center, and "unknown"."""
RATING_PLANES = 2 * PLANES_PER_RATING
"""Those of the side to move, then those of the other."""
_BOARD_SHAPE: Final = NativeLeelaEncoding().shape
HUMAN_SHAPE: Final = replace(_BOARD_SHAPE, scalar_planes=_BOARD_SHAPE.scalar_planes + RATING_PLANES)

Ratings: TypeAlias = tuple[int | None, int | None]
"""Of the side to move and of its opponent; None is not known."""


def rating_scalars(ratings: ArrayLike) -> NDArray[np.float32]:  # [n, 20]
    """Returns the rating planes of [n, 2] ratings (side to move, opponent), as `GameBatch.ratings` has them.

    0 is not known. Ratings beyond 1000 and 2600 count as these.
    """
    import numpy as np

    given = np.asarray(ratings, dtype=np.float32)  # [n, 2]
    inside = np.clip(given, LOWEST_RATING, HIGHEST_RATING)[..., np.newaxis]
    hats = np.maximum(0, 1 - np.abs(inside - np.array(RATING_CENTERS, dtype=np.float32)) / RATING_STEP)
    is_known = (given > 0)[..., np.newaxis]
    planes = np.concatenate([hats * is_known, ~is_known], axis=-1)
    return planes.reshape(len(given), RATING_PLANES).astype(np.float32)


def at_ratings(boards: Batch, ratings: ArrayLike) -> Batch:
    """Returns a batch with these ratings [n, 2] (0 is not known), whether it had others before or none at all."""
    import numpy as np

    plain = boards.scalars[:, : _BOARD_SHAPE.scalar_planes]
    return replace(boards, scalars=np.concatenate([plain, rating_scalars(ratings)], axis=1))


def rating_numbers(ratings: Sequence[Ratings]) -> NDArray[np.float32]:  # [n, 2]
    """Returns ratings as `rating_scalars` takes them. Raises EncodingError for one that is none."""
    import numpy as np

    numbers = [[_number(own), _number(other)] for own, other in ratings]
    return np.array(numbers, dtype=np.float32).reshape(len(numbers), 2)


def _number(rating: int | None) -> int:
    if rating is None:
        return 0
    if isinstance(rating, bool) or not isinstance(rating, int) or rating < 1:
        raise EncodingError(f"a rating is a positive whole number, or None if it is not known, got {rating!r}")
    return rating


@final
class HumanEncoding:
    """Encodes positions for a pair of ratings; other ratings are another instance."""

    name = HUMAN_ENCODING
    shape = HUMAN_SHAPE
    twin = None

    def __init__(
        self,
        rating: int | None = None,
        opponent_rating: int | None = None,
        fill: HistoryFill = HistoryFill.FEN_ONLY,
    ) -> None:
        """Takes the ratings of the side to move and of its opponent, None if not known. Raises EncodingError."""
        self.rating = rating
        self.opponent_rating = opponent_rating
        self.boards = NativeLeelaEncoding(fill=fill)
        """What makes everything but the ratings."""
        self._numbers = rating_numbers([(rating, opponent_rating)])

    def with_ratings(self, rating: int | None, opponent_rating: int | None) -> HumanEncoding:
        """Returns the same encoding for other ratings. Raises EncodingError."""
        return HumanEncoding(rating, opponent_rating, self.boards.fill)

    def filled(self, fill: HistoryFill) -> HumanEncoding:
        """Returns the same encoding with another view of what was before the first known board."""
        return HumanEncoding(self.rating, self.opponent_rating, fill)

    def moved_inputs(self, symmetry: Symmetry[Any, Any], /) -> None:
        """Chess has no symmetry but the identity."""

    def encode(self, states: Sequence[Position], /) -> Batch:
        """Encodes positions with their histories; the ratings are the instance's."""
        return at_ratings(self.boards.encode(states), self._numbers.repeat(len(states), axis=0))

    def encode_at(self, states: Sequence[Position], ratings: Sequence[Ratings]) -> Batch:
        """Encodes each position for a pair of ratings of its own. Raises EncodingError."""
        if len(states) != len(ratings):
            raise EncodingError(f"each position needs a pair of ratings: {len(states)} positions, {len(ratings)} pairs")
        return at_ratings(self.boards.encode(states), rating_numbers(ratings))


def is_human(encoding: Any) -> bool:
    """Says whether an encoding, or the name of one, has ratings."""
    return (encoding if isinstance(encoding, str) else getattr(encoding, "name", "")) == HUMAN_ENCODING
