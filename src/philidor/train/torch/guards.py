"""What is worth knowing before days of training: can this network learn these games at all?

Each of them has cost somebody weeks (docs/zero.md): a first policy that is all but certain, targets that nothing can
learn, a value with the wrong sign. They are asked once, of the untrained network and the first games.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from philidor.core.errors import RunError
from philidor.evaluators.torch import TorchBackend
from philidor.nets.torch.losses import weighted_sum
from philidor.train.torch.zero import head_losses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.evaluators.network import Judgments
    from philidor.nets.torch.model import Model
    from philidor.train.zero_config import ZeroTrainingConfig
    from philidor.train.zero_data import Samples

LEAST_ENTROPY = 0.6
"""Of an untrained policy, as a share of the entropy of equal chances."""
LARGEST_SPREAD = 1.0
"""Standard deviation of the logits of a position's legal moves; a Kaiming start of the last layer had 8 to 12."""
LARGEST_DIVERGENCE = 0.1
"""From the target policy, of a network that was trained on one small batch and nothing else."""
LEAST_SIGN_AGREEMENT = 0.95
"""Share of that batch's decided positions whose value has the right sign then."""
_BATCH = 32
_STEPS = 600
_STEPS_BETWEEN_CHECKS = 20
_LEARNING_RATE = 1e-3


@dataclass(frozen=True, slots=True)
class Guard:
    """One check and its result."""

    name: str
    value: float
    limit: float
    is_least: bool
    """Whether the limit is the least value that is good, or the largest."""
    advice: str

    @property
    def is_passed(self) -> bool:
        """Whether all is well; a NaN never is."""
        return self.value >= self.limit if self.is_least else self.value <= self.limit

    def __str__(self) -> str:
        return f"{self.name} {self.value:.3f} ({'at least' if self.is_least else 'at most'} {self.limit:g})"


def check_start(model: Model, samples: Samples, config: ZeroTrainingConfig) -> list[Guard]:
    """Asks all guards about an untrained network and its first samples. Raises RunError for one that fails."""
    guards = [*_opinions(model, samples), *_learning(model, samples, config)]
    for guard in guards:
        if not guard.is_passed:
            raise RunError(f"not fit to be trained: {guard}; {guard.advice} (guards = false goes on all the same)")
    return guards


def _opinions(model: Model, samples: Samples) -> list[Guard]:
    """An untrained policy should be nearly uniform, or the first searches only see what it likes by chance."""
    few = samples.take(np.arange(min(len(samples), 512)))
    logits = _judge(model, few).legal_logits.astype(np.float64)
    shares, spreads = [], []
    for row in range(len(few)):
        own = logits[few.batch.legal_offsets[row] : few.batch.legal_offsets[row + 1]]
        if len(own) > 1:
            chances = np.exp(own - own.max())
            chances /= chances.sum()
            shares.append(-(chances * np.log(np.maximum(chances, 1e-30))).sum() / np.log(len(own)))
            spreads.append(own.std())
    advice = "begin the policy head with smaller weights"
    return [
        Guard("policy entropy", float(np.mean(shares or [1.0])), LEAST_ENTROPY, True, advice),
        Guard("logit spread", float(np.mean(spreads or [0.0])), LARGEST_SPREAD, False, advice),
    ]


def _learning(model: Model, samples: Samples, config: ZeroTrainingConfig) -> list[Guard]:
    """A network with nothing else to do must be able to know a few positions by heart."""
    batch = samples.take(_different_rows(samples))
    student = deepcopy(model).requires_grad_(True).train()
    optimizer = torch.optim.Adam(student.parameters(), lr=_LEARNING_RATE)
    guards: list[Guard] = []
    for step in range(1, _STEPS + 1):
        optimizer.zero_grad(set_to_none=True)
        weighted_sum(head_losses(student, batch), config).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        if step % _STEPS_BETWEEN_CHECKS == 0:
            guards = _knowledge(student, batch)
            if all(guard.is_passed for guard in guards):
                break
    return guards


def _knowledge(student: Model, batch: Samples) -> list[Guard]:
    """Compares a network with a batch, asked the way a search asks: what is turned around on the way shows here."""
    judged = _judge(student, batch)
    divergence = _divergence(judged.legal_logits, batch)
    wanted = batch.wdl[:, 0] - batch.wdl[:, 2]
    decided = np.abs(wanted) > 0.5
    signs = np.sign(judged.wdl[:, 0] - judged.wdl[:, 2]) == np.sign(wanted)
    agreement = float(signs[decided].mean()) if decided.any() else 1.0
    overfit = "the network cannot learn one batch by heart: look at its size, encoding and targets"
    sign = "values and results have different signs somewhere: look at the game's outcome and to_move"
    return [
        Guard("divergence after one batch", divergence, LARGEST_DIVERGENCE, False, overfit),
        Guard("value signs after one batch", agreement, LEAST_SIGN_AGREEMENT, True, sign),
    ]


def _judge(model: Model, samples: Samples) -> Judgments:
    """Judges positions where the model is, as exactly as it can."""
    return TorchBackend(model, next(model.parameters()).device, "float32").judge(samples.batch)


def _different_rows(samples: Samples) -> NDArray[np.int64]:
    """Returns rows with different inputs: one input with two targets cannot be learned by heart."""
    inputs = np.concatenate(
        [
            samples.batch.planes.reshape(len(samples), -1).view(np.uint8),
            np.ascontiguousarray(samples.batch.scalars).view(np.uint8),
        ],
        axis=1,
    )
    _, first = np.unique(inputs, axis=0, return_index=True)
    chosen = np.random.default_rng(1).permutation(first)[:_BATCH]
    return chosen.astype(np.int64)


def _divergence(logits: NDArray[np.float32], batch: Samples) -> float:
    offsets = batch.batch.legal_offsets
    total = 0.0
    for row in range(len(batch)):
        own = logits[offsets[row] : offsets[row + 1]].astype(np.float64)
        logs = own - own.max() - np.log(np.exp(own - own.max()).sum())
        wanted = batch.policy[offsets[row] : offsets[row + 1]].astype(np.float64)
        some = wanted > 0
        total += float((wanted[some] * (np.log(wanted[some]) - logs[some])).sum())
    return total / len(batch)
