"""How good a network of a zero run is, with the search that it trains with and without, against what never changes."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from philidor.arena.many_games import (
    Chooser,
    PolicyChooser,
    Score,
    SearchChooser,
    load_chooser,
    load_solver,
    play_matches,
)
from philidor.arena.perfection import Verdict, judge_moves, judge_play, odds_against_random, random_positions
from philidor.search.gumbel import GumbelConfig

if TYPE_CHECKING:
    from philidor.core.evaluation import Evaluator
    from philidor.core.game import AnyGame
    from philidor.pipelines.recipes import ZeroRecipe
    from philidor.search.puct import PuctConfig


def playing_search(recipe: ZeroRecipe) -> PuctConfig | GumbelConfig:
    """Returns self-play's full search without its chance."""
    search = recipe.self_play.search_config(True, recipe.seed)
    if isinstance(search, GumbelConfig):
        return dataclasses.replace(search, gumbel_scale=0.0)
    return dataclasses.replace(search, noise=0.0, forced_playouts=0.0)


class Rating:
    """The opponents and the solver of a run; what they know is kept from one generation to the next."""

    def __init__(self, recipe: ZeroRecipe, game: AnyGame) -> None:
        """Raises ConfigError for an opponent that there is not."""
        self._recipe, self._game, self._config = recipe, game, recipe.rating
        self._opponents = {text: load_chooser(text, game) for text in self._config.opponents}
        self._solver = load_solver(game)
        plies = (self._config.first_ply, self._config.last_ply)
        is_sampled = self._config.solver == "positions"
        self._positions = random_positions(game, self._config.positions, plies, recipe.seed) if is_sampled else []

    def rate(self, evaluator: Evaluator[Any], recipe: ZeroRecipe) -> dict[str, Any]:
        """Returns scores by opponent, mistakes, and the table against a random player, as plain data.

        `recipe` is that of the network's stage.
        """
        search = SearchChooser(evaluator, playing_search(recipe))
        policy = PolicyChooser(evaluator)
        found: dict[str, Any] = {
            "against": {name: _plain(score) for name, score in zip(self._opponents, self._play(search), strict=True)}
        }
        if self._config.solver != "none":
            choosers: dict[str, Chooser] = {"policy": policy, "search": search}
            found["solver"] = {name: dataclasses.asdict(self._judge(chooser)) for name, chooser in choosers.items()}
        if self._config.table:
            found["table"] = random_table(self._game, policy)
        return found

    def _play(self, chooser: Chooser) -> list[Score]:
        config = self._config
        return play_matches(
            self._game,
            chooser,
            list(self._opponents.values()),
            config.pairs,
            opening_plies=config.opening_plies,
            max_plies=config.max_plies,
            seed=self._recipe.seed,
        )

    def _judge(self, chooser: Chooser) -> Verdict:
        if self._config.solver == "play":
            return judge_play(self._game, chooser, self._solver)
        return judge_moves(self._positions, chooser, self._solver)[0]


def random_table(game: AnyGame, chooser: Chooser | None) -> dict[str, float]:
    """Returns the exact shares of games that the random player, who moves first, wins, draws and loses."""
    odds = odds_against_random(game, chooser)
    names = {0: "first", None: "draw", 1: "second"}
    return {name: float(odds.get(winner, 0)) for winner, name in names.items()}


def is_perfect(rating: dict[str, Any], kind: str) -> bool:
    """Says whether the solver found no mistake in the moves of the "search", or of search and "policy" alone."""
    kinds = ("search",) if kind == "search" else ("search", "policy")
    return "solver" in rating and all(rating["solver"][each]["mistakes"] == 0 for each in kinds)


def _plain(score: Score) -> dict[str, float]:
    return {
        "score": score.share,
        "error": score.error,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
    }
