"""Protocol buffers, as far as Leela's and ONNX's files need them: messages are dataclasses whose fields have numbers.

    @dataclass
    class Layer(Message):
        min_val: float | None = proto(1, Kind.FLOAT)
        params: bytes | None = proto(3, Kind.BYTES)

A field that is absent is None, a repeated one that is absent an empty list. What a file has beyond the fields of its
message is skipped, as the format asks for, but remembered by number: a reader of networks must know what it left out.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

from philidor.core.errors import NetError

_KEY = "philidor.protobuf"
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
# Messages of messages; no file that we read nests deeper than ten.
# The largest networks have some thousands.
_MAX_FIELDS = 1_000_000
_MAX_DEPTH = 32


class Kind(Enum):
    """How a value is written."""

    INT = "int"
    """Varint: unsigned, boolean and enumerated numbers, and signed ones in 64 bits."""
    FIXED32 = "fixed32"
    FLOAT = "float"
    BYTES = "bytes"
    TEXT = "text"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class _Field:
    number: int
    kind: Kind
    message: Any  # the class of a message, or a function that returns it
    is_repeated: bool


@dataclass
class Message:
    """The base of all messages."""

    unknown_fields: list[int] = field(default_factory=list, init=False, repr=False, compare=False)
    """The numbers of fields that the file has and the class has not."""


M = TypeVar("M", bound=Message)


def proto(number: int, kind: Kind, message: Any = None) -> Any:
    """Declares an optional field; `message` is the class of a message, or a function that returns it."""
    return field(default=None, metadata={_KEY: _Field(number, kind, message, is_repeated=False)})


def repeated(number: int, kind: Kind, message: Any = None) -> Any:
    """Declares a repeated field."""
    return field(default_factory=list, metadata={_KEY: _Field(number, kind, message, is_repeated=True)})


class _Budget:
    """How many fields a file may still have: a byte or two become an object of hundreds."""

    def __init__(self) -> None:
        self.left = _MAX_FIELDS

    def spend(self, count: int, name: str) -> None:
        self.left -= count
        if self.left < 0:
            raise NetError(f"{name} has more than {_MAX_FIELDS:,} fields, which is no network")


def decode(
    kind: type[M],
    data: bytes | memoryview,
    *,
    name: str = "the file",
    depth: int = 0,
    budget: _Budget | None = None,
) -> M:
    """Reads a message. Raises NetError, which says at which byte the bytes stop making sense."""
    budget = _Budget() if budget is None else budget
    if depth > _MAX_DEPTH:
        raise NetError(f"{name} has messages nested deeper than {_MAX_DEPTH}: damaged")
    message, known = kind(), _fields(kind)
    for number, wire_type, value in _wire_values(memoryview(data), name):
        budget.spend(1, name)
        if number not in known:
            message.unknown_fields.append(number)
            continue
        attribute, spec = known[number]
        values = _values(spec, wire_type, value, f"{name}.{attribute}", depth, budget)
        if spec.is_repeated:
            getattr(message, attribute).extend(values)
        elif values:
            setattr(message, attribute, values[-1])
    return message


def encode(message: Message) -> bytes:
    """Writes a message, its fields in the order of their numbers."""
    parts: list[bytes] = []
    for number, (attribute, spec) in sorted(_fields(type(message)).items()):
        value = getattr(message, attribute)
        values = value if spec.is_repeated else [] if value is None else [value]
        if spec.is_repeated and spec.kind in (Kind.INT, Kind.FLOAT) and values:
            parts.append(_tagged(number, _BYTES, b"".join(_scalar(spec.kind, each)[1] for each in values)))
            continue
        for each in values:
            wire_type, data = _scalar(spec.kind, each)
            parts.append(_tagged(number, wire_type, data))
    return b"".join(parts)


_FIELDS: dict[type[Message], dict[int, tuple[str, _Field]]] = {}


def _fields(kind: type[Message]) -> dict[int, tuple[str, _Field]]:
    if kind not in _FIELDS:
        specs = ((each.name, each.metadata.get(_KEY)) for each in dataclasses.fields(kind))
        _FIELDS[kind] = {spec.number: (name, spec) for name, spec in specs if spec is not None}
    return _FIELDS[kind]


def _tagged(number: int, wire_type: int, data: bytes) -> bytes:
    length = _varint(len(data)) if wire_type == _BYTES else b""
    return _varint(number << 3 | wire_type) + length + data


def _scalar(kind: Kind, value: Any) -> tuple[int, bytes]:
    """Returns the wire type and the bytes of one value, without its length."""
    match kind:
        case Kind.INT:
            return _VARINT, _varint(int(value) % 2**64)
        case Kind.FLOAT:
            return _FIXED32, struct.pack("<f", value)
        case Kind.FIXED32:
            return _FIXED32, struct.pack("<I", value)
        case Kind.TEXT:
            return _BYTES, value.encode()
        case Kind.BYTES:
            return _BYTES, bytes(value)
        case Kind.MESSAGE:
            return _BYTES, encode(value)


def _varint(value: int) -> bytes:
    groups = bytearray()
    while value >= 0x80:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def _read_varint(data: memoryview, at: int, name: str) -> tuple[int, int]:
    value = 0
    for count in range(10):
        if at + count >= len(data):
            raise NetError(f"{name} is cut off at byte {len(data)}")
        group = data[at + count]
        value |= (group & 0x7F) << 7 * count
        if group < 0x80:
            return value % 2**64, at + count + 1
    raise NetError(f"{name} is damaged: a number at byte {at} does not end")


def _wire_values(data: memoryview, name: str) -> Iterator[tuple[int, int, Any]]:
    """Yields (field number, wire type, number or bytes)."""
    at = 0
    while at < len(data):
        start = at
        tag, at = _read_varint(data, at, name)
        number, wire_type = tag >> 3, tag & 7
        if number == 0 or wire_type not in (_VARINT, _FIXED64, _BYTES, _FIXED32):
            raise NetError(f"{name} is damaged: no field begins at byte {start}")
        if wire_type == _VARINT:
            value, at = _read_varint(data, at, name)
            yield number, wire_type, value
            continue
        length = {_FIXED64: 8, _FIXED32: 4}.get(wire_type)
        if length is None:
            length, at = _read_varint(data, at, name)
        if at + length > len(data):
            raise NetError(f"{name} is cut off: field {number} should have {length} bytes, {len(data) - at} are left")
        yield number, wire_type, data[at : at + length]
        at += length


def _values(spec: _Field, wire_type: int, value: Any, name: str, depth: int, budget: _Budget) -> list[Any]:
    """Returns the values of one field as it stands in the file: several where numbers are packed."""
    expected = _BYTES
    if spec.kind in (Kind.FLOAT, Kind.FIXED32):
        expected = _FIXED32
    elif spec.kind is Kind.INT:
        expected = _VARINT
    is_packed = spec.is_repeated and expected != _BYTES and wire_type == _BYTES
    if is_packed:
        budget.spend(len(value) // 4, name)
    if wire_type != expected and not is_packed:
        raise NetError(f"{name} is damaged: expected wire type {expected}, got {wire_type}")
    match spec.kind:
        case Kind.MESSAGE:
            message = spec.message if isinstance(spec.message, type) else spec.message()
            return [decode(message, value, name=name, depth=depth + 1, budget=budget)]
        case Kind.BYTES:
            return [bytes(value)]
        case Kind.TEXT:
            return [bytes(value).decode("utf-8", "replace")]
        case Kind.INT:
            return _packed_ints(value, name) if is_packed else [value]
    if len(value) % 4:
        raise NetError(f"{name} is damaged: {len(value)} bytes are not a number of 4-byte values")
    return [number for (number,) in struct.iter_unpack("<f" if spec.kind is Kind.FLOAT else "<I", value)]


def _packed_ints(data: memoryview, name: str) -> list[int]:
    values, at = [], 0
    while at < len(data):
        value, at = _read_varint(data, at, name)
        values.append(value)
    return values
