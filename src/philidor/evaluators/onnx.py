"""Networks computed by ONNX Runtime on the CPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from philidor.core.errors import NetError
from philidor.encodings.encoding import Batch, Shape
from philidor.nets.onnx.signature import PLANES, POLICY, VALUE, WDL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@final
class OnnxBackend:
    """A session of ONNX Runtime; its threads are its own, so one session serves any number of callers."""

    def __init__(self, model: bytes, shape: Shape, *, threads: int = 1, name: str = "network") -> None:
        """Takes an ONNX file whose inputs and outputs have the names of `nets/onnx/signature.py`. Raises NetError."""
        self._session = _session(model, threads, name)
        self._shape = shape
        self._outputs = [output.name for output in self._session.get_outputs()]
        self._check(name)

    def run(self, batch: Batch, /) -> dict[str, NDArray[np.float32]]:
        """Returns the outputs by name, one row per state."""
        from philidor.encodings.native import expand

        planes = expand(batch, self._shape)
        return dict(zip(self._outputs, self._session.run(None, {PLANES: planes}), strict=True))

    def _check(self, name: str) -> None:
        """Refuses a model that does not fit the encoding."""
        shape = self._shape
        inputs = {each.name: each.shape for each in self._session.get_inputs()}
        if PLANES not in inputs or len(inputs) > 1:
            raise NetError(f"{name} should have one input {PLANES!r}, it has {', '.join(inputs) or 'none'}")
        sizes, wanted = inputs[PLANES][1:], [shape.planes, shape.height, shape.width]
        if len(sizes) != 3 or any(isinstance(a, int) and a != b for a, b in zip(sizes, wanted, strict=True)):
            got, needed = " x ".join(map(str, sizes)), " x ".join(map(str, wanted))
            raise NetError(f"{name} takes {got} planes, the encoding makes {needed}")
        if POLICY not in self._outputs or not {WDL, VALUE} & set(self._outputs):
            raise NetError(f"{name} should have outputs policy and wdl or value, it has {', '.join(self._outputs)}")
        moves = {each.name: each.shape for each in self._session.get_outputs()}[POLICY][-1]
        if isinstance(moves, int) and moves != shape.policy_size:
            raise NetError(f"{name} has {moves} moves, the encoding {shape.policy_size}")


def _session(model: bytes, threads: int, name: str) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime has an error type for each of its codes, all of them plain exceptions
        raise NetError(f"ONNX Runtime cannot load {name}: {error}") from None
