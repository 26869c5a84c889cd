"""What a training run of a small float network is asked for (book, 2.14)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from philidor.core.config import real, spin, validate
from philidor.core.errors import ConfigError
from philidor.nets.dense.features import GROUPS
from philidor.nets.dense.layers import MAX_OUTPUTS
from philidor.train.nnue_data import PositionFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class DenseTrainingConfig:
    """A training run of either kind."""

    epochs: int = field(default=4, metadata=spin(None, 1, 100_000))
    """Passes over all positions."""
    batch: int = field(default=4_096, metadata=spin(None, 1, 10_000_000))
    """Positions per step."""
    learning_rate: float = field(default=3e-3, metadata=real(None, 0.0))
    """Learning rate of the first steps, after a short warm-up."""
    final_learning_rate: float = field(default=1e-5, metadata=real(None, 0.0))
    """Learning rate of the last steps; it falls from the first like a cosine."""
    weight_decay: float = field(default=0.01, metadata=real(None, 0.0))
    """Weight decay of AdamW."""
    result_share: float = field(default=0.2, metadata=real(None, 0.0, 1.0))
    """Share of the game's result in the target at the start; the rest is the recorded score."""
    final_result_share: float = field(default=0.3, metadata=real(None, 0.0, 1.0))
    """Share of the game's result in the target at the end."""
    score_scale: float = field(default=350.0, metadata=real(None, 1.0))
    """Centipawns that correspond to an expectation of 1 / (1 + 1 / e)."""
    positions: PositionFilter = field(default_factory=PositionFilter)
    """Which positions to learn from."""
    seed: int = field(default=1, metadata=spin(None, 0))
    """Seed of the first weights and of the order."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Device to train on; auto is the GPU if there is one."""

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class GiraffeTrainingConfig(DenseTrainingConfig):
    """A training run of a network that judges."""

    widths: tuple[int, ...] = field(default=(16, 64, 48), metadata=spin(None, 1, MAX_OUTPUTS))
    """Outputs of the first layers: for facts, pieces and squares."""
    hidden: tuple[int, ...] = field(default=(32,), metadata=spin(None, 1, MAX_OUTPUTS))
    """Outputs of the hidden layers above the first ones."""

    def __post_init__(self) -> None:
        validate(self)
        if len(self.widths) != len(GROUPS) or sum(self.widths) > MAX_OUTPUTS:
            raise ConfigError(
                f"widths must be {len(GROUPS)} numbers, together at most {MAX_OUTPUTS}, got {self.widths}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepChessTrainingConfig(DenseTrainingConfig):
    """A training run of a network that compares."""

    vector: tuple[int, ...] = field(default=(100, 64), metadata=spin(None, 1, MAX_OUTPUTS))
    """Outputs of the layers that make a vector of a position."""
    hidden: tuple[int, ...] = field(default=(32,), metadata=spin(None, 1, MAX_OUTPUTS))
    """Outputs of the hidden layers that compare two positions."""
    pairs: int = field(default=4, metadata=spin(None, 1, 100))
    """Other positions of its batch that each position is compared with."""

    def __post_init__(self) -> None:
        validate(self)
        if not self.vector:
            raise ConfigError("vector must name at least one layer")
