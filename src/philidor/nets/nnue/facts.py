"""What there is to say about a network file, and whether it is what its name claims."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from philidor.nets.nnue.architecture import ARCHITECTURES
from philidor.nets.nnue.files import SUFFIXES
from philidor.nets.nnue.network import Network
from philidor.nets.nnue.stockfish import is_expressible

# Stockfish's networks are named after their content.
_NAMED = re.compile(r"nn-([0-9a-f]{12})\.nnue(\.zst)?")


def describe(network: Network) -> dict[str, Any]:
    """Returns the shape of a network in words and numbers."""
    shape = network.architecture
    features = shape.features
    names = [name for name, known in ARCHITECTURES.items() if known == shape]
    return {
        "architecture": names[0] if names else "one of its own",
        "inputs": features.count,
        "king_buckets": max(features.buckets) + 1,
        "black_view": features.orientation.value,
        "is_mirrored": features.is_mirrored,
        "kings_are_inputs": features.has_kings,
        "width": shape.width,
        "activation": shape.activation.value,
        "layers": [f"{inputs} -> {outputs}" for outputs, inputs in shape.layer_shapes],
        "output_buckets": shape.output_buckets,
        "centipawns": f"raw * {shape.scale[0]} / {shape.scale[1]}",
        "parameter_bytes": shape.parameter_bytes,
        "sha256": checksum(network),
        "description": network.description,
    }


def checksum(network: Network) -> str:
    """Returns the SHA-256 of the network's plain file: Stockfish's format where that can hold it, or else ours."""
    found = hashlib.sha256()
    for part in SUFFIXES[".nnue" if is_expressible(network.architecture) else ".phnn"](network):
        found.update(part)
    return found.hexdigest()


def name_problem(path: Path, network: Network) -> str | None:
    """Returns what is wrong where a file is named after a checksum, as Stockfish's are, but has another."""
    named = _NAMED.fullmatch(path.name)
    found = checksum(network)
    if named is None or found.startswith(named[1]):
        return None
    return f"its name says that its SHA-256 begins with {named[1]}, but it begins with {found[:12]}"
