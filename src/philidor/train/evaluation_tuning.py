"""Tunes the handcrafted evaluation: its score should tell how games between strong players ended (book, ch. 3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from philidor.core.config import real, spin, validate
from philidor.core.errors import ConfigError
from philidor.records import PgnSource
from philidor.train.native import EvaluationTuner, evaluation_terms


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningConfig:
    """Knobs of the tuner."""

    steps: int = field(default=300, metadata=spin(None, 1, 100_000))
    """Steps over all positions."""
    learning_rate: float = field(default=1.0, metadata=real(None, 0.0))
    """Centipawns a weight may move in the first steps; falls to a tenth."""
    result_share: float = field(default=0.4, metadata=real(None, 0.0, 1.0))
    """Share of the game's result in the target; the rest is the recorded score."""
    scale: float = field(default=1 / 175, metadata=real(None, 0.0, 1.0))
    """How centipawns become expectations: 1 / (1 + exp(-scale * cp))."""
    decay: float = field(default=2e-9, metadata=real(None, 0.0))
    """Pull of each weight towards where it started."""
    threads: int = field(default=2, metadata=spin(None, 1, 256))
    """Threads to use."""

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True)
class TuningStep:
    """How far the tuner is."""

    step: int
    error: float
    """Mean squared error of the expectation, on the positions trained on."""
    validation_error: float


class Tuning:
    """Collects positions, then improves the weights step by step."""

    def __init__(self, config: TuningConfig | None = None) -> None:
        self.config = config or TuningConfig()
        self._tuner = EvaluationTuner(
            result_share=self.config.result_share,
            scale=self.config.scale,
            decay=self.config.decay,
            threads=self.config.threads,
        )

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

    def run(self) -> Iterator[TuningStep]:
        """Improves the weights; yields after every step."""
        steps = self.config.steps
        for step in range(1, steps + 1):
            error = self._tuner.step(self.config.learning_rate * (1 - 0.9 * step / steps))
            yield TuningStep(step, error, self._tuner.validation_error())

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
        weights = iter(self._tuner.weights())
        for name, count, _ in evaluation_terms():
            lines.append(f"    // {name}")
            pairs = [next(weights) for _ in range(count)]
            for start in range(0, count, 8):
                row = " ".join(f"S({round(mg)}, {round(eg)})," for mg, eg in pairs[start : start + 8])
                lines.append(f"    {row}")
        lines += ["};", "// clang-format on", "#undef S", "", "}  // namespace philidor::evaluators::handcrafted", ""]
        return "\n".join(lines)
