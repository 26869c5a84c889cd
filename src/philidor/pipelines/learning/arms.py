"""The four ways to learn, with one network, one optimizer and one learning rate for all of them.

Self-play is the zero loop's, in a run folder of its own inside the experiment's. Learning from recorded games is the
same trainer with another source of positions, so nothing but the positions differs.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from philidor.core.runs import Run
from philidor.games import load_game
from philidor.train.played_data import PlayedPositions

if TYPE_CHECKING:
    from philidor.core.game import AnyGame
    from philidor.pipelines.learning.config import LearningConfig
    from philidor.pipelines.recipes import ZeroRecipe
    from philidor.train.torch.zero import ZeroTrainer

GAMES, ITSELF = "games", "self-play"
ARMS = {
    "games": (GAMES, GAMES),
    "self-play": (ITSELF, ITSELF),
    "games-then-self-play": (GAMES, ITSELF),
    "self-play-then-games": (ITSELF, GAMES),
}
"""Name -> teacher of the first half and of the second. An arm that changes begins where the pure one is halfway."""
PARENTS = {"games-then-self-play": "games", "self-play-then-games": "self-play"}


class StoppedError(Exception):
    """The user wants to stop; everything is saved."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What the experiment is doing, for whoever watches."""

    what: str
    done: int = 0
    total: int | None = None


Watcher = Callable[[Moment], None]


