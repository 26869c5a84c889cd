"""A match: who meets whom with which opening, and the run folder from which it goes on after a kill."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Literal

from philidor.arena.adjudication import GameRules, tablebases, with_usual_scores
from philidor.arena.competitors import check_engines
from philidor.arena.engines import check_plays, parse_engines
from philidor.arena.game import GameResult, Pairing
from philidor.arena.limits import Limit, parse_time_control
from philidor.arena.openings import DEFAULT_BOOK, Opening, random_openings, read_openings, read_starts, shuffled
from philidor.arena.sprt import Sprt
from philidor.arena.standings import Standings
from philidor.arena.workers import Lineup, Worker
from philidor.core.config import check, real, spin, text, validate
from philidor.core.errors import ConfigError, FenError, RunError
from philidor.core.game import AnyGame
from philidor.core.processes import BeginPool, Processes, kept_busy
from philidor.core.runs import Run
from philidor.games import load_game

DEFAULT_TC = "10+0.1"
_RANDOM_PLIES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSettings(GameRules):
    """What all games of a match have in common."""

    game: str = field(default="chess", metadata=text())
    """The game: a name, a size ('gomoku-9x9') or 'file.py:Class'; programs play chess, or Go with proto=gtp."""
    tc: str | None = field(default=None, metadata=text())
    """Clock: seconds and increment (10+0.1), moves in a time (40/60), minutes (1:30+0.5). Without any limit
    chess has 10+0.1, and other games have none."""
    nodes: int | None = field(default=None, metadata=spin(None, 1, 2**53))
    """Positions to search per move."""
    depth: int | None = field(default=None, metadata=spin(None, 1, 1_000))
    """Plies to search per move."""
    movetime: float | None = field(default=None, metadata=real(None, 0.001, 86_400.0))
    """Seconds per move."""
    openings: Path | None = field(default=None, metadata=text())
    """EPD or PGN file (also .zip, .zst, .gz), or in other games positions, one a line. Without it chess has 500 that
    philidor ships, and other games begin with random moves."""
    opening_plies: int | None = field(default=None, metadata=spin(None, 0))
    """How much of each PGN opening to play, all of it by default; in other games the number of random moves, by default
    2."""
    order: Literal["random", "sequential"] = "random"
    """Order of the openings."""
    seed: int = field(default=1, metadata=spin(None, 0))
    """Seed of the random order."""
    mode: Literal["round-robin", "gauntlet", "ladder"] = "round-robin"
    """With more than two engines: everyone against everyone, the first against all others, or each against the next two
    of the list, which is then ordered by strength."""
    native: bool = field(default=False, metadata=check(None))
    """Play in threads of this process, without Python between the moves: our own engines, fixed nodes or depth. Clear
    games are adjudicated unless --no-adjudicate is given."""
    adjudicate: bool | None = field(default=None, metadata=check(None))
    """Whether to adjudicate clear games: draws within 10 centipawns and wins at 800, where no other scores are given.
    By default only native games are."""
    soft_nodes: int | None = field(default=None, metadata=spin(None, 1, 2**53))
    """Native games: positions after which a search begins no further iteration."""
    sprt_alpha: float = field(default=0.05, metadata=real(None, 0.0, 0.5))
    """Probability that the SPRT accepts an improvement that is none."""
    sprt_beta: float = field(default=0.05, metadata=real(None, 0.0, 0.5))
    """Probability that the SPRT rejects a real improvement."""
    sprt_model: Literal["normalized", "logistic"] = "normalized"
    """Elo scale of the SPRT's bounds."""

    def __post_init__(self) -> None:
        validate(self)
        if self.tc is not None:
            parse_time_control(self.tc)
        if self.syzygy is not None and self.game != "chess":
            raise ConfigError(f"Syzygy tables are for chess, got the game {self.game!r}")
        if self.adjudicate is False and (self.draw_score is not None or self.resign_score is not None):
            raise ConfigError("without adjudication there is no use for draw_score and resign_score")
        if self.native and (self.game != "chess" or self.syzygy is not None):
            raise ConfigError("native games are chess, and do not look into Syzygy tables")
        if self.soft_nodes is not None and not self.native:
            raise ConfigError("soft_nodes is for native games")

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        found = GameRules.unused(_rules(self))
        if not self.native:
            found |= {"soft_nodes": "the games are not native"}
        return found if self.order == "random" else {**found, "seed": "the openings are taken in their order"}

    @property
    def limit(self) -> Limit:
        """For engines without a limit of their own."""
        movetime_ms = None if self.movetime is None else max(1, round(1000 * self.movetime))
        limit = Limit(
            tc=None if self.tc is None else parse_time_control(self.tc),
            nodes=self.nodes,
            depth=self.depth,
            movetime_ms=movetime_ms,
            soft_nodes=self.soft_nodes,
        )
        # Our players of other games think as their own settings say: a clock would only punish them.
        return limit if limit or self.game != "chess" else Limit(tc=parse_time_control(DEFAULT_TC))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConfig(MatchSettings):
    """A match but for its length: what config.toml of its run folder keeps."""

    engines: tuple[str, ...]
    """As typed: a player of ours with settings, or the command of a UCI engine."""
    options: tuple[str, ...] = ()
    """NAME=VALUE: UCI options for every engine that has them."""
    sprt: tuple[float, ...] = ()
    """elo0 and elo1 of a sequential test; empty for none."""

    def __post_init__(self) -> None:
        # Slots and super() without arguments do not go together in dataclasses.
        MatchSettings.__post_init__(self)
        parse_engines(self.engines)
        self.option_table()
        if self.sprt and (len(self.sprt) != 2 or len(self.engines) != 2):
            raise ConfigError("an SPRT has two bounds and is for two engines")
        if self.native and len(self.engines) != 2:
            raise ConfigError(f"a native match is between two engines, got {len(self.engines)}")
        _ = self.test

    @property
    def test(self) -> Sprt | None:
        """The sequential test, if there is one."""
        if not self.sprt:
            return None
        elo0, elo1 = self.sprt
        return Sprt(elo0=elo0, elo1=elo1, alpha=self.sprt_alpha, beta=self.sprt_beta, model=self.sprt_model)

    def option_table(self) -> dict[str, str]:
        """Returns the options by name. Raises ConfigError."""
        for option in self.options:
            if not option.partition("=")[0].strip() or "=" not in option:
                raise ConfigError(f"an option is NAME=VALUE, got {option!r}")
        pairs = (option.partition("=") for option in self.options)
        return {name.strip(): value.strip() for name, _, value in pairs}


