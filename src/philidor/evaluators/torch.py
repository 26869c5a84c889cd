"""Networks computed by PyTorch, on the CPU or a GPU.

What travels to the device are bits and numbers, less than a kilobyte for a chess position; they become planes there,
and only the logits of legal moves come back. On CUDA the network runs as one recorded graph for each size of batch, in
half precision and with channels last, as tensor cores want it.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast, final

import torch
from torch import Tensor

from philidor.core.errors import ConfigError
from philidor.encodings.encoding import Batch, Shape
from philidor.evaluators.network import Judgments, check_judgments
from philidor.nets.onnx.signature import MOVES_LEFT, POLICY, VALUE, WDL
from philidor.nets.torch.graphs import GraphModel
from philidor.nets.torch.model import Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Precision: TypeAlias = Literal["float32", "float16", "bfloat16"]
Network: TypeAlias = Model | GraphModel
"""Ours, or any that is an ONNX graph."""
Outputs: TypeAlias = dict[str, Tensor]
Compute: TypeAlias = Callable[[Tensor, Tensor], Outputs]
"""Takes the bytes of packed planes [n, packed planes, 8 * words] and the scalars [n, scalar planes]."""
Recorder: TypeAlias = Callable[[Callable[[], None]], Callable[[], None]]
"""Takes a computation on fixed tensors; returns what repeats it."""

_PRECISIONS = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


def default_device() -> torch.device:
    """Returns the GPU, if there is one that works."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def default_precision(device: torch.device) -> Precision:
    """Returns half precision for a GPU and single precision for a CPU."""
    return "float16" if device.type == "cuda" else "float32"


class Pending(NamedTuple):
    """A batch on its way through the network; `result` waits for it."""

    answers: list[Tensor]
    """Legal logits, win, draw and loss, and moves left if the network knows them; on their way to the host."""
    is_done: Any
    """A CUDA event, or None."""

    def result(self) -> Judgments:
        """Waits and returns the judgments. Raises NetError for an answer that is not finite."""
        if self.is_done is not None:
            self.is_done.synchronize()
        logits, wdl, *moves_left = (each.numpy() for each in self.answers)
        found = Judgments(logits, wdl, moves_left[0] if moves_left else None)
        check_judgments(found)
        return found


@final
class TorchBackend:
    """A network ready to judge. It may be asked by several threads at a time; they take turns."""

    def __init__(
        self,
        model: Network,
        device: str | torch.device | None = None,
        precision: Precision | None = None,
        *,
        compile_from: int | None = None,
    ) -> None:
        """Folds and copies the model, which may be trained on. Raises ConfigError for a device that is not here.

        For batches of `compile_from` states or more PyTorch writes kernels of its own: about a minute for each size of
        batch, then nearly twice as fast on a GPU. Without a number it writes none.
        """
        self.device = _device(device)
        self.precision = precision or default_precision(self.device)
        self.shape = model.shape
        self._lock = Lock()
        self._model = model.folded().to(self.device, _PRECISIONS[self.precision])
        # Module.to takes a memory format too, but its types do not say so.
        cast("Any", self._model).to(memory_format=torch.channels_last)
        compute = computation(self._model, _PRECISIONS[self.precision])
        if compile_from is not None:
            compute = compiled_from(compile_from, compute)
        if self.device.type == "cuda":
            compute = Graphs(compute, self.shape, self.device, record_cuda_graph).run
        self.compute = compute
        """The network on tensors that are on the device already; on CUDA its result is good until the next call."""

    def load(self, model: Network) -> None:
        """Takes over the weights of another model of the same shape; recorded graphs stay valid. Raises ConfigError."""
        weights, fresh = dict(self._model.named_parameters()), dict(model.folded().named_parameters())
        if {name: each.shape for name, each in weights.items()} != {name: each.shape for name, each in fresh.items()}:
            raise ConfigError("these weights are of another network: they have other names or shapes")
        with self._lock, torch.no_grad():
            for name, each in weights.items():
                each.copy_(fresh[name])

    def submit(self, batch: Batch) -> Pending:
        """Starts to judge a batch; on a GPU the caller can do something else until it asks for the result."""
        with self._lock, torch.inference_mode():
            outputs = self._outputs(batch)
            answers = [self._legal_logits(outputs[POLICY], batch), _wdl(outputs)]
            if MOVES_LEFT in outputs:
                answers.append(outputs[MOVES_LEFT][:, 0])
            if self.device.type != "cuda":
                return Pending(answers, None)
            hosted = [torch.empty(each.shape, dtype=each.dtype, pin_memory=True) for each in answers]
            for there, here in zip(answers, hosted, strict=True):
                here.copy_(there, non_blocking=True)
            done = cast("Any", torch.cuda).Event()
            done.record()
            return Pending(hosted, done)

    def judge(self, batch: Batch) -> Judgments:
        """Judges a batch: only what a search needs comes back. Raises NetError for an answer that is not finite."""
        return self.submit(batch).result()

    def run(self, batch: Batch, /) -> dict[str, NDArray[np.float32]]:
        """Returns all outputs by name, one row per state."""
        with self._lock, torch.inference_mode():
            return {name: output.cpu().numpy() for name, output in self._outputs(batch).items()}

    def _outputs(self, batch: Batch) -> Outputs:
        """Computes the network on the device. On CUDA the result is good until the next call."""
        data = batch.planes.astype("<u8", copy=False).view("u1")
        scalars = torch.from_numpy(batch.scalars)
        return self.compute(to_device(torch.from_numpy(data), self.device), to_device(scalars, self.device))

    def _legal_logits(self, logits: Tensor, batch: Batch) -> Tensor:  # [legal moves of all states]
        """Picks the legal moves on the device."""
        index = torch.from_numpy(batch.legal_index.astype("i4"))
        starts = torch.from_numpy(batch.legal_offsets)
        rows = torch.repeat_interleave(to_device(starts.diff(), self.device), output_size=len(index))
        return logits.flatten()[rows * logits.shape[1] + to_device(index, self.device)]


