"""Judges positions for people: the eval bar, hints, and the engine's answer to the offer of a draw."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Callable

from philidor.core.analysis import Analysis
from philidor.core.errors import PhilidorError
from philidor.core.evaluation import Wdl
from philidor.core.game import AnyState
from philidor.core.manners import MannerlyPlayer
from philidor.frontends.playing.advice import accepts_draw, advise
from philidor.frontends.web import drawing
from philidor.frontends.web.news import Evaluation, Hint
from philidor.frontends.web.session import Session
from philidor.frontends.web.watcher import Audience
from philidor.frontends.web.workers import ADVICE, VERDICT, Workers
from philidor.players import Player

_log = logging.getLogger(__name__)


async def judge(workers: Workers, session: Session, urgency: int, state: AnyState | None = None) -> Analysis:
    """Asks one that plays well about the position, or an earlier one, whoever the opponent is.

    Raises a PhilidorError.
    """
    game, state = session.match.game, state or session.match.state
    return await workers.run(lambda stop: advise(game, state, stop)[1], urgency)


async def hint(workers: Workers, session: Session, reply_to: int | None) -> Hint:
    """Returns a good move and what is to be expected of it. Raises a PhilidorError."""
    state, revision = session.match.state, session.stored.revision
    analysis = await judge(workers, session, ADVICE)
    move = session.drawer.move(state, state.parse_move(analysis.best or ""))
    found = drawing.thought(state, analysis, 0)
    return Hint(revision=revision, move=move, score=found.score, value=found.value, line=found.line, reply_to=reply_to)


async def takes_draw(workers: Workers, session: Session, player_of: Callable[[Session], Player]) -> bool:
    """Decides for the engine about the draw that the person has offered; one with manners decides by itself."""
    state, offered_by = session.match.state, session.draw_offer
    try:
        if offered_by is not None and "pace" in session.opponent.view.habits:
            side = 1 - offered_by
            return await workers.run(lambda _: _agrees(player_of(session), state, side), ADVICE)
        analysis = await judge(workers, session, ADVICE)
    except PhilidorError as error:
        _log.info("no verdict on the offer: %s", error)
        return False
    if state.to_move != offered_by:
        analysis = _other_view(analysis)
    return accepts_draw(analysis, len(session.match.moves))


def _agrees(player: Player, state: AnyState, side: int) -> bool:
    return isinstance(player, MannerlyPlayer) and player.accepts_draw(state, side)


class EvalBar:
    """Sends a verdict on every position to the tabs that show it."""

    def __init__(self, workers: Workers, audience: Audience) -> None:
        self._workers, self._audience = workers, audience
        self._task: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._revision = 0

    def attend(self, session: Session, *, again: bool = False) -> None:
        """Begins with a new position, or ends when nobody wants to know; `again` repeats what was sent already."""
        wanted = session.stored.revision if any(tab.wants_evaluation for tab in self._audience) else 0
        if wanted == self._revision and not again:
            return
        self._revision = wanted
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if wanted:
            self._task = asyncio.create_task(self._judge(session, wanted, len(session.match.moves)))
        elif self._looking is not None:
            self._looking.cancel()

    def look_back(self, session: Session, ply: int) -> None:
        """Judges the position after `ply` moves too, instead of the one that was looked at before."""
        if self._looking is not None:
            self._looking.cancel()
        ply = min(ply, len(session.match.moves))
        self._looking = asyncio.create_task(self._judge(session, session.stored.revision, ply))

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """What still runs."""
        return [task for task in (self._task, self._looking) if task is not None and not task.done()]

    async def _judge(self, session: Session, revision: int, ply: int) -> None:
        # A game that was given up or agreed drawn still has a position to judge.
        state = session.match.states[ply]
        outcome = state.outcome()
        if outcome is not None:
            verdict = Evaluation(
                revision=revision, ply=ply, value=outcome.value_for(0), score=None, wdl=None, depth=None, line=[]
            )
        else:
            try:
                analysis = await judge(self._workers, session, VERDICT, state)
            except PhilidorError as error:
                _log.info("no verdict on this position: %s", error)
                return
            found = drawing.thought(state, analysis, 0)
            verdict = Evaluation(
                revision=revision,
                ply=ply,
                value=found.value or 0.0,
                score=found.score,
                wdl=_first_wdl(analysis.wdl, state.to_move),
                depth=found.depth,
                line=found.line,
            )
        self._audience.tell(verdict, [tab for tab in self._audience if tab.wants_evaluation])


def _other_view(analysis: Analysis) -> Analysis:
    """Returns an analysis as the side sees it that is not to move."""
    wdl = analysis.wdl or (None if analysis.value is None else Wdl.from_value(analysis.value))
    score = None if analysis.score is None else analysis.score.flipped()
    return dataclasses.replace(analysis, score=score, wdl=None if wdl is None else wdl.flipped())


def _first_wdl(wdl: Wdl | None, to_move: int) -> Wdl | None:
    return wdl if wdl is None or to_move == 0 else wdl.flipped()
