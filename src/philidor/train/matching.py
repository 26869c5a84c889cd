"""How well a network foresees moves and results, position by position and in tables (book, ch. 4.8; Maia).

`top1` and `top3` are the shares of positions in which the move played was the likeliest, or among the three likeliest;
`cross_entropy` is the mean of -log p(move played) over the legal moves; `brier` the mean squared distance of win, draw
and loss from the result, 0 to 2; `value_error` the mean squared error of the expected result, from -1 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

OPENING_PLIES = 20
ENDGAME_PHASE = 8
"""Pieces left, of 24: a knight or bishop 1, a rook 2, a queen 4."""
UNRATED = "unrated"


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """What a network said of some positions, as one number each."""

    log_likelihood: NDArray[np.float64]
    """Of the move that was played."""
    rank: NDArray[np.int64]
    """Moves that it thought likelier."""
    brier: NDArray[np.float64]
    value_error: NDArray[np.float64]

    def take(self, rows: NDArray[np.bool_]) -> Predictions:
        """Returns those of some rows."""
        return Predictions(self.log_likelihood[rows], self.rank[rows], self.brier[rows], self.value_error[rows])

    def __len__(self) -> int:
        return len(self.rank)


def join(parts: Sequence[Predictions]) -> Predictions:
    """Puts predictions behind each other."""
    names = ("log_likelihood", "rank", "brier", "value_error")
    return Predictions(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def summary(predictions: Predictions) -> dict[str, float]:
    """Returns the means."""
    return {
        "positions": len(predictions),
        "top1": float((predictions.rank < 1).mean()),
        "top3": float((predictions.rank < 3).mean()),
        "cross_entropy": float(-predictions.log_likelihood.mean()),
        "brier": float(predictions.brier.mean()),
        "value_error": float(predictions.value_error.mean()),
    }


def tables(
    predictions: Predictions,
    *,
    phases: NDArray[np.str_] | None,
    ratings: NDArray[np.integer[Any]],
    bands: Sequence[int],
) -> dict[str, Any]:
    """Returns the means of all positions, and of those of each phase and each rating of the side to move."""
    found: dict[str, Any] = dict(summary(predictions))
    if phases is not None:
        found["phase"] = _by(predictions, phases, ["opening", "middlegame", "endgame"])
    names = band_names(bands)
    found["rating"] = _by(predictions, names[band_of(ratings, bands)], names.tolist())
    return found


def _by(predictions: Predictions, groups: NDArray[np.str_], order: Sequence[str]) -> dict[str, dict[str, float]]:
    present = set(groups.tolist())
    return {name: summary(predictions.take(groups == name)) for name in order if name in present}


def phases_of(ply: NDArray[np.integer[Any]], phase: NDArray[np.integer[Any]]) -> NDArray[np.str_]:
    """Names the phases of chess positions by the moves played and the pieces left."""
    names = np.where(phase <= ENDGAME_PHASE, "endgame", "middlegame")
    return np.where((ply < OPENING_PLIES) & (phase > ENDGAME_PHASE), "opening", names)


def band_of(ratings: NDArray[np.integer[Any]], bands: Sequence[int]) -> NDArray[np.int64]:
    """Returns each rating's band: 0 is not known, 1 below the first limit."""
    return np.where(ratings == 0, 0, 1 + np.searchsorted(np.array(bands), ratings, side="right"))


def band_names(bands: Sequence[int]) -> NDArray[np.str_]:
    """Returns the bands' names in their order."""
    if not bands:
        return np.array([UNRATED, "rated"])
    inner = [f"{low}-{high - 1}" for low, high in pairwise(bands)]
    return np.array([UNRATED, f"below {bands[0]}", *inner, f"{bands[-1]}+"])


def equal_chances(legal_counts: NDArray[np.integer[Any]]) -> dict[str, float]:
    """Returns what the figures are for a player who knows the rules and nothing else: the least to beat."""
    counts = legal_counts.astype(np.float64)
    return {
        "top1": float((1 / counts).mean()),
        "top3": float(np.minimum(1, 3 / counts).mean()),
        "cross_entropy": float(np.log(counts).mean()),
    }
