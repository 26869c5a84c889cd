"""The networks of a zero run over its time: rating, people's moves found, error of the expected result, openings.

AlphaGo Zero's paper has these three curves beside those of a network that learned from people's games (Silver et al.
2017, Figure 3; book, ch. 4.2.3). The networks that are compared here exist already: nothing is trained.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from philidor.arena.many_games import SearchChooser
from philidor.arena.people.matching import predict_all, summarize
from philidor.arena.people.predictors import NetPredictor, RatingView
from philidor.arena.people.sample import Sample, SampleConfig, draw_sample
from philidor.arena.statistics import Estimate
from philidor.core.config import spin, text, validate
from philidor.core.errors import ConfigError, NetError
from philidor.core.runs import Run
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from philidor.games.chess import Position
from philidor.nets.network_files import load_stored
from philidor.nets.shipped import find_net
from philidor.pipelines.learning.anchors import Anchors
from philidor.pipelines.learning.arms import Moment, StoppedError, Watcher
from philidor.pipelines.learning.knowledge import move_shares, piece_worths
from philidor.pipelines.recipes import ZeroRecipe
from philidor.pipelines.zero.files import ZeroFiles
from philidor.pipelines.zero.rating import playing_search
from philidor.pipelines.zero.report import History


@dataclass(frozen=True, slots=True, kw_only=True)
class OverTimeConfig:
    """Which networks are measured, and by what."""

    zero: Path | None = field(default=None, metadata=text())
    """The zero run whose networks are measured."""
    games: tuple[Path, ...] = field(default=(), metadata=text())
    """People's games to measure on, as records."""
    beside: tuple[str, ...] = field(default=(), metadata=text())
    """Networks that learned from games, to be measured beside: files, or the names of shipped ones."""
    networks: int = field(default=8, metadata=spin(None, 2, 10_000))
    """Networks of the run to measure, from its first to its last."""
    part: Literal["train", "validation", "test", "all"] = "test"
    """Part of the games: the split that training keeps to, so test games were never learned from."""
    positions: int = field(default=2000, metadata=spin(None, 1, 100_000_000))
    """Positions to measure on, at most."""
    anchors: tuple[str, ...] = field(default=("random", "uct iterations=100", "uct iterations=1000"), metadata=text())
    """Players to be rated against, as for a match; the first has a rating of 0."""
    pairs: int = field(default=10, metadata=spin(None, 0, 100_000))
    """Pairs of games against each anchor; 0 for no ratings."""
    simulations: int = field(default=64, metadata=spin(None, 1, 1_000_000))
    """Simulations of a rated network for each move."""
    opening_plies: int = field(default=4, metadata=spin(None, 0, 1000))
    """Random moves at the start of each rated game."""
    max_plies: int = field(default=400, metadata=spin(None, 1, 100_000))
    """Plies after which a rated game is a draw."""
    seed: int = field(default=1, metadata=spin(None, 0, 2**31))
    """Seed of everything that is left to chance."""

    def __post_init__(self) -> None:
        validate(self)
        if not self.anchors or len(set(self.anchors)) != len(self.anchors):
            raise ConfigError(f"there must be anchors, and they must differ, got {', '.join(self.anchors) or 'none'}")


@dataclass(frozen=True, slots=True)
class Measured:
    """A network and what was found; None where it has no such head, or nothing was asked for."""

    name: str
    """Of a network beside; for one of the run "zero"."""
    generation: int | None
    evaluations: float
    """Positions that the run had asked a network about before; of a network beside 0."""
    elo: Estimate | None
    top1: Estimate | None
    value_error: Estimate | None
    """Results are from -1 to 1."""
    openings: dict[str, float]
    """First move -> its share in the policy."""
    replies: dict[str, float]
    """The same for the moves after the likeliest first move of the run's last network."""
    pieces: dict[str, float]
    """Piece of chess -> what one more of it adds to the expected result; `knowledge.piece_worths`."""


