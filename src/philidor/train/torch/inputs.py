"""Training batches on their way to the device: packed on the host, made into planes and targets there.

A chess position travels as about a kilobyte of bits and its legal moves as four bytes each. On CUDA they lie in pinned
memory that is allocated once, and a stream of their own copies them while the device computes the step before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast, final

import numpy as np
import torch
from torch import Tensor

from philidor.evaluators.torch import unpack_planes
from philidor.nets.heads import HEADS
from philidor.nets.torch.losses import Targets, check_targets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.encodings.encoding import Shape
    from philidor.train.training_batch import TrainingBatch

LEGAL, WEIGHT, VALUE_WEIGHT = "legal", "weight", "value_weight"
_DATA, _SCALARS, _PLACES = "data", "scalars", ".places"
_ALIGNMENT = 64
_ROOM_TO_GROW = 1.25
_TYPES = {"uint8": torch.uint8, "int32": torch.int32, "float32": torch.float32}


@final
class Inputs:
    """Tensors of one size of batch that stay where they are, so that a recorded step finds them again."""

    def __init__(self, shape: Shape, count: int, heads: Iterable[str], device: torch.device) -> None:
        self._shape, self._count, self._heads = shape, count, list(heads)
        self._device = device
        self._staging = Staging(device)
        self.data = torch.zeros(count, shape.packed_planes, 8 * shape.words, dtype=torch.uint8, device=device)
        self.scalars = torch.zeros(count, shape.scalar_planes, device=device)
        self.targets: dict[str, Tensor] = {
            LEGAL: torch.zeros(count, shape.policy_size, dtype=torch.bool, device=device),
            WEIGHT: torch.ones(count, device=device),
            VALUE_WEIGHT: torch.ones(count, device=device),
        }
        """What the heads learn from, dense; filled by the first batch."""

    def fill(self, batch: TrainingBatch) -> None:
        """Takes over a batch, which must have the size of these tensors. Raises ConfigError for a missing target."""
        assert len(batch) == self._count, f"made for {self._count} positions, got {len(batch)}"
        check_targets(self._heads, [*batch.shares, *batch.numbers])
        wanted = {HEADS[head].target for head in self._heads}
        arrays = self._arrays(batch, wanted)
        sent = self._staging.send(arrays)
        self.data.copy_(sent[_DATA].view(self.data.shape))
        self.scalars.copy_(sent[_SCALARS])
        legal = self.targets[LEGAL].zero_().view(-1)
        legal.index_fill_(0, sent[LEGAL + _PLACES].long(), True)
        for name in wanted & set(batch.shares):
            dense = self._target(name, (self._count, self._shape.policy_size)).zero_().view(-1)
            dense.index_copy_(0, sent[name + _PLACES].long(), sent[name])
        for name in wanted & set(batch.numbers):
            self._target(name, batch.numbers[name].shape).copy_(sent[name])
        for name in (WEIGHT, VALUE_WEIGHT):
            self.targets[name].copy_(sent[name]) if name in sent else self.targets[name].fill_(1.0)

    def _arrays(self, batch: TrainingBatch, wanted: set[str]) -> dict[str, NDArray[Any]]:
        """Returns what travels."""
        known = batch.batch
        legal = self._flat(known.legal_offsets, known.legal_index)
        arrays: dict[str, NDArray[Any]] = {
            _DATA: known.planes.astype("<u8", copy=False).view("u1"),
            _SCALARS: _single(known.scalars),
            LEGAL + _PLACES: legal,
        }
        for name in wanted & set(batch.shares):
            shares = batch.shares[name]
            is_legal = shares.places is known.legal_index
            arrays[name + _PLACES] = legal if is_legal else self._flat(shares.offsets, shares.places)
            arrays[name] = _single(shares.shares)
        arrays |= {name: _single(batch.numbers[name]) for name in wanted & set(batch.numbers)}
        weights = {WEIGHT: batch.weight, VALUE_WEIGHT: batch.value_weight}
        return arrays | {name: _single(weight) for name, weight in weights.items() if weight is not None}

    def _flat(self, offsets: NDArray[np.int64], places: NDArray[np.uint16]) -> NDArray[np.int32]:
        """Returns each move's place in the flat matrix [n * policy size]."""
        starts = np.arange(self._count, dtype=np.int32) * np.int32(self._shape.policy_size)
        return np.repeat(starts, np.diff(offsets)) + places.astype(np.int32)

    def _target(self, name: str, shape: tuple[int, ...]) -> Tensor:
        if name not in self.targets:
            self.targets[name] = torch.zeros(shape, device=self._device)
        return self.targets[name]

    def planes(self) -> Tensor:
        """Returns the network's input [n, planes, h, w]."""
        return unpack(self.data, self.scalars, self._shape)


