"""Rounds for NNUE networks (book, 4.6.3): an engine scores, a network learns it, the stronger engine scores again.

Round 0 is played by the engine of the config, the handcrafted one, or by a network of random weights: then nothing is
learned but what the rules say of how games end. Each round's games and those of the rounds before it
train a network, which meets the engine that played, and plays the next round. Every stage of a round is a run folder of
its own inside of the run's and goes on where it was left; what is done is a line of metrics.jsonl.
"""

from __future__ import annotations

import shlex
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from philidor.arena.match import Match, MatchConfig
from philidor.core.config import check, spin, text, validate
from philidor.core.errors import ConfigError
from philidor.core.runs import Run
from philidor.nets.nnue import load_network, save_network
from philidor.players.scoring import MAX_CP
from philidor.selfplay.engine_games import EngineGamesConfig
from philidor.selfplay.run import make_games
from philidor.selfplay.shards import Progress as GamesProgress
from philidor.train.nnue_config import NnueTrainingConfig
from philidor.train.nnue_data import TrainingPositions, check_games

STAGES = {"games": 0.65, "net": 0.2, "match": 0.15}
"""What each round does, and the share of its time where that is limited."""
RESULT_FADE = 0.7
"""From nothing, results are the whole error of round 0; in each later round they have this part of their last share."""
GROWS_FROM = 10
"""From nothing, the round from which searches get longer and the learning rate falls, in proportion to the round."""
# Scores of networks that learn so much from results are no reason to end a game early.
_YOUNG_SHARE = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsConfig:
    """A run of rounds, but for their number."""

    games: int = field(default=20_000, metadata=spin(None, 1))
    """Games per round, at most; a time limit may end a round earlier."""
    window: int = field(default=3, metadata=spin(None, 1, 1_000))
    """Latest rounds whose games a network learns from."""
    bootstrap: tuple[Path, ...] = field(default=(), metadata=text())
    """Further scored games to learn from until there are as many rounds as the window holds."""
    match_games: int = field(default=200, metadata=spin(None, 2))
    """Games of each new network against the engine that played the round."""
    match_nodes: int = field(default=5_000, metadata=spin(None, 1))
    """Positions to search per move of the match."""
    gated: bool = field(default=False, metadata=check())
    """Whether a network must score half of the points to play the next round."""
    from_nothing: bool = field(default=False, metadata=check())
    """Whether round 0 is played by a network of random weights, which knows nothing, and each network continues from
    the last. Results teach the first rounds alone, later ones less and less, down to the training's own share. From
    round 10 on searches get longer and the learning rate falls: in round 20 twice as many nodes, and half the rate."""
    selfplay: EngineGamesConfig = field(default_factory=EngineGamesConfig)
    """How to play; engine and settings are those of round 0, later rounds add their network to the settings."""
    training: NnueTrainingConfig = field(default_factory=NnueTrainingConfig)
    """How to train."""

    def __post_init__(self) -> None:
        validate(self)
        if any(setting.partition("=")[0] == "net" for setting in self.selfplay.settings):
            raise ConfigError("selfplay: settings must not name a net; the rounds make their own")
        if self.from_nothing:
            self._check_from_nothing()

    def _check_from_nothing(self) -> None:
        if self.bootstrap or self.training.start is not None:
            raise ConfigError("from_nothing: neither other games (bootstrap) nor a network to start from are nothing")
        if self.selfplay.engine != EngineGamesConfig().engine:
            raise ConfigError(
                f"from_nothing: round 0 is played by a network of random weights, got engine {self.selfplay.engine!r}"
            )

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        if not self.from_nothing:
            return {}
        return {"training.final_result_share": "from nothing the share falls by round, down to training.result_share"}

    def training_of(self, number: int, start: Path | None) -> NnueTrainingConfig:
        """Returns how a round's network is trained; `start` is the one that has played the round."""
        if not self.from_nothing:
            return self.training
        share = self.result_share(number)
        rate = self.training.learning_rate / self.growth(number)
        return replace(
            self.training,
            start=start,
            learning_rate=rate,
            final_learning_rate=min(rate, self.training.final_learning_rate),
            result_share=share,
            final_result_share=share,
        )

    def result_share(self, number: int) -> float:
        """Returns the share of the results in a round that began from nothing."""
        return max(self.training.result_share, RESULT_FADE**number)

    def growth(self, number: int) -> float:
        """Returns by what factor the searches of a round that began from nothing are longer than the first ones."""
        return max(1.0, number / GROWS_FROM)

    def games_of(self, number: int) -> EngineGamesConfig:
        """Returns how a round is played: while scores mean little, to the end."""
        seeded = replace(self.selfplay, seed=self.selfplay.seed + 1_000 * number)
        if not self.from_nothing:
            return seeded
        nodes = None if seeded.nodes is None else round(self.growth(number) * seeded.nodes)
        seeded = replace(seeded, engine="nnue", nodes=nodes)
        if self.result_share(number) <= _YOUNG_SHARE:
            return seeded
        return replace(seeded, win_cp=MAX_CP, draw_from=seeded.max_plies, opening_limit=MAX_CP)


