"""`philidor net match-moves`: how often networks and engines find the moves that people played."""

from __future__ import annotations

from typing import Any

from philidor.arena.people.sample import SampleConfig
from philidor.cli.arguments import AsJson, give
from philidor.cli.options import with_config
from philidor.cli.people.options import (
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


@with_config(SampleConfig)
def match_moves(
    config: SampleConfig,
    predictors: Predictors,
    games: Games,
    ratings: RatingsOption = "true",
    device: Device = "cpu",
    threads: Threads = None,
    workers: EngineWorkers = None,
    as_json: AsJson = False,
) -> None:
    """Measures how often predictors find people's moves, by rating, with 95 % intervals.

    The first predictor is compared with each other one, position by position; --json has all pairs.
    """
    from philidor.arena.people.matching import predict_all, summarize
    from philidor.arena.people.predictors import Computing, RatingView, load_predictors
    from philidor.arena.people.report import rows_facts, rows_text
    from philidor.arena.people.sample import draw_sample

    computing = Computing(device=device, threads=threads or cores())
    view = RatingView(ratings)
    with progress() as update:
        sample = draw_sample(games, config, lambda seen: update("reading games", seen, None))
        loaded = load_predictors(predictors, sample.game, ratings=view, computing=computing)
        rows = summarize(sample, predict_all(sample, loaded, workers=workers or cores(), report=update))
    settings: dict[str, Any] = {**to_dict(config), "games": [str(file) for file in games], "ratings": ratings}
    facts = {"sample": settings, "predictors": [each.name for each in loaded], "rows": rows_facts(rows)}
    give(facts, rows_text(rows), as_json=as_json)
