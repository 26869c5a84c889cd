"""Test positions with known best moves, from EPD files: how many an engine solves, and what its moves are worth.

`bm` are the moves that solve a position, `am` moves to be avoided. Suites like STS give points to good second choices
too, as `c0 "f5=10, Be5+=2"` or, in later editions, as `c8 "10 2"` for the moves of `c9 "f4f5 d4e5"`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import as_completed
from dataclasses import dataclass
from pathlib import Path

from philidor.arena.adjudication import GameRules
from philidor.arena.competitors import check_engines
from philidor.arena.engines import parse_engine
from philidor.arena.limits import Clock, Limit, limits_for
from philidor.arena.workers import Lineup, Worker
from philidor.core.analysis import Score
from philidor.core.errors import ConfigError, FenError, IllegalMoveError
from philidor.core.processes import Processes
from philidor.games.chess import Position
from philidor.games.chess.epd import Epd, read_epd_file
from philidor.players.external_uci import EngineCrashError, EngineHangError, EngineMoveError

_WEIGHT = re.compile(r"\s*([^=\s]+)\s*=\s*([0-9]+)\s*")
_NUMBER = re.compile(r"[\s.#-]*[0-9]+$")


@dataclass(frozen=True, slots=True)
class Problem:
    """A position and what its author thinks of its moves, which are in UCI."""

    name: str
    fen: str
    best: frozenset[str]
    avoid: frozenset[str]
    points: Mapping[str, int]
    """What each move is worth; moves that are not in it are worth nothing."""
    most: int
    """The points of the best move."""

    @property
    def theme(self) -> str:
        """The name without its number."""
        return _NUMBER.sub("", self.name) or self.name

    def is_solved_by(self, move: str | None) -> bool:
        """Says whether a move is one of the best, or none of those to be avoided."""
        return move is not None and move not in self.avoid and (not self.best or move in self.best)

    def points_of(self, move: str | None) -> int:
        """Returns what a move is worth; without weights a solution is worth a point."""
        return self.points.get(move or "", 0) if self.points else int(self.is_solved_by(move))


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine made of a problem."""

    problem: Problem
    move: str | None
    """In UCI."""
    time_s: float = 0.0
    depth: int | None = None
    score: Score | None = None
    fault: str = ""
    """Why there is no move."""

    @property
    def is_solved(self) -> bool:
        """Whether the move solves it."""
        return self.problem.is_solved_by(self.move)

    @property
    def points(self) -> int:
        """What the move is worth."""
        return self.problem.points_of(self.move)


def read_suite(path: Path) -> list[Problem]:
    """Reads an EPD file. Raises ConfigError."""
    problems = []
    try:
        for number, epd in enumerate(read_epd_file(path), start=1):
            problems.append(_problem(epd, f"{path.stem} {number}"))
    except OSError as error:
        raise ConfigError(f"cannot read {str(path)!r}: {(error.strerror or str(error)).lower()}") from None
    except FenError as error:
        raise ConfigError(str(error)) from None
    if not problems:
        raise ConfigError(f"{str(path)!r} has no positions")
    return problems


def _problem(epd: Epd, default_name: str) -> Problem:
    position, name = epd.position, epd.operand("id") or default_name
    best, avoid = (frozenset(position.uci(move) for move in epd.moves(opcode)) for opcode in ("bm", "am"))
    points = dict(_weights(epd, name))
    if not (best or avoid or points):
        raise FenError(f"{name} has neither bm nor am: nobody can solve it")
    most = max(points.values(), default=1)
    # Some editions have weights only: then the moves with the most points are the solutions.
    best = best or frozenset(move for move, worth in points.items() if worth == most)
    return Problem(name, position.fen(), best, avoid, points, most)


def _weights(epd: Epd, name: str) -> Iterable[tuple[str, int]]:
    moves, worths = (epd.operand(opcode) for opcode in ("c9", "c8"))
    if moves and worths:
        pairs = list(zip(moves.split(), worths.split(), strict=False))
    else:
        matches = [_WEIGHT.fullmatch(part) for part in (epd.operand("c0") or "").split(",")]
        # A comment that is no list of weights is a comment.
        pairs = [(match[1], match[2]) for match in matches if match] if all(matches) else []
    for text, worth in pairs:
        try:
            yield epd.position.uci(epd.position.parse_move(text)), int(worth)
        except (IllegalMoveError, ValueError) as error:
            raise FenError(f"{name}: {error}") from None


def solve_suite(
    problems: Iterable[Problem],
    engine: str,
    limit: Limit,
    concurrency: int = 1,
    on_answer: Callable[[Answer], None] = lambda _: None,
) -> list[Answer]:
    """Lets an engine, written as for a match, think about each problem; answers are in the problems' order.

    Each problem is a game of its own: nothing is remembered from one to the next. Raises ConfigError.
    """
    spec = parse_engine(engine)
    check_engines((spec,), {})
    workers = Processes(Worker, Lineup((spec,), limit, GameRules()), concurrency)
    try:
        futures = [workers.submit(_answer, problem) for problem in problems]
        for future in as_completed(futures):
            on_answer(future.result())
        return [future.result() for future in futures]
    finally:
        workers.close()


def _answer(worker: Worker, problem: Problem) -> Answer:
    """Thinks about one problem, in a worker's process."""
    position, engine, limit = Position(problem.fen), worker.engine(0), worker.limit(0)
    timeout_s = worker.rules.hang_time + (limit.movetime_ms or 0) / 1000
    limits = limits_for(limit, (Clock(limit.tc), Clock(limit.tc)), position.to_move)
    try:
        engine.new_game(0, is_chess960=position.is_chess960)
        thought = engine.think(position, limits, timeout_s)
    except (EngineCrashError, EngineHangError, EngineMoveError) as error:
        return Answer(problem, None, fault=str(error))
    return Answer(problem, thought.move, thought.time_s, thought.depth, thought.score)
