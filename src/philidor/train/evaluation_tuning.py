"""Tunes the handcrafted evaluation: its score should tell how games between strong players ended (book, ch. 3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from philidor.core.config import real, spin, validate
from philidor.core.errors import ConfigError
from philidor.core.native_settings import fill
from philidor.records import PgnSource
from philidor.train.initial_weights import initial_weights
from philidor.train.native import EvaluationTuner, TunerOptions, evaluation_terms


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningConfig:
    """Knobs of the tuner."""

    epochs: int = field(default=15, metadata=spin(None, 1, 100_000))
    """Passes over all positions."""
    learning_rate: float = field(default=1.0, metadata=real(None, 0.0))
    """Centipawns that a weight may move in a step; falls to a fiftieth by the end."""
    result_share: float = field(default=0.4, metadata=real(None, 0.0, 1.0))
    """Share of the game's result in the target; the rest is the recorded score."""
    scale: float = field(default=1 / 175, metadata=real(None, 0.0, 1.0))
    """How centipawns become expectations: 1 / (1 + exp(-scale * cp))."""
    decay: float = field(default=1e-10, metadata=real(None, 0.0))
    """Pull of each weight towards its start."""
    sample_every: int = field(default=2, metadata=spin(None, 1, 100))
    """Plies between two positions of a game."""
    batch_size: int = field(default=16_384, metadata=spin(None, 1))
    """Positions per step."""

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True)
class TuningStep:
    """How far the tuner is."""

    epoch: int
    error: float
    """Mean squared error of the expectation on the positions trained on, while they were visited."""
    held_out_error: float
    """The same for the games held out: every tenth."""


class Tuning:
    """Collects positions, then improves the weights step by step. The same games give the same weights."""

    def __init__(self, config: TuningConfig | None = None) -> None:
        self.config = config or TuningConfig()
        self._tuner = EvaluationTuner(initial_weights(), fill(TunerOptions(), self.config))

    def read(self, paths: Iterable[str | Path]) -> Iterator[int]:
        """Reads games with scores; yields the number of positions so far. Raises PgnError, and ConfigError for none."""
        for batch in PgnSource(list(paths), tags=()).batches():
            for index in range(len(batch)):
                self._tuner.add_game(batch[index])
            yield len(self._tuner)
        if len(self._tuner) == 0:
            raise ConfigError(
                "no position to learn from: the games need results and scores in comments, such as {0.35/20}"
            )

    def weights(self) -> list[tuple[float, float]]:
        """Returns (middlegame, endgame) of every weight, not yet rounded."""
        return self._tuner.weights()

    def held_out_error(self) -> float:
        """Returns the mean squared error on the games held out."""
        return self._tuner.held_out_error()

    def run(self) -> Iterator[TuningStep]:
        """Improves the weights; yields after every epoch."""
        epochs = self.config.epochs
        for epoch in range(1, epochs + 1):
            rate = self.config.learning_rate * 0.02 ** ((epoch - 1) / max(epochs - 1, 1))
            error = self._tuner.run_epoch(rate)
            yield TuningStep(epoch, error, self._tuner.held_out_error())

    def header(self) -> str:
        """Writes the weights as cpp/evaluators/handcrafted/weights.h."""
        lines = [
            "// The handcrafted evaluation's weights, (middlegame, endgame) in centipawns. Written by `philidor tune`.",
            "#pragma once",
            "",
            '#include "evaluators/handcrafted/score.h"',
            '#include "evaluators/handcrafted/terms.h"',
            "",
            "namespace philidor::evaluators::handcrafted {",
            "",
            "#define S make_score",
            "// clang-format off",
            "inline constexpr Score kWeights[kWeightCount] = {",
        ]
        weights = iter(self.weights())
        for name, count, _ in evaluation_terms():
            lines.append(f"    // {name}")
            pairs = [next(weights) for _ in range(count)]
            for start in range(0, count, 8):
                row = " ".join(f"S({round(mg)}, {round(eg)})," for mg, eg in pairs[start : start + 8])
                lines.append(f"    {row}")
        lines += ["};", "// clang-format on", "#undef S", "", "}  // namespace philidor::evaluators::handcrafted", ""]
        return "\n".join(lines)
