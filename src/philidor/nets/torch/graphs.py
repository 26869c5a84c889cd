"""Networks that are ONNX graphs in PyTorch, so that a GPU runs Leela's attention networks and ONNX files too.

The operations are those that `philidor.nets.onnx` and `philidor.nets.leela` write; another one is refused by name.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from philidor.core.errors import NetError
from philidor.encodings.encoding import Shape
from philidor.nets.onnx.messages import AttributeProto, AttributeType, DataType, ModelProto, NodeProto, TensorProto
from philidor.nets.onnx.signature import PLANES, POLICY
from philidor.nets.protobuf import decode

_TYPES = {DataType.FLOAT: "<f4", DataType.INT64: "<i8", DataType.INT32: "<i4"}


@dataclass(frozen=True, slots=True)
class Call:
    """An operation that is about to be made."""

    inputs: list[Tensor]
    integers: list[list[int]]
    """For each input what it is as constant integers, such as a shape; empty if it is none."""
    attributes: dict[str, Any]
    outputs: int


@final
class GraphModel(nn.Module):
    """A network that does what its graph says. Its constants are parameters, named as in the file."""

    def __init__(self, model: bytes, shape: Shape, name: str = "the network") -> None:
        """Takes an ONNX file over an encoding of this shape. Raises NetError."""
        super().__init__()
        graph = decode(ModelProto, model, name=name).graph
        if graph is None:
            raise NetError(f"{name} is no ONNX model: it has no graph")
        self.shape = shape
        self.weights = nn.ParameterDict()
        self._integers: dict[str, list[int]] = {}
        for constant in graph.initializer:
            self._add_constant(constant, name)
        self._steps = [_step(node, name) for node in graph.node]
        self._outputs = [each.name or "" for each in graph.output]
        self._try(name)

    def predict(self, planes: Tensor) -> dict[str, Tensor]:
        """Maps [n, planes, h, w] to the outputs that `nets/onnx/signature.py` names, in single precision."""
        values: dict[str, Tensor] = {PLANES: planes, **dict(self.weights.items()), **dict(self.named_buffers())}
        for step in self._steps:
            integers = [self._integers.get(name, []) for name in step.inputs]
            call = Call([values[name] for name in step.inputs], integers, step.attributes, len(step.outputs))
            found = step.operation(call)
            values.update(zip(step.outputs, found if isinstance(found, tuple) else (found,), strict=True))
        return {name: values[name].float() for name in self._outputs}

    def folded(self) -> GraphModel:
        """Returns a copy for playing, without gradients."""
        return copy.deepcopy(self).eval().requires_grad_(False)

    def _try(self, name: str) -> None:
        """Runs the graph once: what does not fit together shows here and not in the middle of a game."""
        shape = self.shape
        try:
            with torch.no_grad():
                found = self.predict(torch.zeros(2, shape.planes, shape.height, shape.width))
        except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
            raise NetError(f"{name} cannot be computed by PyTorch: {error}") from None
        size = (2, shape.policy_size)
        if POLICY not in found or tuple(found[POLICY].shape) != size:
            raise NetError(f"{name} has no policy of {shape.policy_size} moves, as its encoding needs")

    def _add_constant(self, constant: TensorProto, name: str) -> None:
        kind, key = constant.data_type, constant.name or ""
        if kind not in _TYPES or constant.raw_data is None:
            raise NetError(f"{name} has a constant {key!r} of a type that is not known here: {kind}")
        try:
            array = np.frombuffer(constant.raw_data, _TYPES[DataType(kind)]).reshape(constant.dims)
        except ValueError:
            raise NetError(f"{name} has a constant {key!r} that is not of its shape {constant.dims}") from None
        tensor = torch.from_numpy(array.copy())
        if tensor.is_floating_point():
            self.weights[key] = nn.Parameter(tensor)
        else:
            self._integers[key] = tensor.flatten().tolist()
            self.register_buffer(key, tensor)


@dataclass(frozen=True, slots=True)
class _Step:
    operation: Callable[[Call], Tensor | tuple[Tensor, ...]]
    inputs: list[str]
    outputs: list[str]
    attributes: dict[str, Any]


def _step(node: NodeProto, name: str) -> _Step:
    kind = node.op_type or ""
    if kind not in _OPERATIONS:
        raise NetError(f"{name} has an operation that PyTorch is not told here: {kind}; choose backend = 'onnx'")
    operation, known = _OPERATIONS[kind]
    attributes = {each.name or "": _attribute(each) for each in node.attribute}
    if unknown := set(attributes) - set(known):
        raise NetError(f"{name} has an operation {kind} with settings not known here: {', '.join(sorted(unknown))}")
    return _Step(operation, node.input, node.output, attributes)


def _attribute(attribute: AttributeProto) -> Any:
    match attribute.type:
        case AttributeType.FLOAT:
            return attribute.f
        case AttributeType.INT:
            return _signed(attribute.i or 0)
        case AttributeType.INTS:
            return [_signed(each) for each in attribute.ints]
    return None


def _signed(number: int) -> int:
    """Returns a 64-bit number with its sign, which the protobuf format leaves to the reader."""
    return number - (1 << 64) if number >= 1 << 63 else number


def _convolve(call: Call) -> Tensor:
    value, weights, *biases = call.inputs
    pads: list[int] = call.attributes.get("pads", [0])
    if len(set(pads)) > 1:
        raise ValueError(f"a convolution is padded on all sides alike, not by {pads}")
    return functional.conv2d(value, weights, biases[0] if biases else None, padding=pads[0])


def _dense(call: Call) -> Tensor:
    value, weights, *biases = call.inputs
    matrix = weights if call.attributes.get("transB") else weights.T
    return functional.linear(value, matrix, biases[0] if biases else None)


def _slice(call: Call) -> Tensor:
    found, *_ = call.inputs
    _, starts, ends, axes = call.integers
    for start, end, axis in zip(starts, ends, axes, strict=True):
        found = found.narrow(axis, start, end - start)
    return found


def _split(call: Call) -> tuple[Tensor, ...]:
    axis = call.attributes["axis"]
    if len(call.inputs) > 1:
        return torch.split(call.inputs[0], call.integers[1], dim=axis)
    return call.inputs[0].chunk(call.outputs, dim=axis)


def _layer_norm(call: Call) -> Tensor:
    value, gammas, betas = call.inputs
    return functional.layer_norm(value, value.shape[-1:], gammas, betas, call.attributes["epsilon"])


def _unary(function: Callable[[Tensor], Tensor]) -> Callable[[Call], Tensor]:
    return lambda call: function(call.inputs[0])


_OPERATIONS: dict[str, tuple[Callable[[Call], Tensor | tuple[Tensor, ...]], tuple[str, ...]]] = {
    "Add": (lambda call: call.inputs[0] + call.inputs[1], ()),
    "Concat": (lambda call: torch.cat(call.inputs, dim=call.attributes["axis"]), ("axis",)),
    "Conv": (_convolve, ("kernel_shape", "pads")),
    "Flatten": (_unary(lambda value: value.flatten(1)), ()),
    "Gather": (lambda call: call.inputs[0].index_select(call.attributes["axis"], call.inputs[1]), ("axis",)),
    "Gemm": (_dense, ("transB",)),
    "GlobalAveragePool": (_unary(lambda value: value.mean(dim=(2, 3), keepdim=True)), ()),
    "Identity": (_unary(lambda value: value), ()),
    "LayerNormalization": (_layer_norm, ("axis", "epsilon")),
    "MatMul": (lambda call: call.inputs[0] @ call.inputs[1], ()),
    "Mul": (lambda call: call.inputs[0] * call.inputs[1], ()),
    "ReduceSum": (lambda call: call.inputs[0].sum(dim=call.integers[1], keepdim=True), ("keepdims",)),
    "Relu": (_unary(torch.relu), ()),
    "Reshape": (lambda call: call.inputs[0].reshape(call.integers[1]), ()),
    "Selu": (_unary(functional.selu), ()),
    "Sigmoid": (_unary(torch.sigmoid), ()),
    "Slice": (_slice, ()),
    "Softmax": (lambda call: call.inputs[0].softmax(dim=call.attributes["axis"]), ("axis",)),
    "Softplus": (_unary(functional.softplus), ()),
    "Split": (_split, ("axis",)),
    "Tanh": (_unary(torch.tanh), ()),
    "Transpose": (lambda call: call.inputs[0].permute(call.attributes["perm"]), ("perm",)),
}
"""What each operation does, and the settings that are heeded."""
