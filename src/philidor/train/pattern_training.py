"""Trains AlphaGo's linear policies on recorded games of Go (book, ch. 4.1.5; Silver et al. 2016).

First the shapes at the moves that people played are counted and the frequent ones kept; then their weights are learned,
game by game in random order. The work is done in C++ (cpp/train/pattern_trainer.h); the state after any game is enough
to go on to the same weights.
"""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor.core.errors import ConfigError, RunError
from philidor.core.runs import Run, write_atomic
from philidor.encodings import load_encoding
from philidor.games import load_game
from philidor.nets.patterns import MOST_WEIGHT, PatternKind, PatternNet
from philidor.records import RecordReader
from philidor.train.game_data import GameData, GameDataConfig, GameFile
from philidor.train.native import PatternTrainer, PatternWalk, game_starts

if TYPE_CHECKING:
    from philidor.train.pattern_config import PatternTrainingConfig

CHECKPOINT = "trainer.npz"
_CHUNK = 64
"""Games between two looks at whether to stop."""
_CHECKPOINT_EVERY_S = 60.0


@dataclass(frozen=True, slots=True)
class PatternProgress:
    """How far a training is."""

    stage: str
    """counting, learning or measuring."""
    share: float
    """Of the stage, from 0 to 1."""
    positions_per_second: float = 0.0
    event: dict[str, Any] | None = None
    """What was just written to metrics.jsonl."""


