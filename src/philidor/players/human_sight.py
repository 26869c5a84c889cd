"""What people see before they move: a short look at each likely move, which counts as much as it does for them.

A policy knows how moves look, not what becomes of them: drawn from as it is, it loses twice what people lose. So each
move that is likely at all is looked at by a small alpha-beta search, and one that loses x centipawns by it becomes
(1 + x / 50) ** weight times less likely. The weights, for each phase of the game and rising with the rating, were
fitted to people's moves by `philidor net fit-human`: moves that are drawn so lose what people's lose (docs/human.md).
Now and then people of any rating do not look: a small share of moves, the lapses, is drawn from the policy alone.
Few of these people are rated below 1400 and nobody below 1000; there attention fades, which is an estimate.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, final

from philidor.nets.shipped import SIGHT_NET
from philidor.players.sampling import normalized

if TYPE_CHECKING:
    from philidor.core.thinking import Stop
    from philidor.games.chess import Position
    from philidor.players.nnue import NnuePlayer

HALVING_CP = 50
"""Centipawns that make a move 2 ** weight times less likely."""
LARGEST_CP = 1_000
"""Beyond ten pawns a position is won or lost anyway."""
FEWEST, MOST = 0.003, 12
"""Moves less likely than this, or beyond this many, nobody looks at; nobody plays them either."""
CENTER, STEP = 1_700, 500
"""Weights are those at the center, and what each step of rating multiplies them by."""
BLIND_AT, ATTENTIVE_FROM = 600, 1_400
"""The rating at which nothing is seen of what a move loses, and that from which people see what the weights say."""
BEGINNER_TEMPERATURE = 1.6
"""That at which those at BLIND_AT draw their moves, in every phase."""
LAPSES = 0.05
"""The share of moves that people of any rating play without having looked (docs/human.md says why not more)."""
# People's habits were fitted to what a search saw that pruned late moves from its first node on.
_AS_FITTED = ("cold_nodes=0",)
# An iteration is finished, so that no score is a bound; it is cut short only at this multiple of the nodes.
_OVERRUN = 4
_HASH_MB = 1


class Habit(NamedTuple):
    """How people choose in one phase of the game."""

    temperature: float
    """That at which the policy is drawn from, by those who pay attention."""
    weight: float
    """How much a loss that is seen counts, at the rating CENTER."""
    growth: float
    """What STEP points of rating multiply that by, before the attention of weak players."""

    def temperature_at(self, rating: int, beginners: float = BEGINNER_TEMPERATURE) -> float:
        """Returns the temperature at which people of this rating draw from the policy; `beginners` is the highest."""
        attention = attention_at(rating)
        return float(self.temperature**attention * beginners ** (1 - attention))

    def weight_at(self, rating: int) -> float:
        """Returns how much a loss counts for people of this rating."""
        return float(self.weight * self.growth ** ((rating - CENTER) / STEP) * attention_at(rating))


# Of the opening, the middle game and the endgame: what `philidor net fit-human --positions 1200` gives (docs/human.md).
HABITS = (Habit(1.0, 0.76, 1.95), Habit(0.6, 1.22, 1.95), Habit(0.6, 1.10, 1.95))


def attention_at(rating: int) -> float:
    """Returns how much of what people see is left to weak players: 1 from ATTENTIVE_FROM on, 0 at BLIND_AT.

    Growth alone would let beginners see nearly as much as club players, and no games would tell their levels apart.
    """
    return min(1.0, max(0.0, (rating - BLIND_AT) / (ATTENTIVE_FROM - BLIND_AT)))


def considered(shares: Mapping[str, float]) -> dict[str, float]:
    """Returns the moves that people would think of at all; the likeliest one is always among them."""
    likeliest = sorted(shares.items(), key=lambda pair: -pair[1])[:MOST]
    kept = {move for move, share in likeliest if share >= FEWEST} or {likeliest[0][0]}
    return {move: share for move, share in shares.items() if move in kept}


def weighed(
    shares: Mapping[str, float], losses: Mapping[str, float], habit: Habit, rating: int, lapses: float = LAPSES
) -> dict[str, float]:
    """Returns how likely each move is once people have seen what it loses, in centipawns, or had a lapse."""
    weight = habit.weight_at(rating)
    factors = {move: (1 + losses[move] / HALVING_CP) ** weight for move in shares}
    seen = normalized({move: share / factors[move] for move, share in shares.items()})
    return {move: (1 - lapses) * seen[move] + lapses * share for move, share in normalized(shares).items()}


@final
class Glance:
    """The search; it is made when the first move is looked at, and remembers nothing from one move to the next."""

    def __init__(self) -> None:
        self._engine: NnuePlayer | None = None

    def losses(
        self, position: Position, moves: list[str], nodes: int, stop: Stop | None = None
    ) -> dict[str, float] | None:
        """Returns what each move loses against the best of them, in centipawns; None if there was no time."""
        scores = {}
        for move in moves:
            if stop is not None and stop():
                return None
            scores[move] = self._worth(position.play(move), nodes)
        best = max(scores.values())
        return {move: best - score for move, score in scores.items()}

    def _worth(self, after: Position, nodes: int) -> float:
        """Returns what a position is worth to the player who has just moved, cut at ten pawns."""
        from philidor.players.nnue import NnueConfig, NnuePlayer

        outcome = after.outcome()
        if outcome is not None:
            return 0.0 if outcome.winner is None else LARGEST_CP
        if self._engine is None:
            self._engine = NnuePlayer(NnueConfig(net=Path(SIGHT_NET), hash=_HASH_MB, parameters=_AS_FITTED))
        self._engine.new_game()
        found = self._engine.engine.search(after.native, soft_nodes=nodes, nodes=_OVERRUN * nodes)
        return float(max(-LARGEST_CP, min(LARGEST_CP, -int(found.score))))


def nodes_at(rating: int, fewest: int, rises_from: int, most: int, highest: int) -> int:
    """Returns the positions that a look visits: `fewest` up to `rises_from`, and `most` at the highest rating.

    In between each point of rating multiplies them by the same factor.
    """
    if rating <= rises_from or not fewest:
        return fewest
    return round(fewest * math.exp(math.log(most / fewest) * (rating - rises_from) / (highest - rises_from)))
