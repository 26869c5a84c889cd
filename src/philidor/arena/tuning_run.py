"""A run of `philidor.arena.tuning`: the games, in threads of this process, and the folder it continues from."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from philidor.arena.adjudication import GameRules, with_usual_scores
from philidor.arena.engines import parse_engine
from philidor.arena.limits import Limit
from philidor.arena.native import Table, Tables, native_player, start_of
from philidor.arena.openings import DEFAULT_BOOK, read_openings, shuffled
from philidor.arena.tuning import Screen, Spsa, with_parameters
from philidor.core.config import real, spin, text, validate
from philidor.core.errors import ConfigError, FenError
from philidor.core.processes import kept_busy
from philidor.core.runs import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningSettings:
    """What all games of a tuning run have in common."""

    engine: str = field(default="nnue", metadata=text())
    """Whose search: a player of ours with settings, such as 'nnue net=FILE parameters=NAME=VALUE'."""
    method: Literal["spsa", "screen"] = "spsa"
    """`spsa` moves numbers towards what wins; `screen` measures what fixed changes are worth, all of them at once."""
    pairs: int = field(default=5_000, metadata=spin(None, 1, 10_000_000))
    """Pairs of games to play in all."""
    nodes: int = field(default=20_000, metadata=spin(None, 1, 2**53))
    """Positions to search per move."""
    openings: Path | None = field(default=None, metadata=text())
    """EPD or PGN file with openings; without it the 500 that philidor ships."""
    seed: int = field(default=1, metadata=spin(None, 0, 2**63 - 1))
    """Seed of the openings' order and of the choices."""
    step: float = field(default=1.4, metadata=real(None, 0.01, 100.0))
    """SPSA: how far noise alone moves a number in the whole run, in twentieths of its range."""

    def __post_init__(self) -> None:
        validate(self)

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        return {} if self.method == "spsa" else {"step": "a screen moves nothing"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningConfig(TuningSettings):
    """A tuning run: what config.toml of its folder keeps."""

    numbers: tuple[str, ...] = ()
    """As typed: ranges of SPSA, or changes of a screen."""


class TuningRun:
    """A run that can be stopped at any time and continues where it was."""

    def __init__(self, config: TuningConfig, folder: Path | None = None) -> None:
        """Opens the run folder, or makes it; without one nothing is kept. Raises ConfigError, RunError."""
        self.config = config
        self.method: Screen | Spsa = (
            Screen(config.numbers, config.seed)
            if config.method == "screen"
            else Spsa(config.numbers, config.seed, config.pairs, config.step)
        )
        spec = parse_engine(config.engine)
        if spec.limit:
            raise ConfigError(f"engine {config.engine!r}: the limit of the games is --nodes")
        self._player = native_player(spec)
        self._openings = shuffled(read_openings(config.openings or DEFAULT_BOOK), config.seed)
        self._done: set[int] = set()
        self.run = None
        if folder is not None:
            folder = folder.absolute()
            self.run = Run.resume_or_create(folder.name, config, folder.parent)
            for line in self.run.metrics():
                self._add(line["pair"], line["points"])

    def _add(self, number: int, points: float) -> None:
        if number not in self._done:
            self._done.add(number)
            self.method.add(number, points)

    def play(self, concurrency: int, on_pair: Callable[[], None], seconds: float | None = None) -> None:
        """Plays what is missing, or until time is over; pairs under way are then abandoned and played again later."""
        deadline = None if seconds is None else time.monotonic() + seconds
        numbers = (number for number in range(self.config.pairs) if number not in self._done)
        limit, rules = Limit(nodes=self.config.nodes), with_usual_scores(GameRules())
        tables = Tables(
            lambda: Table((self._player.another(), self._player.another()), (limit, limit), rules), concurrency
        )
        try:
            for number, points in kept_busy(lambda n: tables.submit(self._job(n)), numbers, concurrency, deadline):
                self._add(number, points)
                if self.run is not None:
                    self.run.log({"pair": number, "points": points, **self._values()})
                on_pair()
        finally:
            tables.close()

    def _values(self) -> dict[str, Any]:
        return {"values": [round(value, 4) for value in self.method.values]} if isinstance(self.method, Spsa) else {}

    def _job(self, number: int) -> Callable[[Table], tuple[int, float]]:
        """Returns what plays a pair: one opening, both colors."""
        sides = self.method.sides(number)
        opening = self._openings[number % len(self._openings)]
        try:
            start = start_of(opening)
        except FenError as error:
            raise ConfigError(f"openings: {error}") from None

        def play(table: Table) -> tuple[int, float]:
            for player, values in zip(table.players, sides, strict=True):
                player.config = with_parameters(self._player.config, values)
            points = 0.0
            for white in (0, 1):
                winner = table.play(start, white).winner
                # The first player's points: the winner is a color.
                points += 0.5 if winner < 0 else float(winner == (0 if white == 0 else 1))
            return number, points

        return play
