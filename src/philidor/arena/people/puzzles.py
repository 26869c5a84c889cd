"""Puzzles by rating: who finds the first move of the solution (Lichess's format; book, ch. 4.8).

A puzzle's position comes with the opponent's last move, which is played first. Another move solves it too if it mates.
"""

from __future__ import annotations

import csv
import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor.arena.limits import NO_LIMIT
from philidor.arena.many_games import SearchChooser
from philidor.arena.people.intervals import clustered_mean
from philidor.arena.people.predictors import EnginePredictor, NetPredictor, Predictor
from philidor.arena.people.sample import Band
from philidor.arena.suite import Problem, solve_suite
from philidor.core.config import spin, text, validate
from philidor.core.errors import ConfigError, FenError, IllegalMoveError
from philidor.encodings.human import HumanEncoding
from philidor.games.chess import Position
from philidor.records.streams import read_chunks
from philidor.search.puct import PuctConfig

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.arena.statistics import Estimate
    from philidor.evaluators.network import NetEvaluator

DEFAULT_BANDS = tuple(f"{low}-{low + 199}" for low in range(400, 2200, 200))
_COLUMNS = ("PuzzleId", "FEN", "Moves", "Rating")
_CHUNK = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleConfig:
    """Which puzzles are set."""

    bands: tuple[str, ...] = field(default=DEFAULT_BANDS, metadata=text())
    """Bands of the puzzles' own ratings, as 1000-1199; "all" is every puzzle."""
    puzzles: int = field(default=300, metadata=spin(None, 0, 100_000_000))
    """Puzzles to draw from each band; 0 takes all."""
    seed: int = field(default=1, metadata=spin(None, 0, (1 << 63) - 1))
    """Seed of the draw."""

    def __post_init__(self) -> None:
        validate(self)
        if not self.bands:
            raise ConfigError("there must be at least one band")
        _ = [Band.parse(text) for text in self.bands]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, whose history is the opponent's last move, and the move that is looked for."""

    name: str
    position: Position
    solution: str
    """In UCI."""
    rating: int
    band: str

    def is_solved_by(self, move: str | None) -> bool:
        """Says whether a move, in UCI, is the solution or mates."""
        if move is None or move == self.solution:
            return move is not None
        outcome = self.position.play(move).outcome()
        return outcome is not None and outcome.winner is not None


def read_puzzles(path: Path, config: PuzzleConfig) -> list[Puzzle]:
    """Draws puzzles from a CSV file, compressed or not; the same ones wherever they stand in it. Raises ConfigError."""
    bands = [Band.parse(text) for text in config.bands]
    drawn: dict[str, list[tuple[bytes, dict[str, str]]]] = {band.name: [] for band in bands}
    reader = csv.DictReader(_lines(path))
    missing = [column for column in _COLUMNS if column not in (reader.fieldnames or ())]
    if missing:
        raise ConfigError(f"{str(path)!r} has no puzzles: the column {missing[0]} is missing")
    for row in reader:
        rating = _rating(row, path)
        band = next((band for band in bands if band.low <= rating <= band.high), None)
        if band is not None:
            key = hashlib.blake2b(f"{config.seed} {row['PuzzleId']}".encode(), digest_size=8).digest()
            drawn[band.name].append((key, row))
    found = []
    for name, rows in drawn.items():
        rows.sort(key=lambda pair: pair[0])
        found += [_puzzle(row, name, path) for _, row in (rows[: config.puzzles] if config.puzzles else rows)]
    if not found:
        raise ConfigError(f"{str(path)!r} has no puzzle in the bands {', '.join(config.bands)}")
    return found


def _lines(path: Path) -> Iterator[str]:
    rest = b""
    for chunk, _ in read_chunks(path):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.decode("utf-8", "replace") for line in lines)
    if rest:
        yield rest.decode("utf-8", "replace")


def _rating(row: dict[str, str], path: Path) -> int:
    try:
        return int(row["Rating"])
    except (TypeError, ValueError):
        raise ConfigError(f"{str(path)!r}: puzzle {row['PuzzleId']!r} has no rating but {row['Rating']!r}") from None


def _puzzle(row: dict[str, str], band: str, path: Path) -> Puzzle:
    moves = (row["Moves"] or "").split()
    try:
        if len(moves) < 2:
            raise IllegalMoveError("a puzzle has the opponent's move and the solution")
        position = Position(row["FEN"]).play(moves[0])
        solution = position.uci(position.parse_uci(moves[1]))
    except (FenError, IllegalMoveError) as error:
        raise ConfigError(f"{str(path)!r}: puzzle {row['PuzzleId']!r}: {error}") from None
    return Puzzle(row["PuzzleId"], position, solution, int(row["Rating"]), band)


