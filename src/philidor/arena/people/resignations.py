"""How often the player `human` would resign a game that the person in its place did not lose.

People's games are replayed: whenever it is the turn of a person of the band, the player is asked whether it would
resign there, by its own rule. The first time that it would is what counts. If the person did not lose that game, the
resignation was false. What the player would have made of the position itself is another question, which games answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor.arena.people.intervals import clustered_mean
from philidor.arena.people.sample import Sample, SampleConfig
from philidor.core.config import spin
from philidor.players import human_manners

if TYPE_CHECKING:
    from philidor.arena.people.sample import SampledGame
    from philidor.arena.statistics import Estimate
    from philidor.core.evaluation import Wdl
    from philidor.games.chess import Position
    from philidor.players.human import HumanPlayer

_BATCH = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationConfig(SampleConfig):
    """Which games are replayed."""

    positions: int = field(default=300, metadata=spin(None, 0, 100_000_000))
    """Positions to draw from each band: each names a game and the side whose chances are followed through it."""


@dataclass(frozen=True, slots=True)
class Following:
    """A side of a game that is followed, and where the player resigned it."""

    band: int
    cluster: int
    value: float
    """The game's result for that side, -1 to 1."""
    ply: int | None
    """The first ply at which the player resigns; None if it never does."""

    @property
    def is_false(self) -> bool:
        """Whether the person did not lose the game that the player would have resigned."""
        return self.ply is not None and self.value > -1


@dataclass(frozen=True, slots=True)
class ResignationRow:
    """The games of one band."""

    band: str
    games: int
    lost: int
    """Games that the person lost."""
    resigned: int
    """Games that the player would have resigned."""
    false: Estimate
    """Share of these that the person did not lose."""


def follow_games(
    sample: Sample, player: HumanPlayer, *, report: Callable[[str, int, int], None] = lambda *_: None
) -> list[Following]:
    """Follows each side that was drawn through its game. Games without a result are left out."""
    found = []
    for row in _sides(sample):
        game, value = sample.games[int(sample.cluster[row])], float(sample.value[row])
        if not np.isnan(value):
            ply = _resigned_at(sample, game, row, player)
            found.append(Following(int(sample.band[row]), game.number, value, ply))
        report("following games", row + 1, len(sample))
    return found


def _sides(sample: Sample) -> list[int]:
    """Returns the first row of each side of a game: however many of its positions were drawn, it counts once."""
    seen: dict[tuple[int, int], int] = {}
    for row, (cluster, ply) in enumerate(zip(sample.cluster.tolist(), sample.ply.tolist(), strict=True)):
        seen.setdefault((cluster, ply % 2), row)
    return list(seen.values())


def _resigned_at(sample: Sample, game: SampledGame, row: int, player: HumanPlayer) -> int | None:
    side, config = int(sample.ply[row]) % 2, player.config
    states: list[Any] = list(game.record.states(sample.game))[: len(game.record.indices)]
    plies = [ply for ply in range(side, len(states), 2) if not states[ply].is_over()]
    own, other = sample.ratings[row].tolist()
    chances = _chances(player, [states[ply] for ply in plies], (own, other or own))
    for place, ply in enumerate(plies):
        latest = chances[max(0, place + 1 - config.resign_moves) : place + 1]
        if human_manners.resigns(latest[::-1], config.resign_loss, config.resign_moves):
            return ply
    return None


def _chances(player: HumanPlayer, positions: Sequence[Position], ratings: tuple[int, int]) -> list[Wdl]:
    found: list[Wdl] = []
    for start in range(0, len(positions), _BATCH):
        part = positions[start : start + _BATCH]
        found += [each.wdl for each in player.network.evaluate(part, [ratings] * len(part))]
    return found


def summarize_resignations(sample: Sample, followed: Sequence[Following]) -> list[ResignationRow]:
    """Counts by band, and for all bands together."""
    bands: list[tuple[str, list[Following]]] = [
        (name, [each for each in followed if each.band == place]) for place, name in enumerate(sample.bands)
    ]
    if len(bands) > 1:
        bands.append(("all", list(followed)))
    return [_row(name, games) for name, games in bands if games]


def _row(band: str, games: list[Following]) -> ResignationRow:
    resigned = [each for each in games if each.ply is not None]
    false = clustered_mean(
        np.array([each.is_false for each in resigned], np.float64), np.array([each.cluster for each in resigned])
    )
    return ResignationRow(band, len(games), sum(each.value == -1 for each in games), len(resigned), false)


def resignation_text(rows: Sequence[ResignationRow]) -> str:
    """Returns a table for people."""
    lines = [f"{'rating':<12}{'games':>8}{'lost':>8}{'resigned':>10}{'of these not lost':>22}"]
    for row in rows:
        share = f"{100 * row.false.value:.1f} ± {100 * row.false.error:.1f} %" if row.resigned else "-"
        lines.append(f"{row.band:<12}{row.games:>8,}{row.lost:>8,}{row.resigned:>10,}{share:>22}")
    return "\n".join(lines)
