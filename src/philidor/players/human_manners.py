"""When people resign, offer a draw and take one, and how long they think: decided by what the network expects."""

from __future__ import annotations

import math
from collections.abc import Sequence

from philidor.core.evaluation import Wdl
from philidor.core.random import SplitMix64

# Moves of the game before which nobody offers a draw, and how often one is offered.
_FIRST_OFFER, _OFFER_EVERY = 25, 8
# Who stands better than this plays on, and in the opening who stands no worse than that.
_CONTENT, _CONTENT_IN_OPENING, _OPENING_MOVES = 0.05, -0.2, 12
# Seconds that half of the moves take, by phase of the game: known openings, the middle, few men.
_OPENING_S, _MIDDLE_S, _ENDING_S = 1.5, 4.5, 2.5
_KNOWN_PLIES, _FEW_MEN = 12, 10
_SPREAD, _SHORTEST_S, _LONGEST_S, _FORCED_S = 0.6, 0.4, 20.0, 0.6


def resigns(chances: Sequence[Wdl], threshold: float, moves: int) -> bool:
    """Says whether a game is given up: lost with this probability at each of the last own `moves` turns."""
    return len(chances) >= moves and all(wdl.loss >= threshold for wdl in chances[:moves])


def offers_draw(chances: Sequence[Wdl], threshold: float, moves: int, move_number: int) -> bool:
    """Says whether a draw is offered: as likely as this at each of the last own `moves` turns, and not too often."""
    is_time = move_number >= _FIRST_OFFER and move_number % _OFFER_EVERY == 0
    return is_time and len(chances) >= moves and all(wdl.draw >= threshold for wdl in chances[:moves])


def takes_draw(wdl: Wdl, move_number: int) -> bool:
    """Says whether an offered draw is welcome to the side whose chances these are."""
    return wdl.value <= (_CONTENT_IN_OPENING if move_number <= _OPENING_MOVES else _CONTENT)


def seconds_for(shares: Sequence[float], ply: int, men: int, random: SplitMix64) -> float:
    """Draws how long a person thinks: less where the move is known or plain, longer where many are likely.

    The times of a position are distributed log-normally, as people's are.
    """
    if len(shares) < 2:
        return _FORCED_S
    usual = _OPENING_S if ply < _KNOWN_PLIES else _ENDING_S if men <= _FEW_MEN else _MIDDLE_S
    # 1 where one move is certain, more with the number of moves that are likely: the perplexity's root.
    entropy = -sum(share * math.log(share) for share in shares if share > 0)
    seconds = usual * 0.5 * math.exp(entropy / 2) * math.exp(_SPREAD * _normal(random))
    return min(max(seconds, _SHORTEST_S), _LONGEST_S)


def _normal(random: SplitMix64) -> float:
    """Draws from the normal distribution, by Box and Muller's formula."""
    first, second = ((random.next() + 1) / 2**64 for _ in range(2))
    return math.sqrt(-2 * math.log(first)) * math.cos(2 * math.pi * second)
