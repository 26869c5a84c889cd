"""Many reviewed games in a few numbers: each player's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from philidor.reviews.formulas import average_loss
from philidor.reviews.review import GameReview, SideReview


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """One player's games."""

    name: str
    games: int
    points: float
    """Of the games with a result."""
    accuracy: float | None
    """The mean of the games'."""
    average_loss: float | None
    """Centipawns a move."""
    inaccuracies: int
    mistakes: int
    blunders: int


def summarize(reviews: Iterable[GameReview]) -> list[PlayerSummary]:
    """Returns the players, those with most games first."""
    played: dict[str, list[tuple[GameReview, bool]]] = {}
    for review in reviews:
        for side, is_white in ((review.white, True), (review.black, False)):
            played.setdefault(side.name, []).append((review, is_white))
    found = [_summary(name, games) for name, games in played.items()]
    return sorted(found, key=lambda player: -player.games)


def _summary(name: str, games: list[tuple[GameReview, bool]]) -> PlayerSummary:
    sides: list[SideReview] = [review.white if is_white else review.black for review, is_white in games]
    accuracies = [side.accuracy for side in sides if side.accuracy is not None]
    losses = [move.loss_cp for review, is_white in games for move in review.moves if move.is_white == is_white]
    return PlayerSummary(
        name=name,
        games=len(games),
        points=sum(_points(review.headers.get("Result", "*"), is_white) for review, is_white in games),
        accuracy=sum(accuracies) / len(accuracies) if accuracies else None,
        average_loss=average_loss(losses),
        inaccuracies=sum(side.inaccuracies for side in sides),
        mistakes=sum(side.mistakes for side in sides),
        blunders=sum(side.blunders for side in sides),
    )


def _points(result: str, is_white: bool) -> float:
    return {"1-0": float(is_white), "0-1": float(not is_white), "1/2-1/2": 0.5}.get(result, 0.0)
