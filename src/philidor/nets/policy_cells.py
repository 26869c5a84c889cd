"""Where a policy made of planes has each move: the cell plane * squares + square for each place of the encoding."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from philidor.core.errors import ConfigError
from philidor.encodings.chess_moves import KINDS
from philidor.encodings.encoding import Shape


class PolicyCells(NamedTuple):
    """The planes that the last convolution makes, and for each move its cell among them."""

    planes: int
    cells: NDArray[np.int64]  # [policy size]
    turns: bool = False
    """Whether the ranks are counted from the mover's side, so that the next mover sees the board turned."""


def policy_cells(encoding: str, shape: Shape) -> PolicyCells:
    """Returns the planes of an encoding's moves. Raises ConfigError if its moves do not start from squares."""
    squares = shape.height * shape.width
    if re.fullmatch(r"leela-\d+-flat|human-1", encoding):
        from philidor.nets.leela.heads import CONVOLUTION_POLICY_PLANES, convolution_policy_map

        return PolicyCells(CONVOLUTION_POLICY_PLANES, convolution_policy_map(), True)
    places = np.arange(shape.policy_size, dtype=np.int64)
    if encoding == "alphazero":
        # Its places count all kinds of moves from the first square first.
        return PolicyCells(KINDS, places % KINDS * squares + places // KINDS, True)
    if shape.policy_size % squares:
        raise ConfigError(
            f"a policy of planes needs a multiple of {squares} moves, {encoding!r} has {shape.policy_size}; "
            "choose policy = 'flat'"
        )
    return PolicyCells(shape.policy_size // squares, places, encoding.startswith("leela-"))
