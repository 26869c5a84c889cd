"""Positions of a game are judged, from its end to its start: what is known of later ones helps the earlier ones."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from philidor.core.analysis import Analysis, Line, Score
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Wdl
from philidor.games.chess import Position
from philidor.players import Player, load_engine
from philidor.reviews.config import ReviewConfig
from philidor.reviews.crowd import load_crowd
from philidor.reviews.formulas import CEILING_CP, bounded
from philidor.reviews.people import POPULAR, People

BLOCK = 16
"""Positions that one search after another judges without forgetting: a unit of work, whatever the number of cores."""
_LONGEST_LINE = 12


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a search says of a position, in White's view."""

    score: Score
    """Mate 0 is a king that is mated; `wdl` says whose."""
    wdl: Wdl
    line: tuple[str, ...] = ()
    """The best moves of both sides, in UCI; none where the game is over."""
    depth: int | None = None
    people: People | None = None
    """What people would play, where that was asked for."""

    @property
    def bounded_cp(self) -> float:
        """The score in centipawns, with the ceiling for a mate."""
        if self.score.cp is not None:
            return bounded(self.score.cp)
        is_won = self.score.mate > 0 if self.score.mate else self.wdl.win > self.wdl.loss
        return float(CEILING_CP if is_won else -CEILING_CP)

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data."""
        plain = Analysis(best=None, score=self.score, wdl=self.wdl, depth=self.depth).to_dict()
        known: dict[str, Any] = {name: plain[name] for name in ("score", "wdl", "depth") if name in plain}
        people = {} if self.people is None else {"people": self.people.to_dict()}
        return {**known, "line": list(self.line), **people}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Verdict:
        """Reads what `to_dict` wrote."""
        people = People.from_dict(data["people"]) if "people" in data else None
        return cls(Score(**data["score"]), Wdl(*data["wdl"]), tuple(data["line"]), data.get("depth"), people)


class Judge:
    """An engine that judges one position after another."""

    def __init__(self, config: ReviewConfig, is_stopped: Callable[[], bool] = lambda: False) -> None:
        """Loads the engine. Raises ConfigError, NetError."""
        self._limits, self._is_stopped = config.limits, is_stopped
        self.player: Player = load_engine(config.engine, **config.engine_settings())
        self._people = None if config.human is None else load_crowd(config.human, config.human_net)

    def new_game(self) -> None:
        """Has the engine forget all it has seen."""
        self.player.new_game()

    def judge_block(
        self, last: Position, count: int, judged: Callable[[], None] = lambda: None
    ) -> list[Verdict] | None:
        """Judges a position and those before it, `count` in all, in the game's order; None if stopped.

        The engine begins anew, so that a block has one result, whatever was judged before. `judged` is called after
        each position.
        """
        self.new_game()
        positions = list(itertools.islice(last.history(), count))
        found = []
        for position in positions:
            found.append(self.judge(position))
            if self._is_stopped():
                return None
            judged()
        # People come last: what is searched for them must not change what the engine says of the game.
        found = [self._with_people(position, verdict) for position, verdict in zip(positions, found, strict=True)]
        return None if self._is_stopped() else found[::-1]

    def _with_people(self, position: Position, verdict: Verdict) -> Verdict:
        """Adds what people would play, and what their popular moves are worth."""
        if self._people is None or not verdict.line or self._is_stopped():
            return verdict
        shares = self._people.likely_moves(position)
        popular = [move for move, share in shares.items() if share >= POPULAR and move != verdict.line[0]]
        worths = {move: self.judge(position.play(move)).bounded_cp for move in popular if not self._is_stopped()}
        return dataclasses.replace(verdict, people=People(shares, worths))

    def judge(self, position: Position) -> Verdict:
        """Searches one position."""
        if position.is_over():
            return _final(position)
        exact: list[Line] = []

        def keep(found: Analysis) -> None:
            exact.extend(line for line in found.lines[:1] if line.bound is None and line.score is not None)

        found = self.player.think(position, self._limits, self._is_stopped, keep)
        keep(found)
        if not exact and not found.lines:
            raise ConfigError(f"{self.player.name} does not say what a position is worth")
        # A limit may end the search when it only knows a bound; the line before has a score.
        line = exact[-1] if exact else found.lines[0]
        score, wdl = line.score or found.score, line.wdl or found.wdl
        if score is None or wdl is None:
            raise ConfigError(f"{self.player.name} does not say what a position is worth")
        is_white = position.turn
        moves = line.moves[:_LONGEST_LINE] or (() if found.best is None else (found.best,))
        return Verdict(
            score if is_white else score.flipped(), wdl if is_white else wdl.flipped(), moves, line.depth or found.depth
        )

    def close(self) -> None:
        """There is nothing to end: the engine is ours."""

    def kill(self) -> None:
        """There is nothing to end."""


def blocks(positions: tuple[Position, ...]) -> Iterator[tuple[Position, int]]:
    """Yields the units of work of a game: a block's last position, and how many it has."""
    for start in range(0, len(positions), BLOCK):
        block = positions[start : start + BLOCK]
        yield block[-1], len(block)


def _final(position: Position) -> Verdict:
    outcome = position.outcome()
    assert outcome is not None, "the game is over"
    if outcome.winner is None:
        return Verdict(Score(cp=0), Wdl(0, 1, 0))
    return Verdict(Score(mate=0), Wdl(1, 0, 0) if outcome.winner == 0 else Wdl(0, 0, 1))
