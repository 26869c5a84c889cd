"""What a training run of an NNUE network is asked for (book, 4.6.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from philidor.core.config import real, spin, text, validate
from philidor.core.errors import ConfigError
from philidor.nets.nnue import ARCHITECTURES, Architecture
from philidor.train.nnue_data import PositionFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class NnueTrainingConfig:
    """A training run."""

    shape: str = field(default="mirrored-256", metadata=text())
    """Architecture of the network, by name."""
    start: Path | None = field(default=None, metadata=text())
    """Network to start from, or random weights. One of another shape gives what its layers listen to most."""
    epochs: int = field(default=20, metadata=spin(None, 1, 100_000))
    """Passes over all positions."""
    batch: int = field(default=4_096, metadata=spin(None, 1, 10_000_000))
    """Positions per step. Small batches suit few positions; from some hundred million on, 16,384 is faster."""
    learning_rate: float = field(default=2e-3, metadata=real(None, 0.0))
    """Learning rate of the first steps, after a short warm-up."""
    final_learning_rate: float = field(default=1e-5, metadata=real(None, 0.0))
    """Learning rate of the last steps; it falls from the first like a cosine."""
    weight_decay: float = field(default=0.01, metadata=real(None, 0.0))
    """Weight decay of AdamW."""
    result_share: float = field(default=0.0, metadata=real(None, 0.0, 1.0))
    """Share of the game's result in the error at the start; the rest is the recorded score. Networks memorize the
    results of few games."""
    final_result_share: float = field(default=0.0, metadata=real(None, 0.0, 1.0))
    """Share of the game's result in the error at the end."""
    score_scale: float = field(default=150.0, metadata=real(None, 1.0))
    """Centipawns that correspond to an expectation of 1 / (1 + 1 / e) when scores are compared."""
    result_scale: float = field(default=120.0, metadata=real(None, 1.0))
    """Centipawns that correspond to an expectation of 1 / (1 + 1 / e) when results are predicted: games between equal
    engines are decided by less than scores tell apart."""
    exponent: float = field(default=2.0, metadata=real(None, 1.0, 10.0))
    """Exponent of the scores' error; above 2, large errors count more."""
    positions: PositionFilter = field(default_factory=PositionFilter)
    """Which positions to learn from."""
    seed: int = field(default=1, metadata=spin(None, 0))
    """Seed of the first weights and of the order."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Device to train on; auto is the GPU if there is one."""

    def __post_init__(self) -> None:
        validate(self)
        if self.shape not in ARCHITECTURES:
            raise ConfigError(f"shape must be one of {', '.join(ARCHITECTURES)}, got {self.shape!r}")

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        shares = {self.result_share, self.final_result_share}
        if shares == {0.0}:
            return {"result_scale": "the share of the results is 0"}
        return dict.fromkeys(("score_scale", "exponent"), "the share of the scores is 0") if shares == {1.0} else {}

    @property
    def architecture(self) -> Architecture:
        """The shape, spelled out."""
        return ARCHITECTURES[self.shape]
