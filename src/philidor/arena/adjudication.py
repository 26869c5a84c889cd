"""Ends games early: when both engines agree who wins, or endgame tables know it; off unless asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from philidor.core.analysis import Score
from philidor.core.config import real, spin, text
from philidor.core.game import Outcome
from philidor.games.chess import Position
from philidor.games.chess.syzygy import Tablebases

_MATE_CP = 32_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules:
    """When a game ends, beyond the rules of chess."""

    draw_score: int | None = field(default=None, metadata=spin(None, 0))
    """Call a draw when both sides' scores stay within so many centipawns; off without it."""
    draw_moves: int = field(default=8, metadata=spin(None, 1))
    """For that many moves of both sides."""
    draw_after: int = field(default=34, metadata=spin(None, 0))
    """But not before this move."""
    resign_score: int | None = field(default=None, metadata=spin(None, 1))
    """Call a win when both sides see so many centipawns for one of them; off without it."""
    resign_moves: int = field(default=3, metadata=spin(None, 1))
    """For that many moves of both sides."""
    syzygy: Path | None = field(default=None, metadata=text())
    """Folder of Syzygy tables: call the result of a position that is in them."""
    max_moves: int | None = field(default=None, metadata=spin(None, 1))
    """Call a draw at this move number."""
    time_margin: float = field(default=0.0, metadata=real(None, 0.0, 60.0))
    """Seconds that a clock may be overstepped."""
    hang_time: float = field(default=30.0, metadata=real(None, 0.1, 86_400.0))
    """Seconds beyond the engine's time until it counts as hanging."""

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        draw = (
            {} if self.draw_score is not None else dict.fromkeys(("draw_moves", "draw_after"), "there is no draw_score")
        )
        return draw if self.resign_score is not None else {**draw, "resign_moves": "there is no resign_score"}


class Adjudicator:
    """Follows the scores of one game."""

    def __init__(self, rules: GameRules) -> None:
        self._rules = rules
        self._drawish_plies = 0
        self._winning_plies = [0, 0]  # for White, for Black
        self._tables = None if rules.syzygy is None else tablebases(rules.syzygy)

    def judge(self, white_score: Score | None, position: Position) -> Outcome | None:
        """Takes White's view of the last mover's score and the position after the move; returns the verdict."""
        rules, score_cp = self._rules, _centipawns(white_score)
        if self._tables is not None and (known := self._tables.outcome(position)):
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
            if self._drawish_plies >= 2 * rules.draw_moves and position.fullmove_number > rules.draw_after:
                return Outcome(None, "adjudication: drawn by score")
        if rules.max_moves is not None and position.fullmove_number > rules.max_moves:
            return Outcome(None, "adjudication: too many moves")
        return None


@cache
def tablebases(folder: Path) -> Tablebases:
    """Opens tables once for all games of this process. Raises ConfigError."""
    return Tablebases([folder])


def _centipawns(score: Score | None) -> int | None:
    if score is None or score.cp is not None:
        return None if score is None else score.cp
    return _MATE_CP if (score.mate or 0) > 0 else -_MATE_CP
