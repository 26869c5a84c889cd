"""Fits win, draw and loss to an engine's score, on games of its own, and says how well that fits.

philidor match -e classic -e "classic name=twin" --nodes 5000 --games 800 --out runs/wdl
philidor match --native -e nnue -e "nnue name=twin" --nodes 5000 --games 800 --resign-score 1000 --out runs/wdl
python tools/fit_wdl.py runs/wdl/report/games.pgn

The model is that of players/engine.py: won with 1 / (1 + exp((a - cp) / b)), lost the same with -cp. `a` is the score
that wins half of the games, `b` how fast that changes.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

from philidor.records import PgnSource, Result

MAX_SCORE = 1_000
BIN = 10
Bins = dict[int, Counter[str]]
"""Score in centipawns, the mover's view -> how often it won ("W"), drew, lost."""


def positions(paths: list[Path]) -> Iterator[tuple[int, str]]:
    """Yields score and result of each move, both in the mover's view."""
    for game in PgnSource(paths, tags=(), evals="mover"):
        if game.scores is None or game.result is Result.UNKNOWN:
            continue
        # A start position may have Black to move.
        first = 0 if game.start is None or " w " in game.start else 1
        winner = {Result.FIRST_WINS: 0, Result.SECOND_WINS: 1}.get(game.result)
        for ply, score in enumerate(game.scores):
            # Exactly zero is mostly a repetition that the search sees, not a judgment.
            if score and abs(score) <= MAX_SCORE:
                yield score, "D" if winner is None else "W" if winner == (ply + first) % 2 else "L"


def read(paths: list[Path]) -> Bins:
    """Counts results by score, rounded to ten centipawns."""
    bins: Bins = {}
    for score, result in positions(paths):
        bins.setdefault(round(score / BIN) * BIN, Counter())[result] += 1
    return bins


def probabilities(cp: float, a: float, b: float) -> dict[str, float]:
    """The model: what becomes of a position with this score."""
    win, loss = 1 / (1 + math.exp((a - cp) / b)), 1 / (1 + math.exp((a + cp) / b))
    return {"W": win, "D": 1 - win - loss, "L": loss}


def log_loss(bins: Bins, a: float, b: float) -> float:
    """Mean surprise at the results, in nats."""
    total = sum(counts.total() for counts in bins.values())
    loss = 0.0
    for cp, counts in bins.items():
        chances = probabilities(cp, a, b)
        loss -= sum(count * math.log(max(chances[result], 1e-9)) for result, count in counts.items())
    return loss / total


def minimum(function: Callable[[float], float], low: float, high: float) -> float:
    """Golden-section search to half a centipawn."""
    ratio = (math.sqrt(5) - 1) / 2
    while high - low > 0.5:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if function(left) < function(right):
            high = right
        else:
            low = left
    return (low + high) / 2


def fit(bins: Bins) -> tuple[float, float]:
    """Finds the constants of the least surprise, one after the other."""
    a, b = 150.0, 75.0
    for _ in range(12):
        a = minimum(partial(log_loss, bins, b=b), 1, 600)
        b = minimum(partial(log_loss, bins, a), 5, 600)
    return a, b


def report(bins: Bins, a: float, b: float) -> str:
    """A table of predicted and observed results by score."""
    lines = ["| score | positions | won | predicted | drawn | predicted | lost | predicted |", "|" + "---:|" * 8]
    edges = [-MAX_SCORE - 1, -400, -200, -100, -50, 0, 50, 100, 200, 400, MAX_SCORE + 1]
    for low, high in pairwise(edges):
        part = {cp: counts for cp, counts in bins.items() if low <= cp < high}
        total = sum(counts.total() for counts in part.values())
        if not total:
            continue
        mean = sum(cp * counts.total() for cp, counts in part.items()) / total
        cells = [f"{mean:+.0f}", f"{total:,}"]
        for result in "WDL":
            seen = sum(counts[result] for counts in part.values()) / total
            expected = sum(counts.total() * probabilities(cp, a, b)[result] for cp, counts in part.items()) / total
            cells += [f"{seen:.1%}", f"{expected:.1%}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Fits and prints."""
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    bins = read([Path(argument) for argument in arguments])
    if not bins:
        print("no scored game in these files", file=sys.stderr)
        return 1
    a, b = fit(bins)
    print(f"won at {a:.0f} cp, spread {b:.0f} cp: surprise {log_loss(bins, a, b):.4f} nats")
    print(report(bins, a, b))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
