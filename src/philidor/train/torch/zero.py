"""Trains a network on samples of self-play, generation after generation (book, ch. 4.2.2, 4.3 and 5.4).

The loss is the sum of the heads' own. The batches follow from the seed and the step alone, so that a trainer that was
killed and goes on from its last state draws what it would have drawn.
"""

from __future__ import annotations

import io
import math
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch
from torch import Tensor

from philidor.core.errors import RunError
from philidor.core.runs import atomic_file
from philidor.evaluators.torch import to_device, unpack_planes
from philidor.nets.heads import REPLY
from philidor.nets.onnx.signature import MOVES_LEFT, POLICY, VALUE, WDL
from philidor.nets.torch.losses import weighted_sum
from philidor.nets.torch.model import Model, build
from philidor.train.torch.devices import torch_device

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.nets.network_config import NetworkConfig
    from philidor.train.zero_config import ZeroTrainingConfig
    from philidor.train.zero_data import Samples

_WARM_UP_STEPS = 50
_CHECKPOINT_EVERY_S = 60.0
_MEASURED_AT_ONCE = 1024


class Source(Protocol):
    """Where samples come from."""

    def draw(self, count: int, random: np.random.Generator, /) -> Samples:
        """Draws samples."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a generation's training is."""

    generation: int
    """Whose games were added last; the network that comes out is the next one's."""
    steps: int
    learning_rate: float


def use_threads(count: int) -> None:
    """Lets the CPU compute with so many threads; 0 leaves it to torch."""
    if count:
        torch.set_num_threads(count)


