"""A game that somebody looks at: it answers messages, keeps engine and clock going, and tells all tabs what changes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeAlias

from philidor.core.errors import IllegalMoveError, PhilidorError
from philidor.frontends.web.news import AnyNews, ErrorNews, GameNews, Notice
from philidor.frontends.web.requests import (
    AnyMessage,
    EvaluateMessage,
    HintMessage,
    MoveMessage,
    PlainMessage,
    TakebackMessage,
)
from philidor.frontends.web.schema import GameView
from philidor.frontends.web.searching import Answer, EngineSide, describe_failure
from philidor.frontends.web.session import RefusedError, Session
from philidor.frontends.web.store import NotSavedError
from philidor.frontends.web.stored import StoredGame
from philidor.frontends.web.verdicts import EvalBar, hint, takes_draw
from philidor.frontends.web.views import game_view
from philidor.frontends.web.watcher import Audience, Watcher
from philidor.frontends.web.workers import Workers

Save: TypeAlias = Callable[[StoredGame, int], Awaitable[None]]
"""Writes a game's change from a ply on."""
Reload: TypeAlias = Callable[[], Awaitable[Session]]
"""Reads the game from the disk again."""
Action: TypeAlias = Callable[[Session], object]
"""A change of the game; it raises before it has changed anything, or not at all."""

_log = logging.getLogger(__name__)


