"""A ruler for judgments: how far static and shallow ones are from those of a deep search, on a fixed set of positions.

A network is trained to be near a deep search's opinion, and a search prunes what it takes for hopeless; both are seen
here without playing a game. Errors are squares of differences of the expected score (0 to 1, by the scale of
`wdl_of`), so that a pawn more counts much in an even position and little in a won one. Engines do not agree on what a
pawn is worth in centipawns: with `fit_scale` each judgment is multiplied by the factor that fits the reference best.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from philidor.arena.benches import Benches
from philidor.arena.engines import parse_engine
from philidor.arena.native import native_player
from philidor.arena.openings import DEFAULT_BOOK
from philidor.arena.reference import MOST_CP, Reference, reference
from philidor.arena.ruler_positions import quiet_positions
from philidor.arena.statistics import Estimate
from philidor.core.config import spin, text, validate
from philidor.core.errors import ConfigError
from philidor.core.processes import kept_busy
from philidor.core.runs import Run
from philidor.games.chess import Position
from philidor.players.engine import EnginePlayer, wdl_of

STATIC = "static"
_CONFIDENCE_95 = 1.959964
_LEAST_FACTOR, _MOST_FACTOR = 0.1, 10.0
_FACTOR_STEPS = 24  # each narrows the range by a third: to a thousandth


@dataclass(frozen=True, slots=True, kw_only=True)
class RulerConfig:
    """What is measured, and by what."""

    engine: str = field(default="nnue", metadata=text())
    """Whose judgments are measured: a player of ours with settings, such as 'nnue net=FILE'."""
    reference: str = field(default="nnue", metadata=text())
    """Engine whose deep search is the measure: a player of ours, such as 'nnue net=FILE', or a UCI program."""
    reference_nodes: int = field(default=1_000_000, metadata=spin(None, 1, 2**53))
    """Positions that the deep search visits."""
    positions: Path | None = field(default=None, metadata=text())
    """EPD or PGN file. Without it the 500 openings that philidor ships."""
    per_game: int | None = field(default=None, metadata=spin(None, 1, 1_000))
    """Positions to draw at random from each game of a PGN file. By default the last one of each is taken."""
    depths: tuple[int, ...] = (1, 2, 4, 6)
    """Depths (plies) to measure."""
    nodes: tuple[int, ...] = (500, 1_000, 5_000)
    """Numbers of nodes to measure."""
    fit_scale: bool = False
    """Multiply each judgment by the factor that fits the reference best: engines' centipawns differ."""

    def __post_init__(self) -> None:
        validate(self)
        if any(not 1 <= depth <= 100 for depth in self.depths):
            raise ConfigError(f"depths are 1 to 100, got {self.depths}")
        if any(nodes < 1 for nodes in self.nodes):
            raise ConfigError(f"numbers of nodes are at least 1, got {self.nodes}")

    @property
    def judges(self) -> list[str]:
        """Names of what is measured."""
        return [STATIC, *(f"depth {depth}" for depth in self.depths), *(f"{nodes} nodes" for nodes in self.nodes)]


def expected_score(score: int) -> float:
    """Turns an engine's score, mates too, into the share of points it stands for."""
    return _expected(score, 1.0)


def _expected(score: int, factor: float) -> float:
    # A score that stands for a win or a mate stays one, whatever the factor.
    scaled = score if abs(score) >= MOST_CP else factor * score
    wdl = wdl_of(round(max(-MOST_CP, min(scaled, MOST_CP))))
    return wdl.win + wdl.draw / 2


@dataclass(frozen=True, slots=True)
class Deviation:
    """How far a kind of judgment is from the reference."""

    square: Estimate
    """Mean squared error of the expected score."""
    factor: float
    """What its centipawns were multiplied by; 1 unless that was asked for."""


