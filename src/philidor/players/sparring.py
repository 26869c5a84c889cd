"""A sparring partner of a chosen rating: several lines and a handicap in centipawns (book, ch. 4.8).

The classic engine searches a little and ranks the moves. Then a handicap is drawn, and the move is played that loses
about as much against the best one. Two things keep that from looking like a grandmaster who gives a piece away now and
then: the handicap varies, so that most moves are good and few are bad, as people's are; and the blunder guard leaves
out what loses more than a player of that rating would let happen. A bare king is mated without any handicap: everybody
has learned that.
"""

from __future__ import annotations

import bisect
import dataclasses
import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

from philidor.core.analysis import Analysis, Line, Score
from philidor.core.config import Dataclass, spin, validate
from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.core.thinking import ALL_LIMITS, NO_LIMITS, Limits, Report, Stop
from philidor.games.chess import Position
from philidor.players.chess_player import chess_position
from philidor.players.classic import ClassicConfig, ClassicPlayer
from philidor.players.player import player_text, with_limits

LOWEST_ELO, HIGHEST_ELO = 800, 2400


@dataclass(frozen=True, slots=True, kw_only=True)
class SparringConfig:
    """How strong the partner is."""

    elo: int = field(default=1200, metadata=spin(None, LOWEST_ELO, HIGHEST_ELO))
    """The rating it plays at, on engines' scale: people find it harder than a person of the same rating."""
    seed: int = field(default=0, metadata=spin(None, 0))
    """Seed of the draw; with the same seed the same position is always answered alike."""

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True)
class Knobs:
    """What makes a rating."""

    elo: float
    nodes: int
    """Positions to look at."""
    handicap: float
    """Centipawns that a move loses on average."""
    guard: float
    """Centipawns that no move may lose."""
    lines: int
    """Moves to choose from."""

    def at_ply(self, ply: int) -> Knobs:
        """Returns what holds at that time of a game."""
        return dataclasses.replace(self, handicap=self.handicap * min(1.0, (ply + 2) / _OPENING_PLIES))


# Measured by tools/calibrate_sparring.py; docs/engine.md has the games. The last one follows the trend of those before.
_MEASURED = (
    Knobs(571, 696, 74.0, 237.0, 10),
    Knobs(778, 1_142, 54.0, 194.0, 10),
    Knobs(1059, 2_036, 40.5, 161.0, 9),
    Knobs(1368, 4_391, 26.3, 118.0, 8),
    Knobs(1649, 10_157, 15.9, 86.0, 6),
    Knobs(1921, 27_096, 7.8, 62.0, 5),
    Knobs(2137, 72_811, 2.9, 39.0, 4),
    Knobs(2265, 160_000, 1.0, 25.0, 3),
    Knobs(2306, 300_000, 0.3, 20.0, 3),
    Knobs(2400, 650_000, 0.1, 10.0, 3),
)
# Everybody knows a few opening moves; the handicap grows to its full size until then.
_OPENING_PLIES = 16
# What a deep search finds by its other branches, one of three plies does not see at all: with these rules it leaves a
# queen hanging, because the reply that saves it comes late among the quiet moves.
_RISKY_WHEN_SHALLOW = ("late_move_pruning", "futility", "history_pruning", "exchange_pruning", "razoring")
_SHALLOW_NODES = 5_000
_UNSEEN_CP = 5.0
# A rating was measured with its own number of nodes; only who replaces a player's own limits, a GUI, can ask for less.
_MEASURED_LIMITS = frozenset(("nodes", "depth", "mate"))
# Enough to mate with a rook from anywhere, in two or three hundredths of a second.
_MATING = Knobs(0, 30_000, 0.0, 0.0, 1)
_MATE_CP = 30_000


def knobs_for(elo: float) -> Knobs:
    """Returns what makes a rating: between two that were measured, or as it goes on beyond them."""
    place = min(max(bisect.bisect_right([knobs.elo for knobs in _MEASURED], elo), 1), len(_MEASURED) - 1)
    low, high = _MEASURED[place - 1], _MEASURED[place]
    share = (elo - low.elo) / (high.elo - low.elo)
    return Knobs(
        elo,
        round(low.nodes * (high.nodes / low.nodes) ** share),
        max(low.handicap + share * (high.handicap - low.handicap), 0.0),
        max(low.guard + share * (high.guard - low.guard), 0.0),
        max(round(low.lines + share * (high.lines - low.lines)), 1),
    )


