"""Files of AlphaGo's linear policies: shapes of Go stones with a weight each (book, ch. 4.1.5; Silver et al. 2016).

A file is b"PHPT", a version, the length of a JSON header and the header, the shapes as 64-bit numbers (3x3 squares,
responses, diamonds, each ascending), a float for each feature, and the CRC-32 of all that; little-endian throughout.
"""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from philidor.core.errors import NetError
from philidor.core.runs import write_atomic
from philidor.nets.magic import PATTERNS

if TYPE_CHECKING:
    from numpy.typing import NDArray

PatternKind = Literal["rollout", "tree"]
FIXED_FEATURES = 45 + (1 << 12)
"""Features that are no shapes: any response, save-atari, eight neighbors, self-atari, two distances of 17, nakade."""
MOST_WEIGHT = 12.0
"""No weight is larger, or smaller than its negative: chances of rollouts are products of their powers, in floats."""
_VERSION = 1
_HEAD = struct.Struct("<4sII")
_SHAPES = ("squares", "responses", "diamonds")
_MOST = 1 << 24


@dataclass(frozen=True, eq=False, slots=True)
class PatternNet:
    """A linear policy: which shapes it knows, and what each feature adds to a move's logit."""

    kind: PatternKind
    squares: NDArray[np.uint64]
    """3x3 shapes around a move, as cpp/evaluators/patterns/shapes.h numbers them."""
    responses: NDArray[np.uint64]
    """Diamonds around the last move, with the place of the move in them."""
    diamonds: NDArray[np.uint64]
    """Diamonds around a move; the tree policy's."""
    weights: NDArray[np.float32]
    """Of the fixed features, then of the shapes in their order."""
    remarks: dict[str, str] = field(default_factory=dict)
    """What is noted in the file, such as the games it was trained on."""

    def __post_init__(self) -> None:
        wanted = FIXED_FEATURES + sum(len(getattr(self, name)) for name in _SHAPES)
        if len(self.weights) != wanted:
            raise NetError(f"a linear policy has a weight for each of {wanted} features, got {len(self.weights)}")
        # Written so that a NaN fails the comparison and with it the check.
        if not (np.abs(self.weights) <= MOST_WEIGHT).all():
            raise NetError(f"the weights of a linear policy are numbers from {-MOST_WEIGHT:g} to {MOST_WEIGHT:g}")


def save_patterns(path: str | Path, net: PatternNet) -> None:
    """Writes a policy; the file appears only when it is complete."""
    counts = {name: len(getattr(net, name)) for name in _SHAPES}
    header = json.dumps({"kind": net.kind, **counts, "remarks": net.remarks}, sort_keys=True).encode()
    body = b"".join(getattr(net, name).astype("<u8").tobytes() for name in _SHAPES)
    data = _HEAD.pack(PATTERNS, _VERSION, len(header)) + header + body + net.weights.astype("<f4").tobytes()
    write_atomic(Path(path), data + zlib.crc32(data).to_bytes(4, "little"))


def is_patterns(path: Path) -> bool:
    """Says whether a file begins as a linear policy's does. Raises NetError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(PATTERNS)) == PATTERNS
    except OSError as error:
        raise NetError(f"cannot read {str(path)!r}: {error.strerror or error}") from None


def load_patterns(path: str | Path) -> PatternNet:
    """Reads a policy. Raises NetError for a file that is none, is damaged, or cannot be read."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise NetError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    try:
        return _read(data)
    except NetError as error:
        raise NetError(f"{str(path)!r}: {error}") from None


def _read(data: bytes) -> PatternNet:
    if len(data) < _HEAD.size + 4 or not data.startswith(PATTERNS):
        raise NetError("no linear policy of Go: it does not begin with PHPT")
    _, version, length = _HEAD.unpack_from(data)
    if version != _VERSION:
        raise NetError(f"version {version} of linear policies is not known, only {_VERSION}")
    if zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise NetError("the file is damaged: its checksum is another")
    header = _header(data[_HEAD.size : _HEAD.size + length])
    counts = [header[name] for name in _SHAPES]
    start, shapes = _HEAD.size + length, []
    if len(data) != start + 12 * sum(counts) + 4 * FIXED_FEATURES + 4:
        raise NetError("the file has another length than its header says")
    for count in counts:
        shapes.append(np.frombuffer(data, "<u8", count, start).astype(np.uint64))
        start += 8 * count
    weights = np.frombuffer(data[start:-4], "<f4").astype(np.float32)
    squares, responses, diamonds = shapes
    return PatternNet(header["kind"], squares, responses, diamonds, weights, header["remarks"])


def _header(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text)
        is_whole = header["kind"] in get_args(PatternKind) and isinstance(header["remarks"], dict)
        is_whole &= all(isinstance(header[name], int) and 0 <= header[name] < _MOST for name in _SHAPES)
    except (ValueError, KeyError, TypeError, RecursionError):
        is_whole = False
    if not is_whole:
        raise NetError("the header of the file is not understood")
    return dict(header)
