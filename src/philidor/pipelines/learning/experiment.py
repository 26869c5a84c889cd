"""The experiment from beginning to end: games are recorded, networks learn in four ways, and all are measured.

AlphaGo Zero's paper compares the first two ways on Go (Silver et al. 2017, Figure 3): rating, prediction of experts'
moves, and error of the predicted result over training time. The book asks for the mixtures too (ch. 4.5.1).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor.arena.many_games import SearchChooser
from philidor.arena.people.matching import predict_all, summarize
from philidor.arena.people.predictors import NetPredictor, RatingView
from philidor.arena.people.sample import Sample, SampleConfig, draw_sample
from philidor.arena.statistics import Estimate
from philidor.core.errors import ConfigError
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from philidor.games import load_game
from philidor.pipelines.learning.anchors import Anchors
from philidor.pipelines.learning.arms import ARMS, PARENTS, Arms, Moment, StoppedError, Watcher
from philidor.pipelines.learning.teacher import record_games
from philidor.pipelines.zero.rating import playing_search
from philidor.records import RecordReader

if TYPE_CHECKING:
    from philidor.core.game import AnyGame
    from philidor.core.runs import Run
    from philidor.pipelines.learning.config import LearningConfig

_HELD_OUT_SEED = 1_000_003


@dataclasses.dataclass(frozen=True, slots=True)
class Point:
    """An arm's network after a turn."""

    arm: str
    turn: int
    cpu_s: float
    """CPU time of playing and learning so far."""
    elo: Estimate
    """Over the first anchor, with search."""
    top1: Estimate
    """Share of the held-out moves that the policy finds."""
    value_error: Estimate
    """Mean squared error of the expected result in the held-out games, results being from -1 to 1."""


class Experiment:
    """An experiment in progress; killed anywhere, it goes on from its files."""

    def __init__(
        self,
        config: LearningConfig,
        run: Run,
        *,
        watch: Watcher = lambda _: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.config, self.run = config, run
        self._watch, self._is_stopped = watch, is_stopped
        self._game: AnyGame = load_game(config.game)
        self._arms = Arms(config, run, self._teacher_file, watch, is_stopped)
        setup = config.setup
        self._anchors = Anchors(
            run,
            self._game,
            setup.anchors,
            config.pairs,
            setup.opening_plies,
            config.seed,
            before_move=self._check,
        )

    @property
    def _teacher_file(self) -> Path:
        return self.run.shards / "teacher.rec"

    @property
    def _held_out_file(self) -> Path:
        return self.run.shards / "held-out.rec"

    def go(self) -> bool:
        """Runs to the end; False if it was stopped before. Raises ConfigError for players that there are not."""
        try:
            self._record()
            self._rate_anchors()
            self._arms.train()
            self._measure()
        except StoppedError:
            return False
        return True

    # --- 1. Games -------------------------------------------------------------------------------------------

    def _record(self) -> None:
        config = self.config
        files = (
            (self._teacher_file, config.setup.games, config.seed),
            (self._held_out_file, config.held_out, _HELD_OUT_SEED),
        )
        for path, count, seed in files:
            if not path.exists() and not record_games(
                path,
                self._game,
                config.setup.teacher,
                count,
                opening_plies=config.setup.opening_plies,
                seed=seed,
                report=lambda done: self._watch(Moment("recording games", done)),
                is_stopped=self._is_stopped,
            ):
                raise StoppedError

    # --- 2. Anchors -----------------------------------------------------------------------------------------

    def _rate_anchors(self) -> None:
        def about_to(words: str) -> None:
            self._check()
            self._watch(Moment(words))

        self._anchors.meet(about_to)

    def anchor_ratings(self) -> dict[str, Estimate]:
        """Returns the anchors' ratings; the first one's is 0."""
        return self._anchors.ratings()

    # --- 3. Measurements ------------------------------------------------------------------------------------

    @cached_property
    def _sample(self) -> Sample:
        """The held-out positions that no game to learn from has reached: what was seen can be known by heart."""
        everything = SampleConfig(part="all", bands=("all",), positions=0, min_ply=self.config.setup.opening_plies)
        sample = draw_sample([self._held_out_file], everything)
        with RecordReader(self._teacher_file) as reader:
            seen = {state for record in reader for state in record.states(self._game)}
        is_new = np.array([state not in seen for state, _ in sample.positions()])
        if not is_new.any():
            raise ConfigError("the games to learn from reach all held-out positions; choose fewer games to learn from")
        return sample.kept(is_new)

    def _measure(self) -> None:
        known = {(event["arm"], event["turn"]) for event in self._events("measure")}
        todo = [
            (arm, turn)
            for arm in ARMS
            for turn in self.config.measured_turns()
            # The first half of an arm that changes its teacher is that of a pure one.
            if (arm, turn) not in known and not (arm in PARENTS and turn <= self.config.turns)
        ]
        for done, (arm, turn) in enumerate(todo):
            self._check()
            self._watch(Moment(f"measuring {arm}, turn {turn}", done, len(todo)))
            self.run.log({"event": "measure", "arm": arm, "turn": turn, **self._judge(self._arms.network(arm, turn))})

    @property
    def measured_positions(self) -> int:
        """How many held-out positions count."""
        return len(self._sample)

    def _judge(self, path: Path) -> dict[str, Any]:
        """Measures one network: its policy and value on held-out games, its search against the anchors."""
        net = load_net(path, game=self._game)
        assert isinstance(net, NetEvaluator)
        (row,) = (
            row
            for row in summarize(self._sample, predict_all(self._sample, [NetPredictor(net, "net", RatingView())]))
            if row.plies == "all"
        )
        config = self.config
        search = dataclasses.replace(playing_search(config.zero_recipe(1)), simulations=config.setup.simulations)
        measured = {name: dataclasses.asdict(estimate) for name, estimate in row.scores["net"].items()}
        return {**measured, "against": self._anchors.play(SearchChooser(net, search))}

    # --- What was found -------------------------------------------------------------------------------------

    def points(self) -> list[Point]:
        """Returns all measurements so far, arm by arm; an arm that changes its teacher has its parent's first half."""
        found = {(event["arm"], event["turn"]): event for event in self._events("measure")}
        points = []
        for arm in ARMS:
            for turn in self.config.measured_turns():
                event = found.get((PARENTS[arm] if arm in PARENTS and turn <= self.config.turns else arm, turn))
                if event is not None:
                    points.append(self._point(arm, turn, event))
        return points

    def _point(self, arm: str, turn: int, event: dict[str, Any]) -> Point:
        top1, error = (Estimate(**event[name]) for name in ("top1", "value_error"))
        return Point(arm, turn, self._arms.cpu_seconds(arm, turn), self._anchors.rate(event["against"]), top1, error)

    def _events(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.run.metrics() if event.get("event") == kind]

    def _check(self) -> None:
        if self._is_stopped():
            raise StoppedError