@final
class SparringPlayer:
    """A weakened engine, 800 to 2400 on engines' scale: harder than people of that rating, and its errors are drawn."""

    name: ClassVar[str] = "sparring"
    config_class: ClassVar[type[Dataclass]] = SparringConfig
    levels: ClassVar[tuple[Any, ...]] = tuple(
        SparringConfig(elo=elo) for elo in range(LOWEST_ELO, HIGHEST_ELO + 1, 400)
    )
    longest_game: ClassVar[int | None] = None
    games: ClassVar[tuple[str, ...] | None] = ("chess",)
    heeds: ClassVar[frozenset[str]] = ALL_LIMITS - _MEASURED_LIMITS

    def __init__(self, config: SparringConfig | None = None, /) -> None:
        self._config = SparringConfig() if config is None else config
        self._engine = ClassicPlayer(_engine_config(knobs_for(self._config.elo)))

    def __repr__(self) -> str:
        return player_text(self.name, self.config)

    @property
    def config(self) -> SparringConfig:
        """The settings in force."""
        return self._config

    @config.setter
    def config(self, config: SparringConfig) -> None:
        if config.elo != self._config.elo:
            self._engine.config = _engine_config(knobs_for(config.elo))
        self._config = config

    def choose(self, state: AnyState, /) -> str:
        """Returns a move of the partner's rating."""
        best = self.think(state).best
        assert best is not None, "the game is not over"
        return best

    def think(
        self,
        state: AnyState,
        /,
        limits: Limits = NO_LIMITS,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Analysis:
        """Chooses a move as the rating says; the clock may end the search. Reports the line that it chooses."""
        position = chess_position(state)
        if not limits.replace_own:
            limits = dataclasses.replace(limits, nodes=None, depth=None, mate=None)
        knobs = _MATING if _is_bare_king(position) else knobs_for(self._config.elo).at_ply(position.ply)
        rng = SplitMix64(self._config.seed ^ position.key ^ (position.ply << 32))
        handicap = draw_handicap(knobs, rng)
        # Who shall lose next to nothing plays the best move, and need not look for others.
        lines = 1 if handicap < _UNSEEN_CP else knobs.lines
        self._engine.config = dataclasses.replace(self._engine.config, multi_pv=lines)
        # What other positions have taught would make the answer depend on them.
        self._engine.new_game()
        heard = _Candidates()
        nodes = min(limits.nodes or knobs.nodes, knobs.nodes)
        final = self._engine.think(position, dataclasses.replace(limits, nodes=nodes), stop, heard.hear)
        if not heard.lines:
            return final
        chosen = choose_line([line for line, _ in heard.lines.values()], handicap, knobs.guard)
        analysis = heard.analysis_of(chosen)
        if report is not None:
            report(analysis)
        best, *rest = chosen.moves
        return dataclasses.replace(analysis, best=best, ponder=rest[0] if rest else None)

    def analyse(self, state: AnyState, /, **limits: Any) -> Analysis:
        """Returns the move it would play and what it thinks of it; `limits` are settings of its config."""
        config = with_limits(self._config, limits)
        if state.is_over():
            return Analysis(best=None)
        player = self if config == self._config else SparringPlayer(config)
        return player.think(state)

    def new_game(self) -> None:
        """Nothing is remembered from one move to the next."""

    def explain(self, position: Position) -> str:
        """Returns the evaluation, term by term, in White's view."""
        return self._engine.explain(position)


class _Candidates:
    """The lines of the search's last iteration, by their first moves, each with what was known when it came."""

    def __init__(self) -> None:
        self.lines: dict[str, tuple[Line, Analysis]] = {}

    def hear(self, analysis: Analysis) -> None:
        """Takes in the lines that are new."""
        for place in analysis.new_lines or ():
            if place == 0:
                self.lines.clear()  # an iteration later
            line = analysis.lines[place]
            if line.moves:
                self.lines[line.moves[0]] = (line, analysis)

    def analysis_of(self, line: Line) -> Analysis:
        """Returns what there is to say of one line."""
        analysis = self.lines[line.moves[0]][1]
        return dataclasses.replace(
            analysis, score=line.score, wdl=line.wdl, lines=(line,), depth=line.depth, new_lines=None
        )


def draw_handicap(knobs: Knobs, rng: SplitMix64) -> float:
    """Draws how much a move shall lose: often little, now and then much (an exponential distribution)."""
    uniform = (rng.next() + 1) / 2**64
    return min(-knobs.handicap * math.log(uniform), knobs.guard)


def choose_line(lines: list[Line], handicap: float, guard: float) -> Line:
    """Returns the line, of those the guard allows, that loses most nearly as much as it shall."""
    # 1. What each line loses against the best one.
    scores = [_centipawns(line.score) for line in lines]
    losses = [max(scores) - score for score in scores]
    # 2. The nearest one; of equal ones the one that the search likes better.
    allowed = [index for index, loss in enumerate(losses) if loss <= guard]
    return lines[min(allowed, key=lambda index: (abs(losses[index] - handicap), index))]


def _engine_config(knobs: Knobs) -> ClassicConfig:
    # A table of this size is cleared in no time, and more is not needed for so few positions.
    without = _RISKY_WHEN_SHALLOW if knobs.nodes < _SHALLOW_NODES else ()
    # Ratings were measured with searches that pruned late moves from their first node on.
    return ClassicConfig(hash=4, without=without, parameters=("cold_nodes=0",))


def _centipawns(score: Score | None) -> float:
    """Puts mates beyond all other scores, near ones first."""
    assert score is not None
    if score.cp is not None:
        return score.cp
    assert score.mate is not None
    return _MATE_CP - score.mate if score.mate > 0 else -_MATE_CP - score.mate


def _is_bare_king(position: Position) -> bool:
    """Says whether the opponent has nothing but a king."""
    mine = str.isupper if position.turn else str.islower
    men = [letter for letter in position.fen().partition(" ")[0] if letter.isalpha()]
    return sum(not mine(letter) for letter in men) == 1
