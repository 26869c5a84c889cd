"""Counts what a game holds: leaves of its move tree, positions, whole games. Exact numbers to test rules by."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from philidor.core.game import AnyState, S

T = TypeVar("T")


def perft(state: S, depth: int) -> int:
    """Returns the number of move sequences of exactly `depth` moves.

    Equal positions are counted once and multiplied, so this is quick where positions repeat; it must not be
    used where the past matters.
    """
    layer: Counter[S] = Counter({state: 1})
    for _ in range(depth):
        layer = _next_layer(layer)
    return layer.total()


def positions_by_ply(state: S, depth: int) -> list[int]:
    """Returns how many different positions there are after 0, 1, ... `depth` moves."""
    layer: Counter[S] = Counter({state: 1})
    counts = [1]
    for _ in range(depth):
        layer = _next_layer(layer)
        counts.append(len(layer))
    return counts


def reachable(state: S) -> Iterator[S]:
    """Yields every position that play can reach, `state` included, each once."""
    seen = {state}
    waiting = [state]
    while waiting:
        position = waiting.pop()
        yield position
        for move in position.legal_moves():
            successor = position.play(move)
            if successor not in seen:
                seen.add(successor)
                waiting.append(successor)


def count_games(state: S) -> Counter[int | None]:
    """Returns how many games, as sequences of moves to the end, each player wins; None counts the draws."""

    def finished(winner: int | None) -> Counter[int | None]:
        return Counter({winner: 1})

    def combined(_: S, below: list[Counter[int | None]]) -> Counter[int | None]:
        return sum(below, Counter())

    return _fold(state, finished, combined)


def evenly(state: AnyState) -> list[Fraction]:
    """Gives every legal move the same chance."""
    count = len(state.legal_moves())
    return [Fraction(1, count)] * count


def random_play(state: S, chances: Callable[[S], Sequence[Fraction]] = evenly) -> dict[int | None, Fraction]:
    """Returns the exact probability of each result when moves are drawn by `chances`: one for each legal move.

    Drawn evenly, both sides are the random player; a player who always chooses the same gives that move the chance 1.
    """

    def finished(winner: int | None) -> dict[int | None, Fraction]:
        return {winner: Fraction(1)}

    def combined(position: S, below: list[dict[int | None, Fraction]]) -> dict[int | None, Fraction]:
        mean: defaultdict[int | None, Fraction] = defaultdict(Fraction)
        for chance, odds in zip(chances(position), below, strict=True):
            for result, probability in odds.items():
                mean[result] += chance * probability
        return dict(mean)

    return _fold(state, finished, combined)


def _fold(state: S, finished: Callable[[int | None], T], combined: Callable[[S, list[T]], T]) -> T:
    """Computes a value for `state` from those of its successors, each position once; for games without cycles."""
    known: dict[S, T] = {}

    def value(position: S) -> T:
        if position not in known:
            outcome = position.outcome()
            if outcome is not None:
                known[position] = finished(outcome.winner)
            else:
                below = [value(position.play(move)) for move in position.legal_moves()]
                known[position] = combined(position, below)
        return known[position]

    return value(state)


def _next_layer(layer: Counter[S]) -> Counter[S]:
    following: Counter[S] = Counter()
    for position, count in layer.items():
        for move in position.legal_moves():
            following[position.play(move)] += count
    return following
