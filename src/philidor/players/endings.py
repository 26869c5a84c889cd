"""What everybody has learned about endings: a shallow search that vetoes moves, and chooses none.

A network that imitates people learned few endings, and a move drawn from its policy now and then gives a rook away or
lets the bare king walk out of the corner again. With few men left a shallow alpha-beta search looks at every move:
those that turn a win into a draw, or a draw into a loss, are left out. Against a bare king those that make no progress
are left out too; and when that has not helped for a while, a deeper search mates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from philidor.core.analysis import Analysis, Score
from philidor.core.thinking import Limits, Stop

if TYPE_CHECKING:
    from philidor.games.chess import Position
    from philidor.players.classic import ClassicConfig, ClassicPlayer

_DEPTH = 6
# Scores beyond these, in centipawns of the classic engine, count as won and as lost.
_DECIDED_CP = 250
# What lies on both sides of such a limit need not be a mistake.
_MISTAKE_CP = 150
# Against a bare king: what a move may lose, and the half moves after which a deeper search takes over. It mates with a
# rook from anywhere.
_DAWDLING_CP, _PATIENCE_PLIES, _MATING_NODES = 30, 20, 50_000
_MATE_CP = 30_000
# What a deep search finds by its other branches, one of six plies does not see at all.
_RISKY_WHEN_SHALLOW = ("late_move_pruning", "futility", "history_pruning", "exchange_pruning", "razoring")


@final
class EndingJudge:
    """The search; it is made when the first ending comes, and remembers nothing from one position to the next."""

    def __init__(self) -> None:
        self._engine: ClassicPlayer | None = None

    def sound_moves(self, position: Position, stop: Stop | None = None) -> list[str]:
        """Returns the moves that keep what the best one keeps; all of them if the search was stopped."""
        from philidor.players.classic import ClassicConfig

        legal = [position.uci(move) for move in position.legal_moves()]
        is_mating = is_bare_king(position)
        if is_mating and position.halfmove_clock >= _PATIENCE_PLIES:
            found = self._search(position, ClassicConfig(hash=4), Limits(nodes=_MATING_NODES), stop)
            return legal if found.best is None else [found.best]
        config = ClassicConfig(hash=4, multi_pv=len(legal), without=_RISKY_WHEN_SHALLOW)
        found = self._search(position, config, Limits(depth=_DEPTH), stop)
        scores = {line.moves[0]: _centipawns(line.score) for line in found.lines if line.moves and line.score}
        if set(scores) != set(legal):
            return legal
        return without_dawdling(scores) if is_mating else without_mistakes(scores)

    def _search(self, position: Position, config: ClassicConfig, limits: Limits, stop: Stop | None) -> Analysis:
        from philidor.players.classic import ClassicPlayer

        if self._engine is None:
            self._engine = ClassicPlayer(config)
        self._engine.config = config
        self._engine.new_game()
        return self._engine.think(position, limits, stop)


def without_mistakes(scores: dict[str, int]) -> list[str]:
    """Returns the moves that do not throw a win or a draw away, given every move's score in centipawns."""
    best = max(scores.values())
    return [
        move
        for move, score in scores.items()
        if best - score < _MISTAKE_CP or _result(score) == _result(best) or best <= -_DECIDED_CP
    ]


def without_dawdling(scores: dict[str, int]) -> list[str]:
    """Returns the moves that bring the mate of a bare king nearer, or nearly so."""
    best = max(scores.values())
    # A mate that was found is played out: of two moves that mate, the slower one need not ever do so.
    allowed = 0 if best > _MATE_CP // 2 else _DAWDLING_CP
    return [move for move, score in scores.items() if best - score <= allowed]


def _result(score: int) -> int:
    """1 for won, 0 for drawn, -1 for lost."""
    return (score >= _DECIDED_CP) - (score <= -_DECIDED_CP)


def _centipawns(score: Score) -> int:
    """Puts mates beyond all other scores, near ones first."""
    if score.cp is not None:
        return score.cp
    assert score.mate is not None
    return _MATE_CP - score.mate if score.mate > 0 else -_MATE_CP - score.mate


def men(position: Position) -> int:
    """Counts the pieces and pawns on the board, kings included."""
    return sum(letter.isalpha() for letter in position.fen().partition(" ")[0])


def is_bare_king(position: Position) -> bool:
    """Says whether the opponent of the side to move has nothing but a king, and the side to move has more."""
    letters = [letter for letter in position.fen().partition(" ")[0] if letter.isalpha()]
    own = sum(letter.isupper() == position.turn for letter in letters)
    return own > 1 and len(letters) - own == 1