class OverTime:
    """The measurements of one run, kept as they are made."""

    def __init__(
        self,
        config: OverTimeConfig,
        run: Run,
        *,
        watch: Watcher = lambda _: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Raises RunError for a folder without a run, ConfigError for one without networks, or if games are missing."""
        if config.zero is None or not config.games:
            raise ConfigError("a zero run and games to measure on are needed: --zero RUN --games FILE")
        self.config, self.run = config, run
        self._watch, self._is_stopped = watch, is_stopped
        zero = Run(config.zero)
        self._recipe = zero.config(ZeroRecipe)
        self._files, self._history = ZeroFiles(zero), History.of(zero)
        if not self._files.networks():
            raise ConfigError(f"{str(config.zero)!r} has no networks")

    @cached_property
    def sample(self) -> Sample:
        """The positions that all networks are asked about."""
        config = self.config
        wanted = SampleConfig(part=config.part, bands=("all",), positions=config.positions, seed=config.seed)
        return draw_sample(config.games, wanted)

    @cached_property
    def _anchors(self) -> Anchors:
        config = self.config
        return Anchors(
            self.run,
            self.sample.game,
            config.anchors,
            config.pairs,
            config.opening_plies,
            config.seed,
            config.max_plies,
            self._check_stopped,
        )

    def go(self) -> bool:
        """Measures what is not measured yet; False if it was stopped before. Raises a PhilidorError."""
        todo = self._todo()
        try:
            if self.config.pairs:
                self._anchors.meet(self._about_to)
            for done, (key, path) in enumerate(todo):
                self._about_to(f"measuring {key}", done, len(todo))
                self.run.log({"event": "measure", "network": key, **self._judge(path)})
        except StoppedError:
            return False
        return True

    @cached_property
    def first_move(self) -> str:
        """The likeliest first move of the run's last network, as people write it.

        Once it is known it stays, though the run may go on: all answers that are compared must be to one move.
        """
        for event in self.run.metrics():
            if event.get("event") == "first move":
                return str(event["move"])
        shares = move_shares(self._load(self._files.network(self._files.networks()[-1])), self.sample.game.state())
        move = max(shares, key=shares.__getitem__)
        self.run.log({"event": "first move", "move": move})
        return move

    def _load(self, path: Path) -> NetEvaluator:
        net = load_net(path, game=self.sample.game)
        if not isinstance(net, NetEvaluator):
            raise NetError(f"{str(path)!r} has no policy and value to measure")
        return net

    def _todo(self) -> list[tuple[str, Path]]:
        known = {event["network"] for event in self._events()}
        chosen = {f"zero {number}": self._files.network(number) for number in self._generations()}
        wanted = chosen | {name: find_net(name) for name in self.config.beside}
        return [(key, path) for key, path in wanted.items() if key not in known]

    def _generations(self) -> list[int]:
        """Returns the generations to measure, spread evenly over those that are there."""
        there = self._files.networks()
        count = min(self.config.networks, len(there))
        return sorted({there[round(place * (len(there) - 1) / max(1, count - 1))] for place in range(count)})

    def _judge(self, path: Path) -> dict[str, Any]:
        net = self._load(path)
        has_policy, has_value = _heads(path)
        predictor = NetPredictor(net, "net", RatingView())
        rows = summarize(self.sample, predict_all(self.sample, [predictor]))
        (row,) = (row for row in rows if row.plies == "all")
        scores = row.scores["net"]
        found: dict[str, Any] = {}
        if has_policy:
            start = self.sample.game.state()
            found["top1"] = asdict(scores["top1"])
            found["openings"] = move_shares(net, start)
            found["replies"] = move_shares(net, start.play(self.first_move))
        if has_value and math.isfinite(scores["value_error"].value):
            found["value_error"] = asdict(scores["value_error"])
        if has_value and isinstance(self.sample.game.state(), Position):
            found["pieces"] = piece_worths(self.sample, predictor)
        if has_policy and has_value and self.config.pairs:
            search = replace(playing_search(self._recipe), simulations=self.config.simulations)
            found["against"] = self._anchors.play(SearchChooser(net, search))
        return found

    def measured(self) -> list[Measured]:
        """Returns what is measured so far: the run's networks by generation, then the others."""
        events = {event["network"]: event for event in self._events()}
        own = [(f"zero {number}", "zero", number) for number in self._generations()]
        beside = [(name, name, None) for name in self.config.beside]
        return [self._measured(name, number, events[key]) for key, name, number in [*own, *beside] if key in events]

    def _measured(self, name: str, generation: int | None, event: dict[str, Any]) -> Measured:
        top1, error = (Estimate(**event[key]) if key in event else None for key in ("top1", "value_error"))
        elo = self._anchors.rate(event["against"]) if "against" in event else None
        known = (event.get(key, {}) for key in ("openings", "replies", "pieces"))
        return Measured(name, generation, self._evaluations(generation), elo, top1, error, *known)

    def _evaluations(self, generation: int | None) -> float:
        """Returns how many positions were evaluated before a network was made: by the play of those before it."""
        played = self._history.of_kind("play")
        return float(sum(e.get("evaluations", 0) for e in played if generation and e["generation"] < generation))

    def anchor_ratings(self) -> dict[str, Estimate]:
        """Returns the anchors' ratings; none where nothing is rated."""
        return self._anchors.ratings() if self.config.pairs else {}

    def _check_stopped(self) -> None:
        if self._is_stopped():
            raise StoppedError

    def _about_to(self, words: str, done: int = 0, total: int | None = None) -> None:
        self._check_stopped()
        self._watch(Moment(words, done, total))

    def _events(self) -> list[dict[str, Any]]:
        return [event for event in self.run.metrics() if event.get("event") == "measure"]


def _heads(path: Path) -> tuple[bool, bool]:
    """Says whether a network has a policy and a value; of foreign ones both are taken for granted."""
    if path.suffix != ".safetensors":
        return True, True
    config = load_stored(path).config
    return config.policy != "none", config.value != "none"
