"""The zero loop: play against yourself, learn from it, prove yourself, be rated, again (book, ch. 4.2.2 and 5.4).

What has happened is on disk at any moment: finished games in shards, games under way beside them, the trainer's state,
a network per generation, and metrics.jsonl, whose lines also say which networks were rated and gated. Killed anywhere,
the loop finds from these files where it was; nothing else is remembered.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from philidor.arena.many_games import SearchChooser, play_pairs
from philidor.core.errors import RunError
from philidor.core.evaluation import Evaluation
from philidor.core.runs import Run
from philidor.evaluators.network import NetConfig, NetEvaluator
from philidor.games import load_game
from philidor.games.checking import check_game
from philidor.pipelines.recipes import ZeroRecipe
from philidor.pipelines.zero_play import SelfPlay, StoppedError
from philidor.pipelines.zero_rating import Rater, is_perfect, playing_search
from philidor.train.solved_data import SolvedPositions
from philidor.train.zero_data import ReplayWindow

if TYPE_CHECKING:
    from philidor.evaluators.torch import TorchBackend
    from philidor.train.torch.zero import ZeroTrainer

_EVALUATED_AT_ONCE = 1024


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
    """A run in progress."""

    def __init__(
        self,
        recipe: ZeroRecipe,
        run: Run,
        *,
        watch: Watcher = lambda moment: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Goes on where the run was left. Raises GameError for a game that breaks its contract, and RunError."""
        from philidor.evaluators.torch import TorchBackend
        from philidor.train.torch.tensorboard import FOLDER, Board
        from philidor.train.torch.zero import ZeroTrainer, use_threads

        use_threads(recipe.threads)
        self.recipe, self.run = recipe, run
        self._watch, self._is_stopped = watch, is_stopped
        self._game = load_game(recipe.game)
        if ":" in recipe.game:  # the games of the table are tested against more than this
            check_game(self._game)
        self._encoding = recipe.network.load_encoding()
        self._rater = Rater(recipe, self._game)
        self._trainer: ZeroTrainer = ZeroTrainer(recipe.network, recipe.training, recipe.seed)
        if self._checkpoint.exists():
            self._trainer.restore(self._checkpoint)
        self._keep_network()
        is_compiled = recipe.compile and self._trainer.device.type == "cuda"
        self._backend: TorchBackend = TorchBackend(
            self._trainer.player, self._trainer.device, compile_from=recipe.batch if is_compiled else None
        )
        self._self_play = SelfPlay(recipe, run, self._game, self._encoding)
        self._window = ReplayWindow(
            self._game, self._encoding, recipe.training, has_reply=recipe.network.reply, threads=recipe.threads
        )
        self._board = Board(run.path / FOLDER)

    # --- The loop -------------------------------------------------------------------------------------------

    def go(self) -> bool:
        """Runs to the end; False if it was stopped before. Raises RunError if the disk is full."""
        try:
            try:
                return self._go()
            except StoppedError:
                self._self_play.keep()
                return False
        except OSError as error:
            raise RunError(
                f"cannot write to {str(self.run.path)!r}: {error.strerror or error}; "
                "what was saved is whole, and the same command goes on from it"
            ) from error

    def _go(self) -> bool:
        self._self_play.mend()
        self._rate(0)
        for generation in range(self.recipe.generations):
            if self._is_finished():
                break
            if generation >= self._trainer.generation:
                self._generation(generation)
            self._gate(generation + 1)
            self._rate(generation + 1)
        return True

    def _generation(self, generation: int) -> None:
        """Plays the games of a generation and makes the next network of them."""
        if self.recipe.teacher == "solver":
            source: Any = self._solved
            new = source.size
            self._log({"event": "play", "generation": generation, "positions": new})
        else:
            self._play(generation)
            new = self._fill_window(generation)
            source = self._window
        self._guard(generation, source)
        self._train(generation, source, new)

    @cached_property
    def _solved(self) -> SolvedPositions:
        return SolvedPositions(self._game, self._encoding)

    # --- 1. Play --------------------------------------------------------------------------------------------

    def _play(self, generation: int) -> None:
        from philidor.nets.torch.files import load_network

        self._backend.load(load_network(self._network_path(self.best), self._encoding.shape))
        facts = self._self_play.fill(
            generation,
            self._backend.submit,
            report=lambda done: self._say(generation + 1, "play", done),
            is_stopped=self._is_stopped,
        )
        self._log({"event": "play", "generation": generation, **facts})

    def _fill_window(self, generation: int) -> int:
        """Reads the shards that are not in the window yet; returns how many positions the newest one has.

        Of a run that continues, shards whose positions have left the window are not read again.
        """
        known = {event["generation"] - 1: int(event["new_positions"]) for event in self._events("train")}
        size = self.recipe.training.window.size(sum(known.values()))
        new = 0
        for number in range(self._window.shards, generation + 1):
            later = sum(count for shard, count in known.items() if shard > number)
            if number in known and later >= size:
                self._window.skip(known[number])
            else:
                new = self._window.add(self._self_play.shard(number))
        return new

    # --- 2. Learn -------------------------------------------------------------------------------------------

    def _guard(self, generation: int, source: Any) -> None:
        is_asked = generation > 0 or self._trainer.step > 0 or bool(self._events("guard"))
        if is_asked or not self.recipe.guards:
            return
        import numpy as np

        from philidor.train.torch.guards import check_start

        self._say(1, "guard", 0)
        samples = source.draw(512, np.random.default_rng(self.recipe.seed))
        guards = check_start(self._trainer.player, samples, self.recipe.training)
        self._log({"event": "guard", "generation": 0, **{guard.name: guard.value for guard in guards}})

    def _train(self, generation: int, source: Any, new: int) -> None:
        from philidor.train.torch.zero import Plan

        config, began = self.recipe.training, time.monotonic()
        newest = self._window.newest(new) if source is self._window else source.samples
        measured = self._trainer.measure(newest)
        plan = Plan(generation, config.steps(new), config.rate_at(generation / max(1, self.recipe.generations - 1)))
        losses = self._trainer.train(
            source,
            plan,
            checkpoint=self._checkpoint,
            is_stopped=self._is_stopped,
            report=lambda done, total: self._say(generation + 1, "train", done, total),
        )
        if losses is None:
            raise StoppedError
        seconds = time.monotonic() - began
        self._keep_network()
        self._log(
            {
                "event": "train",
                "generation": generation + 1,
                "steps": plan.steps,
                "step": self._trainer.step,
                "learning_rate": plan.learning_rate,
                "losses": losses,
                "new_positions": new,
                "window": source.size,
                "replay_ratio": round(plan.steps * config.batch / new, 2),
                "before": measured,
                "seconds": round(seconds, 2),
                "samples_per_second": round(plan.steps * config.batch / max(seconds, 1e-9)),
            }
        )

    @property
    def _checkpoint(self) -> Path:
        return self.run.checkpoints / "trainer.pt"

    def _network_path(self, generation: int) -> Path:
        return self.run.checkpoints / f"network-{generation:04d}.safetensors"

    def _keep_network(self) -> None:
        """Writes the network that plays; a kill may have come between the trainer's state and it."""
        from philidor.nets.torch.files import save_network

        path = self._network_path(self._trainer.generation)
        if not path.exists() and not self._trainer.steps_done:
            save_network(path, self._trainer.player, {"run": self.run.name, "step": str(self._trainer.step)})

    # --- 3. Gate --------------------------------------------------------------------------------------------

    @property
    def best(self) -> int:
        """The generation that plays: the newest, or the last that passed the gate."""
        if self.recipe.style == "continuous":
            return self._trainer.generation
        passed = [event["generation"] for event in self._events("gate") if event["passed"]]
        return max(passed, default=0)

    def _gate(self, generation: int) -> None:
        if self.recipe.style == "continuous" or self._happened("gate", generation):
            return
        self._say(generation, "gate", 0, 2 * self.recipe.gate.pairs)
        gate, search, best = self.recipe.gate, playing_search(self.recipe), self.best
        score = play_pairs(
            self._game,
            (SearchChooser(self._evaluator(generation), search), SearchChooser(self._evaluator(best), search)),
            gate.pairs,
            opening_plies=gate.opening_plies,
            max_plies=self.recipe.rating.max_plies,
            seed=self.recipe.seed + generation,
        )
        passed = score.share >= gate.threshold
        facts = {"score": score.share, "wins": score.wins, "draws": score.draws, "losses": score.losses}
        self._log({"event": "gate", "generation": generation, "against": best, **facts, "passed": passed})

    # --- 4. Rate --------------------------------------------------------------------------------------------

    def _rate(self, generation: int) -> None:
        is_due = generation % self.recipe.rating.every == 0 or generation == self.recipe.generations
        if not is_due or self._happened("rating", generation):
            return
        self._say(generation, "rate", 0)
        began = time.monotonic()
        found = self._rater.rate(self._evaluator(generation))
        seconds = round(time.monotonic() - began, 2)
        self._log({"event": "rating", "generation": generation, **found, "seconds": seconds})

    def _evaluator(self, generation: int) -> _StoppableEvaluator:
        from philidor.evaluators.torch import TorchBackend
        from philidor.nets.torch.files import load_network

        network = load_network(self._network_path(generation), self._encoding.shape)
        backend = TorchBackend(network, self._trainer.device)
        evaluator = NetEvaluator(backend, self._encoding, NetConfig(batch=_EVALUATED_AT_ONCE))
        return _StoppableEvaluator(evaluator, self._is_stopped)

    def _is_finished(self) -> bool:
        """Says whether the run has reached what it was for before its last generation."""
        kind = self.recipe.rating.stop_when_perfect
        return kind != "no" and any(is_perfect(event, kind) for event in self._events("rating"))

    # --- What happened --------------------------------------------------------------------------------------

    def _events(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.run.metrics() if event.get("event") == kind]

    def _happened(self, kind: str, generation: int) -> bool:
        return any(event["generation"] == generation for event in self._events(kind))

    def _log(self, event: dict[str, Any]) -> None:
        self.run.log(event)
        numbers = {name: value for name, value in event.items() if name != "generation"}
        self._board.add({event["event"]: numbers}, event["generation"])
        self._watch(Moment(event["generation"], event["event"], event=event))

    def _say(self, generation: int, stage: str, done: int, total: int | None = None) -> None:
        if self._is_stopped() and stage in ("guard", "gate", "rate"):
            raise StoppedError
        self._watch(Moment(generation, stage, done, self.recipe.games if total is None else total))


class _StoppableEvaluator:
    """Asks before each batch whether to go on, so that whoever plays or judges by a network can be stopped."""

    def __init__(self, evaluator: NetEvaluator, is_stopped: Callable[[], bool]) -> None:
        self._evaluator, self._is_stopped = evaluator, is_stopped

    def evaluate(self, states: Sequence[Any]) -> list[Evaluation[Any]]:
        """Judges a batch. Raises StoppedError."""
        if self._is_stopped():
            raise StoppedError
        return self._evaluator.evaluate(states)
