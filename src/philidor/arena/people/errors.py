"""How people err, and whether those who imitate them err alike: by rating, by phase of the game, by size.

What a move loses is the best move's score less its own, both cut at ten pawns: in a position that is won or lost anyway
a queen more or less means little. Win probability is 1 / (1 + 10^(-centipawns / 400)): a pawn counts as much as a
hundred rating points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor.arena.people.intervals import clustered_mean, clustered_ratio
from philidor.arena.people.judgments import JudgeConfig, Judgment, Judgments, judge_moves
from philidor.arena.people.matching import chunks, engine_moves, keys_of
from philidor.arena.people.predictors import EnginePredictor, NetPredictor, Predictor
from philidor.arena.people.sample import SampleConfig, position_keys
from philidor.core.config import spin
from philidor.core.errors import ConfigError
from philidor.games.chess.phases import PHASES, phase_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.arena.people.predictors import Chances
    from philidor.arena.people.sample import Sample
    from philidor.arena.statistics import Estimate

PEOPLE = "people"
LARGEST_CP = 1000
ERRORS_CP = (100, 200, 300)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorsConfig(SampleConfig):
    """Which positions are judged, and by whom."""

    positions: int = field(default=500, metadata=spin(None, 0, 100_000_000))
    """Positions to draw from each band; 0 takes all."""
    judge: str = "nnue"
    """Engine that judges: nnue or classic."""
    nodes: int = field(default=30_000, metadata=spin(None, 1, 100_000_000))
    """Positions that the judge looks at for each move."""

    def __post_init__(self) -> None:
        SampleConfig.__post_init__(self)
        _ = self.judging

    @property
    def judging(self) -> JudgeConfig:
        """The judge and its nodes. Raises ConfigError."""
        return JudgeConfig(judge=self.judge, nodes=self.nodes)


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """The moves that somebody made in the positions of a sample."""

    name: str
    index: NDArray[np.int64]  # [n]
    """Places among the legal moves; -1 where there is no move."""


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """What somebody's moves lost in each position."""

    name: str
    cp: NDArray[np.float64]  # [n]
    """Centipawns, at least 0; NaN where there is no move or no judgment."""
    chance: NDArray[np.float64]  # [n]
    """Win probability, 0 to 1."""


Report = Callable[[str, int, int], None]


def chosen_moves(
    sample: Sample,
    predictors: Sequence[Predictor],
    *,
    seed: int = 1,
    workers: int = 1,
    report: Report = lambda *_: None,
) -> list[Moves]:
    """Returns people's own moves, then those of each predictor: networks draw theirs from their policy."""
    played = np.array([game.record.indices[ply] for game in sample.games for ply in game.plies], np.int64)
    nets = [each for each in predictors if isinstance(each, NetPredictor)]
    drawn = {net.name: np.full(len(sample), -1, np.int64) for net in nets}
    lots = _lots(sample, seed)
    for rows, states, _ in chunks(sample) if nets else ():
        encoded = {key: next(net for net in nets if net.key == key).boards.encode(states) for key in keys_of(nets)}
        for net in nets:
            chances = net.expect(encoded[net.key], sample.ratings[rows])
            drawn[net.name][rows] = draw_moves(chances, lots[rows], net.temperature, net.top_p)
        report("networks", rows.stop, len(sample))
    for each in predictors:
        if isinstance(each, EnginePredictor):
            drawn[each.name] = engine_moves(sample, each, workers, report)
    return [Moves(PEOPLE, played), *(Moves(each.name, drawn[each.name]) for each in predictors)]


def _lots(sample: Sample, seed: int) -> NDArray[np.float64]:
    """Returns a number from 0 to 1 for each position, the same for all predictors: they are compared on equal luck."""
    keys = [
        position_keys(game.record.content_hash(seed), np.array(game.plies), np.uint64(seed)) for game in sample.games
    ]
    return np.concatenate(keys) / 2.0**64


def draw_moves(
    chances: Chances, lots: NDArray[np.float64], temperature: float = 1.0, top_p: float = 1.0
) -> NDArray[np.int64]:
    """Draws a move for each position by its chances; temperature 0 takes the most likely one.

    With `top_p` only the likeliest moves that make up this share together are drawn from (nucleus sampling).
    """
    moves = np.zeros(len(lots), np.int64)
    for row, lot in enumerate(lots):
        logits = chances.logits[chances.offsets[row] : chances.offsets[row + 1]].astype(np.float64)
        if temperature == 0:
            moves[row] = logits.argmax()
            continue
        powers = np.exp((logits - logits.max()) / temperature)
        shares = powers / powers.sum()
        if top_p < 1:
            order = np.argsort(-shares, kind="stable")
            before = np.cumsum(shares[order]) - shares[order]
            shares[order[before >= top_p]] = 0
        ends = np.cumsum(shares)
        moves[row] = min(int(np.searchsorted(ends, lot * ends[-1], side="right")), len(ends) - 1)
    return moves


