"""Engines as analysts: any opponent of the roster that has something to say of a position, asked for several lines."""

from __future__ import annotations

import dataclasses
from typing import Any

from philidor.core.analysis import Analysis, Line
from philidor.core.config import Dataclass, settings
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Wdl
from philidor.core.thinking import Limits
from philidor.frontends.playing.setup import PERSON
from philidor.frontends.web.analysis.requests import AnalyseMessage, SeatLimit
from philidor.frontends.web.analysis.schema import LineView, SeatView
from philidor.frontends.web.analysis.tree import draw_line
from philidor.frontends.web.drawing import Drawer, first_score
from philidor.frontends.web.opponents import Opponent
from philidor.frontends.web.roster import Roster
from philidor.frontends.web.schema import LevelList
from philidor.games.chess import Position
from philidor.players import Player
from philidor.players.engine import EnginePlayer

# Weakened on purpose, or without an opinion.
_NO_ANALYSTS = (PERSON, "sparring", "random")
_SHOWN_PLIES = 12
_SILENCE_MS = 130


def analyst_names(roster: Roster, drawer: Drawer) -> list[str]:
    """Names the opponents that can analyse chess."""
    return [name for name in roster.fitting(drawer.game) if name not in _NO_ANALYSTS]


def make_analyst(opponent: Opponent, order: AnalyseMessage) -> Player:
    """Makes the player, at its strongest unless a strength is chosen. Raises a PhilidorError."""
    if opponent.name in _NO_ANALYSTS:
        raise ConfigError(f"{opponent.title} does not analyse")
    view = opponent.view.strength
    if order.strength is None and isinstance(view, LevelList):
        strength: dict[str, Any] = {"level": len(view.levels)}
    else:
        strength = opponent.check_strength(order.strength)
    player = opponent.make_player(strength, 0)
    wanted = {"multi_pv": order.lines, "hash": order.hash_mb, "threads": order.threads}
    config_class: type[Dataclass] = type(player.config)
    known = {setting.name for setting in settings(config_class)}
    given = {name: value for name, value in wanted.items() if name in known}
    if isinstance(player, EnginePlayer):
        player.silence_ms = _SILENCE_MS
    if given:
        player.config = dataclasses.replace(player.config, **given)
    return player


def limits_of(limit: SeatLimit, spent_s: float = 0.0) -> Limits:
    """Returns how long to think, given what was spent on the same position before."""
    if limit.seconds is None and limit.nodes is None and limit.depth is None:
        return Limits(is_endless=True, replace_own=True)
    seconds = None if limit.seconds is None else max(0.05, limit.seconds - spent_s)
    return Limits(time_s=seconds, nodes=limit.nodes, depth=limit.depth, replace_own=True)


def other_side(position: Position) -> Position | None:
    """Returns the position with the other side to move, for what it threatens; None in check, where there is none."""
    if position.is_check():
        return None
    fields = position.fen(shredder=position.is_chess960).split()
    fields[1], fields[3] = ("b" if fields[1] == "w" else "w"), "-"
    return Position(" ".join(fields), chess960=position.is_chess960)


def seat_view(drawer: Drawer, position: Position, found: Analysis, before: SeatView, lines: int) -> SeatView:
    """Writes what an analyst has found; lines that `before` has already are not drawn again."""
    known = {tuple(move.text for move in line.moves): line.moves for line in before.lines}
    shares = found.policy
    drawn = []
    for line in _best_lines(found, shares, lines):
        moves = line.moves[:_SHOWN_PLIES]
        side = position.to_move
        drawn.append(
            LineView(
                moves=known.get(moves) or draw_line(drawer, position, moves),
                score=first_score(line.score, side),
                wdl=_white_wdl(line.wdl, side),
                depth=line.depth,
                share=shares.get(moves[0]),
            )
        )
    first = drawn[0] if drawn else None
    return before.model_copy(
        update={
            "depth": found.depth,
            "nodes": found.nodes,
            "nps": found.nodes_per_second,
            "time_ms": round(1000 * found.time_s),
            "score": first_score(found.score, position.to_move) or (None if first is None else first.score),
            "wdl": _white_wdl(found.wdl, position.to_move),
            "lines": drawn or before.lines,
        }
    )


def _white_wdl(wdl: Wdl | None, to_move: int) -> tuple[float, float, float] | None:
    if wdl is None:
        return None
    seen = wdl if to_move == 0 else wdl.flipped()
    return seen.win, seen.draw, seen.loss


def _best_lines(found: Analysis, shares: dict[str, float], most: int) -> list[Line]:
    """Returns the lines of a search; of a player that has only shares of moves, its likeliest moves as lines."""
    lines = [line for line in found.lines if line.moves]
    if len(lines) < most and shares:
        begun = {line.moves[0] for line in lines}
        scores = {stats.move: stats.score for stats in found.moves}
        others = [Line((move,), scores.get(move)) for move in shares if move not in begun]
        lines += others
        lines.sort(key=lambda line: -shares.get(line.moves[0], 0.0))
    return lines[:most]
