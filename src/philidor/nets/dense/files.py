"""philidor's file format for small networks of floats (.phfl).

A magic, a version and the length of a header; the header, JSON with the kind of network, the shapes of its layers, its
settings, a description and the SHA-256 of the weights; then each layer's weights and biases as half floats, little-
endian. Half the bytes are enough: rounding costs less than a centipawn (docs/learned-evaluations.md).
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from philidor.core.errors import NetError
from philidor.core.runs import atomic_file
from philidor.nets.dense.deepchess import DeepChessNetwork
from philidor.nets.dense.giraffe import GiraffeNetwork
from philidor.nets.dense.layers import MAX_OUTPUTS, Layer
from philidor.nets.magic import DENSE
from philidor.nets.nnue.source import Source, open_source

MAGIC = DENSE
VERSION = 1
SUFFIX = ".phfl"
_MAX_HEADER_BYTES = 1 << 16
_MAX_LAYERS, _MAX_INPUTS = 16, 4096
_LARGEST_HALF = 65_504

DenseNetwork = GiraffeNetwork | DeepChessNetwork


@dataclass(frozen=True, slots=True)
class _Header:
    kind: str
    first: int
    """How many of the layers come before the others: the groups' or a position's."""
    shapes: tuple[tuple[int, int], ...]
    scale: float
    description: str
    checksum: str


def load_giraffe(path: str | Path) -> GiraffeNetwork:
    """Reads a network that judges. Raises NetError, which says what is wrong with the file."""
    network = load_dense(path)
    if not isinstance(network, GiraffeNetwork):
        raise NetError(f"{str(path)!r} compares positions (DeepChess's kind) and cannot judge one")
    return network


def load_deepchess(path: str | Path) -> DeepChessNetwork:
    """Reads a network that compares. Raises NetError, which says what is wrong with the file."""
    network = load_dense(path)
    if not isinstance(network, DeepChessNetwork):
        raise NetError(f"{str(path)!r} judges positions (Giraffe's kind) and cannot compare two")
    return network


def load_dense(path: str | Path) -> DenseNetwork:
    """Reads either kind, plain or packed with zstd. Raises NetError."""
    with open_source(Path(path)) as source:
        if (magic := source.take(4, "the first number")) != MAGIC:
            raise source.error(f"is no network of floats: it begins with {magic!r}, not with {MAGIC!r}")
        header = _read_header(source)
        digest = hashlib.sha256()
        layers = [_read_layer(source, number, shape, digest) for number, shape in enumerate(header.shapes, start=1)]
        source.expect_end()
        if digest.hexdigest() != header.checksum:
            raise source.error(
                f"the weights' SHA-256 should be {header.checksum}, but it is {digest.hexdigest()}: altered"
            )
        try:
            return _network(header, tuple(Layer(*arrays) for arrays in layers))
        except NetError as error:
            raise source.error(str(error)) from None


def save_dense(network: DenseNetwork, path: str | Path) -> None:
    """Writes a network; the file appears under its name only when it is complete. Raises NetError."""
    path = Path(path)
    if path.suffix != SUFFIX:
        raise NetError(f"the name of a network of floats ends in {SUFFIX}, got {path.name!r}")
    if isinstance(network, GiraffeNetwork):
        kind, scale, first = "giraffe", network.scale, len(network.first)
    else:
        kind, scale, first = "deepchess", 1.0, len(network.position)
    layers = _layers(network)
    parts = [part for layer in layers for part in _parts(layer)]
    header = {
        "kind": kind,
        "first": first,
        "layers": [layer.shape for layer in layers],
        "scale": scale,
        "description": network.description,
        "sha256": hashlib.sha256(b"".join(parts)).hexdigest(),
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    if len(text) > _MAX_HEADER_BYTES:
        raise NetError(f"the description is too long: the header would have {len(text)} bytes")
    try:
        with atomic_file(path) as file:
            file.write(MAGIC + struct.pack("<II", VERSION, len(text)) + text)
            file.writelines(parts)
    except OSError as error:
        raise NetError(f"cannot write {str(path)!r}: {error.strerror}") from error


def describe(network: DenseNetwork) -> dict[str, Any]:
    """Returns the shape of a network in words and numbers."""
    layers = _layers(network)
    return {
        "kind": "giraffe" if isinstance(network, GiraffeNetwork) else "deepchess",
        "layers": [f"{inputs} -> {outputs}" for inputs, outputs in (layer.shape for layer in layers)],
        "parameters": sum(layer.weights.size + layer.biases.size for layer in layers),
        **({"centipawns": f"raw * {network.scale:g}"} if isinstance(network, GiraffeNetwork) else {}),
        "description": network.description,
    }


def _layers(network: DenseNetwork) -> tuple[Layer, ...]:
    if isinstance(network, GiraffeNetwork):
        return *network.first, *network.above
    return *network.position, *network.comparison


def _parts(layer: Layer) -> Iterator[bytes]:
    for array in (layer.weights, layer.biases):
        if np.abs(array).max() > _LARGEST_HALF:
            raise NetError(f"a weight is too large for the file: it must lie within {_LARGEST_HALF}")
        yield array.astype("<f2").tobytes()


def _read_header(source: Source) -> _Header:
    version = source.take_u32("the version")
    if version != VERSION:
        raise source.error(f"has version {version} of the format of floats; this program reads {VERSION}")
    length = source.take_u32("the header's length")
    if length > _MAX_HEADER_BYTES:
        raise source.error(f"the header should have {length} bytes, more than {_MAX_HEADER_BYTES}: damaged")
    text = source.take(length, "the header")
    try:
        found = json.loads(text)
        shapes = tuple((_size(inputs, _MAX_INPUTS), _size(outputs, MAX_OUTPUTS)) for inputs, outputs in found["layers"])
        return _Header(
            str(found["kind"]),
            _size(found["first"], _size(len(shapes), _MAX_LAYERS)),
            shapes,
            float(found["scale"]),
            str(found["description"]),
            str(found["sha256"]),
        )
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
        raise source.error(f"its header is damaged: {type(error).__name__} {error}") from None


def _size(value: Any, most: int) -> int:
    if type(value) is not int or not 1 <= value <= most:
        raise ValueError(f"expected an integer from 1 to {most}, got {value!r}")
    return value


def _read_layer(source: Source, number: int, shape: tuple[int, int], digest: Any) -> tuple[Any, Any]:
    arrays = []
    for part, size in (("weights", shape), ("biases", shape[1:])):
        halves = source.take_array("f2", size, f"the {part} of layer {number}")
        digest.update(halves.astype("<f2").tobytes())
        arrays.append(halves.astype(np.float32))
    return arrays[0], arrays[1]


def _network(header: _Header, layers: tuple[Layer, ...]) -> DenseNetwork:
    first, rest = layers[: header.first], layers[header.first :]
    if header.kind == "giraffe":
        return GiraffeNetwork(first, rest, header.scale, header.description)
    if header.kind == "deepchess":
        return DeepChessNetwork(first, rest, header.description)
    raise NetError(f"is of a kind that is not known: {header.kind!r}, not giraffe or deepchess")
