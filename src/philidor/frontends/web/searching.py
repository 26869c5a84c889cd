"""The engine's side of a game: one search at a time, begun and ended as the game and its watchers need it."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from philidor.core.analysis import Analysis
from philidor.core.errors import PhilidorError
from philidor.core.game import AnyState
from philidor.core.manners import Gesture, MannerlyPlayer
from philidor.core.thinking import Limits, Signal
from philidor.frontends.web import drawing
from philidor.frontends.web.manners import engine_gesture
from philidor.frontends.web.news import ErrorNews, Thinking
from philidor.frontends.web.opponents import with_habits
from philidor.frontends.web.schema import EngineView, ThoughtView
from philidor.frontends.web.session import Session
from philidor.frontends.web.watcher import Audience
from philidor.frontends.web.workers import MOVE, Workers
from philidor.players import Player


@dataclass(frozen=True)
class Answer:
    """What an engine does at its turn: a move, one with the offer of a draw, or to resign."""

    analysis: Analysis
    gesture: Gesture | None = None
    pace_s: float = 0.0
    """How long a person would have thought."""
    thought: ThoughtView | None = None

    def carry_out(self, session: Session) -> None:
        """Does it."""
        # A program that gives up names no move.
        if self.gesture is Gesture.RESIGN or self.analysis.best is None:
            session.resign_engine()
            return
        assert self.thought is not None
        session.play_engine(self.analysis.best, self.thought, offers_draw=self.gesture is Gesture.OFFER_DRAW)


Play: TypeAlias = Callable[[int, Answer], Awaitable[None]]
"""Does what the engine wants in the position with this revision, if the game is still there."""

_REPORT_INTERVAL_S = 0.2
_log = logging.getLogger(__name__)


class EngineSide:
    """Keeps the player of a game between its moves. Lives in the server's event loop; the player thinks elsewhere."""

    def __init__(self, workers: Workers, audience: Audience, play: Play, changed: Callable[[], None]) -> None:
        """`changed` is called when `view` has changed for another reason than the game."""
        self.view = EngineView(status="idle")
        self._workers, self._audience = workers, audience
        self._play, self._changed = play, changed
        self._player: Player | None = None
        self._search: asyncio.Task[None] | None = None
        self._revision = 0
        """Of the position that is searched, or that the engine has failed at; 0 for none."""

    def attend(self, session: Session) -> None:
        """Starts a search where one is wanted, and ends one that is not."""
        revision = session.stored.revision
        is_wanted = session.is_engines_turn and len(self._audience) > 0
        if is_wanted and self._revision == revision:
            return
        if self._search is not None:
            self._search.cancel()
        self._save_memory()
        if not is_wanted:
            self._revision = 0
            self.view = EngineView(status="paused" if session.is_engines_turn else "idle")
            return
        self._revision = revision
        self.view = EngineView(status="thinking" if self._workers.has_room(MOVE) else "waiting")
        self._search = asyncio.create_task(self._think(self._search, session, revision))

    def retry(self, session: Session) -> None:
        """Asks an engine that has failed once more."""
        self._revision = 0
        self.attend(session)

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """What still runs."""
        return [] if self._search is None or self._search.done() else [self._search]

    async def _think(self, previous: asyncio.Task[None] | None, session: Session, revision: int) -> None:
        """Lets the player find its move. Whatever it dies of, the game goes on: it can be asked again."""
        if previous is not None:
            await asyncio.wait([previous])  # a player does one thing at a time
        try:
            state, begin = session.match.state, time.monotonic()
            answer = await self._workers.run(self._work(session, state, revision), MOVE, self._started)
            spent = time.monotonic() - begin
            thought = drawing.thought(state, answer.analysis, round(1000 * spent))
            await asyncio.sleep(max(0.0, answer.pace_s - spent))
            self._search = None  # the move ends this search; it must not end this task
            await self._play(revision, dataclasses.replace(answer, thought=thought))
        except Exception as error:
            _log.warning("the engine failed", exc_info=error)
            self._player = None
            reason = describe_failure(error)
            self.view = EngineView(status="failed", message=reason)
            self._audience.tell(ErrorNews(code="engine_failed", message=reason, reply_to=None))
            self._changed()
        finally:
            self._save_memory()

    def _save_memory(self) -> None:
        """Lets the player go when nobody watches: its table and its threads are dear, and another one is soon made."""
        if len(self._audience) == 0:
            self._player = None

    def _started(self) -> None:
        if self.view.status == "waiting":
            self.view = EngineView(status="thinking")
            self._changed()

    def player(self, session: Session) -> Player:
        """Returns the player of the game, which is made when it is first needed."""
        if self._player is None:
            setup = session.stored.setup
            player = session.opponent.make_player(setup["strength"], setup["seed"])
            self._player = with_habits(player, setup.get("habits", []))
        return self._player

    def _work(self, session: Session, state: AnyState, revision: int) -> Callable[[Signal], Answer]:
        """Returns what a worker does."""
        loop, last = asyncio.get_running_loop(), 0.0

        def report(analysis: Analysis) -> None:
            nonlocal last
            if time.monotonic() - last >= _REPORT_INTERVAL_S:
                last = time.monotonic()
                loop.call_soon_threadsafe(self._report, state, revision, analysis)

        def work(stop: Signal) -> Answer:
            player = self.player(session)
            gesture = player.gesture(state) if isinstance(player, MannerlyPlayer) else None
            if gesture is Gesture.RESIGN:
                return Answer(Analysis(best=None), gesture)
            # Asked now and not before: the game may have waited for a core, and its clock did not.
            time_left = None if session.clock is None else session.clock.time_left()
            analysis = player.think(state, Limits(time_left=time_left), stop, report)
            if not isinstance(player, MannerlyPlayer) and "resign" in session.stored.setup.get("habits", []):
                gesture = _gesture(session, state, analysis)
            pace_s = 0.0
            if isinstance(player, MannerlyPlayer) and "pace" in session.stored.setup.get("habits", []):
                most = float("inf") if time_left is None else time_left.share_s(state.to_move)
                pace_s = min(player.pace_s(state, analysis), most)
            return Answer(analysis, gesture, pace_s)

        return work

    def _report(self, state: AnyState, revision: int, analysis: Analysis) -> None:
        if self._revision == revision:
            found = drawing.thought(state, analysis, round(1000 * analysis.time_s))
            side: Any = state.to_move
            self._audience.tell(Thinking(**dict(found), revision=revision, side=side, nps=analysis.nodes_per_second))


def _gesture(session: Session, state: AnyState, analysis: Analysis) -> Gesture | None:
    """Decides for an engine that has no manners of its own."""
    sign = 1 if state.to_move == 0 else -1
    earlier = [move.thought.value for move in session.played if move.side == state.to_move and move.thought is not None]
    values = [*earlier, drawing.first_value(analysis, state.to_move)]
    own = [None if value is None else sign * value for value in values]
    return engine_gesture(own, len(session.played), session.stored.progress.get("declined_ply"))


def describe_failure(error: BaseException) -> str:
    """Writes in one line what an engine died of."""
    text = " ".join(str(error).split())
    return text if isinstance(error, PhilidorError) and text else f"{type(error).__name__}: {text}".rstrip(": ")
