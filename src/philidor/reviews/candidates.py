"""One position: the moves worth a thought, what each costs, and how likely people of each rating play it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from philidor.core.analysis import Score
from philidor.core.errors import ConfigError
from philidor.games.chess import Position
from philidor.players.engine import EnginePlayer
from philidor.reviews.assembling import san_line
from philidor.reviews.config import ReviewConfig
from philidor.reviews.crowd import Crowd, CrowdFiles, crowd_files
from philidor.reviews.formulas import win_percent
from philidor.reviews.judging import Judge, Verdict
from philidor.reviews.people import POPULAR, TRAP_PERCENT

RATINGS = tuple(range(800, 2401, 200))
"""The ratings of a curve."""
_ENGINE_MOVES = 3
_ANY_RATING = 1500


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that the engine or people like. The score is the mover's view."""

    san: str
    uci: str
    score: Score
    cost: float
    """Points of win percentage that it loses."""
    line: tuple[str, ...]
    """What the engine expects, in SAN, from the move on."""
    shares: dict[int, float]
    """Rating -> how likely people of it play the move, 0 to 1; one entry, at rating 0, if the network knows none."""

    @property
    def is_trap(self) -> bool:
        """Whether it is popular at some rating and loses as much as a mistake does."""
        return self.cost >= TRAP_PERCENT and max(self.shares.values(), default=0.0) >= POPULAR


@dataclass(frozen=True, slots=True)
class PositionReview:
    """A position with its candidates, the best first."""

    fen: str
    score: Score
    """The side to move's view."""
    candidates: tuple[Candidate, ...]
    judge: str
    ratings: tuple[int, ...]
    """The ratings of each curve; none if the network knows none."""

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data for JSON."""
        return asdict(self)


def review_position(
    position: Position,
    config: ReviewConfig | None = None,
    *,
    ratings: Sequence[int] = RATINGS,
    crowd: CrowdFiles | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> PositionReview:
    """Judges the moves that the engine or people of some rating like. Raises ConfigError, NetError.

    `crowd` are networks that know people, in place of the config's own. `is_stopped` ends it soon; what it then says of
    the moves is hardly more than a guess.
    """
    if position.is_over():
        raise ConfigError(f"the game is over: there is no move in {position.fen()!r}")
    config = config or ReviewConfig()
    people = Crowd(crowd_files(config.human_net) if crowd is None else crowd, config.human or _ANY_RATING)
    curves, known = _curves(position, people, [*ratings, *([config.human] if config.human else [])])
    judge = Judge(config, is_stopped)
    judge.new_game()
    root = judge.judge(position)
    popular = [move for move, shares in curves.items() if max(shares.values()) >= POPULAR]
    moves = dict.fromkeys([root.line[0], *_engine_moves(judge, position, config), *popular])
    sign = 1 if position.turn else -1
    found = {move: judge.judge(position.play(move)) for move in moves}
    # Each by the look behind it, the engine's own move too: the table's order goes by the scores that it shows.
    worths = {move: sign * verdict.bounded_cp for move, verdict in found.items()}
    best = win_percent(max(worths.values()))
    candidates = [
        _candidate(position, move, found[move], best - win_percent(worths[move]), curves.get(move, {}))
        for move in moves
    ]
    score = root.score if position.turn else root.score.flipped()
    ordered = tuple(sorted(candidates, key=lambda each: each.cost))
    return PositionReview(position.fen(), score, ordered, config.words(), known)


def _candidate(position: Position, move: str, verdict: Verdict, cost: float, shares: dict[int, float]) -> Candidate:
    score = verdict.score if position.turn else verdict.score.flipped()
    line = (position.san(move), *san_line(position.play(move), verdict.line))
    return Candidate(line[0], move, score, cost, line, shares)


def _curves(
    position: Position, people: Crowd, ratings: Sequence[int]
) -> tuple[dict[str, dict[int, float]], tuple[int, ...]]:
    """Returns for each move how likely people of each rating play it, and the ratings that the networks know."""
    known = people.ratings(sorted(set(ratings)))
    curves: dict[str, dict[int, float]] = {}
    for rating in known:
        for move, share in people.policy(position, rating).items():
            curves.setdefault(move, {})[rating] = share
    if not known:
        curves = {move: {0: share} for move, share in people.policy(position).items()}
    return curves, known


def _engine_moves(judge: Judge, position: Position, config: ReviewConfig) -> list[str]:
    """Returns the engine's first choices, where it has more than one."""
    player = judge.player
    if not isinstance(player, EnginePlayer):
        return []
    limits = config.limits
    given = {"nodes": limits.nodes, "movetime": limits.time_s, "depth": limits.depth}
    settings: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    found = player.analyse(position, lines=_ENGINE_MOVES, **settings)
    return [line.moves[0] for line in found.lines if line.moves]