class LiveGame:
    """All methods run in the server's event loop; `_lock` lets one change at a time happen."""

    def __init__(self, session: Session, workers: Workers, save: Save, reload: Reload) -> None:
        self.session = session
        self.audience = Audience()
        self.users = 0
        """How many are using the game just now, watching or not."""
        self._workers = workers
        self._save, self._reload = save, reload
        self._lock = asyncio.Lock()
        self._engine = EngineSide(workers, self.audience, self._play_engine, self._show)
        self._eval_bar = EvalBar(workers, self.audience)
        self._errands: set[asyncio.Task[None]] = set()
        self._flag_timer: asyncio.TimerHandle | None = None

    def view(self) -> GameView:
        """The game as pages see it."""
        return game_view(self.session, self._engine.view)

    def _show(self, to: Watcher | None = None) -> None:
        self.audience.tell(GameNews(game=self.view()), None if to is None else [to])

    # --- Who watches --------------------------------------------------------------------------------------------

    async def join(self, watcher: Watcher) -> None:
        """Takes a tab in and shows it the game."""
        async with self._lock:
            self.audience.watchers.add(watcher)
            self._attend()
            self._show(watcher)

    async def leave(self, watcher: Watcher) -> None:
        """Lets a tab go; with the last one searches end and the clock stands still."""
        self.audience.watchers.discard(watcher)
        if len(self.audience):
            return
        async with self._lock:
            self._attend()
            if self.session.clock is not None:
                self.session.describe()
                try:
                    await self._save(self.session.stored, len(self.session.stored.moves))
                except NotSavedError as error:  # nobody is there to hear it, and the clock was saved with the last move
                    _log.warning("the clock: %s", error)

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [*self._engine.tasks, *self._eval_bar.tasks, *self._errands]

    @property
    def is_idle(self) -> bool:
        """Whether the game can be forgotten until somebody asks for it."""
        return not (self.users or len(self.audience) or self._lock.locked() or self._tasks())

    async def close(self, last_message: AnyNews | None = None) -> None:
        """Ends everything that runs, and the conversation with every tab."""
        if last_message is not None:
            self.audience.tell(last_message)
        for watcher in self.audience:
            watcher.close()
        self.audience.watchers.clear()
        async with self._lock:
            self._attend()
        if tasks := self._tasks():
            await asyncio.wait(tasks)

    # --- What they say ------------------------------------------------------------------------------------------

    async def handle(self, message: AnyMessage, watcher: Watcher) -> None:
        """Does what a tab asks for, or tells it why not; the game is intact in any case."""
        try:
            await self._handle(message, watcher)
        except PhilidorError as error:
            self._refuse(error, message.id, watcher)

    def _refuse(self, error: PhilidorError, reply_to: int | None, watcher: Watcher) -> None:
        code = "illegal_move" if isinstance(error, IllegalMoveError) else getattr(error, "code", "not_possible")
        self.audience.tell(ErrorNews(code=code, message=str(error), reply_to=reply_to), [watcher])
        self._show(watcher)  # so that the page can put back what it has moved already

    async def _handle(self, message: AnyMessage, watcher: Watcher) -> None:
        if isinstance(message, MoveMessage):
            await self._change(lambda session: session.play_text(message.move), message.revision)
        elif isinstance(message, TakebackMessage):
            await self._change(Session.takeback, message.revision)
        elif isinstance(message, EvaluateMessage):
            watcher.wants_evaluation = message.on
            if message.on and message.ply is not None:
                self._eval_bar.look_back(self.session, message.ply)
            else:
                self._eval_bar.attend(self.session, again=True)
        elif isinstance(message, HintMessage):
            self._check_revision(message.revision)
            if self.session.is_over or not self.session.match.is_persons_turn:
                raise RefusedError("not_your_turn", "Hints are for your own turn.")
            self._run(self._give_hint(message.id, watcher))
        else:
            await self._handle_plain(message)

    async def _handle_plain(self, message: PlainMessage) -> None:
        if message.type == "resign":
            await self._change(Session.resign)
        elif message.type == "offer_draw":
            await self._change(Session.offer_draw)
            if self.session.you is None:
                self._notify("draw_offered", "A draw is offered.", message.id)
            else:
                self._run(self._answer_draw(message.id))
        elif message.type in ("accept_draw", "decline_draw"):
            if self.session.you is not None and self.session.draw_offer == self.session.you:
                raise RefusedError("not_possible", "The engine answers by itself.")
            await self._change(lambda session: session.answer_draw(message.type == "accept_draw"))
        elif message.type == "flag":
            await self._check_flag()
        else:
            await self._retry()

    def _check_revision(self, revision: int) -> None:
        if revision != self.session.stored.revision:
            raise RefusedError("stale_position", "The game has gone on; look at the board again.")

    def _notify(self, code: str, text: str, reply_to: int | None) -> None:
        self.audience.tell(Notice(code=code, message=text, reply_to=reply_to))

    # --- What changes -------------------------------------------------------------------------------------------

    async def change(self, action: Action, revision: int) -> None:
        """Changes the game of this revision for somebody who is not at its socket. Raises a PhilidorError."""
        await self._change(action, revision)

    async def _change(self, action: Action, revision: int | None = None) -> None:
        """Changes the game, writes it down, and only then tells everybody. Raises a PhilidorError."""
        async with self._lock:
            if revision is not None:
                self._check_revision(revision)
            await self._commit(action)

    async def _commit(self, action: Action) -> None:
        before = len(self.session.stored.moves)
        action(self.session)
        stored = self.session.stored
        try:
            await self._save(stored, min(before, len(stored.moves)))
        except Exception as error:
            # What is not on disk has not happened.
            _log.warning("cannot write the game", exc_info=error)
            self.session = await self._reload()
            self._attend()
            self._show()
            reason = str(error) if isinstance(error, NotSavedError) else f"This could not be saved: {error}"
            raise RefusedError("not_saved", reason) from error
        self._attend()
        self._show()

    async def _play_engine(self, revision: int, answer: Answer) -> None:
        async with self._lock:
            if self.session.stored.revision != revision or await self._has_flagged():
                return
            await self._commit(answer.carry_out)

    async def _retry(self) -> None:
        if self._engine.view.status != "failed":
            raise RefusedError("not_possible", "There is nothing to try again.")
        async with self._lock:
            self._engine.retry(self.session)
            self._show()

    # --- What runs ----------------------------------------------------------------------------------------------

    def _attend(self) -> None:
        """Starts and stops clock, engine and verdicts as the game and its watchers need it."""
        is_watched = len(self.audience) > 0
        self.session.hold_clock(is_watched)
        self._set_flag_timer()
        self._eval_bar.attend(self.session)
        self._engine.attend(self.session)
        if not is_watched:
            for task in self._errands:
                task.cancel()
            self.session.forget_unanswered_offer()

    def _run(self, errand: Coroutine[Any, Any, None]) -> None:
        """Does something beside the game; it ends with the last tab."""
        task = asyncio.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _give_hint(self, reply_to: int | None, watcher: Watcher) -> None:
        try:
            found = await hint(self._workers, self.session, reply_to)
        except PhilidorError as error:
            self._refuse(RefusedError("engine_failed", describe_failure(error)), reply_to, watcher)
            return
        self.audience.tell(found, [watcher])

    async def _answer_draw(self, reply_to: int | None) -> None:
        """Lets the engine decide about the person's offer."""
        revision = self.session.stored.revision
        is_accepted = await takes_draw(self._workers, self.session, self._engine.player)
        async with self._lock:
            if self.session.stored.revision != revision:
                return  # the game has gone on meanwhile
            await self._commit(lambda session: session.answer_draw(is_accepted))
        if not is_accepted:
            self._notify("draw_declined", "The engine wants to play on.", reply_to)

    def _set_flag_timer(self) -> None:
        if self._flag_timer is not None:
            self._flag_timer.cancel()
            self._flag_timer = None
        seconds = None if self.session.clock is None else self.session.clock.seconds_to_flag()
        if seconds is not None:
            loop = asyncio.get_running_loop()
            self._flag_timer = loop.call_later(seconds + 0.01, lambda: self._run(self._check_flag()))

    async def _check_flag(self) -> None:
        async with self._lock:
            if not await self._has_flagged():
                self._set_flag_timer()

    async def _has_flagged(self) -> bool:
        """Ends the game if somebody's time is over; says whether."""
        if not self.session.has_flagged():
            return False
        await self._commit(Session.flag)
        return True
