"""A ruler for judgments: how far static and shallow ones are from those of a deep search, on a fixed set of positions.

A network is trained to be near a deep search's opinion, and a search prunes what it takes for hopeless; both are seen
here without playing a game. Errors are squares of differences of the expected score (0 to 1, by the scale of
`wdl_of`), so that a pawn more counts much in an even position and little in a won one.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from philidor.arena.engines import parse_engine
from philidor.arena.native import native_player, start_of
from philidor.arena.openings import DEFAULT_BOOK, read_openings
from philidor.arena.statistics import Estimate
from philidor.core.config import spin, text, validate
from philidor.core.errors import ConfigError, FenError, IllegalMoveError
from philidor.core.processes import kept_busy
from philidor.core.runs import Run
from philidor.games.chess import Position
from philidor.players.engine import EnginePlayer, wdl_of

STATIC = "static"
_CONFIDENCE_95 = 1.959964
# Beyond it every score is a win.
_MOST_CP = 3_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RulerConfig:
    """What is measured, and by what."""

    engine: str = field(default="nnue", metadata=text())
    """Whose judgments are measured: a player of ours with settings, such as 'nnue net=FILE'."""
    reference: str = field(default="nnue", metadata=text())
    """Engine whose deep search is the measure, such as 'nnue net=FILE'."""
    reference_nodes: int = field(default=1_000_000, metadata=spin(None, 1, 2**53))
    """Positions that the deep search visits."""
    positions: Path | None = field(default=None, metadata=text())
    """EPD or PGN file; of a game its last position counts. Without it the 500 openings that philidor ships."""
    depths: tuple[int, ...] = (1, 2, 4, 6)
    """Depths (plies) to measure."""
    nodes: tuple[int, ...] = (500, 1_000, 5_000)
    """Numbers of nodes to measure."""

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
    wdl = wdl_of(max(-_MOST_CP, min(score, _MOST_CP)))
    return wdl.win + wdl.draw / 2


class Ruler:
    """A measurement that can be stopped at any time and continues where it was."""

    def __init__(self, config: RulerConfig, folder: Path | None = None) -> None:
        """Opens the run folder, or makes it; without one nothing is kept. Raises ConfigError, RunError."""
        self.config = config
        specs = parse_engine(config.engine), parse_engine(config.reference)
        if any(spec.limit for spec in specs):
            raise ConfigError("the limits are --depths, --nodes and --reference-nodes, not the engines' own")
        self._players = native_player(specs[0]), native_player(specs[1])
        self.positions = _quiet_positions(config.positions or DEFAULT_BOOK)
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

    def measure(self, concurrency: int, on_position: Callable[[], None], seconds: float | None = None) -> None:
        """Judges what is missing, or until time is over; positions under way are then judged again later."""
        deadline = None if seconds is None else time.monotonic() + seconds
        numbers = (number for number in range(len(self.positions)) if number not in self._scores)
        benches: SimpleQueue[tuple[EnginePlayer[Any], EnginePlayer[Any]]] = SimpleQueue()
        pairs = [(self._players[0].another(), self._players[1].another()) for _ in range(concurrency)]
        for pair in pairs:
            benches.put(pair)

        def judge(number: int) -> tuple[int, dict[str, int]]:
            pair = benches.get()
            try:
                return number, self._judge(self.positions[number], *pair)
            finally:
                benches.put(pair)

        pool = ThreadPoolExecutor(concurrency, "ruler")
        try:
            for number, scores in kept_busy(lambda n: pool.submit(judge, n), numbers, concurrency, deadline):
                self._scores[number] = scores
                if self.run is not None:
                    self.run.log({"position": number, "scores": scores})
                on_position()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            # A search that was about to begin may not have heard the order; it is repeated until all have ended.
            while benches.qsize() < len(pairs):
                for player in (player for pair in pairs for player in pair):
                    player.engine.stop()
                time.sleep(0.02)
            pool.shutdown()

    def _judge(self, position: Position, player: EnginePlayer[Any], reference: EnginePlayer[Any]) -> dict[str, int]:
        def search(who: EnginePlayer[Any], **limits: int) -> int:
            who.new_game()
            return who.engine.search(position.native, **limits).score

        scores = {STATIC: player.engine.evaluate(position.native)}
        scores |= {f"depth {depth}": search(player, depth=depth) for depth in self.config.depths}
        scores |= {f"{nodes} nodes": search(player, nodes=nodes) for nodes in self.config.nodes}
        return {**scores, "reference": search(reference, nodes=self.config.reference_nodes)}

    def errors(self) -> dict[str, Estimate]:
        """Returns the mean squared error of each judge, with its 95 % interval; none without two positions."""
        if self.done < 2:
            return {}
        found = {}
        for judge in self.config.judges:
            squares = [
                (expected_score(scores[judge]) - expected_score(scores["reference"])) ** 2
                for scores in self._scores.values()
            ]
            error = _CONFIDENCE_95 * statistics.stdev(squares) / math.sqrt(len(squares))
            found[judge] = Estimate(statistics.mean(squares), error)
        return found


def _quiet_positions(path: Path) -> list[Position]:
    """Reads positions, without those that have ended or are in check, where a static judgment means nothing."""
    positions = []
    for opening in read_openings(path):
        try:
            position = start_of(opening)
        except (FenError, IllegalMoveError) as error:
            raise ConfigError(f"{str(path)!r}: {error}") from None
        if not position.is_over() and not position.is_check():
            positions.append(position)
    if not positions:
        raise ConfigError(f"{str(path)!r} has no position to measure by")
    return positions
