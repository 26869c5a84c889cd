"""Looks into ONNX files without a runtime: what their makers wrote about them."""

from __future__ import annotations

from philidor.core.errors import NetError
from philidor.nets.onnx.messages import ModelProto
from philidor.nets.protobuf import decode


def read_metadata(model: bytes, name: str = "the file") -> dict[str, str]:
    """Returns the remarks of an ONNX file. Raises NetError if it is none."""
    message = decode(ModelProto, model, name=name)
    if message.graph is None:
        raise NetError(f"{name} is no ONNX model: it has no graph")
    return {entry.key or "": entry.value or "" for entry in message.metadata_props}


def describe(model: bytes, name: str = "the file") -> dict[str, object]:
    """Returns what there is to say about an ONNX file in a few words."""
    message = decode(ModelProto, model, name=name)
    graph = message.graph
    if graph is None:
        raise NetError(f"{name} is no ONNX model: it has no graph")
    return {
        "producer": message.producer_name or "unknown",
        "opset": max((each.version or 0 for each in message.opset_import), default=0),
        "operations": len(graph.node),
        "inputs": [each.name for each in graph.input],
        "outputs": [each.name for each in graph.output],
        **{entry.key or "": entry.value for entry in message.metadata_props},
    }
