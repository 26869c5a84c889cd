"""Writes ONNX graphs operation by operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from philidor.nets.onnx.messages import (
    AttributeProto,
    AttributeType,
    DataType,
    Dimension,
    GraphProto,
    Metadata,
    ModelProto,
    NodeProto,
    OperatorSet,
    TensorProto,
    TensorShape,
    TensorType,
    TypeProto,
    ValueInfo,
)
from philidor.nets.protobuf import encode

# 17 has LayerNormalization; version 8 of the format is the one that came with it.
OPSET_VERSION = 17
IR_VERSION = 8
BATCH = "batch"
"""The name of the size that is open until the network runs."""

Value = str
"""The name of a tensor in the graph."""

_TYPES = {np.dtype(np.float32): DataType.FLOAT, np.dtype(np.int64): DataType.INT64, np.dtype(np.int32): DataType.INT32}


class Graph:
    """A graph that grows: `add` makes an operation, `constant` a constant; both return the name of the result."""

    def __init__(self, name: str) -> None:
        self._graph = GraphProto(name=name)
        self._constants: dict[tuple[str, tuple[int, ...], bytes], Value] = {}

    def input(self, name: str, shape: Sequence[int | str]) -> Value:
        """Declares an input of floats; a name in the shape is a size that is open."""
        self._graph.input.append(_value_info(name, shape))
        return name

    def output(self, value: Value, name: str, shape: Sequence[int | str]) -> None:
        """Declares an output of floats."""
        self._graph.node.append(NodeProto(input=[value], output=[name], name=f"{name}/out", op_type="Identity"))
        self._graph.output.append(_value_info(name, shape))

    def constant(self, array: NDArray[Any]) -> Value:
        """Adds a constant; equal ones are kept once."""
        array = np.ascontiguousarray(array)
        data = array.astype(array.dtype.newbyteorder("<")).tobytes()
        key = (str(array.dtype), array.shape, data)
        if key not in self._constants:
            name = f"constant{len(self._constants)}"
            self._constants[key] = name
            tensor = TensorProto(dims=list(array.shape), data_type=_TYPES[array.dtype], name=name, raw_data=data)
            self._graph.initializer.append(tensor)
        return self._constants[key]

    def ints(self, *values: int) -> Value:
        """Adds a constant list of integers: shapes, axes, ends of slices."""
        return self.constant(np.array(values, dtype=np.int64))

    def scalar(self, value: float) -> Value:
        """Adds a constant number."""
        return self.constant(np.array(value, dtype=np.float32))

    def add(self, operation: str, *inputs: Value, **attributes: Any) -> Value:
        """Adds an operation with one result."""
        return self.add_many(operation, inputs, 1, **attributes)[0]

    def add_many(self, operation: str, inputs: Sequence[Value], count: int, **attributes: Any) -> list[Value]:
        """Adds an operation with several results."""
        number = len(self._graph.node)
        outputs = [f"{operation}{number}" + (f".{place}" if count > 1 else "") for place in range(count)]
        listed = [_attribute(name, value) for name, value in attributes.items()]
        node = NodeProto(input=list(inputs), output=outputs, name=f"{operation}{number}", op_type=operation)
        node.attribute = listed
        self._graph.node.append(node)
        return outputs

    def reshape(self, value: Value, *shape: int) -> Value:
        """Adds a change of shape; one size may be -1."""
        return self.add("Reshape", value, self.ints(*shape))

    def model(self, metadata: Mapping[str, str]) -> bytes:
        """Returns the ONNX file."""
        model = ModelProto(ir_version=IR_VERSION, producer_name="philidor", graph=self._graph)
        model.opset_import = [OperatorSet(domain="", version=OPSET_VERSION)]
        model.metadata_props = [Metadata(key=key, value=value) for key, value in metadata.items()]
        return encode(model)


def _value_info(name: str, shape: Sequence[int | str]) -> ValueInfo:
    sizes = [Dimension(dim_param=size) if isinstance(size, str) else Dimension(dim_value=size) for size in shape]
    return ValueInfo(name=name, type=TypeProto(tensor_type=TensorType(DataType.FLOAT, TensorShape(sizes))))


def _attribute(name: str, value: Any) -> AttributeProto:
    if isinstance(value, float):
        return AttributeProto(name=name, f=value, type=AttributeType.FLOAT)
    if isinstance(value, int):
        return AttributeProto(name=name, i=value, type=AttributeType.INT)
    if isinstance(value, str):
        return AttributeProto(name=name, s=value.encode(), type=AttributeType.TEXT)
    return AttributeProto(name=name, ints=list(value), type=AttributeType.INTS)
