"""What zero training is asked for: how a network learns from games it played itself (book, ch. 4.2.2, 4.3 and 5.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from philidor.core.config import real, spin, validate
from philidor.core.errors import ConfigError
from philidor.nets.heads import HEADS, REPLY
from philidor.nets.onnx.signature import MOVES_LEFT, WDL


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowConfig:
    """Which of all positions played so far are learned from: the newest ones, more of them as more are known.

    As in KataGo: of n positions the newest `start` * (1 + `growth` * ((n / `start`) ** `power` - 1) / `power`).
    """

    start: int = field(default=20_000, metadata=spin(None, 1))
    """Positions up to which all are used."""
    growth: float = field(default=0.4, metadata=real(None, 0.0, 1.0))
    """Share of further positions by which the window grows; the rest pushes old positions out."""
    power: float = field(default=0.75, metadata=real(None, 0.01, 1.0))
    """Exponent of the window's growth; below 1 the growth slows down."""
    limit: int = field(default=1_000_000_000, metadata=spin(None, 1))
    """Largest number of positions in the window."""

    def __post_init__(self) -> None:
        validate(self)

    def size(self, positions: int) -> int:
        """Returns how many of the newest positions are in the window when there are so many in all."""
        if positions <= self.start:
            return min(positions, self.limit)
        factor: float = 1 + self.growth * ((positions / self.start) ** self.power - 1) / self.power
        return min(positions, self.limit, round(self.start * factor))


@dataclass(frozen=True, slots=True, kw_only=True)
class ZeroTrainingConfig:
    """How the network is trained."""

    optimizer: Literal["adamw", "sgd"] = "adamw"
    """Optimizer: AdamW, or gradient descent with momentum as in AlphaZero."""
    learning_rate: float = field(default=2e-3, metadata=real(None, 0.0, 10.0))
    """Learning rate of the first generation, after a short warm-up."""
    final_learning_rate: float = field(default=2e-4, metadata=real(None, 0.0, 10.0))
    """Learning rate of the last generation; it falls from the first like a cosine."""
    momentum: float = field(default=0.9, metadata=real(None, 0.0, 0.9999))
    """Momentum of gradient descent."""
    l2: float = field(default=1e-4, metadata=real(None, 0.0, 1.0))
    """Weight of the squared weights in the loss (decoupled, as weight decay, in AdamW)."""
    clip: float = field(default=1.0, metadata=real(None, 0.0))
    """Longest gradient; longer ones are shortened. 0 for no limit."""
    batch: int = field(default=256, metadata=spin(None, 1, 1_000_000))
    """Positions per step."""
    replay_ratio: float = field(default=4.0, metadata=real(None, 0.01, 100_000.0))
    """Average number of times that a new position is learned from before it leaves the window."""
    ema: float = field(default=0.0, metadata=real(None, 0.0, 0.99999))
    """Share of the old weights in their running average, which then plays; 0 plays with the weights themselves."""
    value_weight: float = field(default=HEADS[WDL].weight, metadata=real(None, 0.0, 1000.0))
    """Weight of the value's loss against the policy's."""
    moves_left_weight: float = field(default=HEADS[MOVES_LEFT].weight, metadata=real(None, 0.0, 1000.0))
    """Weight of the moves-left loss against the policy's, in networks that have that output."""
    reply_weight: float = field(default=HEADS[REPLY].weight, metadata=real(None, 0.0, 1000.0))
    """Weight of the loss of the opponent's reply against the policy's, in networks that have that output."""
    capped_value_weight: float = field(default=1.0, metadata=real(None, 0.0, 1.0))
    """Weight of the value's loss in games that were cut off, and so count as draws; the moves count in full."""
    root_value_share: float = field(default=0.0, metadata=real(None, 0.0, 1.0))
    """Share of the search's own expectation in the value's target; the rest is the result of the game."""
    root_value_trace: float = field(default=0.0, metadata=real(None, 0.0, 1.0))
    """λ of TD(λ): the share of that expectation that comes from the search one ply later, which takes the same share
    from the next, and the last from the result. 0 takes the position's own search alone; 0.9 looks about ten plies
    ahead."""
    scale_inputs: bool = False
    """Learn from counters of plies scaled to about 1, without the number of plies played; files stay the same."""
    norm_batches: int = field(default=0, metadata=spin(None, 0, 100_000))
    """Batches over which batch norm's statistics are estimated for the running mean of the weights before it plays, a
    few hundred; 0 averages the statistics too."""
    growth_passes: float = field(default=1.0, metadata=real(None, 0.0, 1000.0))
    """Passes through the window that a network of another size makes, at the start of a stage, before it takes over."""
    symmetries: bool = True
    """Learn each position in a random one of its symmetric forms; in chess mirrored or not, where nobody may castle."""
    window: WindowConfig = field(default_factory=WindowConfig)
    """Which positions are learned from."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where to compute; auto is the GPU if there is one."""
    bfloat16: bool = False
    """On a CPU that has instructions for it (AVX-512 BF16, AMX), compute in 16 bits with weights of 32: nearly twice as
    fast. Ignored on other CPUs; a GPU always does."""
    compile: bool = False
    """Let PyTorch compile the training step on a GPU: half a minute at each start, then about 1.5 times as fast.
    Ignored on a CPU."""

    def __post_init__(self) -> None:
        validate(self)
        if self.final_learning_rate > self.learning_rate:
            raise ConfigError(
                f"final_learning_rate must not exceed learning_rate, got {self.final_learning_rate} and "
                f"{self.learning_rate}"
            )

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        found = {} if self.optimizer == "sgd" else {"momentum": "AdamW has moments of its own"}
        if not self.root_value_share:
            found["root_value_trace"] = "no search's expectation is learned"
        return found

    def rate_at(self, progress: float) -> float:
        """Returns the learning rate at a share of the run."""
        cosine = 0.5 * (1 + math.cos(math.pi * min(progress, 1.0)))
        return self.final_learning_rate + (self.learning_rate - self.final_learning_rate) * cosine

    def steps(self, new_positions: int) -> int:
        """Returns the steps that hold the replay ratio when so many positions are new; at least one."""
        return max(1, round(self.replay_ratio * new_positions / self.batch))