# --- Solving --------------------------------------------------------------------------------------------------

Report = Callable[[str, int, int], None]


def solve_puzzles(
    puzzles: Sequence[Puzzle],
    predictor: Predictor,
    *,
    nodes: int = 1,
    workers: int = 1,
    report: Report = lambda *_: None,
) -> NDArray[np.bool_]:  # [puzzles]
    """Returns which puzzles a predictor solves; a network by its policy, or by PUCT with so many nodes."""
    if isinstance(predictor, EnginePredictor):
        moves = _engine_moves(puzzles, predictor, workers, report)
    else:
        moves = _net_moves(puzzles, predictor, nodes, report)
    return np.array([puzzle.is_solved_by(move) for puzzle, move in zip(puzzles, moves, strict=True)])


def _engine_moves(
    puzzles: Sequence[Puzzle], engine: EnginePredictor, workers: int, report: Report
) -> Iterable[str | None]:
    problems = [
        Problem(str(place), puzzle.position.fen(), frozenset({puzzle.solution}), frozenset(), {}, 1)
        for place, puzzle in enumerate(puzzles)
    ]
    done = 0

    def count(_: object) -> None:
        nonlocal done
        done += 1
        report(engine.name, done, len(puzzles))

    answers = solve_suite(problems, engine.text, NO_LIMIT, workers, count)
    return [answer.move for answer in answers]


def _net_moves(puzzles: Sequence[Puzzle], predictor: NetPredictor, nodes: int, report: Report) -> list[str]:
    net = at_level(predictor)
    moves: list[str] = []
    for start in range(0, len(puzzles), _CHUNK):
        positions = [puzzle.position for puzzle in puzzles[start : start + _CHUNK]]
        moves += [position.uci(move) for position, move in zip(positions, _choose(net, positions, nodes), strict=True)]
        report(predictor.name, len(moves), len(puzzles))
    return moves


def _choose(net: NetEvaluator, positions: Sequence[Position], nodes: int) -> list[Any]:
    if nodes == 1:
        return [judged.moves[int(judged.priors.argmax())] for judged in net.evaluate(positions)]
    return SearchChooser(net, PuctConfig(simulations=nodes)).choose(positions)


def at_level(predictor: NetPredictor) -> NetEvaluator:
    """Returns the network for the rating that the predictor names. Raises ConfigError if that is none for both players.

    A puzzle has no players, so there are no ratings to be told or shifted.
    """
    if not isinstance(predictor.net.encoding, HumanEncoding):
        return predictor.net
    view = predictor.ratings.text
    if view == "none" or view.isdigit():
        rating = None if view == "none" else int(view)
        return predictor.net.with_encoding(predictor.net.encoding.with_ratings(rating, rating))
    raise ConfigError(f"a puzzle has no players: ratings= must be none or a number, got {view!r}")


# --- What was found ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PuzzleRow:
    """Puzzles of one band, and what share of them each solved."""

    band: str
    puzzles: int
    mean_rating: float
    solved: dict[str, Estimate]


def summarize_puzzles(puzzles: Sequence[Puzzle], solved: dict[str, NDArray[np.bool_]]) -> list[PuzzleRow]:
    """Averages by band, and over all."""
    names = dict.fromkeys(puzzle.band for puzzle in puzzles)
    bands = np.array([puzzle.band for puzzle in puzzles])
    ratings = np.array([puzzle.rating for puzzle in puzzles], np.float64)
    kinds = [(name, bands == name) for name in names]
    if len(kinds) > 1:
        kinds.append(("all", np.ones(len(puzzles), bool)))
    return [
        PuzzleRow(
            name,
            int(chosen.sum()),
            float(ratings[chosen].mean()),
            {
                who: clustered_mean(each[chosen].astype(np.float64), np.flatnonzero(chosen))
                for who, each in solved.items()
            },
        )
        for name, chosen in kinds
    ]


def performance(puzzles: Sequence[Puzzle], solved: NDArray[np.bool_]) -> float:
    """Returns the rating that the logistic formula gives to who solves so many of these puzzles; infinite for all."""
    ratings = np.array([puzzle.rating for puzzle in puzzles], np.float64)
    count = int(solved.sum())
    if count in (0, len(puzzles)):
        return math.inf if count else -math.inf
    low, high = -10_000.0, 10_000.0
    while high - low > 0.01:
        middle = (low + high) / 2
        expected = float((1 / (1 + 10 ** ((ratings - middle) / 400))).sum())
        low, high = (middle, high) if expected < count else (low, middle)
    return (low + high) / 2
