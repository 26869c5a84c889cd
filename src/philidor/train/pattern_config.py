"""What the training of a linear policy of Go is asked for (book, ch. 4.1.5)."""

from __future__ import annotations

from dataclasses import dataclass, field

from philidor.core.config import real, spin, validate
from philidor.core.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternTrainingConfig:
    """A training of the rollout policy or of the tree policy."""

    epochs: float = field(default=1.0, metadata=real(None, 0.001, 1000.0))
    """Passes over all positions."""
    passes: int = field(default=2, metadata=spin(None, 1, 1000))
    """Visits to each game in an epoch, each for another part of its positions."""
    learning_rate: float = field(default=0.1, metadata=real(None, 1e-6, 10.0))
    """Rate of the first steps (Adagrad)."""
    final_learning_rate: float = field(default=0.005, metadata=real(None, 1e-7, 10.0))
    """Rate of the last steps; it falls in a straight line."""
    least_squares: int = field(default=2, metadata=spin(None, 1, 1_000_000))
    """Moves played at which a 3x3 shape must have been seen to be learned."""
    least_responses: int = field(default=4, metadata=spin(None, 1, 1_000_000))
    """Moves played at which a response must have been seen to be learned."""
    least_diamonds: int = field(default=6, metadata=spin(None, 1, 1_000_000))
    """Moves played at which a diamond must have been seen to be learned; the tree policy's."""
    counted: float = field(default=1.0, metadata=real(None, 0.001, 1.0))
    """Share of the games in which shapes are counted."""
    measure_every: float = field(default=0.25, metadata=real(None, 0.001, 1000.0))
    """Epochs between two measurements on games that are not learned from."""
    measured: int = field(default=200, metadata=spin(None, 1, 1_000_000))
    """Held-out games to measure on during the training, if there are as many; at the end all of them are used."""
    seed: int = field(default=1, metadata=spin(None, 0, 2**31))
    """Seed of the order."""

    def __post_init__(self) -> None:
        validate(self)
        if self.final_learning_rate > self.learning_rate:
            raise ConfigError("final_learning_rate must not exceed learning_rate")
