"""How large an encoding's scalars are: what to multiply them by so that a network learns from inputs of one size.

Counters of plies reach hundreds where all else is 0 or 1; left as they are, they carry 99 % of the variance that the
first layer sees. The encodings keep them as the papers have them: training scales its own input, and the factors are
part of the first weights of the network that is written.
"""

from __future__ import annotations

import re

from philidor.encodings.encoding import Shape

_CLOCK = 1 / 100
"""The fifty-move rule ends a game at 100."""
_LEELA_PLAIN_CLOCK = re.compile(r"leela-[123]-\w+")


def scalar_scales(encoding: str, shape: Shape) -> tuple[float, ...]:
    """Returns a factor for each scalar plane of an encoding; 0 for one that is better not looked at."""
    if encoding == "alphazero":
        # Color, plies played, four castling rights, plies without progress. How many plies were played says nothing
        # about a position, and games from other starts count from another number.
        return (1.0, 0.0, 1.0, 1.0, 1.0, 1.0, _CLOCK)
    if encoding == "human-1":
        # Hats of ratings are between 0 and 1 as they are.
        return (_CLOCK, *(1.0,) * (shape.scalar_planes - 1))
    if _LEELA_PLAIN_CLOCK.fullmatch(encoding):
        return (_CLOCK, 1.0, 1.0)
    return (1.0,) * shape.scalar_planes
