"""The part of a zero run that judges: the gate that a new network has to pass, and how good it is (book, ch. 4.2.2).

It reads networks and writes verdicts. Where the style is gated its verdict decides which network plays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from philidor.arena.many_games import Score, opening_places
from philidor.core.evaluation import Evaluation
from philidor.evaluators.network import NetConfig, NetEvaluator
from philidor.games import load_game
from philidor.pipelines.zero.actor import StoppedError
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.rating import Rating
from philidor.selfplay.duel import play_duel, without_chance

if TYPE_CHECKING:
    from philidor.encodings.encoding import Batch
    from philidor.evaluators.network import Judgments
    from philidor.evaluators.torch import TorchBackend
    from philidor.pipelines.recipes import ZeroRecipe

_EVALUATED_AT_ONCE = 1024
_WAIT_S = 0.2


class Rater:
    """Gates and rates the networks of a run."""

    def __init__(
        self,
        recipe: ZeroRecipe,
        files: ZeroFiles,
        *,
        rates: bool = True,
        report: Callable[[int, str, int], None] = lambda generation, stage, total: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Unless it `rates`, it only plays gates. Raises ConfigError for an opponent that there is not."""
        self._recipe, self._files, self._rates = recipe, files, rates
        self._game = load_game(recipe.game)
        self._encoding = recipe.network.load_encoding()
        self._rating = Rating(recipe, self._game)
        self._report, self._is_stopped = report, is_stopped

    def run(self) -> None:
        """Judges networks as they come, until the last one is judged or it is told to stop."""
        try:
            while True:
                is_over = self._files.progress.is_over
                self.catch_up()
                if is_over:
                    return
                if self._is_stopped():
                    return
                time.sleep(_WAIT_S)
        except StoppedError:
            pass

    def catch_up(self) -> None:
        """Judges all networks that are there. Raises StoppedError."""
        self._follow_gates()
        for generation in self._files.networks():
            if self._must_gate(generation):
                self._gate(generation)
            if self._must_rate(generation):
                self._rate(generation)

    def must_judge(self, generation: int) -> bool:
        """Says whether a verdict on this network is missing."""
        return self._must_gate(generation) or self._must_rate(generation)

    def _must_gate(self, generation: int) -> bool:
        is_gated = self._recipe.style == "gated" and generation > 0
        return is_gated and self._files.verdict("gate", generation) is None

    def _must_rate(self, generation: int) -> bool:
        is_due = generation % self._recipe.rating.every == 0 or generation == self._recipe.generations
        return self._rates and is_due and self._files.verdict("rating", generation) is None

    def _gate(self, generation: int) -> None:
        self._say(generation, "gate", 2 * self._recipe.gate.pairs)
        recipe = self._recipe.at(generation)
        gate, best, seed = recipe.gate, self._files.newest, recipe.seed + generation
        openings = [opening_places(self._game, gate.opening_plies, seed, pair) for pair in range(gate.pairs)]
        config = replace(without_chance(recipe.self_play), max_plies=gate.opening_plies + recipe.rating.max_plies)
        judges = self._judge(generation), self._judge(best)
        score = Score.of_pairs(play_duel(self._game, self._encoding, judges, openings, config, seed=seed))
        passed = score.share >= gate.threshold
        facts = {"score": score.share, "wins": score.wins, "draws": score.draws, "losses": score.losses}
        self._files.write_verdict("gate", generation, {"against": best, **facts, "passed": passed})
        self._follow_gates()

    def _follow_gates(self) -> None:
        """Lets the last network that has passed play; a kill may have come between a verdict and this."""
        if self._recipe.style == "gated":
            self._files.follow_gates()

    def _rate(self, generation: int) -> None:
        self._say(generation, "rate", 0)
        began = time.monotonic()
        found = self._rating.rate(self._evaluator(generation), self._recipe.at(generation))
        self._files.write_verdict("rating", generation, {**found, "seconds": round(time.monotonic() - began, 2)})

    def _say(self, generation: int, stage: str, total: int) -> None:
        if self._is_stopped():
            raise StoppedError
        self._report(generation, stage, total)

    def _judge(self, generation: int) -> Callable[[Batch], Judgments]:
        """Judges for a gate, which actors wait for: on the device that they play on."""
        backend = self._backend(generation, self._recipe.training.device)

        def judge(batch: Batch) -> Judgments:
            if self._is_stopped():
                raise StoppedError
            return backend.judge(batch)

        return judge

    def _evaluator(self, generation: int) -> _StoppableEvaluator:
        backend = self._backend(generation, self._recipe.rating.device or self._recipe.training.device)
        evaluator = NetEvaluator(backend, self._encoding, NetConfig(batch=_EVALUATED_AT_ONCE))
        return _StoppableEvaluator(evaluator, self._is_stopped)

    def _backend(self, generation: int, device: str) -> TorchBackend:
        from philidor.evaluators.torch import TorchBackend
        from philidor.nets.torch.files import load_network
        from philidor.train.torch.devices import torch_device

        network = load_network(self._files.network(generation), self._encoding.shape)
        return TorchBackend(network, torch_device(device))


class _StoppableEvaluator:
    """Asks before each batch whether to go on, so that whoever plays or judges by a network can be stopped."""

    def __init__(self, evaluator: NetEvaluator, is_stopped: Callable[[], bool]) -> None:
        self._evaluator, self._is_stopped = evaluator, is_stopped

    def evaluate(self, states: Sequence[Any]) -> list[Evaluation[Any]]:
        """Judges a batch. Raises StoppedError."""
        if self._is_stopped():
            raise StoppedError
        return self._evaluator.evaluate(states)