def _single(array: NDArray[Any]) -> NDArray[np.float32]:
    return array.astype(np.float32, copy=False)


def unpack(data: Tensor, scalars: Tensor, shape: Shape) -> Tensor:
    """Makes planes in the layout that tensor cores want; on a CPU it changes nothing that is worth it."""
    planes = unpack_planes(data, scalars, shape, torch.float32)
    return planes.contiguous(memory_format=torch.channels_last) if data.is_cuda else planes


def inputs_of(shape: Shape, batch: TrainingBatch, heads: Iterable[str], device: torch.device) -> tuple[Tensor, Targets]:
    """Returns the planes and targets of a single batch."""
    inputs = Inputs(shape, len(batch), heads, device)
    inputs.fill(batch)
    return inputs.planes(), inputs.targets


@final
class Staging:
    """Copies arrays to the device. While one batch is used, the next is on its way."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._stream: Any = cast("Any", torch.cuda).Stream(device) if device.type == "cuda" else None
        self._slots: list[_Slot] = [_Slot(), _Slot()] if device.type == "cuda" else []

    def send(self, arrays: Mapping[str, NDArray[Any]]) -> dict[str, Tensor]:
        """Returns the arrays as tensors of the device, good for what is asked of it before the next call."""
        if self._stream is None:
            return {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in arrays.items()}
        used, slot = self._slots
        self._slots = [slot, used]
        # All that reads the last batch has been asked for by now.
        used.is_used.record()
        ends = np.cumsum([0, *(-(-array.nbytes // _ALIGNMENT) * _ALIGNMENT for array in arrays.values())]).tolist()
        if slot.reserve(ends[-1], self._device):
            # What lay there before may still be in use by the stream that computes.
            self._stream.wait_stream(torch.cuda.current_stream())
        host = slot.host.numpy()
        places = dict(zip(arrays, ends, strict=False))
        for name, array in arrays.items():
            flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
            host[places[name] : places[name] + array.nbytes] = flat
        with torch.cuda.stream(self._stream):
            self._stream.wait_event(slot.is_used)
            slot.there[: ends[-1]].copy_(slot.host[: ends[-1]], non_blocking=True)
            slot.is_there.record()
        torch.cuda.current_stream().wait_event(slot.is_there)
        return {name: slot.view(places[name], array) for name, array in arrays.items()}


class _Slot:
    """Pinned memory and its image on the device."""

    def __init__(self) -> None:
        self.host, self.there = torch.empty(0, dtype=torch.uint8), torch.empty(0, dtype=torch.uint8)
        self.is_used: Any = cast("Any", torch.cuda).Event()
        self.is_there: Any = cast("Any", torch.cuda).Event()

    def reserve(self, size: int, device: torch.device) -> bool:
        """Waits until the last copy is done, and sees to it that there is room; says whether it is new."""
        self.is_there.synchronize()
        if len(self.host) >= size:
            return False
        # A multiple of the largest number that lies there, so that any view of it is allowed.
        room = -(-int(size * _ROOM_TO_GROW) // _ALIGNMENT) * _ALIGNMENT
        self.host = torch.empty(room, dtype=torch.uint8, pin_memory=True)
        self.there = torch.empty(room, dtype=torch.uint8, device=device)
        return True

    def view(self, start: int, array: NDArray[Any]) -> Tensor:
        """Returns an array's image."""
        flat = self.there[start : start + array.nbytes].view(_TYPES[array.dtype.name])
        return flat.view(array.shape)
