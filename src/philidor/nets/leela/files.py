"""Reads and writes `.pb` and `.pb.gz`, and says what kind of network a file holds, old files included."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import IO, TypeVar

from philidor.core.errors import NetError
from philidor.core.runs import atomic_file
from philidor.encodings.leela import LeelaInput
from philidor.nets.leela.messages import Activation, Embedding, Net, NetworkFormat, PolicyKind, Structure, ValueKind
from philidor.nets.magic import LEELA_NUMBER, is_leela
from philidor.nets.protobuf import decode, encode

MAGIC = LEELA_NUMBER
GZIP_MAGIC = b"\x1f\x8b"
NEWEST_LC0 = (0, 32, 1)
"""The lc0 whose files are known here; one that asks for a newer program is refused, as lc0 does."""

# Weights hardly pack: what unpacks to this and twice the file besides is no network, but made to fill the memory.
_UNPACKED_BYTES = 1 << 28
_E = TypeVar("_E", bound=IntEnum)


@dataclass(frozen=True, slots=True)
class LeelaFormat:
    """The kinds of a network's parts, with the gaps that old files leave filled in."""

    input: LeelaInput
    structure: Structure
    policy: PolicyKind
    value: ValueKind
    has_moves_left: bool
    activation: Activation
    smolgen_activation: Activation
    ffn_activation: Activation
    """DEFAULT where the position in the network decides."""
    embedding: Embedding


def load_leela(path: str | Path, opened: IO[bytes] | None = None) -> Net:
    """Reads a weight file, through `opened` if it is open already. Raises NetError."""
    try:
        with Path(path).open("rb") if opened is None else nullcontext(opened) as file:
            is_packed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
            size = file.seek(0, io.SEEK_END)
            file.seek(0)
            # A packed file is never held as a whole, so that the memory is for the network.
            data = _unpacked(file, size, repr(str(path))) if is_packed else file.read()
    except OSError as error:
        raise NetError(f"cannot read {str(path)!r}: {error.strerror}") from None
    return parse_leela(data, repr(str(path)))


def parse_leela(data: bytes, name: str = "the file") -> Net:
    """Reads a weight file's bytes, packed with gzip or not. Raises NetError."""
    if data.startswith(GZIP_MAGIC):
        data = _unpacked(io.BytesIO(data), len(data), name)
    if data[:2] in (b"1\n", b"2\n"):
        raise NetError(f"{name} is a network in lc0's old text format, which is not read; convert it with lc0's tools")
    if not is_leela(data):
        raise NetError(f"{name} is no Leela network: it does not begin with the magic number {MAGIC:#x}")
    net = decode(Net, data, name=name)
    version = net.min_version
    wanted = (version.major or 0, version.minor or 0, version.patch or 0) if version is not None else (0, 0, 0)
    if wanted > NEWEST_LC0:
        known = ".".join(map(str, NEWEST_LC0))
        raise NetError(f"{name} asks for lc0 {'.'.join(map(str, wanted))}; networks up to lc0 {known} are known here")
    if net.weights is None and net.onnx_model is None:
        raise NetError(f"{name} has no weights")
    if net.weights is not None and net.weights.unknown_fields:
        numbers = ", ".join(map(str, sorted(set(net.weights.unknown_fields))))
        raise NetError(f"{name} has weights that are not known here: field {numbers}")
    return net


def save_leela(net: Net, path: str | Path) -> None:
    """Writes a weight file, packed if its name ends in .gz; it appears only when it is complete. Raises NetError."""
    path = Path(path)
    data = encode(net)
    if path.suffix == ".gz":
        # Without a name and a time inside, the same network is the same file.
        packed = io.BytesIO()
        with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as packer:
            packer.write(data)
        data = packed.getvalue()
    try:
        with atomic_file(path) as file:
            file.write(data)
    except OSError as error:
        raise NetError(f"cannot write {str(path)!r}: {error.strerror}") from error


def format_of(net: Net) -> LeelaFormat:
    """Returns the network's format. Raises NetError for a kind of part that is not known."""
    declared = net.format.network_format if net.format is not None else None
    if declared is None:
        declared = NetworkFormat(input=1, output=1, network=Structure.CLASSICAL_WITH_HEADS, policy=1, value=1)
    structure = _known(Structure, declared.network, "structure")
    policy, value = declared.policy, declared.value
    ffn, smolgen = declared.ffn_activation or 0, declared.smolgen_activation or 0
    weights = net.weights
    if structure in (Structure.CLASSICAL, Structure.SE):
        structure = Structure(structure + 2)
        policy, value = PolicyKind.CLASSICAL, ValueKind.CLASSICAL
    elif structure is Structure.SE_WITH_HEADS and weights is not None and weights.encoder:
        structure = Structure.ATTENTION
        if weights.smolgen_w is not None:
            ffn, smolgen = Activation.RELU_2, Activation.SWISH
    elif structure is Structure.ATTENTION_MULTIHEAD_LEGACY:
        structure = Structure.ATTENTION_MULTIHEAD
    embedding = _known(Embedding, declared.input_embedding or 0, "input embedding")
    if structure is Structure.ATTENTION and weights is not None:
        if weights.policy_heads is not None and weights.value_heads is not None:
            structure, embedding = Structure.ATTENTION_MULTIHEAD, Embedding.PE_DENSE
        elif declared.input_embedding is None:
            embedding = Embedding.PE_MAP
    if structure is Structure.UNKNOWN:
        raise NetError("the network does not say what its structure is")
    return LeelaFormat(
        input=_known(LeelaInput, declared.input, "input format"),
        structure=structure,
        policy=_supported(_known(PolicyKind, policy, "policy head"), (1, 2, 3), "policy head"),
        value=_supported(_known(ValueKind, value, "value head"), (1, 2), "value head"),
        has_moves_left=_known(_MovesLeft, declared.moves_left or 0, "moves-left head") is _MovesLeft.V1,
        activation=(Activation.RELU, Activation.MISH)[
            _known(_DefaultActivation, declared.default_activation or 0, "default activation")
        ],
        smolgen_activation=_known(Activation, smolgen, "smolgen activation"),
        ffn_activation=_known(Activation, ffn, "feed-forward activation"),
        embedding=embedding,
    )


class _MovesLeft(IntEnum):
    NONE = 0
    V1 = 1


class _DefaultActivation(IntEnum):
    RELU = 0
    MISH = 1


def _known(kinds: Callable[[int], _E], number: int | None, what: str) -> _E:
    try:
        return kinds(number or 0)
    except ValueError:
        raise NetError(f"the network has a {what} that is not known here: {number or 0}") from None


def _supported(kind: _E, supported: tuple[int, ...], what: str) -> _E:
    if kind not in supported:
        raise NetError(f"the network's {what} is not supported: {kind.name}")
    return kind


def _unpacked(file: IO[bytes], size: int, name: str) -> bytes:
    most = _UNPACKED_BYTES + 2 * size
    try:
        with gzip.GzipFile(fileobj=file) as packed:
            unpacked = packed.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise NetError(f"{name} cannot be unpacked: {error}") from None
    if len(unpacked) > most:
        raise NetError(f"{name} has {size:,} bytes and unpacks to more than {most:,}, which is no network")
    return unpacked