def to_device(tensor: Tensor, device: torch.device) -> Tensor:
    """Copies from the host without waiting for what the device is doing: pinned memory is kept until it is done."""
    if device.type != "cuda":
        return tensor
    return tensor.pin_memory().to(device, non_blocking=True)


def unpack_planes(data: Tensor, scalars: Tensor, shape: Shape, precision: torch.dtype) -> Tensor:
    """Makes a network's input [n, planes, h, w] of packed planes as bytes [n, packed planes, 8 * words] and scalars."""
    count, squares = len(data), shape.height * shape.width
    places = torch.arange(8, dtype=torch.uint8, device=data.device)
    bits = (data[..., None] >> places & 1).reshape(count, shape.packed_planes, 64 * shape.words)[..., :squares]
    constant = scalars.to(precision)[..., None].expand(count, shape.scalar_planes, squares)
    planes = torch.cat([bits.to(precision), constant], dim=1)  # [n, planes, squares]
    return planes.view(count, shape.planes, shape.height, shape.width)


def computation(model: Network, precision: torch.dtype) -> Compute:
    """Returns the whole way on the device: bits become planes, planes become outputs."""
    shape = model.shape

    def compute(data: Tensor, scalars: Tensor) -> Outputs:
        planes = unpack_planes(data, scalars, shape, precision)
        return model.predict(planes.contiguous(memory_format=torch.channels_last))

    return compute


def compiled_from(size: int, compute: Compute) -> Compute:
    """Returns a computation that is compiled for batches of this size and larger ones.

    Smaller ones come at the end of a run, a few of each size: a program for each would take longer than they do.
    """
    # Each size of batch is a program of its own; by default the ninth would not be compiled any more.
    torch._dynamo.config.recompile_limit = max(torch._dynamo.config.recompile_limit, 64)
    compiled: Compute = torch.compile(compute, dynamic=False)

    def either(data: Tensor, scalars: Tensor) -> Outputs:
        return (compiled if len(data) >= size else compute)(data, scalars)

    return either


@final
class Graphs:
    """Recorded computations, one for each size of batch: a graph has fixed tensors, so smaller batches are padded."""

    def __init__(self, compute: Compute, shape: Shape, device: torch.device, record: Recorder) -> None:
        self._compute = compute
        self._shape = shape
        self._device = device
        self._record = record
        self._recorded: dict[int, tuple[Tensor, Tensor, Outputs, Callable[[], None]]] = {}

    def run(self, data: Tensor, scalars: Tensor) -> Outputs:
        """Returns the outputs of the rows that were asked for; the next call overwrites them."""
        count = len(data)
        size = padded_size(count)
        if size not in self._recorded:
            self._recorded[size] = self._make(size)
        fixed_data, fixed_scalars, outputs, replay = self._recorded[size]
        fixed_data[:count].copy_(data)
        fixed_scalars[:count].copy_(scalars)
        replay()
        return {name: output[:count] for name, output in outputs.items()}

    def _make(self, size: int) -> tuple[Tensor, Tensor, Outputs, Callable[[], None]]:
        shape = self._shape
        data = torch.zeros(size, shape.packed_planes, 8 * shape.words, dtype=torch.uint8, device=self._device)
        scalars = torch.zeros(size, shape.scalar_planes, device=self._device)
        outputs: Outputs = {}
        replay = self._record(lambda: outputs.update(self._compute(data, scalars)))
        return data, scalars, outputs, replay


def padded_size(count: int) -> int:
    """Returns the size of graph for a batch: powers of two and one size between each, so that few are recorded."""
    power = 1 << max(count - 1, 0).bit_length()
    between = power // 4 * 3
    return between if count <= between else power


def record_cuda_graph(compute: Callable[[], None]) -> Callable[[], None]:
    """Records a computation on fixed tensors as a CUDA graph; returns what replays it."""
    # The first runs choose algorithms and allocate workspaces, which must not happen inside a recording.
    side = cast("Any", torch.cuda).Stream()
    side.wait_stream(torch.cuda.current_stream())
    # Sizes are fixed here, so cuDNN may try all its algorithms and keep the fastest.
    with torch.backends.cudnn.flags(enabled=True, benchmark=True):
        with torch.cuda.stream(side):
            for _ in range(3):
                compute()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        # Other threads may use the device meanwhile.
        with torch.cuda.graph(graph, capture_error_mode="thread_local"):
            compute()
    return graph.replay


def _device(device: str | torch.device | None) -> torch.device:
    if device is None:
        return default_device()
    try:
        wanted = torch.device(device)
    except RuntimeError:
        raise ConfigError(f"no device {str(device)!r}; known: cpu, cuda") from None
    if wanted.type not in ("cpu", "cuda") or (wanted.type == "cuda" and not torch.cuda.is_available()):
        raise ConfigError(f"the device {str(device)!r} is not here")
    if wanted.index not in (None, 0):
        raise ConfigError(
            f"the first GPU is used, not {str(device)!r}; CUDA_VISIBLE_DEVICES makes another one the first"
        )
    return wanted


def _wdl(outputs: Outputs) -> Tensor:
    """Returns win, draw and loss [n, 3]; a network that knows only a number knows no draws."""
    if WDL in outputs:
        return outputs[WDL]
    value = outputs[VALUE]
    return torch.cat([(1 + value) / 2, torch.zeros_like(value), (1 - value) / 2], dim=1)
