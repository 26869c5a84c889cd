"""Positions in which people moved, with what the player human sees in them and what a judge says of that.

The player looks at its likely moves for a moment; the judge searches much longer. Both are kept in files, so that
nothing is searched twice.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from philidor.arena.people.errors import loss_of
from philidor.arena.people.judgments import JudgeConfig, judge_moves
from philidor.arena.people.sample import SampleConfig, draw_sample
from philidor.core.config import spin
from philidor.core.errors import ConfigError
from philidor.games.chess.phases import PHASES, phase_of
from philidor.players.chess_player import chess_position
from philidor.players.human_sight import HABITS, Glance, considered
from philidor.players.sampling import heated

if TYPE_CHECKING:
    from philidor.arena.people.judgments import Judgments
    from philidor.arena.people.sample import Sample
    from philidor.players.human_config import HumanConfig
    from philidor.players.human_policy import HumanNetwork

Report = Callable[[str, int, int], None]

LEAST_CHANCE = 0.01
"""Moves that are drawn less often, even by those who see nothing, are not judged: what the look says is enough."""
_BATCH = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class FitConfig(SampleConfig):
    """Which positions people are followed in, and how long each move is judged."""

    part: Literal["train", "validation", "test", "all"] = "validation"
    """Part of the games: the fixed split that training keeps to; test games are left to measure on."""
    positions: int = field(default=400, metadata=spin(None, 0, 100_000_000))
    """Positions to draw from each band; 0 takes all."""
    phase: Literal["all", "opening", "middlegame", "endgame"] = "all"
    """Phase of the game to keep of what was drawn, if not all."""
    judge_nodes: int = field(default=30_000, metadata=spin(None, 1, 100_000_000))
    """Positions that the judge looks at for each move."""

    @property
    def judging(self) -> JudgeConfig:
        """The judge and its nodes."""
        return JudgeConfig(nodes=self.judge_nodes)


@dataclass(frozen=True, slots=True)
class Looked:
    """A position in which a person moved, and what a look says of the likely moves."""

    game: int
    """Its number in the sample."""
    phase: int
    rating: int
    fen: str
    shares: dict[str, float]
    """How likely people play each of the likely moves."""
    losses: list[float]
    """What these lose by the look, in centipawns against the best of them; zeros where there is one alone."""
    played: str
    """The person's move, which need not be among them."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The same with what the judge says."""

    looked: Looked
    losses: list[float]
    """What each likely move loses, in centipawns; by the look where it is too unlikely to be judged."""
    own: float
    """What the person's move loses."""


def draw_looked_at(files: Sequence[Path], config: FitConfig, report: Callable[[int], None]) -> Sample:
    """Draws the positions to look at: of each band those of the phase. Raises RecordError, PgnError, ConfigError."""
    sample = draw_sample(files, config, report)
    if config.phase == "all":
        return sample
    wanted = PHASES.index(config.phase)
    places = zip(sample.positions(), sample.ply.tolist(), strict=True)
    kept = sample.kept(np.array([phase_of(chess_position(state).fen(), ply) == wanted for (state, _), ply in places]))
    if not len(kept):
        raise ConfigError(f"none of the {len(sample):,} positions is of the {config.phase}")
    return kept


def look_at_all(
    sample: Sample, network: HumanNetwork, config: HumanConfig, cache: Path, report: Report
) -> list[Looked]:
    """Looks at the positions of a sample as a player with this config and their movers' ratings does.

    What the file has already is not looked at again. Raises ConfigError.
    """
    known, glance = _read(cache), Glance()
    waiting: list[tuple[str, Any, int, int]] = []
    wanted = []
    with cache.open("a", encoding="utf-8") as file:
        for row, (state, played) in enumerate(sample.positions()):
            nodes = config.nodes_at(int(sample.ratings[row][0]))
            key = f"{nodes} {sample.games[int(sample.cluster[row])].record.content_hash(0)} {int(sample.ply[row])}"
            if not state.is_over():
                wanted.append((key, int(sample.cluster[row])))
                if key not in known:
                    waiting.append((key, state, played, row))
            if len(waiting) == _BATCH or (waiting and row + 1 == len(sample)):
                for name, looked in _look(waiting, sample, network, glance, config):
                    known[name] = looked
                    file.write(json.dumps([name, [getattr(looked, each) for each in Looked.__slots__]]))
                    file.write("\n")
                file.flush()
                waiting.clear()
            report("looking at moves", row + 1, len(sample))
    # In the file a game has the number that it had in the sample of that day.
    return [_numbered(known[key], game) for key, game in wanted]


def _numbered(looked: Looked, game: int) -> Looked:
    return Looked(game, *(getattr(looked, name) for name in Looked.__slots__[1:]))


def _look(
    waiting: Sequence[tuple[str, Any, int, int]],
    sample: Sample,
    network: HumanNetwork,
    glance: Glance,
    config: HumanConfig,
) -> list[tuple[str, Looked]]:
    pairs = [(int(own), int(other) or int(own)) for own, other in sample.ratings[[row for *_, row in waiting]]]
    judged = network.evaluate([state for _, state, _, _ in waiting], pairs)
    found: list[tuple[str, Looked]] = []
    for (key, state, played, row), judgment in zip(waiting, judged, strict=True):
        texts = [state.uci(move) for move in judgment.moves]
        shares = considered(dict(zip(texts, judgment.priors.tolist(), strict=True)))
        rating, game = int(sample.ratings[row][0]), int(sample.cluster[row])
        losses: Mapping[str, float] | None = dict.fromkeys(shares, 0.0)
        if len(shares) > 1:
            losses = glance.losses(state, list(shares), config.nodes_at(rating))
        assert losses is not None, "nothing stops it"
        fen, person = state.fen(), state.uci(state.legal_moves()[played])
        phase = phase_of(fen, int(sample.ply[row]))
        found.append((key, Looked(game, phase, rating, fen, shares, list(losses.values()), person)))
    return found


def _read(cache: Path) -> dict[str, Looked]:
    """Reads what was looked at before; a line that a kill has cut off is looked at again."""
    if not cache.exists():
        return {}
    known: dict[str, Looked] = {}
    lines = cache.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            name, values = json.loads(line)
            known[name] = Looked(*values)
        except (ValueError, TypeError):
            if number < len(lines):
                raise ConfigError(f"{str(cache)!r}, line {number}: not a look at a position") from None
    return known


def judge_all(looked: Sequence[Looked], store: Judgments, *, workers: int, report: Report) -> list[Judged]:
    """Judges the likely moves and people's own; what the store has already is not searched again."""
    wanted: dict[str, list[str]] = {}
    for each in looked:
        wanted.setdefault(each.fen, []).extend((*_worth_judging(each), each.played))
    known = judge_moves(wanted, store, workers=workers, report=report)
    found = []
    for each in looked:
        judgment, own = known.get(each.fen), _worth_judging(each)
        seen = zip(each.shares, each.losses, strict=True)
        losses = [loss_of(judgment, move) if move in own else loss for move, loss in seen]
        losses.append(loss_of(judgment, each.played))
        if not any(map(math.isnan, losses)):
            found.append(Judged(each, losses[:-1], losses[-1]))
    return found


def _worth_judging(looked: Looked) -> list[str]:
    shares = heated(looked.shares, HABITS[looked.phase].temperature_at(looked.rating))
    return [move for move, share in shares.items() if share >= LEAST_CHANCE]
