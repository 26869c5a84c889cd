"""`philidor net errors`: how people err by rating and phase, and whether those who imitate them err alike."""

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
def errors(
    config: ErrorsConfig,
    games: Games,
    predictors: Predictors = [],  # noqa: B006 - typer copies it
    cache: Cache = Path("judgments.sqlite"),
    ratings: RatingsOption = "true",
    device: Device = "cpu",
    threads: Threads = None,
    workers: EngineWorkers = None,
    as_json: AsJson = False,
) -> None:
    """Measures what people's moves lose, by rating and phase, and what the moves of predictors lose there.

    An engine judges each move by a small search. Networks draw their moves from their policy (temperature= and top_p=
    may follow the file's name). Judgments are kept: a command that was stopped continues where it was.
    """
    from philidor.arena.people.errors import chosen_moves, measure_losses, summarize_errors
    from philidor.arena.people.judgments import Judgments
    from philidor.arena.people.predictors import Computing, RatingView, load_predictors
    from philidor.arena.people.report import error_facts, error_text
    from philidor.arena.people.sample import draw_sample

    computing = Computing(device=device, threads=threads or cores())
    view, at_once = RatingView(ratings), workers or cores()
    with progress() as update:
        sample = draw_sample(games, config, lambda seen: update("reading games", seen, None))
        loaded = load_predictors(predictors, sample.game, ratings=view, computing=computing)
        movers = chosen_moves(sample, loaded, seed=config.seed, workers=at_once, report=update)
        with Judgments(cache, config.judging) as store:
            losses, phases = measure_losses(sample, movers, store, workers=at_once, report=update)
    rows = summarize_errors(sample, losses, phases)
    settings: dict[str, Any] = {**to_dict(config), "games": [str(file) for file in games], "ratings": ratings}
    facts = {"sample": settings, "predictors": [each.name for each in loaded], "rows": error_facts(rows)}
    give(facts, error_text(rows), as_json=as_json)
