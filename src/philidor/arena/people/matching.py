"""How often predictors find the moves that people played, by rating (book, ch. 4.8; McIlroy-Young et al. 2020).

Top-1 is the share of positions in which a predictor's first choice was played; cross-entropy, over the legal moves and
in nats, says how much it was surprised. All predictors are asked about the same positions, so their differences are
measured position by position and far more exactly than each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor.arena.adjudication import GameRules
from philidor.arena.limits import NO_LIMIT, Clock, limits_for
from philidor.arena.people.intervals import clustered_mean
from philidor.arena.people.predictors import EnginePredictor, NetPredictor, Predictor
from philidor.arena.workers import Lineup, Worker
from philidor.core.processes import Processes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.arena.people.predictors import Chances
    from philidor.arena.people.sample import Sample, SampledGame
    from philidor.arena.statistics import Estimate
    from philidor.core.game import AnyGame, AnyState

OPENING_PLIES = 10
"""Maia's paper leaves out the first ten plies, which many know by heart."""
_CHUNK = 1024
METRICS = ("top1", "top3", "cross_entropy", "value_error")


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """What one predictor did in each position of a sample; a column of NaN is what it cannot say."""

    name: str
    top1: NDArray[np.float64]  # [n]
    """1 where its first choice was played, else 0."""
    top3: NDArray[np.float64]  # [n]
    cross_entropy: NDArray[np.float64]  # [n]
    """-log of the chance that it gave the move played, among the legal ones."""
    value_error: NDArray[np.float64]  # [n]
    """(expected result - result) squared, both from -1 to 1."""


Report = Callable[[str, int, int], None]
"""Told who predicts, and how many positions of how many are done."""


def predict_all(
    sample: Sample, predictors: Sequence[Predictor], *, workers: int = 1, report: Report = lambda *_: None
) -> list[Predictions]:
    """Asks all predictors about all positions; networks first, together. Engines play in `workers` processes."""
    nets = [each for each in predictors if isinstance(each, NetPredictor)]
    found = {each.name: each for each in _by_networks(sample, nets, report)} if nets else {}
    for each in predictors:
        if isinstance(each, EnginePredictor):
            found[each.name] = _by_engine(sample, each, workers, report)
    return [found[each.name] for each in predictors]


def chunks(sample: Sample) -> Iterator[tuple[slice, list[AnyState], NDArray[np.int64]]]:
    """Yields positions in pieces: their rows, the states, and the places of the moves played."""
    positions, start = sample.positions(), 0
    while piece := list(islice(positions, _CHUNK)):
        rows = slice(start, start + len(piece))
        start = rows.stop
        yield rows, [state for state, _ in piece], np.array([played for _, played in piece], np.int64)


def _by_networks(sample: Sample, nets: Sequence[NetPredictor], report: Report) -> list[Predictions]:
    columns = [{metric: np.full(len(sample), np.nan) for metric in METRICS} for _ in nets]
    for rows, states, played in chunks(sample):
        encoded = {key: next(net for net in nets if net.key == key).boards.encode(states) for key in keys_of(nets)}
        for net, column in zip(nets, columns, strict=True):
            chances = net.expect(encoded[net.key], sample.ratings[rows])
            ranks, losses = ranks_and_losses(chances, played)
            column["top1"][rows], column["top3"][rows] = ranks < 1, ranks < 3
            column["cross_entropy"][rows] = losses
            column["value_error"][rows] = (chances.value - sample.value[rows]) ** 2
        report("networks", rows.stop, len(sample))
    return [Predictions(net.name, **column) for net, column in zip(nets, columns, strict=True)]


def keys_of(nets: Sequence[NetPredictor]) -> list[str]:
    """Returns the encodings that are needed, each once."""
    return list(dict.fromkeys(net.key for net in nets))


