"""What there is to say about a network file, whatever its format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from philidor.nets.dense.files import describe as describe_dense
from philidor.nets.dense.files import load_dense
from philidor.nets.leela.convert import describe as describe_leela
from philidor.nets.leela.files import load_leela
from philidor.nets.loading import NetFormat, net_format
from philidor.nets.network_files import describe as describe_own
from philidor.nets.network_files import load_stored
from philidor.nets.nnue import load_network
from philidor.nets.nnue.facts import describe as describe_nnue
from philidor.nets.onnx.files import describe as describe_onnx

_FACTS: dict[NetFormat, Callable[[Path], dict[str, Any]]] = {
    NetFormat.LEELA: lambda path: describe_leela(load_leela(path)),
    NetFormat.ONNX: lambda path: describe_onnx(path.read_bytes(), repr(str(path))),
    NetFormat.OWN: lambda path: describe_own(load_stored(path)),
    NetFormat.DENSE: lambda path: describe_dense(load_dense(path)),
    NetFormat.NNUE: lambda path: describe_nnue(load_network(path)),
}


def describe_net(path: Path) -> dict[str, Any]:
    """Returns the format of a network file and what that format knows of itself. Raises NetError."""
    kind = net_format(path)
    return {"format": str(kind), **_FACTS[kind](path)}