class Ruler:
    """A measurement that can be stopped at any time and continues where it was."""

    def __init__(self, config: RulerConfig, folder: Path | None = None) -> None:
        """Opens the run folder, or makes it; without one nothing is kept. Raises ConfigError, RunError."""
        self.config = config
        spec, self._reference = parse_engine(config.engine), parse_engine(config.reference)
        if spec.limit or self._reference.limit:
            raise ConfigError("the limits are --depths, --nodes and --reference-nodes, not the engines' own")
        self._player = native_player(spec)
        self._judge_by().close()  # a program that does not start should be known before the first position
        self.positions = quiet_positions(config.positions or DEFAULT_BOOK, config.per_game)
        self._scores: dict[int, dict[str, int]] = {}
        self.run = None
        if folder is not None:
            folder = folder.absolute()
            self.run = Run.resume_or_create(folder.name, config, folder.parent)
            for line in self.run.metrics():
                self._scores[line["position"]] = line["scores"]

    @property
    def done(self) -> int:
        """Positions that have been measured."""
        return len(self._scores)

    def _judge_by(self) -> Reference:
        return reference(self._reference, self.config.reference_nodes)

    def measure(self, concurrency: int, on_position: Callable[[], None], seconds: float | None = None) -> None:
        """Judges what is missing, or until time is over; positions under way are then judged again later.

        Raises EngineCrashError, EngineHangError for a program; what was judged before is kept.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        numbers = (number for number in range(len(self.positions)) if number not in self._scores)
        pairs = [(self._player.another(), self._judge_by()) for _ in range(concurrency)]
        benches = Benches(pairs, _stop)

        def judge(number: int) -> Future[tuple[int, dict[str, int]]]:
            return benches.submit(lambda pair: (number, self._judge(self.positions[number], *pair)))

        try:
            for number, scores in kept_busy(judge, numbers, concurrency, deadline):
                self._scores[number] = scores
                if self.run is not None:
                    self.run.log({"position": number, "scores": scores})
                on_position()
        finally:
            benches.close()
            for _, judge_by in pairs:
                judge_by.close()

    def _judge(self, position: Position, player: EnginePlayer[Any], judge_by: Reference) -> dict[str, int]:
        def search(**limits: int) -> int:
            player.new_game()
            return player.engine.search(position.native, **limits).score

        scores = {STATIC: player.engine.evaluate(position.native)}
        scores |= {f"depth {depth}": search(depth=depth) for depth in self.config.depths}
        scores |= {f"{nodes} nodes": search(nodes=nodes) for nodes in self.config.nodes}
        return {**scores, "reference": judge_by.score(position)}

    def errors(self) -> dict[str, Deviation]:
        """Returns how far each judge is from the reference, with a 95 % interval; nothing without two positions."""
        if self.done < 2:
            return {}
        wanted = [expected_score(scores["reference"]) for scores in self._scores.values()]
        found = {}
        for judge in self.config.judges:
            given = [scores[judge] for scores in self._scores.values()]
            factor = _best_factor(given, wanted) if self.config.fit_scale else 1.0
            squares = _squares(given, wanted, factor)
            error = _CONFIDENCE_95 * statistics.stdev(squares) / math.sqrt(len(squares))
            found[judge] = Deviation(Estimate(statistics.mean(squares), error), factor)
        return found


def _stop(pair: tuple[EnginePlayer[Any], Reference]) -> None:
    player, judge_by = pair
    player.engine.stop()
    judge_by.stop()


def _squares(given: Sequence[int], wanted: Sequence[float], factor: float) -> list[float]:
    return [(_expected(score, factor) - expected) ** 2 for score, expected in zip(given, wanted, strict=True)]


def _best_factor(given: Sequence[int], wanted: Sequence[float]) -> float:
    # The error has one minimum: too small a factor knows nothing, too large a one is sure of everything.
    low, high = math.log(_LEAST_FACTOR), math.log(_MOST_FACTOR)
    for _ in range(_FACTOR_STEPS):
        third = (high - low) / 3
        if sum(_squares(given, wanted, math.exp(low + third))) < sum(_squares(given, wanted, math.exp(high - third))):
            high -= third
        else:
            low += third
    return math.exp((low + high) / 2)