class PatternLoop:
    """A training in progress."""

    def __init__(
        self, kind: PatternKind, config: PatternTrainingConfig, run: Run, files: Sequence[GameFile], *, threads: int = 1
    ) -> None:
        """Goes on where the run was left. Raises ConfigError for games of another kind, RecordError, RunError."""
        with RecordReader(files[0].path) as reader:
            game = load_game(reader.game)
        encoding = load_encoding("alphago-4", game)
        self.kind, self.config, self.run, self.game = kind, config, run, game
        self.data, self._kept, self._tested = (
            GameData(files, game, encoding, GameDataConfig(), part=part, threads=threads)
            for part in ("train", "validation", "test")
        )
        if not self.data.games:
            raise ConfigError(f"no game to learn from; games left out: {self.data.skipped or 'none'}")
        self._trainer = PatternTrainer(game_starts(game, files), kind == "tree")
        self._walk = PatternWalk()
        self._walk.passes, self._walk.seed = config.passes, config.seed
        self._whole = PatternWalk()
        self._whole.passes, self._whole.is_shuffled = 1, False
        self.visits = 0
        """Visits to games so far."""
        self.seconds = 0.0
        self._sums = np.zeros(3)
        if self._checkpoint.exists():
            self._restore()

    @property
    def total(self) -> int:
        """Visits of the whole training."""
        return max(1, round(self.config.epochs * self.config.passes * self.data.games))

    @property
    def is_done(self) -> bool:
        """Whether the training came to its end."""
        return self.visits >= self.total

    def go(
        self,
        *,
        is_stopped: Callable[[], bool] = lambda: False,
        report: Callable[[PatternProgress], None] = lambda _: None,
    ) -> bool:
        """Trains to the end; False if it was stopped before. The state is saved every minute and when stopped."""
        if not self.visits and not self._count(is_stopped, report):
            return False
        began = saved = time.monotonic()
        before, learned = self.seconds, 0
        every = max(1, round(self.config.measure_every * self.config.passes * self.data.games))
        while not self.is_done and not is_stopped():
            end = min(self.visits + _CHUNK, self.total, (self.visits // every + 1) * every)
            tally = self._trainer.learn(self.data.index, self._walk, self.visits, end, self._rate())
            self._sums += tally
            learned += tally[0]
            self.visits = end
            now = time.monotonic()
            self.seconds = before + now - began
            report(PatternProgress("learning", self.visits / self.total, learned / max(now - began, 1e-9)))
            if self.visits % every == 0 and not self.is_done:
                self._measure("validation", report)
            if now - saved > _CHECKPOINT_EVERY_S:
                self.save()
                saved = now
        if self.is_done:
            self._measure("validation", report)
            self._measure("test", report)
        self.save()
        return self.is_done

    def _count(self, is_stopped: Callable[[], bool], report: Callable[[PatternProgress], None]) -> bool:
        """Finds the shapes that are worth a weight."""
        config, walk = self.config, PatternWalk()
        walk.passes, walk.seed = 1, self.config.seed
        total = max(1, round(config.counted * self.data.games))
        for first in range(0, total, _CHUNK):
            if is_stopped():
                return False
            self._trainer.count(self.data.index, walk, first, min(first + _CHUNK, total))
            report(PatternProgress("counting", first / total))
        self._trainer.choose(config.least_squares, config.least_responses, config.least_diamonds)
        net = self.network()
        shapes = {name: len(getattr(net, name)) for name in ("squares", "responses", "diamonds")}
        self._log({"event": "data", "games": self.data.games, "positions": self.data.positions, **shapes}, report)
        return True

    def _rate(self) -> float:
        high, low = self.config.learning_rate, self.config.final_learning_rate
        return high + (low - high) * self.visits / self.total

    def _measure(self, part: str, report: Callable[[PatternProgress], None]) -> None:
        """Writes how often the move played was the likeliest, on games that are not learned from."""
        games = self._kept if part == "validation" else self._tested
        count = games.games if self.is_done else min(games.games, self.config.measured)
        positions, hits, loss = self._trainer.measure(games.index, self._whole, 0, count) if count else (0, 0, 0.0)
        learned = self._sums.tolist()
        event = {
            "event": "measure",
            "part": part,
            "visits": self.visits,
            "epoch": round(self.visits / self.config.passes / self.data.games, 4),
            "seconds": round(self.seconds, 1),
            "games": count,
            "positions": positions,
            "top1": hits / max(positions, 1),
            "cross_entropy": loss / max(positions, 1),
            "learned_top1": learned[1] / max(learned[0], 1),
            "learned_cross_entropy": learned[2] / max(learned[0], 1),
        }
        if part == "validation":
            self._sums = np.zeros(3)
        self._log(event, report)

    def _log(self, event: dict[str, Any], report: Callable[[PatternProgress], None]) -> None:
        self.run.log(event)
        report(PatternProgress("measuring", self.visits / self.total, event=event))

    def network(self) -> PatternNet:
        """Returns the policy as it is now."""
        trainer = self._trainer
        return PatternNet(
            self.kind,
            squares=np.asarray(trainer.squares),
            responses=np.asarray(trainer.responses),
            diamonds=np.asarray(trainer.diamonds),
            weights=np.clip(np.asarray(trainer.weights), -MOST_WEIGHT, MOST_WEIGHT),
            remarks={"run": self.run.name, "visits": str(self.visits), "game": self.game.name},
        )

    # --- State ----------------------------------------------------------------------------------------------

    @property
    def _checkpoint(self) -> Path:
        return self.run.checkpoints / CHECKPOINT

    def save(self) -> None:
        """Writes everything that going on needs; the old state stays until the new one is whole."""
        trainer, data = self._trainer, io.BytesIO()
        arrays: dict[str, Any] = {name: np.asarray(getattr(trainer, name)) for name in _ARRAYS}
        arrays["place"] = np.array([self.visits, self.data.games])
        np.savez(data, seconds=np.array(self.seconds), sums=self._sums, **arrays)
        write_atomic(self._checkpoint, data.getvalue())

    def _restore(self) -> None:
        """Goes on from a saved state. Raises RunError if it is damaged or of other games."""
        name = repr(str(self._checkpoint))
        try:
            with np.load(io.BytesIO(self._checkpoint.read_bytes()), allow_pickle=False) as saved:
                visits, games = saved["place"].tolist()
                self.seconds, self._sums = float(saved["seconds"]), saved["sums"]
                if games != self.data.games:
                    raise RunError(f"{name} is of {games:,} games, now there are {self.data.games:,}")
                self._trainer.restore(*(saved[each] for each in _ARRAYS))
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
            raise RunError(f"cannot go on from {name}: {error}") from None
        self.visits = visits


_ARRAYS = ("squares", "responses", "diamonds", "weights", "gradient_squares")
