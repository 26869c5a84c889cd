"""`philidor net compare`: move matching, errors and the book's Figure 4.23, for networks and engines side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from philidor.arena.people.errors import ErrorsConfig
from philidor.cli.arguments import AsJson, give
from philidor.cli.options import with_config
from philidor.cli.people.options import (
    Cache,
    Device,
    EngineWorkers,
    Games,
    Predictors,
    RatingsOption,
    Threads,
    progress,
)
from philidor.core.config import to_dict
from philidor.core.cores import cores


@with_config(ErrorsConfig)
def compare(
    config: ErrorsConfig,
    predictors: Predictors,
    games: Games,
    cache: Cache = Path("judgments.sqlite"),
    ratings: RatingsOption = "true",
    device: Device = "cpu",
    threads: Threads = None,
    workers: EngineWorkers = None,
    as_json: AsJson = False,
) -> None:
    """Compares opponents that play like people: whose moves they find, how they err, what they play in Figure 4.23.

    The book's handicap method (the player sparring) beside networks that learned from people (ch. 4.8).
    """
    from philidor.arena.people.errors import chosen_moves, measure_losses, summarize_errors
    from philidor.arena.people.figure import habits
    from philidor.arena.people.judgments import Judgments
    from philidor.arena.people.matching import predict_all, summarize
    from philidor.arena.people.predictors import Computing, RatingView, load_predictors
    from philidor.arena.people.report import comparison_facts, comparison_text
    from philidor.arena.people.sample import draw_sample

    computing = Computing(device=device, threads=threads or cores())
    view, at_once = RatingView(ratings), workers or cores()
    with progress() as update:
        sample = draw_sample(games, config, lambda seen: update("reading games", seen, None))
        loaded = load_predictors(predictors, sample.game, ratings=view, computing=computing)
        matched = summarize(sample, predict_all(sample, loaded, workers=at_once, report=update))
        movers = chosen_moves(sample, loaded, seed=config.seed, workers=at_once, report=update)
        with Judgments(cache, config.judging) as store:
            losses, phases = measure_losses(sample, movers, store, workers=at_once, report=update)
        figure = habits(loaded)
    erred = summarize_errors(sample, losses, phases)
    settings: dict[str, Any] = {**to_dict(config), "games": [str(file) for file in games], "ratings": ratings}
    facts = {"sample": settings, **comparison_facts(matched, erred, figure)}
    give(facts, comparison_text(matched, erred, figure), as_json=as_json)
