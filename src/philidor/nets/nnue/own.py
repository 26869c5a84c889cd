"""philidor's own file format for networks of any shape (.phnn).

A magic, a version and the length of a header; the header, JSON with the architecture, a description and the SHA-256 of
the weights; the weights: inputs' biases and columns, then biases and rows of each layer of each output bucket, little-
endian, without padding.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterator
from typing import Any

from philidor.core.errors import NetError
from philidor.nets.magic import NNUE
from philidor.nets.nnue.architecture import Activation, Architecture, Features, Orientation
from philidor.nets.nnue.network import Layer, Network
from philidor.nets.nnue.source import Source

MAGIC = NNUE
VERSION = 1
_MAX_HEADER_BYTES = 1 << 16


def read(source: Source) -> Network:
    """Reads what follows the magic. Raises NetError."""
    version = source.take_u32("the version")
    if version != VERSION:
        raise source.error(f"has version {version} of philidor's format; this program reads {VERSION}")
    length = source.take_u32("the header's length")
    if length > _MAX_HEADER_BYTES:
        raise source.error(f"the header should have {length} bytes, more than {_MAX_HEADER_BYTES}: damaged")
    text = source.take(length, "the header")
    try:
        header = json.loads(text)
        architecture = _architecture(header["architecture"])
        description, checksum = str(header["description"]), str(header["sha256"])
    except NetError as error:
        raise source.error(str(error)) from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise source.error(f"its header is damaged: {type(error).__name__} {error}") from None
    network = _read_weights(source, architecture, description)
    found = _checksum(network)
    if found != checksum:
        raise source.error(f"the weights' SHA-256 should be {checksum}, but it is {found}: altered")
    return network


def parts(network: Network) -> Iterator[bytes]:
    """Yields the file in pieces."""
    header = {
        "architecture": _as_dict(network.architecture),
        "description": network.description,
        "sha256": _checksum(network),
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    if len(text) > _MAX_HEADER_BYTES:
        raise NetError(f"the description is too long: the header would have {len(text)} bytes")
    yield MAGIC + struct.pack("<II", VERSION, len(text)) + text
    yield from _weights(network)


def _weights(network: Network) -> Iterator[bytes]:
    yield network.feature_biases.astype("<i2").tobytes()
    yield network.feature_weights.astype("<i2").tobytes()
    for stack in network.stacks:
        for layer in stack:
            yield layer.biases.astype("<i4").tobytes()
            yield layer.weights.tobytes()


def _checksum(network: Network) -> str:
    found = hashlib.sha256()
    for part in _weights(network):
        found.update(part)
    return found.hexdigest()


def _read_weights(source: Source, architecture: Architecture, description: str) -> Network:
    width, inputs = architecture.width, architecture.features.count
    biases = source.take_array("i2", (width,), "the inputs' biases")
    weights = source.take_array("i2", (inputs, width), "the inputs' weights")
    stacks = tuple(
        tuple(
            Layer(
                source.take_array("i4", (outputs,), f"the biases of layer {number}"),
                source.take_array("i1", (outputs, columns), f"the weights of layer {number}"),
            )
            for number, (outputs, columns) in enumerate(architecture.layer_shapes, start=1)
        )
        for _ in range(architecture.output_buckets)
    )
    return Network(architecture, biases, weights, stacks, description)


def _as_dict(architecture: Architecture) -> dict[str, Any]:
    features = architecture.features
    return {
        "features": {
            "buckets": features.buckets,
            "orientation": features.orientation,
            "is_mirrored": features.is_mirrored,
            "has_kings": features.has_kings,
            "spare": features.spare,
        },
        "width": architecture.width,
        "activation": architecture.activation,
        "hidden": architecture.hidden,
        "output_buckets": architecture.output_buckets,
        "scale": architecture.scale,
    }


def _architecture(found: dict[str, Any]) -> Architecture:
    features = found["features"]
    first, second = _integers(found["scale"])
    return Architecture(
        features=Features(
            buckets=_integers(features["buckets"]),
            orientation=Orientation(features["orientation"]),
            is_mirrored=_flag(features["is_mirrored"]),
            has_kings=_flag(features["has_kings"]),
            spare=_integer(features["spare"]),
        ),
        width=_integer(found["width"]),
        activation=Activation(found["activation"]),
        hidden=_integers(found["hidden"]),
        output_buckets=_integer(found["output_buckets"]),
        scale=(first, second),
    )


def _integer(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"expected an integer, got {value!r}")
    return value


def _integers(values: Any) -> tuple[int, ...]:
    if not isinstance(values, list):
        raise TypeError(f"expected a list of integers, got {values!r}")
    return tuple(_integer(value) for value in values)


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError(f"expected true or false, got {value!r}")
    return value
