"""Networks computed by ONNX Runtime on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, final

from philidor.core.errors import NetError
from philidor.encodings.encoding import Batch, Shape
from philidor.nets.heads import HEADS
from philidor.nets.onnx.signature import PLANES, POLICY, VALUE, WDL, output_sizes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FLOATS = "tensor(float)"


class _Tensor(NamedTuple):
    """What a model says of an input or an output."""

    type: str
    shape: list[Any]


@final
class OnnxBackend:
    """A session of ONNX Runtime; its threads are its own, so one session serves any number of callers."""

    def __init__(self, model: bytes, shape: Shape, *, threads: int = 1, name: str = "network") -> None:
        """Takes an ONNX file whose inputs and outputs have the names of `nets/onnx/signature.py`. Raises NetError."""
        self._session = _session(model, threads, name)
        self._shape = shape
        self._name = name
        self._check_input()
        self._outputs = self._check_outputs()

    def run(self, batch: Batch, /) -> dict[str, NDArray[np.float32]]:
        """Returns the outputs by name, one row per state. Raises NetError if the model cannot be computed."""
        from philidor.encodings.native import expand

        planes = expand(batch, self._shape)
        try:
            found = self._session.run(self._outputs, {PLANES: planes})
        except Exception as error:  # as in `_session`
            raise NetError(f"ONNX Runtime cannot compute {self._name}: {error}") from None
        return dict(zip(self._outputs, found, strict=True))

    def _named(self, ask: Callable[[], list[Any]]) -> dict[str, _Tensor]:
        """Returns the inputs or the outputs by name. Raises NetError."""
        try:
            return {each.name: _Tensor(each.type, each.shape) for each in ask()}
        except UnicodeDecodeError as error:  # names of tensors and sizes, which ONNX Runtime hands on as they are
            raise NetError(f"{self._name} has an input or output whose name is no text: {error.reason}") from None

    def _check_input(self) -> None:
        """Refuses a model whose input does not fit the encoding. Raises NetError."""
        shape, name = self._shape, self._name
        inputs = self._named(self._session.get_inputs)
        if PLANES not in inputs or len(inputs) > 1:
            raise NetError(f"{name} should have one input {PLANES!r}, it has {', '.join(inputs) or 'none'}")
        given = inputs[PLANES]
        if given.type != _FLOATS:
            raise NetError(f"{name}: the input {PLANES!r} should be {_FLOATS}, it is {given.type}")
        batch, *sizes = given.shape or [None]
        wanted = [shape.planes, shape.height, shape.width]
        if len(sizes) != 3 or any(isinstance(a, int) and a != b for a, b in zip(sizes, wanted, strict=True)):
            got, needed = " x ".join(map(str, sizes)), " x ".join(map(str, wanted))
            raise NetError(f"{name} takes {got} planes, the encoding makes {needed}")
        if isinstance(batch, int):
            raise NetError(f"{name}: the input {PLANES!r} takes {batch} states at a time; it must take any number")

    def _check_outputs(self) -> list[str]:
        """Returns the names of the outputs that are asked for. Raises NetError if they do not fit the encoding."""
        name, policy_size = self._name, self._shape.policy_size
        outputs = self._named(self._session.get_outputs)
        if POLICY not in outputs or not {WDL, VALUE} & set(outputs):
            raise NetError(f"{name} should have outputs policy and wdl or value, it has {', '.join(outputs)}")
        for key, size in output_sizes(policy_size).items():
            if key not in outputs:
                continue
            given = outputs[key]
            if given.type != _FLOATS:
                raise NetError(f"{name}: the output {key!r} should be {_FLOATS}, it is {given.type}")
            if given.shape and (len(given.shape) != 2 or (isinstance(given.shape[1], int) and given.shape[1] != size)):
                got = " x ".join(map(str, given.shape))
                raise NetError(f"{name}: the output {key!r} should be n x {size} for the encoding, it is {got}")
        # Other programs' models may answer more than we know what to do with.
        return [key for key in outputs if key in output_sizes(policy_size) or (key in HEADS and HEADS[key].is_extra)]


def _session(model: bytes, threads: int, name: str) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        # Without a second try, which ONNX Runtime would announce on standard output.
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"], enable_fallback=0)
    except Exception as error:  # ONNX Runtime has an error type for each of its codes, all of them plain exceptions
        raise NetError(f"ONNX Runtime cannot load {name}: {error}") from None
