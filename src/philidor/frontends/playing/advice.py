"""Whom a person asks: for a hint, for a verdict on the position, for a draw."""

from __future__ import annotations

from philidor.core.analysis import Analysis
from philidor.core.errors import SolveError
from philidor.core.game import AnyGame, AnyState
from philidor.core.thinking import Stop
from philidor.frontends.playing.setup import default_level
from philidor.players import DEFAULT_ENGINE, Player, can_play, load_engine, player_class

# Enough for a sound move within a blink.
_ENGINE_NODES = 100_000
# Half a second; a game that needs more to be solved is judged by playouts.
_SOLVER_POSITIONS = 50_000
# Who is asked for a draw in the opening plays on, unless it stands worse by so much.
_OPENING_PLIES, _OPENING_LEAD_CP = 20, 100


def advise(game: AnyGame, state: AnyState, stop: Stop | None = None) -> tuple[str, Analysis]:
    """Returns what to think of a position that is not over, and who says so: the best that answers within a second."""
    if can_play(player_class("solver"), game):
        try:
            return "solver", load_engine("solver", max_positions=_SOLVER_POSITIONS).think(state, stop=stop)
        except SolveError:
            pass  # too large, or positions repeat: then by playouts
    player = _searcher(game)
    return player.name, player.think(state, stop=stop)


def _searcher(game: AnyGame) -> Player:
    if can_play(player_class(DEFAULT_ENGINE), game):
        return load_engine(DEFAULT_ENGINE, nodes=_ENGINE_NODES)
    kind = player_class("uct")
    return kind(kind.levels[min(default_level(kind), len(kind.levels) - 1)])


def accepts_draw(analysis: Analysis, plies: int) -> bool:
    """Decides by an analysis in the offering side's view, after so many moves.

    A draw is welcome unless the offering side is worse; in the opening only if it is clearly better.
    """
    is_opening = plies < _OPENING_PLIES
    if analysis.score is not None:
        if analysis.score.mate is not None:
            return analysis.score.mate >= 0
        return (analysis.score.cp or 0) >= (_OPENING_LEAD_CP if is_opening else 0)
    return (analysis.value or 0.0) >= 0