def check_inputs(config: RoundsConfig) -> None:
    """Refuses what would end a run after hours: games, a network or an engine that are not there.

    Raises ConfigError, NetError, RecordError, PgnError, OSError.
    """
    check_games(config.bootstrap)
    config.selfplay.player()
    if config.training.start is not None:
        load_network(config.training.start)


@dataclass(frozen=True, slots=True)
class StageReport:
    """How far a stage is."""

    round: int
    stage: str
    done: float
    """From 0 to 1."""
    words: str


Report = Callable[[StageReport], None]


class Rounds:
    """A run of rounds in progress."""

    def __init__(
        self,
        config: RoundsConfig,
        run: Run,
        *,
        workers: int,
        report: Report = lambda _: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.config, self.run = config, run
        self._workers = workers
        self._report = report
        self._is_stopped = is_stopped
        self._done = {(line["round"], line["stage"]): line for line in run.metrics()}

    def play(self, rounds: int, *, seconds: float | None = None) -> bool:
        """Goes on until there are so many rounds, within `seconds` if there are any, or until stopped; says which."""
        timer = _Timer(seconds)
        if self.config.from_nothing:
            self._write_random_network()
        work = {"games": self._play_games, "net": self._train, "match": self._match}
        for number in range(rounds):
            for stage in STAGES:
                if (number, stage) in self._done:
                    continue
                found = work[stage](number, _Timer(self.share(timer.left, number, rounds, stage)))
                if found is None:
                    return False
                line = {"round": number, "stage": stage, **found}
                self.run.log(line)
                self._done[number, stage] = line
                self._say(number, stage, 1.0, ", ".join(f"{name} {_shown(value)}" for name, value in found.items()))
        return True

    def share(self, left: float | None, number: int, rounds: int, stage: str) -> float | None:
        """Returns the seconds of a stage: what is left is dealt out to the rounds, a round's part to its stages."""
        if left is None:
            return None
        open_stages = sum(share for name, share in STAGES.items() if (number, name) not in self._done)
        return left * STAGES[stage] / (open_stages + rounds - 1 - number)

    # --- Who plays ------------------------------------------------------------------------------------------

    def network(self, number: int | None) -> Path:
        """Returns where a round's network is, or will be; None asks for the one of random weights."""
        return self.run.checkpoints / f"{self.run.name}-{'random' if number is None else number}.phnn"

    def player(self, number: int) -> EngineGamesConfig:
        """Returns the engine that plays a round: the config's, or the last network that was good enough."""
        best, games = self._best(number), self.config.games_of(number)
        if best is None and not self.config.from_nothing:
            return games
        return replace(games, engine="nnue", settings=self._with_net(best))

    def _best(self, number: int) -> int | None:
        """Returns the last round before this one whose network was good enough to play."""
        return max((n for n in range(number) if self._done.get((n, "match"), {}).get("plays_on")), default=None)

    def _write_random_network(self) -> None:
        from philidor.train.torch.nnue import random_network

        path = self.network(None)
        if not path.exists():
            save_network(random_network(self.config.training), path)

    # --- Stages ---------------------------------------------------------------------------------------------

    def _play_games(self, number: int, timer: _Timer) -> dict[str, Any] | None:
        config = self.player(number)
        run = Run.resume_or_create(f"games-{number}", config, self.run.path)

        played = 0

        def show(now: GamesProgress) -> None:
            nonlocal played
            played = now.games
            words = f"{now.games:,} games, {now.speed:.1f} a second"
            self._say(number, "games", min(now.games / now.total, 0.999), words)

        end = make_games(
            run,
            config,
            self.config.games,
            workers=self._workers,
            report=show,
            # However short the time: without any game there is no round.
            is_stopped=lambda: self._is_stopped() or (timer.is_over() and played > 0),
        )
        if self._is_stopped():
            return None
        return {"engine": _name(config), "games": end.games, "games_per_second": round(end.speed, 2)}

    def _train(self, number: int, timer: _Timer) -> dict[str, Any] | None:
        # Here, not above: the other stages need no torch.
        from philidor.train.torch.devices import torch_device
        from philidor.train.torch.loop import TrainingStep
        from philidor.train.torch.nnue import Trainer, export

        config = self.config.training_of(number, self.network(self._best(number)))
        is_cuda = torch_device(config.device).type == "cuda"
        with self._playing_on(number) if is_cuda else nullcontext():
            data = TrainingPositions(config.positions)
            for count in data.read(self.files(number), threads=self._workers):
                self._say(number, "net", 0.0, f"{count:,} positions read")
            run = Run.resume_or_create(f"net-{number}", config, self.run.path)
            # Reading has taken its part of the time already.
            trainer = Trainer(config, run, data, threads=self._workers, seconds=timer.left)

            def show(now: TrainingStep) -> None:
                held_out = "" if now.held_out_loss is None else f", held out {now.held_out_loss:.6f}"
                words = f"epoch {now.epoch:.1f}, loss {now.loss:.6f}{held_out}, {now.positions_per_second:,.0f}/s"
                self._say(number, "net", min(now.progress, 0.999), words)

            if not trainer.train(show, is_stopped=self._is_stopped):
                return None
            held_out = trainer.held_out_loss()
        path = self.network(number)
        rounding = export(trainer, path, f"round {number}: {config.shape}, {len(data.train):,} positions")
        return {
            "net": str(path),
            "positions": len(data.train),
            "epochs": round(trainer.step / trainer.steps_per_epoch, 2),
            "held_out_loss": held_out,
            "rounding_cp": round(rounding.mean_error_cp, 2),
        }

    def files(self, number: int) -> list[Path]:
        """Returns what a round's network learns from: whole rounds, and what was played while networks trained."""
        first = number - self.config.window + 1
        files = list(self.config.bootstrap) if first < 0 else []
        for earlier in range(max(first, 0), number + 1):
            folders = [f"games-{earlier}", *([f"games-{earlier}-late"] if earlier < number else [])]
            for folder in folders:
                shards = sorted((self.run.path / folder / "shards").glob("*.rec"))
                files += [path for path in shards if path.stat().st_size]
        return files

    @contextmanager
    def _playing_on(self, number: int) -> Iterator[None]:
        """Has the cores play on while a GPU trains; the games are for the rounds to come."""
        player = self.player(number)
        config = replace(player, seed=player.seed + 500)
        run = Run.resume_or_create(f"games-{number}-late", config, self.run.path)
        is_trained = threading.Event()

        def play_on() -> None:
            # Patiently: a GPU that waits for its batches costs more than the games are worth.
            make_games(
                run, config, self.config.games, workers=self._workers, is_stopped=is_trained.is_set, is_patient=True
            )

        with ThreadPoolExecutor(1) as pool:
            playing = pool.submit(play_on)
            try:
                yield
            finally:
                is_trained.set()
            playing.result()

    def _match(self, number: int, timer: _Timer) -> dict[str, Any] | None:
        last = self.player(number)
        new = replace(last, engine="nnue", settings=self._with_net(number))
        engines = tuple(_as_text(engine) for engine in (new, last))
        config = MatchConfig(engines=engines, nodes=self.config.match_nodes, seed=last.seed)
        match = Match(config, self.run.path / f"match-{number}")
        try:
            match.play(self.config.match_games, self._workers, lambda _: self._show(match, number), timer.left)
        except _StoppedError:
            return None
        score = match.standings.between(0, 1)
        elo = score.pairs.elo
        return {
            "opponent": _name(last),
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "elo": round(elo.value, 1),
            "elo_error": round(elo.error, 1),
            "plays_on": not self.config.gated or (score.pairs.pairs > 0 and score.pairs.mean >= 0.5),
        }

    def _with_net(self, number: int | None) -> tuple[str, ...]:
        return (*self.config.selfplay.settings, f"net={self.network(number)}")

    def _show(self, match: Match, number: int) -> None:
        if self._is_stopped():
            raise _StoppedError
        score = match.standings.between(0, 1)
        words = f"+{score.wins} ={score.draws} -{score.losses}, Elo {score.pairs.elo}"
        self._say(number, "match", min(match.standings.games / self.config.match_games, 0.999), words)

    def _say(self, number: int, stage: str, done: float, words: str) -> None:
        self._report(StageReport(number, stage, done, words))


class _StoppedError(Exception):
    """Leads out of a match when somebody wants to stop."""


class _Timer:
    """A time that may be over; never where there is none."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """Seconds."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def is_over(self) -> bool:
        """Says whether it is over."""
        return self.left == 0.0


def _as_text(engine: EngineGamesConfig) -> str:
    """Writes an engine as a match reads it."""
    return shlex.join([engine.engine, f"name={_name(engine)}", *engine.settings])


def _name(engine: EngineGamesConfig) -> str:
    """Returns a round's network by the name of its file, any other engine by its own."""
    nets = [Path(setting[4:]).stem for setting in engine.settings if setting.startswith("net=")]
    return nets[0] if nets else engine.engine


def _shown(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
