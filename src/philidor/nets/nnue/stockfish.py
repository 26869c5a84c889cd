"""Stockfish 12's file format, version 0x7AF32F16: HalfKP networks, read and written byte for byte.

All numbers are little-endian: version, hash, length and text of the description; a hash and the inputs' biases and
weights; a hash and biases and weights of each layer, whose rows are padded with zeros to multiples of 32 inputs.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

from philidor.core.errors import NetError
from philidor.nets.magic import STOCKFISH_VERSION
from philidor.nets.nnue.architecture import ARCHITECTURES, HALFKP, HALFKP_FLIPPED, Activation, Architecture
from philidor.nets.nnue.network import Layer, Network
from philidor.nets.nnue.source import Source

VERSION = STOCKFISH_VERSION
_HALFKP_HASH = 0x5D69D5B8
_MAX_DESCRIPTION_BYTES = 1 << 16
_ROW_STEP = 32


def is_expressible(architecture: Architecture) -> bool:
    """Says whether the format has words for this shape."""
    return (
        architecture.features in (HALFKP, HALFKP_FLIPPED)
        and architecture.activation is Activation.CLIPPED
        and architecture.output_buckets == 1
    )


def features_hash(architecture: Architecture) -> int:
    """The format's checksum of the inputs' shape. It does not tell rotation from flipping."""
    return _HALFKP_HASH ^ (2 * architecture.width)


def layers_hash(architecture: Architecture) -> int:
    """The format's checksum of the layers' shapes."""
    found = 0xEC42E90D ^ (2 * architecture.width)
    for number, (outputs, _) in enumerate(architecture.layer_shapes):
        if number:
            found = (found + 0x538D24C7) & 0xFFFFFFFF
        found = (0xCC03DAE4 + outputs) ^ (found >> 1) ^ ((found << 31) & 0xFFFFFFFF)
    return found


def file_hash(architecture: Architecture) -> int:
    """The format's checksum of the whole shape."""
    return features_hash(architecture) ^ layers_hash(architecture)


def describe(architecture: Architecture) -> str:
    """The shape in the words that Stockfish's trainer wrote into its files."""
    inputs = architecture.features.count
    first = 2 * architecture.width
    text = f"InputSlice[{first}(0:{first})]"
    for number, (outputs, columns) in enumerate(architecture.layer_shapes):
        if number:
            text = f"ClippedReLU[{columns}]({text})"
        text = f"AffineTransform[{outputs}<-{columns}]({text})"
    return f"Features=HalfKP(Friend)[{inputs}->{architecture.width}x2],Network={text}"


def read(source: Source) -> Network:
    """Reads what follows the version. Raises NetError."""
    found = source.take_u32("the hash")
    architecture = _by_hash(source, found)
    length = source.take_u32("the description's length")
    if length > _MAX_DESCRIPTION_BYTES:
        raise source.error(f"the description should have {length} bytes, more than {_MAX_DESCRIPTION_BYTES}: damaged")
    description = source.take(length, "the description").decode("latin-1")
    _expect_hash(source, "inputs", features_hash(architecture))
    width, inputs = architecture.width, architecture.features.count
    biases = source.take_array("i2", (width,), "the inputs' biases")
    weights = source.take_array("i2", (inputs, width), "the inputs' weights")
    _expect_hash(source, "layers", layers_hash(architecture))
    layers = tuple(_read_layer(source, *entry) for entry in enumerate(architecture.layer_shapes, start=1))
    return Network(architecture, biases, weights, (layers,), description)


def parts(network: Network) -> Iterator[bytes]:
    """Yields the file in pieces. Raises NetError if the format has no words for the shape."""
    architecture = network.architecture
    if not is_expressible(architecture):
        raise NetError("Stockfish 12's format holds HalfKP networks with clipped layers only; save as .phnn instead")
    description = network.description.encode("latin-1", "replace")
    yield struct.pack("<III", VERSION, file_hash(architecture), len(description)) + description
    yield struct.pack("<I", features_hash(architecture))
    yield network.feature_biases.astype("<i2").tobytes()
    yield network.feature_weights.astype("<i2").tobytes()
    yield struct.pack("<I", layers_hash(architecture))
    for layer in network.stacks[0]:
        outputs, inputs = layer.weights.shape
        rows = np.zeros((outputs, _padded(inputs)), np.int8)
        rows[:, :inputs] = layer.weights
        yield layer.biases.astype("<i4").tobytes()
        yield rows.tobytes()


def _by_hash(source: Source, found: int) -> Architecture:
    known = {file_hash(each): (name, each) for name, each in ARCHITECTURES.items() if is_expressible(each)}
    if found not in known:
        names = ", ".join(f"0x{value:08X} ({name})" for value, (name, _) in known.items())
        raise source.error(f"its hash 0x{found:08X} is of no known shape; known: {names}")
    return known[found][1]


def _expect_hash(source: Source, what: str, wanted: int) -> None:
    found = source.take_u32(f"the hash of the {what}")
    if found != wanted:
        raise source.error(f"the hash of the {what} should be 0x{wanted:08X}, but it is 0x{found:08X}")


def _read_layer(source: Source, number: int, shape: tuple[int, int]) -> Layer:
    outputs, inputs = shape
    biases = source.take_array("i4", (outputs,), f"the biases of layer {number}")
    rows = source.take_array("i1", (outputs, _padded(inputs)), f"the weights of layer {number}")
    if rows[:, inputs:].any():
        raise source.error(f"the padding of layer {number} should be zero, but it is not")
    return Layer(biases, np.ascontiguousarray(rows[:, :inputs]))


def _padded(inputs: int) -> int:
    return -(-inputs // _ROW_STEP) * _ROW_STEP
