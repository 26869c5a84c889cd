"""Games into files of positions to train on, more of them than fit into memory, judged by a teacher if there is one.

A search meets positions that no game has: `strays` are such, some random moves away from a game. Nobody has searched
them; a teacher, a network that needs no search (train/torch/teacher.py), can judge them all, or a short search can
(train/searching.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from philidor.core.config import real, spin, text
from philidor.core.errors import ConfigError
from philidor.players.scoring import SearchSettings
from philidor.train.nnue_data import PositionFilter, TrainingPositions, game_batches
from philidor.train.position_files import SUFFIX, write_positions

if TYPE_CHECKING:
    from philidor.core.runs import Run
    from philidor.records.native import RecordBatch
    from philidor.train.native import PositionSet

Judge = Callable[["PositionSet"], bool]
"""Gives scores to a set; False if it was stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionsConfig(SearchSettings):
    """Which positions are written, and who judges them."""

    engine: str = field(default="", metadata=text())
    """A player of ours (nnue, classic, ...) whose searches judge the positions that have no score, strays among
    them."""
    teacher: tuple[Path, ...] = field(default=(), metadata=text())
    """Networks (.safetensors) whose expectations take the place of the recorded scores; then games need none. The mean
    of several counts."""
    score_scale: float = field(default=150.0, metadata=real(None, 1.0))
    """Centipawns that the teacher's expectation of 1 / (1 + 1 / e) becomes."""
    strays: int = field(default=0, metadata=spin(None, 0, 100))
    """Lines of random moves that leave the game at each ply, for a teacher to judge: searches meet such positions,
    games do not. The last position of a line is taken if nothing can be won there at once, without the game's
    result, which says nothing of it."""
    stray_plies: int = field(default=4, metadata=spin(None, 1, 16))
    """Longest line of random moves (plies)."""
    positions: PositionFilter = field(default_factory=PositionFilter)
    """Which positions of the games to take."""
    shard_games: int = field(default=20_000, metadata=spin(None, 1, 10_000_000))
    """Games whose positions one file has, about; those of up to three files are in memory at a time."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where the teacher computes; auto is the GPU if there is one."""
    compile: bool = False
    """Let PyTorch compile the teacher on a GPU: half a minute, then nearly twice as fast. Ignored on a CPU."""

    def __post_init__(self) -> None:
        SearchSettings.__post_init__(self)
        if self.teacher and self.engine:
            raise ConfigError("a teacher and an engine cannot both judge the positions")
        if self.strays and not self.has_judge:
            raise ConfigError("strays have no scores: they need a teacher or an engine")

    @property
    def has_judge(self) -> bool:
        """Whether positions get scores that their games do not have."""
        return bool(self.teacher or self.engine)

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        found = {} if self.strays else {"stray_plies": "there are no strays"}
        if self.engine:
            found |= SearchSettings.unused(self)
        else:
            found |= dict.fromkeys(("settings", "nodes", "overrun", "depth"), "there is no engine")
        if not self.teacher:
            found |= dict.fromkeys(("score_scale", "device", "compile"), "there is no teacher")
        return found

    def new_set(self) -> TrainingPositions:
        """Returns an empty set for the positions of some games."""
        filter_ = self.positions if not self.has_judge else replace(self.positions, needs_scores=False)
        return TrainingPositions(filter_, strays=self.strays, stray_plies=self.stray_plies)


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionsRun(PositionsConfig):
    """A run: what config.toml of its run folder keeps."""

    files: tuple[Path, ...]
    """Whose games."""


@dataclass(slots=True)
class Written:
    """What there is so far."""

    files: int = 0
    games: int = 0
    positions: int = 0
    """Made by this call; files of earlier ones are not counted again."""
    broken_games: int = 0
    is_whole: bool = False
    """Whether all files are there; not if it was stopped."""


def make_positions(
    run: Run,
    config: PositionsRun,
    judge: Judge | None,
    *,
    threads: int = 1,
    report: Callable[[Written], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Written:
    """Writes the files that the run still lacks, into its shards, until it is stopped.

    Raises RecordError and PgnError.
    """
    written = Written()
    lacking = _lacking(run, config, threads, is_stopped)
    # A file's positions are found while the teacher judges those of the file before, and another file is written.
    with ThreadPoolExecutor(1) as finder, ThreadPoolExecutor(1) as writer:
        being_written: Future[None] | None = None
        found = finder.submit(next, lacking, None)
        while (part := found.result()) is not None and not is_stopped():
            found = finder.submit(next, lacking, None)
            if part.positions is not None:
                both = (part.positions.held_out, part.positions.train)
                if judge is not None and not all(map(judge, both)):
                    break
                if being_written is not None:
                    being_written.result()
                being_written = writer.submit(write_positions, part.to, part.positions.train, part.positions.held_out)
            _count(written, part)
            report(written)
        if being_written is not None:
            being_written.result()
    written.is_whole = not is_stopped()
    return written


@dataclass(frozen=True, slots=True)
class _Part:
    """What one file has, or will have."""

    to: Path
    games: int
    positions: TrainingPositions | None
    """None if the file is there already."""


def _lacking(run: Run, config: PositionsRun, threads: int, is_stopped: Callable[[], bool]) -> Iterator[_Part]:
    """Yields the parts one by one, with the positions of those that have no file yet; ends when it is stopped."""
    for number, path in enumerate(config.files):
        for shard, batches in enumerate(_shards(path, config.shard_games)):
            to = run.shards / f"{number:03d}-{shard:05d}{SUFFIX}"
            games = sum(map(len, batches))
            if to.exists():
                yield _Part(to, games, None)
                continue
            found = config.new_set()
            for batch in batches:
                if is_stopped():
                    return
                found.add(batch, threads)
            yield _Part(to, games, found)


def _count(written: Written, part: _Part) -> None:
    written.files += 1
    written.games += part.games
    if part.positions is not None:
        written.positions += len(part.positions)
        written.broken_games += part.positions.broken_games


def _shards(path: Path, games: int) -> Iterator[list[RecordBatch]]:
    """Yields the games of a file in parts of so many at least; the same file gives the same parts."""
    part: list[RecordBatch] = []
    for batch in game_batches(path):
        part.append(batch)
        if sum(map(len, part)) >= games:
            yield part
            part = []
    if part:
        yield part
