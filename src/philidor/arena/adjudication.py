"""Ends games early: when both engines agree who wins, or endgame tables know it; off unless asked for."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from philidor.core.analysis import Score
from philidor.core.config import real, spin, text
from philidor.core.game import AnyState, Outcome
from philidor.games.chess import Position
from philidor.games.chess.syzygy import Tablebases

_MATE_CP = 32_000
# What clear games are adjudicated by where no other scores are given.
_USUAL_DRAW_SCORE, _USUAL_RESIGN_SCORE = 10, 800


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules:
    """When a game ends, beyond the rules of chess."""

    draw_score: int | None = field(default=None, metadata=spin(None, 0))
    """Score (centipawns) within which both sides must stay for an adjudicated draw; never if not given."""
    draw_moves: int = field(default=8, metadata=spin(None, 1))
    """Consecutive moves of both sides that the drawish score must hold."""
    draw_after: int = field(default=34, metadata=spin(None, 0))
    """Move number before which no game is adjudicated as drawn."""
    resign_score: int | None = field(default=None, metadata=spin(None, 1))
    """Score (centipawns) that both sides must see for one of them for a game to be adjudicated as won; never if not
    given."""
    resign_moves: int = field(default=3, metadata=spin(None, 1))
    """Consecutive moves of both sides that the winning score must hold."""
    syzygy: Path | None = field(default=None, metadata=text())
    """Folder of Syzygy tables; a game that reaches a position of theirs ends with its result."""
    max_moves: int | None = field(default=None, metadata=spin(None, 1))
    """Move number at which a game is adjudicated as drawn."""
    time_margin: float = field(default=0.0, metadata=real(None, 0.0, 60.0))
    """Seconds by which a clock may be exceeded."""
    hang_time: float = field(default=30.0, metadata=real(None, 0.1, 86_400.0))
    """Seconds beyond the engine's time after which it counts as hanging."""

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        draw = (
            {} if self.draw_score is not None else dict.fromkeys(("draw_moves", "draw_after"), "there is no draw_score")
        )
        return draw if self.resign_score is not None else {**draw, "resign_moves": "there is no resign_score"}


def with_usual_scores(rules: GameRules) -> GameRules:
    """Returns the rules with the usual adjudication where they have none."""
    draw = _USUAL_DRAW_SCORE if rules.draw_score is None else rules.draw_score
    resign = _USUAL_RESIGN_SCORE if rules.resign_score is None else rules.resign_score
    return dataclasses.replace(rules, draw_score=draw, resign_score=resign)


class Adjudicator:
    """Follows the scores of one game."""

    def __init__(self, rules: GameRules) -> None:
        self._rules = rules
        self._drawish_plies = 0
        self._winning_plies = [0, 0]  # for White, for Black
        self._tables = None if rules.syzygy is None else tablebases(rules.syzygy)

    def judge(self, white_score: Score | None, position: AnyState) -> Outcome | None:
        """Takes White's view of the last mover's score and the position after the move; returns the verdict."""
        rules, score_cp = self._rules, _centipawns(white_score)
        if self._tables is not None and isinstance(position, Position) and (known := self._tables.outcome(position)):
            return Outcome(known.winner, f"adjudication: {known.reason}")
        if rules.resign_score is not None:
            for side, sign in ((0, 1), (1, -1)):
                is_winning = score_cp is not None and sign * score_cp >= rules.resign_score
                self._winning_plies[side] = self._winning_plies[side] + 1 if is_winning else 0
                if self._winning_plies[side] >= 2 * rules.resign_moves:
                    return Outcome(side, "adjudication: won by score")
        if rules.draw_score is not None:
            is_drawish = score_cp is not None and abs(score_cp) <= rules.draw_score
            self._drawish_plies = self._drawish_plies + 1 if is_drawish else 0
            if self._drawish_plies >= 2 * rules.draw_moves and _move_number(position) > rules.draw_after:
                return Outcome(None, "adjudication: drawn by score")
        if rules.max_moves is not None and _move_number(position) > rules.max_moves:
            return Outcome(None, "adjudication: too many moves")
        return None


def _move_number(state: AnyState) -> int:
    """Of the next move, as in a FEN."""
    return state.ply // 2 + 1


@cache
def tablebases(folder: Path) -> Tablebases:
    """Opens tables once for all games of this process. Raises ConfigError."""
    return Tablebases([folder])


def _centipawns(score: Score | None) -> int | None:
    if score is None or score.cp is not None:
        return None if score is None else score.cp
    return _MATE_CP if (score.mate or 0) > 0 else -_MATE_CP