def ranks_and_losses(
    chances: Chances, played: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:  # [n], [n]
    """Returns how many moves come before the one played, and -log of its chance. Of equals the first comes first."""
    logits, starts = chances.logits.astype(np.float64), chances.offsets[:-1]
    counts = np.diff(chances.offsets)
    place = starts + played
    chosen = np.repeat(logits[place], counts)
    is_before = (logits > chosen) | ((logits == chosen) & (np.arange(len(logits)) < np.repeat(place, counts)))
    ranks = np.add.reduceat(is_before.astype(np.int64), starts)
    highest = np.maximum.reduceat(logits, starts)
    sums = np.add.reduceat(np.exp(logits - np.repeat(highest, counts)), starts)
    return ranks, np.log(sums) + highest - logits[place]


# --- Engines ------------------------------------------------------------------------------------------------


def engine_moves(
    sample: Sample, engine: EnginePredictor, workers: int, report: Report = lambda *_: None
) -> NDArray[np.int64]:  # [n]
    """Returns the place of the move that an engine plays in each position among the legal moves; -1 where it fails.

    Each game is one task, and the engine is told to forget between positions, so that no answer depends on another.
    """
    moves = np.full(len(sample), -1, np.int64)
    starts = np.searchsorted(sample.cluster, np.arange(len(sample.games)))
    pool = Processes(Worker, Lineup((engine.spec,), NO_LIMIT, GameRules()), workers)
    try:
        futures = {pool.submit(_play_game, (sample.game, game)): game for game in sample.games}
        done = 0
        for future in as_completed(futures):
            game = futures[future]
            start = int(starts[game.number])
            moves[start : start + len(game.plies)] = future.result()
            done += len(game.plies)
            report(engine.name, done, len(sample))
    finally:
        pool.close()
    return moves


def _play_game(worker: Worker, task: tuple[AnyGame, SampledGame]) -> list[int]:
    """Answers for the positions of one game, in a worker's process."""
    game, sampled = task
    wanted, moves = set(sampled.plies), []
    for ply, state in enumerate(sampled.record.states(game)):
        if worker.is_stopped():
            break  # nobody waits for the answer any more
        if ply in wanted:
            moves.append(_think(worker, state, sampled.number))
    return moves


def _think(worker: Worker, state: AnyState, number: int) -> int:
    engine, limit = worker.engine(0), worker.limit(0)
    engine.new_game(number, is_chess960=bool(getattr(state, "is_chess960", False)))
    limits = limits_for(limit, (Clock(limit.tc), Clock(limit.tc)), state.to_move)
    thought = engine.think(state, limits, worker.rules.hang_time + (limit.movetime_ms or 0) / 1000)
    return -1 if thought.move is None else list(state.legal_moves()).index(state.parse_move(thought.move))


def _by_engine(sample: Sample, engine: EnginePredictor, workers: int, report: Report) -> Predictions:
    moves = engine_moves(sample, engine, workers, report)
    played = np.array([index for game in sample.games for index in map(game.record.indices.__getitem__, game.plies)])
    unknown = np.full(len(sample), np.nan)
    return Predictions(engine.name, (moves == played).astype(np.float64), unknown, unknown, unknown)


# --- What was found ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """Positions of one kind, and what each predictor scored in them."""

    band: str
    """A rating band, or "all" for those of all bands together."""
    plies: str
    """"all", or ">10" for positions after the first ten plies."""
    positions: int
    games: int
    scores: dict[str, dict[str, Estimate]]
    """Predictor -> metric -> mean and the half width of its 95 % interval."""
    differences: dict[tuple[str, str], dict[str, Estimate]]
    """(a, b) -> metric -> a - b, position by position."""


def summarize(sample: Sample, predictions: Sequence[Predictions]) -> list[Row]:
    """Averages by band and for all bands together, each over all plies and without the first ten."""
    bands = [(name, sample.band == place) for place, name in enumerate(sample.bands)]
    if len(bands) > 1:
        bands.append(("all", np.ones(len(sample), bool)))
    late = sample.ply >= OPENING_PLIES
    rows = []
    for band, is_in_band in bands:
        for plies, is_chosen in (("all", is_in_band), (f">{OPENING_PLIES}", is_in_band & late)):
            if is_chosen.any():
                rows.append(_row(sample, predictions, band, plies, is_chosen))
    return rows


def _row(sample: Sample, predictions: Sequence[Predictions], band: str, plies: str, chosen: NDArray[np.bool_]) -> Row:
    clusters = sample.cluster[chosen]

    def means(columns: dict[str, Any]) -> dict[str, Estimate]:
        return {metric: clustered_mean(values[chosen], clusters) for metric, values in columns.items()}

    by_name = {each.name: {metric: getattr(each, metric) for metric in METRICS} for each in predictions}
    scores = {name: means(columns) for name, columns in by_name.items()}
    names = list(by_name)
    differences = {
        (a, b): means({metric: by_name[a][metric] - by_name[b][metric] for metric in METRICS})
        for place, a in enumerate(names)
        for b in names[place + 1 :]
    }
    return Row(band, plies, int(chosen.sum()), len(np.unique(clusters)), scores, differences)