def measure_losses(
    sample: Sample, movers: Sequence[Moves], store: Judgments, *, workers: int = 1, report: Report = lambda *_: None
) -> tuple[list[Losses], NDArray[np.int64]]:
    """Returns what everybody's moves lost, and the phase of each position. Raises ConfigError for games but chess."""
    if sample.game.name != "chess":
        raise ConfigError(f"errors are judged in chess, got games of {sample.game.name}")
    wanted: dict[str, list[str]] = {}
    asked: list[tuple[str, list[str | None]]] = []
    phases = np.zeros(len(sample), np.int64)
    for row, (state, _) in enumerate(sample.positions()):
        position: Any = state
        legal, fen = position.legal_moves(), position.fen()
        texts = [position.uci(legal[each.index[row]]) if each.index[row] >= 0 else None for each in movers]
        # A game that a rule has drawn goes on in some records; a search could only say that it is drawn.
        if not position.is_over():
            wanted.setdefault(fen, []).extend(text for text in texts if text is not None)
        asked.append((fen, texts))
        phases[row] = phase_of(fen, int(sample.ply[row]))
    judged = judge_moves(wanted, store, workers=workers, report=report)
    found = []
    for place, mover in enumerate(movers):
        pairs = [_scores(judged.get(fen), texts[place]) for fen, texts in asked]
        best, own = np.array(pairs, np.float64).T
        cp = np.maximum(best - own, 0)
        chance = np.maximum(win_probability(best) - win_probability(own), 0)
        found.append(Losses(mover.name, cp, chance))
    return found, phases


def _scores(judgment: Judgment | None, move: str | None) -> tuple[float, float]:
    """Returns the best move's score and a move's own, cut at ten pawns."""
    if judgment is None or move is None or move not in judgment.scores:
        return np.nan, np.nan
    cut = [float(max(-LARGEST_CP, min(LARGEST_CP, judgment.scores[each]))) for each in (judgment.best, move)]
    return cut[0], cut[1]


def loss_of(judgment: Judgment | None, move: str) -> float:
    """Returns what a move loses against the best one, in centipawns; NaN if that is not known."""
    best, own = _scores(judgment, move)
    return max(best - own, 0.0)


def win_probability(cp: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the chance that such a score stands for."""
    return np.asarray(1 / (1 + 10 ** (-cp / 400)), np.float64)


# --- What was found ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """Positions of one kind, and how everybody erred in them."""

    band: str
    phase: str
    """One of PHASES, or "all"."""
    positions: int
    games: int
    losses: dict[str, dict[str, Estimate]]
    """Who -> "loss_cp", "loss_chance", "errors_100", "errors_200", "errors_300"."""
    ratios: dict[str, dict[str, Estimate]]
    """Predictor -> the same, divided by people's."""


def summarize_errors(sample: Sample, losses: Sequence[Losses], phases: NDArray[np.int64]) -> list[ErrorRow]:
    """Averages by band and phase, over the positions in which everybody's move was judged; people come first."""
    is_judged = ~np.any([np.isnan(each.cp) for each in losses], axis=0)
    bands = [(name, sample.band == place) for place, name in enumerate(sample.bands)]
    if len(bands) > 1:
        bands.append(("all", np.ones(len(sample), bool)))
    kinds = [("all", np.ones(len(sample), bool)), *((name, phases == place) for place, name in enumerate(PHASES))]
    rows = []
    for band, in_band in bands:
        for phase, in_phase in kinds:
            chosen = in_band & in_phase & is_judged
            if chosen.any():
                rows.append(_row(sample, losses, band, phase, chosen))
    return rows


def _row(sample: Sample, losses: Sequence[Losses], band: str, phase: str, chosen: NDArray[np.bool_]) -> ErrorRow:
    clusters = sample.cluster[chosen]
    numbers = {each.name: _numbers(each, chosen) for each in losses}
    people = numbers[PEOPLE]
    return ErrorRow(
        band,
        phase,
        int(chosen.sum()),
        len(np.unique(clusters)),
        {
            name: {key: clustered_mean(values, clusters) for key, values in columns.items()}
            for name, columns in numbers.items()
        },
        {
            name: {key: clustered_ratio(values, people[key], clusters) for key, values in columns.items()}
            for name, columns in numbers.items()
            if name != PEOPLE
        },
    )


def _numbers(losses: Losses, chosen: NDArray[np.bool_]) -> dict[str, NDArray[np.float64]]:
    cp = losses.cp[chosen]
    sizes = {f"errors_{size}": (cp >= size).astype(np.float64) for size in ERRORS_CP}
    return {"loss_cp": cp, "loss_chance": losses.chance[chosen], **sizes}
