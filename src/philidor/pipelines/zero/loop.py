"""The zero loop on one machine: actor, learner and rater, in turn or side by side (book, ch. 4.2.2 and 5.4).

The parts know nothing of each other but files (files.py). In turn, a run is reproducible; side by side, playing and
learning share the device and nobody waits for the other.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from philidor.core.errors import RunError
from philidor.core.main_guard import check_main_guard
from philidor.core.runs import Run, write_atomic
from philidor.core.toml import config_to_toml
from philidor.games import load_game
from philidor.games.checking import check_game
from philidor.pipelines.recipes import ZeroRecipe
from philidor.pipelines.zero.actor import Actor, StoppedError
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.judging import newest_judge
from philidor.pipelines.zero.learner import Learner
from philidor.pipelines.zero.meter import Meter
from philidor.pipelines.zero.rater import Rater

if TYPE_CHECKING:
    from pathlib import Path


_log = logging.getLogger(__name__)
_WAIT_S = 0.05
_ABSORB_EVERY_S = 1.0
_RATERS = 3
"""Raters that are begun, one after the other, before a run does without."""
# Python's default of 5 ms would let the pool wait for the learner's bookkeeping that long.
_SWITCH_S = 0.0005


@dataclass(frozen=True, slots=True)
class Moment:
    """What the loop is doing, for whoever watches."""

    generation: int
    """Of the network that is being made; 0 before the first."""
    stage: str
    """play, guard, train, gate or rate."""
    done: int = 0
    total: int = 0
    event: dict[str, Any] | None = None
    """What was just written to metrics.jsonl."""


Watcher = Callable[[Moment], None]


class ZeroLoop:
    """All parts of a run on this machine."""

    def __init__(
        self,
        recipe: ZeroRecipe,
        run: Run,
        *,
        watch: Watcher = lambda moment: None,
        is_stopped: Callable[[], bool] = lambda: False,
        has_processes: bool = True,
        is_alone: bool = False,
        is_rated: bool = True,
    ) -> None:
        """Goes on where the run was left. Raises GameError for a game that breaks its contract, and RunError.

        Side by side, the rater is a process of its own unless told otherwise: it would take Python's time from the
        others. A learner that `is_alone` leaves playing and judging to others. Networks that are not rated now can be
        later (`run_rater`), but a gate cannot wait: it is played in any case.
        """
        from philidor.train.torch.tensorboard import FOLDER, Board

        check_own_game(recipe)
        self.recipe, self.run, self.files = recipe, run, ZeroFiles(run)
        self.files.check_layout()
        self._watch, self._is_asked_to_stop, self._has_processes = watch, is_stopped, has_processes
        self._watching = threading.Lock()
        self._failure: list[BaseException] = []
        self._meter = Meter()
        self._rater = Rater(recipe, self.files, rates=is_rated, report=self._tell_judging, is_stopped=self._is_stopped)
        self._learner = Learner(
            recipe,
            self.files,
            log=self._log,
            report=lambda stage, done, total: self._tell(Moment(self._learner.generation + 1, stage, done, total)),
            is_stopped=self._is_stopped,
            meter=self._meter,
        )
        self._learner.begin()
        self._is_alone, self._is_rated = is_alone, is_rated
        self._actor: Actor | None = None
        if recipe.teacher == "self-play" and not is_alone:
            judge = newest_judge(recipe, self.files, self._learner.trainer.device, self._meter)
            self._actor = Actor(recipe, self.files, judge, report=self._tell_playing, is_stopped=self._is_stopped)
        self._board = Board(run.path / FOLDER)

    @property
    def best(self) -> int:
        """The generation that plays: the newest, or the last that passed the gate."""
        return self.files.newest

    def go(self) -> bool:
        """Runs to the end; False if it was stopped before. Raises RunError if the disk is full."""
        try:
            try:
                if self._is_alone or (self.recipe.overlap and self._actor is not None):
                    self._side_by_side()
                else:
                    self._in_turn()
                return True
            except StoppedError:
                if self._actor is not None:
                    self._actor.close()
                return False
        except OSError as error:
            raise RunError(
                f"cannot write to {str(self.run.path)!r}: {error.strerror or error}; "
                "what was saved is whole, and the same command continues from it"
            ) from error
        finally:
            if self._actor is not None:
                self._actor.release()

    # --- In turn --------------------------------------------------------------------------------------------

    def _in_turn(self) -> None:
        self._judge_all()
        while not self._learner.is_over:
            if self._actor is not None:
                self._actor.play()
            self._learner.step()
            self._judge_all()
        if self._actor is not None:
            self._actor.close()

    def _judge_all(self) -> None:
        self._rater.catch_up()
        self._learner.absorb()

    # --- Side by side ---------------------------------------------------------------------------------------

    def _side_by_side(self) -> None:
        before = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_S)
        others: list[threading.Thread | _RaterProcess] = []
        try:
            if self._actor is not None:
                others.append(self._thread("actor", self._actor.run))
                if self._is_rated or self.recipe.style == "gated":
                    others.append(self._begin_rater())
            self._learn(others)
        except BaseException as error:
            self._failure.append(error)
            raise
        finally:
            for part in others:
                part.join()
            sys.setswitchinterval(before)

    def _begin_rater(self) -> threading.Thread | _RaterProcess:
        # A game of the user's own is code that only the user names, not the run's config.
        uses_process = self._has_processes and ":" not in self.recipe.game
        return _RaterProcess(self.run.path, self._is_rated) if uses_process else self._thread("rater", self._rater.run)

    def _learn(self, others: Sequence[threading.Thread | _RaterProcess]) -> None:
        absorbed = 0.0
        while True:
            if self._is_stopped():
                raise self._failure[0] if self._failure else StoppedError
            alive = [part for part in others if part.is_alive()]
            if time.monotonic() - absorbed > _ABSORB_EVERY_S or not alive:
                self._learner.absorb()
                self._learner.free_lost_lots()
                absorbed = time.monotonic()
            if self._learner.step():
                continue
            if self._learner.is_over and not alive and not self._failure:
                return
            time.sleep(_WAIT_S)

    def _thread(self, name: str, work: Callable[[], None]) -> threading.Thread:
        def guarded() -> None:
            try:
                work()
            except BaseException as error:  # told by the thread that waits
                self._failure.append(error)

        thread = threading.Thread(target=guarded, name=name, daemon=True)
        thread.start()
        return thread

    # --- What happens ---------------------------------------------------------------------------------------

    def _is_stopped(self) -> bool:
        return bool(self._failure) or self._is_asked_to_stop()

    def _log(self, event: dict[str, Any]) -> None:
        self.run.log(event)
        numbers = {name: value for name, value in event.items() if name not in ("generation", "shards")}
        self._board.add({event["event"]: numbers}, event["generation"])
        self._tell(Moment(event["generation"], event["event"], event=event))

    def _tell_playing(self, games: int) -> None:
        generation, each = self._learner.generation, self.recipe.games
        self._tell(Moment(generation + 1, "play", max(0, min(games - generation * each, each)), each))

    def _tell_judging(self, generation: int, stage: str, total: int) -> None:
        self._tell(Moment(generation, stage, 0, total))

    def _tell(self, moment: Moment) -> None:
        with self._watching:
            self._watch(moment)


def open_run(recipe: ZeroRecipe, out: Path) -> Run:
    """Opens or makes a run. What is still to come may be changed, and nothing else. Raises RunError."""
    if (out / "config.toml").exists():
        run = Run(out)
        run.hold()
        before = run.config(ZeroRecipe)
        if before != recipe and recipe.may_follow(before, ZeroFiles(run).progress.generation):
            write_atomic(run.config_path, config_to_toml(recipe))
    return Run.resume_or_create(out.name, recipe, out.parent)


# --- Parts by themselves --------------------------------------------------------------------------------------


def check_own_game(recipe: ZeroRecipe) -> None:
    """Refuses a game that breaks its contract; those of the table are tested against more. Raises GameError."""
    if ":" in recipe.game:
        check_game(load_game(recipe.game))


def run_actor(
    recipe: ZeroRecipe, run: Run, worker: str, is_stopped: Callable[[], bool], *, threads: int | None = None
) -> None:
    """Plays for a run that somebody else learns for. Raises RunError if there is no network yet."""
    from philidor.train.torch.devices import torch_device
    from philidor.train.torch.zero import use_threads

    use_threads(recipe.threads)
    files = ZeroFiles(run)
    if not files.networks():
        raise RunError(f"{str(run.path)!r} has no network yet: begin the learner first")
    judge = newest_judge(recipe, files, torch_device(recipe.training.device), threads=threads)
    actor = Actor(recipe, files, judge, worker=worker, threads=threads, is_stopped=is_stopped)
    try:
        actor.run()
    finally:
        actor.release()


def run_rater(recipe: ZeroRecipe, run: Run, is_stopped: Callable[[], bool], *, rates: bool = True) -> None:
    """Judges the networks of a run; unless it `rates`, only by the gate."""
    from philidor.train.torch.zero import use_threads

    use_threads(recipe.threads)
    Rater(recipe, ZeroFiles(run), rates=rates, is_stopped=is_stopped).run()


class _RaterProcess:
    """A rater in a process of its own, begun again when it dies."""

    def __init__(self, run: Path, rates: bool) -> None:
        check_main_guard()
        self._run, self._rates, self._begun = run, rates, 0
        self._process: Any = None
        self._begin()

    def _begin(self) -> None:
        self._begun += 1
        context = multiprocessing.get_context("spawn")
        self._process = context.Process(target=_rate, args=(str(self._run), self._rates), daemon=True)
        self._process.start()

    def is_alive(self) -> bool:
        """Says whether there is still something to wait for."""
        if self._process.is_alive():
            return True
        if self._process.exitcode == 0:
            return False
        if self._begun >= _RATERS:
            return False
        _log.warning("the rater died (exit code %s); another one goes on", self._process.exitcode)
        self._begin()
        return True

    def join(self) -> None:
        """Ends it; what it has found is in files."""
        if self._process.is_alive():
            self._process.terminate()
        self._process.join()


def _rate(path: str, rates: bool) -> None:
    """The rater's process: it gives way to those who play and learn."""
    from pathlib import Path

    if hasattr(os, "nice"):
        os.nice(10)
    run = Run(Path(path))
    parent = multiprocessing.parent_process()
    run_rater(run.config(ZeroRecipe), run, lambda: parent is not None and not parent.is_alive(), rates=rates)