class Arms:
    """Trains the networks of all arms and remembers, in the run's metrics, what each turn took."""

    def __init__(
        self, config: LearningConfig, run: Run, teacher_file: Path, watch: Watcher, is_stopped: Callable[[], bool]
    ) -> None:
        self.config, self.run = config, run
        self._teacher_file, self._watch, self._is_stopped = teacher_file, watch, is_stopped
        self._game: AnyGame = load_game(config.game)
        self._clock = time.process_time()

    # --- Where things are -----------------------------------------------------------------------------------

    def network(self, arm: str, turn: int) -> Path:
        """Returns the file of an arm's network after a turn; in the first half it is the pure arm's."""
        half = self.config.turns
        if arm in PARENTS and turn <= half:
            return self.network(PARENTS[arm], turn)
        if ARMS[arm][1] == ITSELF:
            number = turn - half if arm in PARENTS else turn
            return self._zero_folder(arm) / "checkpoints" / f"network-{number:04d}.safetensors"
        return self.run.checkpoints / f"{arm}-{turn:04d}.safetensors"

    def _zero_folder(self, arm: str) -> Path:
        return self.run.path / arm

    def _half_state(self, arm: str) -> Path:
        """Where the trainer of a pure arm is kept as it was halfway."""
        return self.run.checkpoints / f"{arm}-half.pt"

    # --- Training -------------------------------------------------------------------------------------------

    def train(self) -> None:
        """Trains what is still to be trained. Raises StoppedError."""
        half, end = self.config.turns, 2 * self.config.turns
        self._learn_games("games", half)
        self._keep_half("games", self._games_state("games"))
        self._learn_games("games", end)
        self._learn_self("self-play", half)
        self._keep_half("self-play", self._zero_folder("self-play") / "checkpoints" / "trainer.pt")
        self._learn_self("self-play", end)
        self._learn_self("games-then-self-play", half)
        self._learn_games("self-play-then-games", end)

    def _keep_half(self, arm: str, state: Path) -> None:
        target = self._half_state(arm)
        if not target.exists():
            temporary = target.with_suffix(".tmp")
            shutil.copyfile(state, temporary)
            temporary.replace(target)

    def _games_state(self, arm: str) -> Path:
        return self.run.checkpoints / f"{arm}.pt"

    @cached_property
    def _recorded(self) -> PlayedPositions:
        recipe = self._recipe(1)
        encoding = recipe.network.load_encoding()
        return PlayedPositions(self._teacher_file, self._game, encoding, symmetries=recipe.training.symmetries)

    def _recipe(self, generations: int) -> ZeroRecipe:
        return self.config.zero_recipe(generations)

    def _trainer(self, state: Path) -> ZeroTrainer:
        from philidor.train.torch.zero import ZeroTrainer, use_threads

        recipe = self._recipe(1)
        use_threads(recipe.threads)
        trainer = ZeroTrainer(recipe.network, recipe.training, recipe.seed)
        if state.exists():
            trainer.restore(state)
        return trainer

    def _learn_games(self, arm: str, turns: int) -> None:
        """Lets an arm learn from recorded games until it has made so many turns."""
        from philidor.nets.torch.files import save_network
        from philidor.train.torch.zero import Plan

        if self.network(arm, turns).exists():
            return
        state = self._games_state(arm)
        if arm in PARENTS and not state.exists():
            shutil.copyfile(self._half_state(PARENTS[arm]), state)
        trainer = self._trainer(state)
        if not trainer.generation and not self.network(arm, 0).exists():
            save_network(self.network(arm, 0), trainer.player, {})
        while trainer.generation < turns:
            turn = trainer.generation
            self._lap()
            losses = trainer.train(
                self._recorded,
                Plan(turn, self.config.steps, self.config.learning_rate),
                checkpoint=state,
                is_stopped=self._is_stopped,
                report=self._steps_of(f"{arm}, turn {turn + 1}"),
            )
            if losses is None:
                raise StoppedError
            self._log_turn(arm, turn + 1, trainer.step, self._lap())
            save_network(self.network(arm, turn + 1), trainer.player, {"step": str(trainer.step)})
        if not self.network(arm, turns).exists():  # a kill came between the trainer's state and the network
            save_network(self.network(arm, turns), trainer.player, {"step": str(trainer.step)})

    def _steps_of(self, what: str) -> Callable[[int, int], None]:
        return lambda done, total: self._watch(Moment(what, done, total))

    def _learn_self(self, arm: str, generations: int) -> None:
        """Lets an arm play against itself and learn from that, until it has made so many generations."""
        from philidor.pipelines.zero import ZeroLoop

        folder = self._zero_folder(arm)
        if (folder / "checkpoints" / f"network-{generations:04d}.safetensors").exists():
            return
        total = self.config.turns * (1 if arm in PARENTS else 2)
        run = Run.resume_or_create(folder.name, self._recipe(total), folder.parent)
        state = run.checkpoints / "trainer.pt"
        first = 0
        if arm in PARENTS:
            first = self.config.turns
            if not state.exists():
                trainer = self._trainer(self._half_state(PARENTS[arm]))
                trainer.generation = 0  # its generations of self-play are counted
                trainer.save(state)

        def watch(moment: Any) -> None:
            if moment.event is None:
                self._watch(
                    Moment(f"{arm}, turn {first + moment.generation}: {moment.stage}", moment.done, moment.total)
                )
            elif moment.stage == "train":
                self._log_turn(arm, first + moment.generation, moment.event["step"], self._lap())

        self._lap()
        if not ZeroLoop(self._recipe(generations), run, watch=watch, is_stopped=self._is_stopped).go():
            raise StoppedError

    # --- Time -----------------------------------------------------------------------------------------------

    def _lap(self) -> float:
        """Returns the CPU time since the last call: what others do on the machine does not count."""
        before, self._clock = self._clock, time.process_time()
        return self._clock - before

    def _log_turn(self, arm: str, turn: int, step: int, cpu_s: float) -> None:
        self.run.log({"event": "turn", "arm": arm, "turn": turn, "step": step, "cpu_s": round(cpu_s, 3)})

    def cpu_seconds(self, arm: str, turn: int) -> float:
        """Returns the CPU time that an arm's network has taken up to a turn, playing and learning."""
        half = self.config.turns
        if arm in PARENTS and turn <= half:
            return self.cpu_seconds(PARENTS[arm], turn)
        before = self.cpu_seconds(PARENTS[arm], half) if arm in PARENTS else 0.0
        spent = {
            event["turn"]: float(event["cpu_s"])
            for event in self.run.metrics()
            if event.get("event") == "turn" and event["arm"] == arm
        }
        return before + sum(seconds for number, seconds in spent.items() if number <= turn)
