"""Opponents that never change: they have met each other, and networks are rated by their scores against them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from philidor.arena.many_games import Chooser, Score, load_chooser, play_matches
from philidor.arena.ratings import Encounter, rating_list
from philidor.arena.statistics import Estimate, PairStatistics

if TYPE_CHECKING:
    from philidor.core.game import AnyGame
    from philidor.core.runs import Run

# The anchors meet each other more often than networks meet them: all ratings hang on theirs.
_ANCHOR_PAIRS = 4


@dataclass(frozen=True, slots=True)
class Anchors:
    """The opponents of a run, whose games it keeps."""

    run: Run
    game: AnyGame
    names: tuple[str, ...]
    """From the weakest to the strongest; the first one's rating is 0."""
    pairs: int
    """Pairs of games of a network against each."""
    opening_plies: int
    seed: int
    max_plies: int = 512
    """A longer game is a draw."""
    before_move: Callable[[], None] = lambda: None
    """Called before each move, or each batch of them; may raise to stop."""

    def meet(self, about_to: Callable[[str], None]) -> None:
        """Lets them meet each other, each pair of them once in the life of a run. Raises ConfigError.

        `about_to` is told who plays next, and may raise to stop.
        """
        choosers = {text: load_chooser(text, self.game) for text in self.names}
        known = {(event["a"], event["b"]) for event in self._events()}
        for a, b in itertools.combinations(choosers, 2):
            if (a, b) not in known:
                about_to(f"{a} against {b}")
                (score,) = self._play(choosers[a], [choosers[b]], _ANCHOR_PAIRS * self.pairs, self.seed)
                self.run.log({"event": "anchors", "a": a, "b": b, **_plain(score)})

    def ratings(self) -> dict[str, Estimate]:
        """Returns the anchors' ratings."""
        if len(self.names) == 1:
            return {self.names[0]: Estimate(0.0, 0.0)}
        encounters = {
            (self.names.index(event["a"]), self.names.index(event["b"])): _encounter(event) for event in self._events()
        }
        ratings = rating_list(len(self.names), encounters, {0: 0.0})
        assert ratings is not None, "all anchors have met"
        return dict(zip(self.names, ratings, strict=True))

    def play(self, chooser: Chooser) -> dict[str, Any]:
        """Plays a network against each, and returns the scores as plain data: what `rate` takes."""
        opponents = [load_chooser(text, self.game) for text in self.names]
        scores = self._play(chooser, opponents, self.pairs, self.seed + 1)
        return dict(zip(self.names, map(_plain, scores), strict=True))

    def rate(self, against: dict[str, Any]) -> Estimate:
        """Returns the rating that these scores are worth."""
        known = self.ratings()
        encounters = {(len(known), place): _encounter(against[name]) for place, name in enumerate(known)}
        fixed = {place: rating.value for place, rating in enumerate(known.values())}
        ratings = rating_list(len(known) + 1, encounters, fixed)
        assert ratings is not None, "an anchor's rating is known"
        return ratings[-1]

    def _play(self, chooser: Chooser, opponents: list[Chooser], pairs: int, seed: int) -> list[Score]:
        plies = {"opening_plies": self.opening_plies, "max_plies": self.max_plies}
        return play_matches(self.game, chooser, opponents, pairs, **plies, seed=seed, before_move=self.before_move)

    def _events(self) -> list[dict[str, Any]]:
        return [event for event in self.run.metrics() if event.get("event") == "anchors"]


def _plain(score: Score) -> dict[str, Any]:
    """Returns what a rating needs of a score."""
    return {
        "games": score.games,
        "points": score.wins + 0.5 * score.draws,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "pairs": list(score.pairs.counts),
    }


def _encounter(event: dict[str, Any]) -> Encounter:
    a, b, c, d, e = event["pairs"]
    return Encounter(event["games"], event["points"], PairStatistics((a, b, c, d, e)))
