"""One step of training for every network with heads: forward, loss, backward, clip, optimizer and running mean.

On CUDA the whole of it is one recorded graph: a 10x128 tower asks for some 700 kernels a step, and starting them one by
one takes longer than computing them. What changes from step to step (the batch, the learning rate, the running mean's
share) lies in tensors of the device, so that the recording stays good; nothing in a step waits for the device. A CPU
runs the same code as it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast, final

import torch
from torch import Tensor

from philidor.nets.torch.losses import weighted_sum
from philidor.train.torch.devices import precision
from philidor.train.torch.inputs import Inputs, unpack

if TYPE_CHECKING:
    from philidor.nets.torch.model import Model
    from philidor.train.training_batch import TrainingBatch

WARM_UP_STEPS = 50
"""The learning rate rises over the first steps."""
TOTAL = "loss"
"""The name of the weighted sum among the losses."""
# The first runs choose algorithms, allocate the optimizer's moments and compile, which a recording must not contain.
_RUNS_BEFORE_RECORDING = 3


class StepSettings(Protocol):
    """What a step wants to know; a training's config has it. `PART_weight` settings weigh the heads' losses."""

    @property
    def optimizer(self) -> Literal["adamw", "sgd"]:
        """The rule."""

    @property
    def momentum(self) -> float:
        """Of gradient descent."""

    @property
    def l2(self) -> float:
        """Weight decay."""

    @property
    def clip(self) -> float:
        """Longest gradient; 0 for any."""

    @property
    def ema(self) -> float:
        """Share of the old in the running mean of the weights; 0 for no such mean."""


@final
class Learner:
    """A network that learns: its weights, their running mean, the optimizer, and how many steps were made."""

    def __init__(
        self,
        model: Model,
        settings: StepSettings,
        *,
        is_compiled: bool = False,
        is_recorded: bool = True,
        in_half: bool = False,
    ) -> None:
        """Trains the model where it is. On CUDA the step is recorded unless told otherwise, and compiled if wanted.

        `in_half` lets a CPU that can compute in 16 bits, as a GPU does.
        """
        self.model, self.settings = model, settings
        self.device = next(model.parameters()).device
        self.average = deepcopy(model).requires_grad_(False) if settings.ema else None
        """The running mean of the weights, batch norm's statistics included."""
        self.step = 0
        """Steps in all."""
        self._learning_rate = torch.zeros((), device=self.device)
        self._share = torch.zeros((), device=self.device)
        self.optimizer = make_optimizer(model, settings, self._learning_rate)
        # Found once: two tables of two hundred tensors would take a tenth of a GPU's step.
        self._averaged = None if self.average is None else (_numbers(self.average), _numbers(model))
        self._names = [*model.heads, TOTAL]
        self._last, self._sums = (torch.zeros(len(self._names), device=self.device) for _ in range(2))
        self._count = 0
        self._in_half = in_half
        self._is_recorded = is_recorded and self.device.type == "cuda"
        is_compiled = is_compiled and self.device.type == "cuda" and can_compile(model)
        self._forward = torch.compile(self._losses, dynamic=False) if is_compiled else self._losses
        self._sizes: dict[int, tuple[Inputs, Callable[[], None]]] = {}

    @property
    def player(self) -> Model:
        """The network that plays: the running mean, if there is one."""
        return self.model if self.average is None else self.average

    def learn(self, batch: TrainingBatch, learning_rate: float) -> dict[str, Tensor]:
        """Makes one step; returns the losses by head and their weighted sum. Raises ConfigError for a missing target.

        The rate rises to `learning_rate` over the first steps. Reading a loss is what waits for a GPU.
        """
        inputs, run = self._for_size(len(batch))
        inputs.fill(batch)
        self._set_learning_rate(learning_rate * min(1.0, (self.step + 1) / WARM_UP_STEPS))
        self.step += 1
        # The mean of few steps must not remember the random start.
        self._share.fill_(1 - min(self.settings.ema, (1 + self.step) / (10 + self.step)))
        if not self.model.training:
            self.model.train()
        run()
        self._count += 1
        return dict(zip(self._names, self._last.clone(), strict=True))

    def take_means(self) -> dict[str, float]:
        """Returns the mean losses since the last call; empty if there was no step."""
        found = (self._sums / max(self._count, 1)).tolist()
        is_empty = not self._count
        self._sums.zero_()
        self._count = 0
        return {} if is_empty else dict(zip(self._names, found, strict=True))

    # --- The step -------------------------------------------------------------------------------------------

    def _for_size(self, count: int) -> tuple[Inputs, Callable[[], None]]:
        if count not in self._sizes:
            inputs = Inputs(self.model.shape, count, self.model.heads, self.device)

            def run() -> None:
                self._run(inputs)

            self._sizes[count] = inputs, _Recording(run) if self._is_recorded else run
        return self._sizes[count]

    def _run(self, inputs: Inputs) -> None:
        """Makes the step on what lies ready. It is recorded: no number of the host's may change in here."""
        self.optimizer.zero_grad(set_to_none=True)
        total, found = self._forward(inputs.data, inputs.scalars, inputs.targets)
        total.backward()  # type: ignore[no-untyped-call]
        if self.settings.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        self.optimizer.step()
        self._move_average()
        self._last.copy_(found.detach())
        self._sums.add_(self._last)

    def _losses(self, data: Tensor, scalars: Tensor, targets: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Returns the weighted sum and all losses in the order of `_names`."""
        planes = unpack(data, scalars, self.model.shape)
        with precision(self.device, self._in_half):
            outputs = self.model(planes)
        found = self.model.loss(outputs, targets)
        total = weighted_sum(found, self.settings)
        return total, torch.stack([*found.values(), total])

    @torch.no_grad()
    def _move_average(self) -> None:
        if self._averaged is None:
            return
        # All at once: a GPU would spend the step on starting a kernel for each. Lerp would not take a tensor as share.
        mean, now = self._averaged
        way = torch._foreach_sub(now, mean)
        torch._foreach_mul_(way, self._share)
        torch._foreach_add_(mean, way)

    def _set_learning_rate(self, learning_rate: float) -> None:
        if self.device.type == "cuda":
            self._learning_rate.fill_(learning_rate)
            return
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate

    # --- State ----------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Returns what going on needs."""
        return {
            "model": self.model.state_dict(),
            "average": None if self.average is None else self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from a state, which may come from another device. Raises what torch raises if it does not fit."""
        self.model.load_state_dict(state["model"])
        if self.average is not None:
            self.average.load_state_dict(state["average"])
        self.step = int(state["step"])
        # The moments lie elsewhere afterwards.
        self._sizes.clear()
        if state["optimizer"] is not None:  # a packed state may have left the moments behind
            self._restore_optimizer(state["optimizer"])

    def _restore_optimizer(self, saved: dict[str, Any]) -> None:
        groups = self.optimizer.param_groups
        # Settings are ours, whatever they were when the state was written: fused kernels are a matter of the device.
        own = [{key: value for key, value in group.items() if key != "params"} for group in groups]
        merged = [{**group, **ours} for group, ours in zip(saved["param_groups"], own, strict=True)]
        self.optimizer.load_state_dict({**saved, "param_groups": merged})
        for group, ours in zip(self.optimizer.param_groups, own, strict=True):
            group["lr"] = ours["lr"]  # torch makes a copy, and the recorded step reads this very tensor


def can_compile(model: Model) -> bool:
    """Says whether PyTorch may compile the step of a network.

    Not one with heads that are pooled over the board: on an H200 with PyTorch 2.11 the first compiled step made all its
    weights no numbers, where the same step as it is written learned.
    """
    return model.config.heads != "pooled"


def make_optimizer(model: Model, settings: StepSettings, learning_rate: Tensor) -> torch.optim.Optimizer:
    """Returns the optimizer. L2 is for weights; biases and norms may be as large as they need.

    On CUDA the learning rate is a tensor of the device, and the kernels are fused ones that can be recorded.
    """
    weights = [each for each in model.parameters() if each.ndim > 1]
    others = [each for each in model.parameters() if each.ndim <= 1]
    groups = [{"params": weights, "weight_decay": settings.l2}, {"params": others, "weight_decay": 0.0}]
    is_cuda = learning_rate.is_cuda
    rate: Any = learning_rate if is_cuda else 0.0
    if settings.optimizer == "sgd":
        return torch.optim.SGD(groups, lr=rate, momentum=settings.momentum, fused=is_cuda or None)
    return torch.optim.AdamW(groups, lr=rate, fused=is_cuda or None, capturable=is_cuda)


def _numbers(model: Model) -> list[Tensor]:
    """Returns all weights and norms, in their order; whoever loads others writes into the same tensors."""
    return [tensor for tensor in model.state_dict().values() if tensor.is_floating_point()]


class _Recording:
    """A computation on fixed tensors: run as it is for some times, then recorded as a CUDA graph and repeated."""

    def __init__(self, compute: Callable[[], None]) -> None:
        self._compute = compute
        self._runs = 0
        self._graph: Any = None

    def __call__(self) -> None:
        if self._graph is None:
            # Sizes are fixed here, so cuDNN may try all its algorithms and keep the fastest.
            with torch.backends.cudnn.flags(enabled=True, benchmark=True):
                if self._runs < _RUNS_BEFORE_RECORDING:
                    self._run_aside()
                    return
                graph = torch.cuda.CUDAGraph()
                # Other threads may use the device meanwhile.
                with torch.cuda.graph(graph, capture_error_mode="thread_local"):
                    self._compute()
                self._graph = graph
        self._graph.replay()

    def _run_aside(self) -> None:
        """Runs on a stream of its own, as everything must that will be recorded."""
        here, side = torch.cuda.current_stream(), cast("Any", torch.cuda).Stream()
        side.wait_stream(here)
        with torch.cuda.stream(side):
            self._compute()
        here.wait_stream(side)
        self._runs += 1