class Match:
    """A match that can be stopped at any time and goes on where it was."""

    def __init__(self, config: MatchConfig, folder: Path | None = None) -> None:
        """Opens the run folder, or makes it; without one nothing is kept. Raises ConfigError, RunError."""
        self.config = config
        self.engines = parse_engines(config.engines)
        self.game = load_game(config.game)
        for spec in self.engines:
            check_plays(spec, self.game)
        book = _book(config, self.game)
        self._openings = shuffled(book, config.seed) if config.order == "random" else book
        if config.syzygy is not None:
            tablebases(config.syzygy)
        check_engines(self.engines, config.option_table(), config.game)
        self.standings = Standings(len(self.engines))
        self.run = None
        if folder is not None:
            folder = folder.absolute()
            self.run = Run.resume_or_create(folder.name, config, folder.parent)
            self._resume(self.run)

    @property
    def rules(self) -> GameRules:
        """When a game ends, beyond the rules of chess."""
        return _rules(self.config)

    @property
    def encounters(self) -> list[tuple[int, int]]:
        """Which engines meet."""
        everyone = combinations(range(len(self.engines)), 2)
        if self.config.mode == "gauntlet":
            return [(a, b) for a, b in everyone if a == 0]
        return [(a, b) for a, b in everyone if b - a <= 2 or self.config.mode != "ladder"]

    @property
    def pgn_path(self) -> Path | None:
        """Where the games are, if they are kept."""
        return None if self.run is None else self.run.report / "games.pgn"

    def decision(self) -> str | None:
        """What the SPRT has accepted: "H0", "H1", or None."""
        test = self.config.test
        return None if test is None else test.decision(self.standings.between(0, 1).pairs.counts)

    def pairing(self, number: int) -> Pairing:
        """Returns game `number`: games 2n and 2n + 1 are a pair with one opening and colors changed."""
        round_number, encounter = divmod(number // 2, len(self.encounters))
        first, second = self.encounters[encounter]
        opening = self._openings[round_number % len(self._openings)]
        try:
            opening.state(self.game)
        except FenError as error:
            raise ConfigError(f"openings: {error}") from None
        white, black = (first, second) if number % 2 == 0 else (second, first)
        return Pairing(number, white, black, opening, self.config.game)

    def play(
        self,
        games: int,
        concurrency: int,
        on_result: Callable[[GameResult], None],
        seconds: float | None = None,
        *,
        begin_pool: BeginPool = Processes,
    ) -> None:
        """Plays until each two engines have met `games` times (an even number), the SPRT decides or time is over.

        Games that are under way after `seconds` are abandoned and played again by the next call. `begin_pool` makes the
        workers, here or elsewhere.
        Raises RunError if a worker dies; what was played until then is kept.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        pairs = (games + 1) // 2
        numbers = (n for n in range(2 * pairs * len(self.encounters)) if n not in self.standings.done)
        if self.decision() is not None:
            return
        submit, close = self._workers(concurrency, begin_pool)
        try:
            for result in kept_busy(lambda n: submit(self.pairing(n)), numbers, concurrency, deadline):
                self._keep(result)
                on_result(result)
                if self.decision() is not None:
                    return
        except BrokenProcessPool:
            raise RunError("a worker process died; the games that were finished are kept, run again to go on") from None
        finally:
            close()

    def _workers(
        self, concurrency: int, begin_pool: BeginPool
    ) -> tuple[Callable[[Pairing], Future[GameResult]], Callable[[], None]]:
        """Returns what begins a game, in a process or a thread of its own, and what ends all of them."""
        config, rules = self.config, self.rules
        if config.native:
            from philidor.arena.native import NativeWorkers

            threads = NativeWorkers(self.engines, config.limit, rules, config.option_table(), concurrency)
            return threads.submit, threads.close
        lineup = Lineup(self.engines, config.limit, rules, config.option_table(), config.game)
        workers = begin_pool(Worker, lineup, concurrency)
        return lambda pairing: workers.submit(Worker.play, pairing), workers.close

    def _keep(self, result: GameResult) -> None:
        """Counts a game and writes it down: the PGN first, so that a line in metrics.jsonl vouches for it."""
        self.standings.add(result)
        if self.run is None or self.pgn_path is None:
            return
        with self.pgn_path.open("ab") as file:
            file.write(result.pgn.encode())
            end = file.tell()
        facts = {f.name: getattr(result, f.name) for f in dataclasses.fields(result) if f.name != "pgn"}
        self.run.log({**facts, "pgn_end": end})

    def _resume(self, run: Run) -> None:
        """Counts the games of an earlier run, and cuts off a game that was not written to its end."""
        assert self.pgn_path is not None
        end = 0
        for line in run.metrics():
            end = line.pop("pgn_end")
            self.standings.add(GameResult(**line, pgn=""))
        if self.pgn_path.exists():
            os.truncate(self.pgn_path, end)


def _book(config: MatchSettings, game: AnyGame) -> list[Opening]:
    if game.name == "chess":
        return read_openings(config.openings or DEFAULT_BOOK, config.opening_plies)
    if config.openings is not None:
        return read_starts(config.openings, game)
    plies = _RANDOM_PLIES if config.opening_plies is None else config.opening_plies
    return random_openings(game, plies, config.seed)


def _rules(config: MatchSettings) -> GameRules:
    """Returns the part of the config that the games need, with the usual adjudication if that is wanted."""
    rules = GameRules(**{f.name: getattr(config, f.name) for f in dataclasses.fields(GameRules)})
    is_adjudicated = config.native if config.adjudicate is None else config.adjudicate
    return with_usual_scores(rules) if is_adjudicated else rules


__all__ = ["DEFAULT_TC", "Match", "MatchConfig", "MatchSettings", "Opening"]
