"""The safetensors format: named arrays and remarks in a file that holds no code.

Eight bytes say how long the header is; the header is JSON with type, shape and place of each array; the arrays follow.
Written here rather than imported, as the base install runs networks and has no safetensors package.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from philidor.core.errors import NetError
from philidor.core.runs import atomic_file
from philidor.nets.magic import LARGEST_HEADER

REMARKS = "__metadata__"
_TYPES = {"F32": "<f4", "F64": "<f8", "F16": "<f2", "I64": "<i8", "I32": "<i4", "U8": "|u1", "BOOL": "|b1"}
_NAMES = {np.dtype(code): name for name, code in _TYPES.items()}


class Tensors(NamedTuple):
    """What a file holds."""

    arrays: dict[str, NDArray[Any]]
    remarks: dict[str, str]


def write_tensors(path: Path, arrays: Mapping[str, NDArray[Any]], remarks: Mapping[str, str]) -> None:
    """Writes a file that appears only when it is complete. Raises NetError."""
    header: dict[str, Any] = {REMARKS: dict(remarks)}
    end = 0
    for name, array in arrays.items():
        start, end = end, end + array.nbytes
        header[name] = {"dtype": _NAMES[array.dtype], "shape": list(array.shape), "data_offsets": [start, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    # Arrays begin at multiples of eight bytes, as the format recommends.
    text += b" " * (-len(text) % 8)
    try:
        with atomic_file(path) as file:
            file.write(len(text).to_bytes(8, "little") + text)
            for array in arrays.values():
                file.write(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes())
    except OSError as error:
        raise NetError(f"cannot write {str(path)!r}: {error.strerror}") from error


def read_tensors(path: Path) -> Tensors:
    """Reads a whole file. Raises NetError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NetError(f"cannot read {str(path)!r}: {error.strerror}") from None
    return parse_tensors(data, repr(str(path)))


def parse_tensors(data: bytes, name: str = "the file") -> Tensors:
    """Reads a file's bytes. Raises NetError."""
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > min(LARGEST_HEADER, len(data) - 8):
        raise NetError(f"{name} is no safetensors file, or cut off in its header")
    try:
        header = json.loads(data[8 : 8 + size])
    except (ValueError, RecursionError):
        raise NetError(f"{name} has a damaged header") from None
    if not isinstance(header, dict):
        raise NetError(f"{name} has a header that is no JSON object")
    remarks = header.pop(REMARKS, {})
    if not isinstance(remarks, dict) or not all(isinstance(value, str) for value in remarks.values()):
        raise NetError(f"{name} has remarks that are not texts")
    body = memoryview(data)[8 + size :]
    return Tensors({key: _array(entry, body, f"{name}, array {key!r}") for key, entry in header.items()}, remarks)


def _array(entry: Any, body: memoryview, name: str) -> NDArray[Any]:
    match entry:
        case {"dtype": str(kind), "shape": [*shape], "data_offsets": [int(start), int(end)]}:
            pass
        case _:
            raise NetError(f"{name} has no type, shape and place")
    if kind not in _TYPES:
        raise NetError(f"{name} has the type {kind}; known: {', '.join(_TYPES)}")
    if not all(type(each) is int and each >= 0 for each in shape):
        raise NetError(f"{name} has no shape of numbers: {shape}")
    dtype = np.dtype(_TYPES[kind])
    wanted = dtype.itemsize
    for each in shape:
        wanted *= each
    if not 0 <= start <= end <= len(body) or end - start != wanted:
        raise NetError(f"{name} of {' x '.join(map(str, shape))} should have {wanted} bytes within the file's "
                       f"{len(body)}, it has those from {start} to {end}")  # fmt: skip
    try:
        return np.frombuffer(body[start:end], dtype).reshape(shape)
    except (ValueError, OverflowError):  # more dimensions than numpy has, or an empty array of astronomic sizes
        raise NetError(f"{name} has a shape that no array can have") from None
