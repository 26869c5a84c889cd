"""The shape of an NNUE network as data: its inputs, its widths and its arithmetic (book, 4.6 and 4.7).

A position is seen twice, once by each side. Each view switches on some of the inputs; the sums of their weight columns
are the two accumulators, which an activation turns into the input of a few small layers. What is called `raw` is the
integer of the last layer, in the side to move's view.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from philidor.core.errors import NetError

MAX_WIDTH = 4096
MAX_LAYER = 1024
MAX_HIDDEN_LAYERS = 4
MAX_OUTPUT_BUCKETS = 32
WIDTH_STEP = 64
"""Widths are multiples of this, so that the widest vector registers are filled and no kernel needs a tail."""
MAX_PIECES = 32


class Orientation(StrEnum):
    """How Black's view of the board is made: the board turned, as in shogi, or seen in a mirror."""

    ROTATE = "rotate"
    FLIP = "flip"

    @property
    def mask(self) -> int:
        """What a square is XORed with for Black."""
        return 63 if self is Orientation.ROTATE else 56


class Activation(StrEnum):
    """What becomes of the accumulators' integers.

    CLIPPED bounds each to 0..127. SQUARED bounds to 0..255 and squares. PAIRWISE bounds to 0..255, multiplies the
    first half of each accumulator with its second half and drops nine bits, which gives 0..127 again.
    """

    CLIPPED = "clipped"
    SQUARED = "squared"
    PAIRWISE = "pairwise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """Which inputs a piece switches on: a square of a plane (kind and side), in the bucket of the own king's square.

    The input is `stride * bucket + spare + 64 * plane + square`, with plane = 2 * kind + (0 own, 1 theirs) and
    the kinds pawn, knight, bishop, rook, queen, king.
    """

    buckets: tuple[int, ...]
    """The bucket for each square of the own king, as its owner sees it."""
    orientation: Orientation = Orientation.FLIP
    is_mirrored: bool = False
    """Whether files are swapped when the own king stands on e to h, so that it is always seen on a to d."""
    has_kings: bool = True
    """Whether kings are inputs themselves."""
    spare: int = 0
    """Inputs before the planes of each bucket that nothing switches on; HalfKP has one, for shogi's pieces in hand."""

    def __post_init__(self) -> None:
        # As many numbers as there are different ones, from 0: no gaps. A damaged file may hold any number.
        different = set(self.buckets)
        if len(self.buckets) != 64 or min(different) != 0 or max(different) + 1 != len(different):
            raise NetError(f"king buckets are 64 numbers from 0 without gaps, got {self.buckets}")
        if not 0 <= self.spare <= 64:
            raise NetError(f"spare inputs must be 0 to 64, got {self.spare}")

    @property
    def stride(self) -> int:
        """Inputs of one bucket."""
        return 64 * (12 if self.has_kings else 10) + self.spare

    @property
    def count(self) -> int:
        """All inputs of one view."""
        return self.stride * (max(self.buckets) + 1)

    def index(self, *, is_black: bool, king: int, kind: int, is_own: bool, square: int) -> int:
        """Returns the input of a piece (kind 0 pawn to 5 king) in a side's view; `king` is where its king is."""
        turn = self.orientation.mask if is_black else 0
        if self.is_mirrored and (king ^ turn) % 8 >= 4:
            turn ^= 7
        plane = 2 * kind + (0 if is_own else 1)
        return self.stride * self.buckets[king ^ turn] + self.spare + 64 * plane + (square ^ turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """Everything that must be known to compute a network's integer from its weights."""

    features: Features
    width: int
    """Numbers in each of the two accumulators."""
    activation: Activation = Activation.CLIPPED
    hidden: tuple[int, ...] = ()
    """Widths of the layers between the accumulators and the output."""
    output_buckets: int = 1
    """How many sets of layers there are; the number of pieces on the board chooses one."""
    scale: tuple[int, int] = field(default=(1, 1))
    """Centipawns are raw * scale[0] / scale[1], toward zero."""

    def __post_init__(self) -> None:
        if not WIDTH_STEP <= self.width <= MAX_WIDTH or self.width % WIDTH_STEP:
            raise NetError(f"width must be a multiple of {WIDTH_STEP} up to {MAX_WIDTH}, got {self.width}")
        if self.activation is Activation.PAIRWISE and self.width % (2 * WIDTH_STEP):
            raise NetError(f"the width of pairwise products must be a multiple of {2 * WIDTH_STEP}, got {self.width}")
        if len(self.hidden) > MAX_HIDDEN_LAYERS or not all(1 <= size <= MAX_LAYER for size in self.hidden):
            raise NetError(f"at most {MAX_HIDDEN_LAYERS} hidden layers of 1 to {MAX_LAYER}, got {self.hidden}")
        if self.activation is Activation.SQUARED and self.hidden:
            raise NetError("squared activations feed the output directly: no hidden layers, please")
        if not 1 <= self.output_buckets <= MAX_OUTPUT_BUCKETS:
            raise NetError(f"output buckets must be 1 to {MAX_OUTPUT_BUCKETS}, got {self.output_buckets}")
        if not all(1 <= part < 2**31 for part in self.scale):
            raise NetError(f"a scale is two positive integers, got {self.scale}")

    @property
    def layer_shapes(self) -> tuple[tuple[int, int], ...]:
        """(outputs, inputs) of each layer after the accumulators."""
        first = self.width if self.activation is Activation.PAIRWISE else 2 * self.width
        sizes = (first, *self.hidden, 1)
        return tuple((outputs, inputs) for inputs, outputs in itertools.pairwise(sizes))

    @property
    def parameter_bytes(self) -> int:
        """Bytes of all weights and biases: int16 for the inputs, int8 weights and int32 biases for the layers."""
        inputs = 2 * self.width * (1 + self.features.count)
        layers = sum(outputs * (4 + columns) for outputs, columns in self.layer_shapes)
        return inputs + self.output_buckets * layers

    def output_bucket(self, pieces: int) -> int:
        """Returns which set of layers judges a position with so many pieces, kings included."""
        step = -(-MAX_PIECES // self.output_buckets)
        return (pieces - 2) // step

    def centipawns(self, raw: int) -> int:
        """Turns the network's integer into centipawns."""
        size = abs(raw) * self.scale[0] // self.scale[1]
        return size if raw >= 0 else -size


def king_buckets(rows: Iterable[str]) -> tuple[int, ...]:
    """Reads a map of king buckets drawn with one digit per square: rank 8 first; four files mean mirrored ones."""
    ranks = [[int(digit, 36) for digit in row] for row in rows]
    if [len(rank) for rank in ranks] not in ([4] * 8, [8] * 8):
        raise NetError(f"a map of king buckets has eight rows of four or eight squares, got {ranks}")
    return tuple(bucket for rank in reversed(ranks) for bucket in (rank if len(rank) == 8 else rank + rank[::-1]))


HALFKP = Features(buckets=tuple(range(64)), orientation=Orientation.ROTATE, has_kings=False, spare=1)
"""Stockfish 12's inputs: every pair of own king square and other piece."""
HALFKP_FLIPPED = Features(buckets=tuple(range(64)), orientation=Orientation.FLIP, has_kings=False, spare=1)
"""The same with Black's board flipped, as in Fat Fritz 2."""

_FOUR_BUCKETS = king_buckets(("3333", "3333", "3333", "3333", "3333", "2222", "1111", "0011"))


def _mirrored(width: int, buckets: tuple[int, ...]) -> Architecture:
    # Weights are floats times 255 and 64, and a float output of 1 is worth 400 centipawns.
    return Architecture(
        features=Features(buckets=buckets, is_mirrored=True),
        width=width,
        activation=Activation.SQUARED,
        output_buckets=8,
        scale=(400, 255 * 64),
    )


def _paired(width: int) -> Architecture:
    # One bucket of king squares; two small layers on the products find what a single one cannot.
    return Architecture(
        features=Features(buckets=(0,) * 64, is_mirrored=True),
        width=width,
        activation=Activation.PAIRWISE,
        hidden=(16, 32),
        output_buckets=8,
        scale=(400, 600 * 16),
    )


ARCHITECTURES = {
    # Stockfish 12 divides by 16, multiplies by 5/4 and prints 208 as a pawn.
    "halfkp-256": Architecture(features=HALFKP, width=256, hidden=(32, 32), scale=(125, 3328)),
    # Fat Fritz 2 multiplies by 1210/1024 instead (book, 4.7).
    "fat-fritz-2": Architecture(
        features=HALFKP_FLIPPED, width=512, hidden=(16, 16), scale=(1210 * 100, 16 * 1024 * 208)
    ),
    "mirrored-256": _mirrored(256, (0,) * 64),
    "mirrored-384": _mirrored(384, (0,) * 64),
    "mirrored-256-kings": _mirrored(256, _FOUR_BUCKETS),
    "mirrored-384-kings": _mirrored(384, _FOUR_BUCKETS),
    "mirrored-512": _mirrored(512, _FOUR_BUCKETS),
    "mirrored-768": _mirrored(768, _FOUR_BUCKETS),
    "paired-256": _paired(256),
    "paired-384": _paired(384),
    "paired-512": _paired(512),
    "paired-768": _paired(768),
}
"""Shapes by name; a file may have any other."""
