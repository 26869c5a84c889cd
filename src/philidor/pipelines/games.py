"""Trains a network on recorded games, from files to a network that plays (book, ch. 4.1.3, 4.5 and 4.8).

PGN becomes records in the run's folder first. The games' own hash decides which of them are learned from (98 %) and
which are kept to measure on; metrics.jsonl has what was measured, checkpoints/network.safetensors the network.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from philidor.core.errors import ConfigError, PgnError, RecordError
from philidor.core.runs import Run
from philidor.encodings.human import HumanEncoding
from philidor.games import load_game
from philidor.nets.network_files import halved, save_stored
from philidor.records import PgnSource, RecordWriter, SgfSource
from philidor.train.game_data import GameData, GameFile
from philidor.train.game_lessons import without_passes
from philidor.train.games_config import GamesRecipe, NamedFile
from philidor.train.matching import band_names

if TYPE_CHECKING:
    from philidor.encodings.encoding import Encoding
    from philidor.train.game_data import GameBatch, GameDataConfig, Part
    from philidor.train.torch.games import GamesTrainer, Progress
    from philidor.train.torch.matching import HeldOut

_log = logging.getLogger(__name__)

NETWORK = "network.safetensors"
RECORD_ENDING = ".rec"
LEAST_GAMES = 10
"""Fewer are more likely a mistake than data."""
_MEASURED_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class Moment:
    """What a training is doing, for whoever watches."""

    stage: str
    """reading, opening, learning or measuring."""
    progress: Progress | None = None
    event: dict[str, Any] | None = None
    """What was just written to metrics.jsonl."""
    done: float = 0.0
    """Of the files that are read, from 0 to 1."""


Watcher = Callable[[Moment], None]


# --- Files ------------------------------------------------------------------------------------------------------


def ready_files(
    files: Sequence[NamedFile], run: Run, *, watch: Watcher = lambda moment: None, is_stopped: Callable[[], bool]
) -> list[GameFile] | None:
    """Returns files of records: PGN and SGF are read into the run's shards, once. None if it was stopped on the way.

    Raises RecordError, PgnError, and ConfigError where there is nothing.
    """
    if not files:
        raise ConfigError("no games to learn from: name files of games, .rec, PGN or SGF")
    found = []
    for number, (path, share) in enumerate(files):
        target = path
        if not _is_record(path):
            target = run.shards / f"{number:02d}-{path.name.split('.')[0] or 'games'}{RECORD_ENDING}"
            if not target.exists() and not _read_games(path, target, watch, is_stopped):
                return None
        found.append(GameFile(target, share))
    return found


def _is_record(path: Path) -> bool:
    """Says whether a file holds records, by its name; others are read as text. Raises RecordError if there is none."""
    if not path.is_file():
        raise RecordError(f"there are no games {str(path)!r}")
    return path.name.endswith(RECORD_ENDING)


def _read_games(path: Path, target: Path, watch: Watcher, is_stopped: Callable[[], bool]) -> bool:
    """Writes the games of a PGN or SGF file as records, which appear only when all are read. Raises PgnError."""
    source = SgfSource([path]) if ".sgf" in path.name.lower() else PgnSource([path])
    size = source.bytes_total or 1
    try:
        with ExitStack() as stack:
            writer: RecordWriter | None = None
            for batch in source.batches():
                # Which size of board it is, only the first game of Go says.
                if writer is None and len(batch):
                    game = source.game if isinstance(source, SgfSource) else None
                    writer = stack.enter_context(RecordWriter(target, game or "chess"))
                if writer is not None:
                    writer.add_batch(batch)
                watch(Moment("reading", done=min(1.0, source.bytes_done / size)))
                if is_stopped():
                    raise _StoppedError
            if not source.games:
                reason = f"; {source.first_problem}" if source.first_problem else ""
                raise PgnError(f"no games in {str(path)!r}{reason}")
    except _StoppedError:
        return False
    if source.skipped:
        reasons = ", ".join(f"{reason}: {count:,}" for reason, count in sorted(source.skipped.items()))
        used, first = f"{source.games:,}", source.first_problem
        _log.warning("%s: left out games (%s; first: %s); the other %s are used", path, reasons, first, used)
    return True


class _StoppedError(Exception):
    """Leaves the writer, so that no half of a file stays behind."""


def boards_of(encoding: Encoding) -> Encoding:
    """Returns the encoding that the loader makes: ratings are added to its batches later."""
    return encoding.boards if isinstance(encoding, HumanEncoding) else encoding


def open_games(
    recipe: GamesRecipe, files: Sequence[GameFile], config: GameDataConfig, part: Part, threads: int
) -> GameData:
    """Opens one part of the games. Raises RecordError for files that cannot be read or have another game."""
    encoding = boards_of(recipe.network.load_encoding())
    return GameData(files, load_game(recipe.game), encoding, config, part=part, threads=threads)


def preparation(recipe: GamesRecipe) -> Callable[[GameBatch], GameBatch]:
    """Returns what is done to batches before they are learned from: a policy of points does not learn passes."""
    if recipe.network.policy != "points":
        return lambda batch: batch
    shape = recipe.network.load_encoding().shape
    return partial(without_passes, points=shape.height * shape.width)


# --- The training -----------------------------------------------------------------------------------------------


class GamesLoop:
    """A run in progress."""

    def __init__(
        self,
        recipe: GamesRecipe,
        run: Run,
        files: Sequence[GameFile],
        *,
        held_out: Sequence[GameFile] | None = None,
        prepare: Callable[[GameBatch], GameBatch] | None = None,
        threads: int = 1,
        watch: Watcher = lambda moment: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Goes on where the run was left. Raises ConfigError for too few games, RecordError, RunError.

        With files `held_out` these are measured on and all of `files` is learned from; else the games' hash decides.
        """
        from philidor.train.torch.games import GamesTrainer
        from philidor.train.torch.tensorboard import FOLDER, Board
        from philidor.train.torch.zero import use_threads

        use_threads(recipe.threads)
        self.recipe, self.run = recipe, run
        self._watch, self._is_stopped = watch, is_stopped
        self._threads, self._files = threads, files
        watch(Moment("opening"))
        prepare = prepare or preparation(recipe)
        self._prepare = prepare
        self.data = open_games(recipe, files, recipe.data, "train" if held_out is None else "all", threads)
        if self.data.games < LEAST_GAMES:
            left_out = ", ".join(f"{count:,} {reason}" for reason, count in self.data.skipped.items()) or "none"
            raise ConfigError(
                f"{self.data.games} games to learn from are too few, there must be {LEAST_GAMES}; left out: {left_out}"
            )
        self.trainer: GamesTrainer = GamesTrainer(recipe, self.data, threads=threads, prepare=prepare)
        self.held_out = self._hold_out(held_out)
        self._warn_of_ratings()
        if self._checkpoint.exists():
            self.trainer.restore(self._checkpoint)
        self._measured_at = (time.monotonic(), self.trainer.step)
        # What a process did after its last checkpoint is done again.
        self._board = Board(run.path / FOLDER, purges=True)

    def _hold_out(self, files: Sequence[GameFile] | None) -> HeldOut | None:
        from philidor.train.torch.matching import hold_out

        recipe = self.recipe
        batch = min(_MEASURED_AT_ONCE, recipe.training.measured)
        config = replace(recipe.data, batch=batch, drop_history=0.0, symmetries=False, weighting="none")
        part: Part = "validation" if files is None else "all"
        data = open_games(recipe, self._files if files is None else files, config, part, self._threads)
        if not data.epoch_positions:
            few = "none of the %s games is kept to measure on (1 of 100 is, by its hash), so nothing will be measured"
            _log.warning(few, f"{self.data.games:,}")
            return None
        return hold_out(
            data,
            recipe.training,
            has_ratings=self.trainer.has_ratings,
            threads=self._threads,
            prepare=self._prepare,
        )

    def _warn_of_ratings(self) -> None:
        """Says so where a network with ratings gets games without them, or with some only."""
        unknown, *known = self.data.positions_by_band
        if self.trainer.has_ratings and unknown > sum(known):
            share = 100 * unknown / (unknown + sum(known))
            _log.warning("%.0f %% of the positions have no rating: the network will hardly tell ratings apart", share)

    def facts(self) -> dict[str, Any]:
        """Returns what is learned from, in numbers."""
        names = band_names(self.recipe.data.rating_bands).tolist()
        by_rating = dict(zip(names, self.data.positions_by_band, strict=True))
        return {
            "games": self.data.games,
            "positions": self.data.positions,
            "by_rating": {name: count for name, count in by_rating.items() if count},
            "skipped": self.data.skipped,
            "held_out_positions": 0 if self.held_out is None else len(self.held_out),
            "equal_chances": None if self.held_out is None else self.held_out.equal_chances,
        }

    def go(self) -> bool:
        """Trains to the end; False if it was stopped before. The network is written either way."""
        if not self.trainer.step:
            self._log({"event": "data", "step": 0, **self.facts()})
        is_done = self.trainer.train(
            self._checkpoint,
            is_stopped=self._is_stopped,
            report=lambda progress: self._watch(Moment("learning", progress)),
            measure=self._measure,
        )
        self.write_network()
        return is_done

    @property
    def is_done(self) -> bool:
        """Whether the training came to its end."""
        return self.trainer.is_done

    @property
    def network_path(self) -> Path:
        """Where the network is written."""
        return self.run.checkpoints / NETWORK

    def write_network(self) -> None:
        """Writes the network that plays, its large arrays in half precision."""
        from philidor.nets.torch.files import stored

        remarks = {"run": self.run.name, "step": str(self.trainer.step), "teacher": self.recipe.teacher}
        save_stored(self.network_path, halved(stored(self.trainer.player, remarks)))

    @property
    def _checkpoint(self) -> Path:
        from philidor.train.torch.games import CHECKPOINT

        return self.run.checkpoints / CHECKPOINT

    def _measure(self) -> bool:
        """Writes a line of metrics; False if it was stopped on the way."""
        from philidor.train.torch.matching import measure

        trainer, (began, first) = self.trainer, self._measured_at
        losses = trainer.check_losses(trainer.learner.take_means())
        seconds = max(time.monotonic() - began, 1e-9)
        self._watch(Moment("measuring"))
        found = None
        if self.held_out is not None:
            found = measure(trainer.player, self.held_out, self._is_stopped)
            if found is None:
                return False
        batch = self.recipe.data.batch
        self._log(
            {
                "event": "measure",
                "step": trainer.step,
                "samples": trainer.step * batch,
                "epoch": round(trainer.step * batch / self.data.epoch_positions, 4),
                "progress": round(trainer.progress, 5),
                "seconds": round(trainer.seconds, 2),
                "learning_rate": trainer.learning_rate,
                "positions_per_second": round((trainer.step - first) * batch / seconds),
                "losses": losses,
                "held_out": found,
            }
        )
        # Whoever looks in on a long training finds the network as it is now.
        self.write_network()
        self._measured_at = (time.monotonic(), trainer.step)
        return True

    def _log(self, event: dict[str, Any]) -> None:
        self.run.log(event)
        numbers = {name: value for name, value in event.items() if name not in ("event", "step")}
        self._board.add(numbers, event["step"])
        self._watch(Moment("measuring", event=event))
