"""Verdicts on positions of Go: candidates with their chances, whose each point is likely to be, who leads by how much.

A search chooses the candidates: over a network of the user's, if the server has one for the board, or over our own from
zero, or AlphaGo's where its networks ship, or else by playouts. Owners and points come from playouts in any case.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from philidor.core.analysis import Analysis, MoveStats
from philidor.core.game import AnyGame
from philidor.core.thinking import Limits, Stop
from philidor.frontends.playing.counting import count, likely_dead, open_state
from philidor.frontends.web.drawing import Drawer, first_value, readable
from philidor.frontends.web.go.schema import Candidate, Judgement
from philidor.frontends.web.opponents import Opponent
from philidor.frontends.web.roster import Roster
from philidor.games.go import GoState
from philidor.nets.shipped import GO_ZERO_NET
from philidor.players import Player, load_engine
from philidor.search.native import native_root

_MOST_CANDIDATES = 8
_LEAST_SHARE = 0.1
"""A move that was looked at less often than this, against the most visited one, is not worth a mark."""
_PLAYOUTS = 1_000
"""The mean score of a board is then known to about half a point on 9x9 and one point on 19x19."""
_FEWEST_ITERATIONS, _MOST_ITERATIONS, _ITERATIONS_BY_POINTS = 8_000, 20_000, 1_620_000
"""Of UCT: 20,000 up to 9x9, where playouts are short, and fewer on larger boards; a third of a second each."""
_EXPLORATION = 0.5
_SIMULATIONS = 200
"""Over a network."""
_ALPHAGO = "alphago"
_ZERO = f"net:{GO_ZERO_NET}"
_REMEMBERED = 2_000


class Judge:
    """Judges positions one at a time; the same position gets the same verdict."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._players: dict[str, tuple[str, Player]] = {}
        self._known: OrderedDict[tuple[Any, ...], Judgement] = OrderedDict()
        self._lock = threading.Lock()

    def judge(self, drawer: Drawer, state: GoState, ply: int, stop: Stop) -> Judgement:
        """Returns the verdict on the position after `ply` moves. Blocking. Raises a PhilidorError."""
        key = (drawer.game.name, *state.twin()[6:11], state.rules.komi, state.past, ply)
        with self._lock:
            found = self._known.get(key) or self._judge(drawer, state, ply, stop)
            # A verdict that was cut short is read by nobody; the next to ask wants a whole one.
            if not stop():
                self._known[key] = found
                self._known.move_to_end(key)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
            return found

    def _judge(self, drawer: Drawer, state: GoState, ply: int, stop: Stop) -> Judgement:
        if state.is_over():
            return _of_finished(state, ply)
        who, found = self._think(drawer.game, state, stop)
        value = first_value(found, state.to_move)
        owners, lead = _played_out(state)
        best = None if found.best is None else state.play(found.best)
        return Judgement(
            ply=ply,
            win_rate=round((1 + (value or 0.0)) / 2, 4),
            lead=lead,
            best_lead=lead if best is None else _played_out(best)[1],
            owners=owners,
            candidates=_candidates(drawer, state, found),
            line=readable(state, found.lines[0].moves) if found.lines else [],
            judge=who,
        )

    def _think(self, game: AnyGame, state: GoState, stop: Stop) -> tuple[str, Analysis]:
        """Returns who judges, as pages call them, and what they found."""
        if game.name not in self._players:
            self._players[game.name] = self._best_player(game)
        who, player = self._players[game.name]
        found = player.think(state, Limits(), stop)
        if found.value is None:  # it passed without a look
            who, player = _by_playouts(game)
            found = player.think(state, Limits(), stop)
        return who, found

    def _best_player(self, game: AnyGame) -> tuple[str, Player]:
        network = self._network(game)
        if network is not None:
            given: dict[str, float] = {"simulations": _SIMULATIONS, "temperature": 0.0}
        elif _ALPHAGO in self._roster.fitting(game):
            network, given = self._roster.find(_ALPHAGO), {"simulations": _SIMULATIONS}
        else:
            return _by_playouts(game)
        return f"{network.title}, {_SIMULATIONS} simulations", network.make_player({"settings": given}, 1)

    def _network(self, game: AnyGame) -> Opponent | None:
        """Returns the network that judges, one that searches, so that it knows what its moves are worth.

        The user's first; ours only by the rules that it learned: networks do not see komi, and AlphaGo's playouts do.
        """
        found = [self._roster.find(name) for name in self._roster.fitting(game) if name.startswith("net:")]
        searching = [each for each in found if "simulations" in each.settings]
        theirs = [each for each in searching if each.name != _ZERO]
        ours = [each for each in searching if each.name == _ZERO and game.name in (each.view.games or ())]
        return next(iter([*theirs, *ours]), None)


def _by_playouts(game: AnyGame) -> tuple[str, Player]:
    wanted = _ITERATIONS_BY_POINTS // (game.action_count - 1)
    iterations = min(max(_FEWEST_ITERATIONS, wanted), _MOST_ITERATIONS)
    return f"UCT, {iterations:,} playouts", load_engine("uct", iterations=iterations, exploration=_EXPLORATION)


def _candidates(drawer: Drawer, state: GoState, found: Analysis) -> list[Candidate]:
    """Returns the moves that were looked at most, the chosen one first."""
    most = max((stats.visits or 0 for stats in found.moves), default=0)

    def rank(stats: MoveStats) -> tuple[bool, int]:
        return stats.move == found.best, stats.visits or 0

    tried = [stats for stats in found.moves if stats.visits and stats.visits >= _LEAST_SHARE * most]
    return [
        Candidate(
            move=drawer.move(state, state.parse_move(stats.move)),
            visits=stats.visits or 0,
            win_rate=None if stats.value is None else round((1 + stats.value) / 2, 4),
            prior=stats.prior,
        )
        for stats in sorted(tried, key=rank, reverse=True)[:_MOST_CANDIDATES]
    ]


def _played_out(state: GoState) -> tuple[list[float], float]:
    """Returns by square how surely it will be Black's (1) or White's (-1), and Black's mean lead with komi."""
    found = native_root(open_state(state)).playouts(_PLAYOUTS, 1)
    lead = found.score / _PLAYOUTS - state.rules.komi
    return [round(owner / _PLAYOUTS, 2) for owner in found.owners], round(lead, 2)


def _of_finished(state: GoState, ply: int) -> Judgement:
    counted = count(state, likely_dead(state))
    rate = 0.5 if counted.score == 0 else float(counted.score > 0)
    return Judgement(
        ply=ply,
        win_rate=rate,
        lead=counted.score,
        best_lead=counted.score,
        owners=[float(owner) for owner in counted.owners],
        candidates=[],
        line=[],
        judge="the count",
    )
