"""Judges positions for people: the eval bar, hints, and the engine's answer to the offer of a draw."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Callable
from typing import Any

from philidor.core.analysis import Analysis
from philidor.core.errors import PhilidorError
from philidor.core.evaluation import Wdl
from philidor.core.game import AnyState
from philidor.core.manners import MannerlyPlayer
from philidor.frontends.playing.advice import accepts_draw, advise
from philidor.frontends.web import drawing
from philidor.frontends.web.session import Session
from philidor.frontends.web.watcher import Audience
from philidor.frontends.web.workers import ADVICE, VERDICT, Workers
from philidor.players import Player

_log = logging.getLogger(__name__)


async def judge(workers: Workers, session: Session, urgency: int) -> Analysis:
    """Asks one that plays well about the position, whoever the opponent is. Raises a PhilidorError."""
    game, state = session.match.game, session.match.state
    return await workers.run(lambda stop: advise(game, state, stop)[1], urgency)


async def hint(workers: Workers, session: Session) -> dict[str, Any]:
    """Returns a good move and what is to be expected of it. Raises a PhilidorError."""
    state, revision = session.match.state, session.stored.revision
    analysis = await judge(workers, session, ADVICE)
    move = session.drawer.move(state, state.parse_move(analysis.best or ""))
    return {
        **_found(state, analysis, "score", "value", "line"),
        "revision": revision,
        "move": move.model_dump(by_alias=True),
    }


async def takes_draw(workers: Workers, session: Session, player_of: Callable[[Session], Player]) -> bool:
    """Decides for the engine about the draw that the person has offered; one with manners decides by itself."""
    state, offered_by = session.match.state, session.draw_offer
    try:
        if offered_by is not None and session.opponent.view.habits:
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
            self._task = asyncio.create_task(self._judge(session, wanted))

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """What still runs."""
        return [] if self._task is None or self._task.done() else [self._task]

    async def _judge(self, session: Session, revision: int) -> None:
        state, outcome, ply = session.match.state, session.match.outcome(), len(session.match.moves)
        verdict: dict[str, Any]
        if outcome is not None:
            verdict = {"value": outcome.value_for(0), "score": None, "wdl": None, "depth": None, "line": []}
        else:
            try:
                analysis = await judge(self._workers, session, VERDICT)
            except PhilidorError as error:
                _log.info("no verdict on this position: %s", error)
                return
            verdict = _found(state, analysis, "value", "score", "depth", "line")
            verdict |= {"value": verdict["value"] or 0.0, "wdl": _first_wdl(analysis.wdl, state.to_move)}
        tabs = [tab for tab in self._audience if tab.wants_evaluation]
        self._audience.tell("evaluation", {**verdict, "revision": revision, "ply": ply}, tabs)


def _found(state: AnyState, analysis: Analysis, *names: str) -> dict[str, Any]:
    found = drawing.thought(state, analysis, 0).model_dump(mode="json")
    return {name: found[name] for name in names}


def _other_view(analysis: Analysis) -> Analysis:
    """Returns an analysis as the side sees it that is not to move."""
    wdl = analysis.wdl or (None if analysis.value is None else Wdl.from_value(analysis.value))
    score = None if analysis.score is None else analysis.score.flipped()
    return dataclasses.replace(analysis, score=score, wdl=None if wdl is None else wdl.flipped())


def _first_wdl(wdl: Wdl | None, to_move: int) -> list[float] | None:
    return None if wdl is None else list(wdl if to_move == 0 else wdl.flipped())
