"""What a training run of an NNUE network is asked for (book, 4.6.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from philidor.core.config import real, spin, text, validate
from philidor.core.errors import ConfigError
from philidor.nets.nnue import ARCHITECTURES, Architecture
from philidor.train.nnue_data import PositionFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class NnueTrainingConfig:
    """A training run."""

    shape: str = field(default="mirrored-512", metadata=text())
    """The network's architecture, by name."""
    epochs: int = field(default=20, metadata=spin(None, 1, 100_000))
    """Times that every position is seen."""
    batch: int = field(default=16_384, metadata=spin(None, 1, 10_000_000))
    """Positions a step."""
    learning_rate: float = field(default=1e-3, metadata=real(None, 0.0))
    """Of the first steps, after a short warm-up."""
    final_learning_rate: float = field(default=1e-5, metadata=real(None, 0.0))
    """Of the last; between them it falls like a cosine."""
    weight_decay: float = field(default=0.01, metadata=real(None, 0.0))
    """Of AdamW."""
    result_share: float = field(default=0.25, metadata=real(None, 0.0, 1.0))
    """Share of the game's result in the target at first,"""
    final_result_share: float = field(default=0.5, metadata=real(None, 0.0, 1.0))
    """and at last; the rest is the recorded score."""
    score_scale: float = field(default=350.0, metadata=real(None, 1.0))
    """Centipawns that are worth an expectation of 1 / (1 + 1 / e)."""
    exponent: float = field(default=2.5, metadata=real(None, 1.0, 10.0))
    """Of the error: above 2 large errors count more."""
    positions: PositionFilter = field(default_factory=PositionFilter)
    """Which positions to learn from."""
    seed: int = field(default=1, metadata=spin(None, 0))
    """Of the first weights and of the order."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where to compute."""

    def __post_init__(self) -> None:
        validate(self)
        if self.shape not in ARCHITECTURES:
            raise ConfigError(f"shape must be one of {', '.join(ARCHITECTURES)}, got {self.shape!r}")

    @property
    def architecture(self) -> Architecture:
        """The shape, spelled out."""
        return ARCHITECTURES[self.shape]