class ZeroTrainer:
    """A network that learns: its weights, their running mean, the optimizer, and how far it is."""

    def __init__(self, network: NetworkConfig, config: ZeroTrainingConfig, seed: int = 1) -> None:
        self.config = config
        self.device = torch_device(config.device)
        # The layout that tensor cores want; on a CPU it changes nothing that is worth it.
        layout = torch.channels_last if self.device.type == "cuda" else torch.contiguous_format
        self.model = build(network, seed)
        self.model.to(self.device, memory_format=layout)  # type: ignore[call-overload]
        self.average = deepcopy(self.model).requires_grad_(False) if config.ema else None
        # Found once: two tables of two hundred tensors would take a tenth of a GPU's step.
        self._averaged = None if self.average is None else (_numbers(self.average), _numbers(self.model))
        self.optimizer = make_optimizer(self.model, config)
        self.generation = 0
        """Generations trained to the end."""
        self.steps_done = 0
        """Steps of the generation at hand."""
        self.step = 0
        """Steps in all."""
        self._seed = seed

    @property
    def player(self) -> Model:
        """The network that plays: the running mean, if there is one."""
        return self.model if self.average is None else self.average

    def train(
        self,
        source: Source,
        plan: Plan,
        *,
        checkpoint: Path,
        is_stopped: Callable[[], bool] = lambda: False,
        report: Callable[[int, int], None] = lambda done, total: None,
    ) -> dict[str, float] | None:
        """Trains a generation to its end and returns mean losses by head; None if it was stopped before.

        The state is saved now and then, when stopped and at the end. Raises RunError for a loss that is no number.
        """
        self.model.train()
        means, saved = _Means(), time.monotonic()
        for samples in self._batches(source, plan.steps - self.steps_done):
            if is_stopped():
                self.save(checkpoint)
                return None
            means.add(self.learn(samples, plan.learning_rate))
            self.steps_done += 1
            report(self.steps_done, plan.steps)
            if time.monotonic() - saved > _CHECKPOINT_EVERY_S:
                self.save(checkpoint)
                saved = time.monotonic()
        losses = means.take()
        if not all(map(math.isfinite, losses.values())):
            raise RunError(f"the loss is no number any more after step {self.step}: {losses}; lower the learning rate")
        self.generation, self.steps_done = plan.generation + 1, 0
        self.save(checkpoint)
        return losses

    def _batches(self, source: Source, count: int) -> Iterator[Samples]:
        """Yields the next batches; while a GPU learns from one, a thread draws the next."""

        def drawn(step: int) -> Samples:
            return source.draw(self.config.batch, np.random.default_rng([self._seed, step]))

        steps = range(self.step, self.step + count)
        if self.device.type != "cuda":
            yield from map(drawn, steps)
            return
        with ThreadPoolExecutor(1, "samples") as thread:
            following = thread.submit(drawn, steps[0]) if steps else None
            for step in steps:
                assert following is not None
                samples = following.result()
                following = thread.submit(drawn, step + 1) if step + 1 in steps else None
                yield samples

    def learn(self, samples: Samples, learning_rate: float) -> dict[str, Tensor]:
        """Makes one step; returns the losses by head."""
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate * min(1.0, (self.step + 1) / _WARM_UP_STEPS)
        self.optimizer.zero_grad(set_to_none=True)
        with self._precision():
            losses = head_losses(self.model, samples)
        total = weighted_sum(losses, self.config)
        total.backward()  # type: ignore[no-untyped-call]
        if self.config.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
        self.optimizer.step()
        self.step += 1
        self._move_average()
        return {**{name: loss.detach() for name, loss in losses.items()}, "loss": total.detach()}

    def _precision(self) -> AbstractContextManager[Any]:
        if self.device.type != "cuda":
            return nullcontext()
        return torch.autocast("cuda", dtype=torch.bfloat16)

    @torch.no_grad()
    def _move_average(self) -> None:
        if self._averaged is None:
            return
        # The mean of few steps must not remember the random start.
        keep = min(self.config.ema, (1 + self.step) / (10 + self.step))
        # All at once: a GPU would spend the step on starting a kernel for each.
        mean, now = self._averaged
        torch._foreach_lerp_(mean, now, 1 - keep)

    @torch.no_grad()
    def measure(self, samples: Samples) -> dict[str, float]:
        """Returns how far the playing network is from samples: what games it has not seen yet say of it.

        `policy_kl` is the surprise at the search's choice, `agreement` the share of positions in which both like the
        same move best, `value_error` the mean square of the expected result's error.
        """
        if not len(samples):
            return {}
        self.player.eval()
        sums = np.zeros(3)
        for start in range(0, len(samples), _MEASURED_AT_ONCE):
            part = samples.take(np.arange(start, min(len(samples), start + _MEASURED_AT_ONCE)))
            sums += _distances(self.player, part)
        kl, agreement, error = (sums / len(samples)).tolist()
        return {"policy_kl": kl, "agreement": agreement, "value_error": error}

    # --- State ----------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Writes everything that going on needs; the old state stays until the new one is whole."""
        state = {
            "model": self.model.state_dict(),
            "average": None if self.average is None else self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "generation": self.generation,
            "steps_done": self.steps_done,
            "step": self.step,
        }
        buffer = io.BytesIO()
        torch.save(state, buffer)
        with atomic_file(path) as file:
            file.write(buffer.getbuffer())

    def restore(self, path: Path) -> None:
        """Goes on from a saved state. Raises RunError if it is damaged or of another network."""
        try:
            state = torch.load(path, map_location=self.device, weights_only=True)
            self.model.load_state_dict(state["model"])
            if self.average is not None:
                self.average.load_state_dict(state["average"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.generation, self.steps_done = int(state["generation"]), int(state["steps_done"])
            self.step = int(state["step"])
        except Exception as error:  # torch names a damaged file in many ways
            raise RunError(f"cannot go on from {str(path)!r}: {type(error).__name__} {error}") from None


def _numbers(model: Model) -> list[Tensor]:
    """Returns all weights and norms, in their order; whoever loads others writes into the same tensors."""
    return [tensor for tensor in model.state_dict().values() if tensor.is_floating_point()]


def make_optimizer(model: Model, config: ZeroTrainingConfig) -> torch.optim.Optimizer:
    """Returns the optimizer. L2 is for weights; biases and norms may be as large as they need."""
    weights = [each for each in model.parameters() if each.ndim > 1]
    others = [each for each in model.parameters() if each.ndim <= 1]
    groups = [{"params": weights, "weight_decay": config.l2}, {"params": others, "weight_decay": 0.0}]
    if config.optimizer == "sgd":
        return torch.optim.SGD(groups, lr=config.learning_rate, momentum=config.momentum)
    return torch.optim.AdamW(groups, lr=config.learning_rate)


def head_losses(model: Model, samples: Samples) -> dict[str, Tensor]:
    """Returns the mean loss of each head."""
    device = next(model.parameters()).device
    return model.loss(model(_planes(model, samples, device)), _targets(model, samples, device))


def _planes(model: Model, samples: Samples, device: torch.device) -> Tensor:
    data = torch.from_numpy(samples.batch.planes.astype("<u8", copy=False).view("u1"))
    scalars = torch.from_numpy(samples.batch.scalars)
    return unpack_planes(to_device(data, device), to_device(scalars, device), model.shape, torch.float32)


def _targets(model: Model, samples: Samples, device: torch.device) -> dict[str, Tensor]:
    def moved(array: NDArray[Any]) -> Tensor:
        return to_device(torch.from_numpy(array), device)

    def dense(offsets: NDArray[np.int64], places: NDArray[np.uint16], shares: Tensor) -> Tensor:
        rows = torch.repeat_interleave(moved(offsets).diff(), output_size=len(places))
        found = torch.zeros(len(samples), model.shape.policy_size, dtype=shares.dtype, device=device)
        found[rows, moved(places.astype(np.int64))] = shares
        return found

    batch = samples.batch
    policy = dense(batch.legal_offsets, batch.legal_index, moved(samples.policy))
    is_legal = torch.ones(len(batch.legal_index), dtype=torch.bool, device=device)
    legal = dense(batch.legal_offsets, batch.legal_index, is_legal)
    targets = {POLICY: policy, "legal": legal, WDL: moved(samples.wdl), MOVES_LEFT: moved(samples.moves_left)}
    if samples.reply is not None:
        targets[REPLY] = dense(samples.reply.offsets, samples.reply.places, moved(samples.reply.shares))
    return targets


def _distances(model: Model, samples: Samples) -> np.ndarray[Any, Any]:
    """Returns the sums of divergence, agreement and squared error."""
    device = next(model.parameters()).device
    targets = _targets(model, samples, device)
    outputs = model.predict(_planes(model, samples, device))
    logs = outputs[POLICY].masked_fill(~targets["legal"], float("-inf")).log_softmax(dim=1)
    wanted = targets[POLICY]
    kl = (wanted * (wanted.clamp_min(1e-9).log() - logs.masked_fill(wanted == 0, 0.0))).sum()
    agreement = (logs.argmax(dim=1) == wanted.argmax(dim=1)).sum()
    wdl = outputs.get(WDL)
    value = outputs[VALUE][:, 0] if wdl is None else wdl[:, 0] - wdl[:, 2]
    error = ((value - (targets[WDL][:, 0] - targets[WDL][:, 2])) ** 2).sum()
    return np.array([kl.item(), agreement.item(), error.item()])


class _Means:
    """Adds up losses where they are computed; asking for the means is what waits for the GPU."""

    def __init__(self) -> None:
        self._sums: dict[str, Tensor] = {}
        self._count = 0

    def add(self, losses: Mapping[str, Tensor]) -> None:
        for name, loss in losses.items():
            self._sums[name] = self._sums[name] + loss if name in self._sums else loss
        self._count += 1

    def take(self) -> dict[str, float]:
        return {name: (total / self._count).item() for name, total in self._sums.items()}
