"""Where games begin: the openings of a book, in an order that a seed determines.

Other games than chess begin with random moves, or at positions of a file, one a line.
"""

from __future__ import annotations

from pathlib import Path

from philidor.core.abilities import moves_but_pass
from philidor.core.errors import ConfigError
from philidor.core.game import AnyGame
from philidor.core.random import SplitMix64
from philidor.records.openings import Opening, read_openings, read_starts

__all__ = ["DEFAULT_BOOK", "Opening", "random_openings", "read_openings", "read_starts", "shuffled"]

DEFAULT_BOOK = Path(__file__).with_name("UHO_4060_v4_500.epd")
"""See the README beside it."""
_RANDOM_OPENINGS = 500
_TRIES = 10  # games for each of them


def random_openings(game: AnyGame, plies: int, seed: int) -> list[Opening]:
    """Returns openings of random moves, the same for the same seed. Raises ConfigError.

    They do not end the game, and nobody passes: two games of a pair would begin with a free move for one side.
    """
    random = SplitMix64(seed)
    openings: list[Opening] = []
    for _ in range(_TRIES * _RANDOM_OPENINGS):
        if len(openings) == _RANDOM_OPENINGS:
            break
        state = game.state()
        moves: list[str] = []
        while len(moves) < plies and not state.is_over():
            legal = moves_but_pass(state)
            moves.append(state.move_text(legal[random.below(len(legal))]))
            state = state.play(moves[-1])
        if not state.is_over():
            openings.append(Opening(moves=tuple(moves)))
    if not openings:
        raise ConfigError(f"hardly a game of {game.name} lasts longer than {plies} random moves")
    return openings


def shuffled(openings: list[Opening], seed: int) -> list[Opening]:
    """Returns the openings in another order, the same for the same seed on every machine (Fisher and Yates)."""
    order, random = list(openings), SplitMix64(seed)
    for last in range(len(order) - 1, 0, -1):
        other = random.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order
