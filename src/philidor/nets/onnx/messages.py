"""The messages of an ONNX file, as far as networks need them: names and numbers as in onnx.proto3."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from philidor.nets.protobuf import Kind, Message, proto, repeated


class DataType(IntEnum):
    """What a tensor holds."""

    FLOAT = 1
    INT32 = 6
    INT64 = 7
    FLOAT16 = 10


class AttributeType(IntEnum):
    """What an attribute holds."""

    FLOAT = 1
    INT = 2
    TEXT = 3
    TENSOR = 4
    FLOATS = 6
    INTS = 7


@dataclass
class TensorProto(Message):
    """An array."""

    dims: list[int] = repeated(1, Kind.INT)
    data_type: int | None = proto(2, Kind.INT)
    name: str | None = proto(8, Kind.TEXT)
    raw_data: bytes | None = proto(9, Kind.BYTES)


@dataclass
class AttributeProto(Message):
    """A setting of a node."""

    name: str | None = proto(1, Kind.TEXT)
    f: float | None = proto(2, Kind.FLOAT)
    i: int | None = proto(3, Kind.INT)
    s: bytes | None = proto(4, Kind.BYTES)
    floats: list[float] = repeated(7, Kind.FLOAT)
    ints: list[int] = repeated(8, Kind.INT)
    type: int | None = proto(20, Kind.INT)


@dataclass
class NodeProto(Message):
    """An operation."""

    input: list[str] = repeated(1, Kind.TEXT)
    output: list[str] = repeated(2, Kind.TEXT)
    name: str | None = proto(3, Kind.TEXT)
    op_type: str | None = proto(4, Kind.TEXT)
    attribute: list[AttributeProto] = repeated(5, Kind.MESSAGE, AttributeProto)
    domain: str | None = proto(7, Kind.TEXT)


@dataclass
class Dimension(Message):
    """A size, or the name of one."""

    dim_value: int | None = proto(1, Kind.INT)
    dim_param: str | None = proto(2, Kind.TEXT)


@dataclass
class TensorShape(Message):
    """Sizes."""

    dim: list[Dimension] = repeated(1, Kind.MESSAGE, Dimension)


@dataclass
class TensorType(Message):
    """Kind and shape of a tensor."""

    elem_type: int | None = proto(1, Kind.INT)
    shape: TensorShape | None = proto(2, Kind.MESSAGE, TensorShape)


@dataclass
class TypeProto(Message):
    """The type of a value: always a tensor here."""

    tensor_type: TensorType | None = proto(1, Kind.MESSAGE, TensorType)


@dataclass
class ValueInfo(Message):
    """An input or an output."""

    name: str | None = proto(1, Kind.TEXT)
    type: TypeProto | None = proto(2, Kind.MESSAGE, TypeProto)


@dataclass
class GraphProto(Message):
    """The operations and the constants."""

    node: list[NodeProto] = repeated(1, Kind.MESSAGE, NodeProto)
    name: str | None = proto(2, Kind.TEXT)
    initializer: list[TensorProto] = repeated(5, Kind.MESSAGE, TensorProto)
    input: list[ValueInfo] = repeated(11, Kind.MESSAGE, ValueInfo)
    output: list[ValueInfo] = repeated(12, Kind.MESSAGE, ValueInfo)


@dataclass
class OperatorSet(Message):
    """A version of the operations."""

    domain: str | None = proto(1, Kind.TEXT)
    version: int | None = proto(2, Kind.INT)


@dataclass
class Metadata(Message):
    """A remark by name."""

    key: str | None = proto(1, Kind.TEXT)
    value: str | None = proto(2, Kind.TEXT)


@dataclass
class ModelProto(Message):
    """An ONNX file."""

    ir_version: int | None = proto(1, Kind.INT)
    producer_name: str | None = proto(2, Kind.TEXT)
    producer_version: str | None = proto(3, Kind.TEXT)
    graph: GraphProto | None = proto(7, Kind.MESSAGE, GraphProto)
    opset_import: list[OperatorSet] = repeated(8, Kind.MESSAGE, OperatorSet)
    metadata_props: list[Metadata] = repeated(14, Kind.MESSAGE, Metadata)
