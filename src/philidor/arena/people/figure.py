"""The position of the book's Figure 4.23, in which every person would play one move (ch. 4.8).

The figure is a picture. Its text says that White is to move, that Bb3 holds the balance, that d4 costs about a pawn and
a half, and gives a line "7.b4 bxa4 8.d5 Na5", whose first move must be the d4 that it speaks of: in the Ruy Lopez after
1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 it is White's seventh move, and 7.d4 bxa4 8.d5 Na5 is legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from philidor.arena.competitors import competitor
from philidor.arena.limits import Clock, limits_for
from philidor.arena.people.predictors import EnginePredictor, NetPredictor, Predictor
from philidor.evaluators.network import softmax
from philidor.games.chess import Position

if TYPE_CHECKING:
    from philidor.arena.engines import EngineSpec

OPENING = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5"
HUMAN_MOVE = "Bb3"
TRIES = 100
"""Games in each of which an engine that varies is asked once."""
_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Habit:
    """How often somebody plays each move, in SAN, the most frequent first."""

    name: str
    moves: dict[str, float]

    @property
    def human(self) -> float:
        """The share of the move that every person would play."""
        return self.moves.get(HUMAN_MOVE, 0.0)


def figure_position() -> Position:
    """Returns the position, with its history."""
    position = Position()
    for move in OPENING.split():
        position = position.play(move)
    return position


def habits(predictors: Sequence[Predictor], ratings: tuple[int, int] = (0, 0)) -> list[Habit]:
    """Returns what each predictor plays there; networks with ratings are told these, 0 being unknown."""
    position = figure_position()
    return [
        _of_net(each, position, ratings) if isinstance(each, NetPredictor) else _of_engine(each, position)
        for each in predictors
    ]


def _of_net(net: NetPredictor, position: Position, ratings: tuple[int, int]) -> Habit:
    chances = net.expect(net.boards.encode([position]), np.array([ratings]))
    shares = softmax(chances.logits, chances.offsets).tolist()
    named = {position.san(move): share for move, share in zip(position.legal_moves(), shares, strict=True)}
    return _habit(net.name, named)


def _of_engine(engine: EnginePredictor, position: Position) -> Habit:
    counts: Counter[str] = Counter()
    player = competitor(engine.spec, {})
    limit = engine.spec.limit
    limits = limits_for(limit, (Clock(limit.tc), Clock(limit.tc)), position.to_move)
    try:
        for number in range(TRIES if _varies(engine.spec) else 1):
            player.new_game(number, is_chess960=False)
            move = player.think(position, limits, _TIMEOUT_S).move
            counts[position.san(position.parse_uci(move)) if move else "-"] += 1
    finally:
        player.close()
    return _habit(engine.name, {move: count / counts.total() for move, count in counts.items()})


def _varies(spec: EngineSpec) -> bool:
    """Whether a player of ours has a seed, so that it may play otherwise in another game."""
    return spec.is_in_process and hasattr(spec.config(), "seed")


def _habit(name: str, moves: dict[str, float]) -> Habit:
    return Habit(name, dict(sorted(moves.items(), key=lambda pair: -pair[1])))
