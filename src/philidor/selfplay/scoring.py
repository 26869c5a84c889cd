"""Games that are there already get scores of an engine of ours: more to learn from than it could play (ch. 4.6.3).

A search of a position that was played costs what a move of self-play costs, but the games can be anybody's: people's,
with mistakes that engines never make, or a weaker engine's, which a stronger one judges again. The evaluation without
a search costs next to nothing, and the mean of several is better than each of them: a new network that learns it from
many positions knows more than those that few positions have taught.
"""

from __future__ import annotations

import itertools
import random
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from philidor.core.config import check, spin, text
from philidor.core.errors import ConfigError
from philidor.core.processes import BeginPool, Processes
from philidor.core.runs import Run
from philidor.games import load_game
from philidor.games.chess import Move, Position
from philidor.players.scoring import MAX_CP, ScoringEngine, SearchSettings
from philidor.records import GameRecord, RecordReader
from philidor.selfplay.away import Span, fill_away, record_file
from philidor.selfplay.shards import Progress, Shard, fill, fill_all, shards_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringSettings(SearchSettings):
    """Which positions to search, and how."""

    shard_games: int = field(default=500, metadata=spin(None, 1, 1_000_000))
    """Games in one file."""
    skip_plies: int = field(default=0, metadata=spin(None, 0))
    """Plies at the start of each game to leave without a score."""
    every: int = field(default=1, metadata=spin(None, 1, 1_000))
    """Plies from one scored position to the next; neighbors are much alike. Games start at different plies."""
    only_quiet: bool = field(default=False, metadata=check())
    """Leave checks without a score, and positions in which a capture, a promotion or a check was played."""
    strays: int = field(default=0, metadata=spin(None, 0, 100))
    """Random moves by which each game is left at a random ply; only positions after them are scored. Searches meet such
    positions, games do not."""
    static: bool = field(default=False, metadata=check())
    """Ask the evaluation itself, without a search."""
    also: tuple[str, ...] = field(default=(), metadata=text())
    """Further engines, as a match names them; the score is the mean of all. An engine named twice counts twice."""
    seed: int = field(default=1, metadata=spin(None, 0))
    """Seed of the random moves."""

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        found = SearchSettings.unused(self)
        if self.static:
            found |= dict.fromkeys(("nodes", "depth"), "static does not search")
        if not self.strays:
            found["seed"] = "chance is only in strays"
        return found

    def engines(self) -> list[SearchSettings]:
        """Returns the engine and the further ones. Raises ConfigError."""
        found: list[SearchSettings] = [self]
        for words in map(shlex.split, self.also):
            if not words:
                raise ConfigError("also: an engine without a name")
            found.append(replace(self, engine=words[0], settings=tuple(words[1:]), also=()))
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringConfig(ScoringSettings):
    """A run of scoring: what config.toml of its run folder keeps."""

    files: tuple[Path, ...]
    """Whose games; a file may have grown when the run goes on."""


class Scorer:
    """One engine and the games it judges."""

    def __init__(self, config: ScoringSettings, is_stopped: Callable[[], bool] = lambda: False) -> None:
        self.config = config
        self._engines = [ScoringEngine(each) for each in config.engines()]
        self._is_stopped = is_stopped
        self._chess = load_game("chess")

    def score(self, game: GameRecord, number: int) -> GameRecord | None:
        """Returns a game with the engine's scores in place of those it had; None if told to stop. Raises RecordError.

        All else stays as it is, unless the game is left by random moves. The score after the last move goes: nobody has
        searched that position.
        """
        for engine in self._engines:
            engine.new_game()
        first = self.config.skip_plies
        if self.config.strays:
            game, left_at = self._stray(game, number)
            first = max(first, left_at + 1)
        scores: list[int | None] = []
        for ply, (state, index) in enumerate(zip(game.states(self._chess), game.indices, strict=False)):
            if self._is_stopped():
                return None
            assert isinstance(state, Position)
            is_wanted = ply >= first and (ply + number) % self.config.every == 0
            if is_wanted and self._can_teach(state, state.legal_moves()[index]):
                scores.append(self._score_of(state))
            else:
                scores.append(None)
        return replace(game, scores=tuple(scores), final_score=None)

    def _score_of(self, position: Position) -> int:
        if self.config.static:
            scores = [engine.evaluate(position) for engine in self._engines]
        else:
            scores = [engine.score(position) for engine in self._engines]
        # A mate is no number to take a mean with; the first engine is the one that was asked for.
        is_mate = any(abs(score) > MAX_CP for score in scores)
        return scores[0] if is_mate else round(sum(scores) / len(scores))

    def _stray(self, game: GameRecord, number: int) -> tuple[GameRecord, int]:
        """Returns a game that leaves this one by random moves, without its columns, and the ply at which it does."""
        chance = random.Random(f"{self.config.seed}/{number}")
        left_at = chance.randrange(len(game) + 1)
        indices = game.indices[:left_at]
        state = next(itertools.islice(game.states(self._chess), left_at, None))
        for _ in range(self.config.strays):
            if state.is_over():
                break
            moves = state.legal_moves()
            indices += (chance.randrange(len(moves)),)
            state = state.play(moves[indices[-1]])
        return GameRecord(indices=indices, start=game.start, result=game.result, source=game.source), left_at

    def _can_teach(self, position: Position, move: Move) -> bool:
        # Of a drawn position a search could only say that it is drawn.
        if position.is_over():
            return False
        is_noisy = move.promotion is not None or position.is_capture(move) or position.gives_check(move)
        return not self.config.only_quiet or not (position.is_check() or is_noisy)

    def close(self) -> None:
        """There is nothing to end: the engine is ours."""

    def kill(self) -> None:
        """There is nothing to end."""


def score_games(
    run: Run,
    config: ScoringConfig,
    *,
    workers: int,
    report: Callable[[Progress], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
    begin_pool: BeginPool | None = None,
) -> Progress:
    """Scores what the run still lacks, file by file into shards of their own. Raises ConfigError, RecordError.

    `begin_pool` makes workers on other machines, which are sent the games to score.
    """
    for each in config.engines():  # what is wrong with an engine is said here, not by a worker
        each.player()
    shards: list[Shard] = []
    for number, file in enumerate(config.files):
        with RecordReader(file) as reader:
            if reader.game != "chess":
                raise ConfigError(f"{str(file)!r} has games of {reader.game}, not chess")
            reader.warn_of_losses()
            size = config.shard_games
            shards += shards_of(run.shards, len(reader), size, prefix=f"{number:03d}-", source=file)
    return fill_all(
        run,
        shards,
        begin=Scorer,
        argument=config,
        task=_score,
        workers=workers,
        report=report,
        is_stopped=is_stopped,
        begin_pool=begin_pool or Processes,
        fill_by=None if begin_pool is None else partial(fill_away, _score_span),
    )


def _score(scorer: Scorer, shard: Shard) -> None:
    assert shard.source is not None
    with RecordReader(shard.source) as reader:
        fill(shard, lambda number: scorer.score(reader[number], number))


def _score_span(scorer: Scorer, span: Span) -> bytes:
    return record_file(map(scorer.score, span.given, span.numbers))
