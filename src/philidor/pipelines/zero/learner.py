"""The part of a zero run that learns: reads whole shards, trains by the replay ratio, publishes networks.

It owns the run: its lock, metrics.jsonl, the trainer's state. Which shards a generation learns from is written down
before the first step, so that a learner that was killed ends where it would have ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from philidor.core.cores import cores
from philidor.core.errors import RecordError
from philidor.core.runs import read_lines
from philidor.games import load_game
from philidor.nets.heads import OWNERSHIP, SCORE
from philidor.pipelines.zero.actor import StoppedError, identity_of
from philidor.pipelines.zero.files import Progress, ZeroFiles
from philidor.pipelines.zero.games import check_shard, statistics
from philidor.pipelines.zero.ledger import Lot, lot_of
from philidor.pipelines.zero.meter import Meter
from philidor.pipelines.zero.rating import is_perfect
from philidor.train.solved_data import SolvedPositions
from philidor.train.zero_data import ReplayWindow

if TYPE_CHECKING:
    from philidor.pipelines.recipes import ZeroRecipe

Event = dict[str, Any]
# A worker that has said nothing for so long is taken for lost, and others play its games.
_LOST_AFTER_S = 120.0


class Learner:
    """Trains the networks of a run, one after the other."""

    def __init__(
        self,
        recipe: ZeroRecipe,
        files: ZeroFiles,
        *,
        log: Callable[[Event], None],
        report: Callable[[str, int, int], None] = lambda stage, done, total: None,
        is_stopped: Callable[[], bool] = lambda: False,
        meter: Meter | None = None,
    ) -> None:
        """Goes on where the run was left. Raises RunError for a damaged state."""
        from philidor.train.torch.zero import load_trainer, use_threads

        use_threads(_threads(recipe))
        self._recipe, self._files, self._run = recipe, files, files.run
        self._log, self._report, self._is_stopped = log, report, is_stopped
        self._meter = meter or Meter()
        self._game = load_game(recipe.game)
        self._encoding = recipe.network.load_encoding()
        first = recipe.at(0)
        self.trainer = load_trainer(self.checkpoint, first.network, first.training, recipe.seed, recipe.start)
        """The network that learns."""
        self._window = self._make_window()
        self._filled = 0
        self._beats: dict[str, tuple[str, float]] = {}
        # Whole shards, by when they were written and how large they are: who waits for more looks at them many times a
        # second, and to read them each time would take a core.
        self._whole: dict[Lot, tuple[int, int]] = {}

    @property
    def checkpoint(self) -> Path:
        """Where the trainer's state is."""
        return self._run.checkpoints / "trainer.pt"

    @property
    def generation(self) -> int:
        """Networks trained."""
        return self.trainer.generation

    # --- The loop -------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Says who may play and how far; publishes the newest network."""
        self._files.ledger.open(identity_of(self._game))
        self._publish()

    def step(self) -> bool:
        """Trains a generation if there are games for it; says whether there were. Raises StoppedError."""
        generation = self.generation
        if self.is_over:
            return False
        if self._recipe.teacher == "solver":
            source: Any = self._solved
            new = source.size
            if not self._event("play", generation):
                self._log({"event": "play", "generation": generation, "positions": new})
        else:
            if not self._event("play", generation) and not self._accept(generation):
                return False
            new = self._fill_window(generation)
            source = self._window
        self._guard(generation, source)
        self._grow(generation, source)
        self._train(generation, source, new)
        return True

    @property
    def is_over(self) -> bool:
        """Whether the last network is made, or the run has reached what it was for before."""
        kind = self._recipe.rating.stop_when_perfect
        is_reached = kind != "no" and any(is_perfect(event, kind) for event in self._events("rating"))
        return is_reached or self.generation >= self._recipe.generations

    def absorb(self) -> None:
        """Takes the rater's verdicts into the metrics, and looks after the workers."""
        logged = {(event["event"], event["generation"]) for event in self._run.metrics()}
        for generation in self._files.networks():
            for kind in ("gate", "rating"):
                verdict = self._files.verdict(kind, generation)
                if verdict is not None and (kind, generation) not in logged:
                    self._log({"event": kind, "generation": generation, **verdict})
        if self.is_over and not self._files.progress.is_over:
            self._say_progress()

    def free_lost_lots(self) -> None:
        """Hands out again what workers have who have not been heard of for long."""
        now, out = time.monotonic(), set(self._files.ledger.lots()) - set(self._files.shards())
        for worker in {lot.worker for lot in out - set(self._files.ledger.done())}:
            beat = self._files.beat(worker)
            before, since = self._beats.get(worker, (None, now))
            self._beats[worker] = (beat, since if beat == before else now)
            if now - self._beats[worker][1] > _LOST_AFTER_S:
                for lot in self._files.ledger.lots(worker):
                    if lot in out:
                        self._files.ledger.give_back(lot, unless=self._files.shard(lot).exists)

    # --- Games in -------------------------------------------------------------------------------------------

    def _accept(self, generation: int) -> bool:
        """Notes the shards of a generation, if there are enough new ones; those that are damaged are refused.

        What actors have played ahead is left for the next generations: one without a game of its own would wait for
        ever where all games have been played.
        """
        known = [lot for event in self._events("play") for lot in _lots(event)]
        taken = {lot.first for lot in known}
        missing = (generation + 1) * self._recipe.games - sum(map(len, known))
        fresh: list[Lot] = []
        for lot in [lot for lot in self._files.shards() if self._is_good(lot, taken, generation)]:
            if missing > 0:
                fresh.append(lot)
                missing -= len(lot)
        if missing > 0 or not fresh:
            return False
        facts = statistics([self._files.shard(lot) for lot in fresh])
        speed = self._speed(fresh)
        shards = [lot.name for lot in fresh]
        self._log({"event": "play", "generation": generation, **facts, **speed, "shards": shards})
        return True

    def _is_good(self, lot: Lot, taken: set[int], generation: int) -> bool:
        if lot.first in taken and self._files.ledger.is_owner(lot):
            return False
        try:
            if lot.first in taken or not self._files.ledger.is_owner(lot):
                raise RecordError(f"{lot.name} was given to another worker")
            self._check_once(lot)
        except RecordError as error:
            self._files.refuse(lot)
            self._log({"event": "refused", "generation": generation, "shard": lot.name, "reason": str(error)})
            return False
        return True

    def _check_once(self, lot: Lot) -> None:
        """Refuses a shard that is not whole; one that was seen before and has not changed is not read again."""
        path = self._files.shard(lot)
        facts = path.stat()
        version = facts.st_mtime_ns, facts.st_size
        if self._whole.get(lot) != version:
            check_shard(path, lot, self._game)
            self._whole[lot] = version

    def _speed(self, lots: list[Lot]) -> Event:
        """Returns how fast these lots were played, by what their workers say."""
        names = {lot.name for lot in lots}
        lines = [
            (worker, line)
            for worker in sorted({lot.worker for lot in lots})
            for line in read_lines(self._files.actor(worker) / "shards.jsonl")
            if line["shard"] in names
        ]
        by_worker: dict[str, float] = {}
        for worker, line in lines:
            by_worker[worker] = by_worker.get(worker, 0.0) + line["seconds"]
        evaluations, batches = (sum(line[name] for _, line in lines) for name in ("evaluations", "batches"))
        seconds = max(by_worker.values(), default=0.0)
        return {
            "seconds": round(seconds, 2),
            "evaluations": evaluations,
            "evaluations_per_second": round(evaluations / max(seconds, 1e-9)) if seconds else 0,
            "mean_batch": round(evaluations / max(batches, 1), 1),
            "workers": len(by_worker),
        }

    def _fill_window(self, generation: int) -> int:
        """Reads what is not in the window yet; returns how many positions are new.

        Of a run that continues, shards whose positions have left the window are not read again, and those that a small
        pack has left behind cannot be.
        """
        self._window.use(self._recipe.at(generation).training)
        known = {event["generation"] - 1: int(event["new_positions"]) for event in self._events("train")}
        size = self._window.size_of(sum(known.values()))
        new = 0
        for number in range(self._filled, generation + 1):
            later = sum(count for played, count in known.items() if played > number)
            if number in known and later >= size:
                self._window.skip(known[number])
            else:
                event = self._event("play", number)
                lots = set() if event is None else set(_lots(event))
                here = sorted(lots - set(self._files.ledger.done()))
                new = sum(self._window.add(self._files.shard(lot)) for lot in here)
                if len(here) < len(lots):
                    self._window.skip(known[number] - new)
        self._filled = generation + 1
        return new

    def _make_window(self) -> ReplayWindow:
        recipe = self._recipe
        return ReplayWindow(
            self._game,
            self._encoding,
            recipe.training,
            has_reply=recipe.network.reply,
            has_ownership=not {OWNERSHIP, SCORE}.isdisjoint(recipe.network.more_heads),
            threads=recipe.threads,
        )

    @cached_property
    def _solved(self) -> SolvedPositions:
        return SolvedPositions(self._game, self._encoding)

    # --- Networks out ---------------------------------------------------------------------------------------

    def _guard(self, generation: int, source: Any) -> None:
        is_asked = generation > 0 or self.trainer.step > 0 or bool(self._events("guard"))
        # A network that has learned before is sure of itself, and rightly.
        if is_asked or not self._recipe.guards or self._recipe.start is not None:
            return
        import numpy as np

        from philidor.train.torch.guards import check_start

        self._say("guard", 0, 0)
        samples = source.draw(512, np.random.default_rng(self._recipe.seed))
        guards = check_start(self.trainer.player, samples, self._recipe.training)
        self._log({"event": "guard", "generation": 0, **{guard.name: guard.value for guard in guards}})

    def _grow(self, generation: int, source: Any) -> None:
        """Puts a new network in the place of one of another size, taught by the window that the old one has filled."""
        from philidor.train.torch.zero import Plan, ZeroTrainer

        recipe = self._recipe.at(generation)
        self.trainer.config = recipe.training
        if recipe.network == self.trainer.network and not self.trainer.is_growing:
            return
        if not self.trainer.is_growing:
            self.trainer = ZeroTrainer(recipe.network, recipe.training, recipe.seed, generation=generation)
            self.trainer.is_growing = True
        steps = max(1, round(recipe.training.growth_passes * source.size / recipe.training.batch))
        began = time.monotonic()
        losses = self._learn(source, Plan(generation - 1, steps, recipe.training.learning_rate))
        seconds = round(time.monotonic() - began, 2)
        facts = {"steps": steps, "losses": losses, "window": source.size, "seconds": seconds}
        self._log({"event": "grow", "generation": generation, **facts})

    def _train(self, generation: int, source: Any, new: int) -> None:
        from philidor.train.torch.zero import Plan

        config, began = self._recipe.at(generation).training, time.monotonic()
        newest = self._window.newest(new) if source is self._window else source.samples
        with self._meter.busy():
            measured = self.trainer.measure(newest)
        progress = generation / max(1, self._recipe.generations - 1)
        plan = Plan(generation, config.steps(new), config.rate_at(progress))
        losses = self._learn(source, plan)
        seconds = time.monotonic() - began
        self._log(
            {
                "event": "train",
                "generation": generation + 1,
                "steps": plan.steps,
                "step": self.trainer.step,
                "learning_rate": plan.learning_rate,
                "losses": losses,
                "new_positions": new,
                "window": source.size,
                "replay_ratio": round(plan.steps * config.batch / new, 2),
                "before": measured,
                "seconds": round(seconds, 2),
                "samples_per_second": round(plan.steps * config.batch / max(seconds, 1e-9)),
                "device_idle": round(self._meter.take_idle(), 4),
            }
        )
        self._publish()

    def _learn(self, source: Any, plan: Any) -> dict[str, float]:
        with self._meter.busy():
            losses = self.trainer.train(
                source,
                plan,
                checkpoint=self.checkpoint,
                is_stopped=self._is_stopped,
                report=lambda done, total: self._report("train", done, total),
            )
        if losses is None:
            raise StoppedError
        return losses

    def _publish(self) -> None:
        """Writes the network that plays, then says that it is there; a kill may have come in between."""
        from philidor.nets.torch.files import save_network

        trainer, path = self.trainer, self._files.network(self.generation)
        if not path.exists() and not trainer.steps_done and not trainer.is_growing:
            save_network(path, trainer.player, {"run": self._run.name, "step": str(trainer.step)})
        newest = max(self._files.networks(), default=0)
        if self._recipe.style == "continuous" and self._files.newest != newest:
            self._files.newest = newest
        self._say_progress()

    def _say_progress(self) -> None:
        recipe, generation = self._recipe, self.generation
        total = 0 if recipe.teacher == "solver" else recipe.generations * recipe.games
        wanted = min((generation + 1 + recipe.overlap) * recipe.games, total)
        # In turn, a network plays all games of its generation and no other ones.
        progress = Progress(generation, wanted, total if recipe.overlap else wanted, self.is_over)
        if self._files.progress != progress:
            self._files.progress = progress

    # --- What happened --------------------------------------------------------------------------------------

    def _events(self, kind: str) -> list[Event]:
        return [event for event in self._run.metrics() if event.get("event") == kind]

    def _event(self, kind: str, generation: int) -> Event | None:
        return next((event for event in self._events(kind) if event["generation"] == generation), None)

    def _say(self, stage: str, done: int, total: int) -> None:
        if self._is_stopped():
            raise StoppedError
        self._report(stage, done, total)


def _lots(event: Event) -> list[Lot]:
    return [lot for name in event.get("shards", ()) if (lot := lot_of(name)) is not None]


def _threads(recipe: ZeroRecipe) -> int:
    """Returns how many threads learn; 0 leaves it to torch.

    The threads of a step wait for each other all the time, and where actors have the same cores, for theirs: on two
    cores two threads learned 430 positions a second beside an actor, one thread 2,050.
    """
    from philidor.train.torch.devices import torch_device

    is_shared = recipe.overlap > 0 and torch_device(recipe.training.device).type == "cpu"
    return recipe.threads or (max(1, cores() // 4) if is_shared else 0)
