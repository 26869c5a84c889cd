"""A game that somebody watches: it answers messages, lets the engine think, and tells all tabs what has changed."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeAlias

from philidor.core.analysis import Analysis
from philidor.core.errors import IllegalMoveError, PhilidorError
from philidor.core.evaluation import Wdl
from philidor.core.game import AnyState
from philidor.frontends.playing.advice import accepts_draw, adviser
from philidor.frontends.web import drawing, opponents
from philidor.frontends.web.schema import (
    AnyMessage,
    EngineView,
    EvaluateMessage,
    GameView,
    HintMessage,
    MoveMessage,
    PlainMessage,
    TakebackMessage,
)
from philidor.frontends.web.session import RefusedError, Session
from philidor.frontends.web.store import StoredGame
from philidor.frontends.web.watcher import Watcher
from philidor.frontends.web.workers import ADVICE, MOVE, VERDICT, Workers
from philidor.players import Player
from philidor.search.limits import Stop

Save: TypeAlias = Callable[[StoredGame, int], Awaitable[None]]
"""Writes a game's change from a ply on."""
Reload: TypeAlias = Callable[[], Awaitable[Session]]

_REPORT_INTERVAL_S = 0.2
_log = logging.getLogger(__name__)


class LiveGame:
    """All methods run in the server's event loop; `_lock` lets one change at a time happen."""

    def __init__(self, session: Session, workers: Workers, save: Save, reload: Reload) -> None:
        self.session = session
        self.watchers: set[Watcher] = set()
        self.users = 0
        """How many are using the game just now, watching or not."""
        self._workers = workers
        self._save, self._reload = save, reload
        self._lock = asyncio.Lock()
        self._player: Player | None = None
        self._engine = EngineView(status="idle")
        self._search: asyncio.Task[None] | None = None
        self._searched_revision = 0
        self._verdict: asyncio.Task[None] | None = None
        self._verdict_revision = 0
        self._errands: set[asyncio.Task[None]] = set()
        self._flag_timer: asyncio.TimerHandle | None = None

    # --- Who watches --------------------------------------------------------------------------------------------

    async def join(self, watcher: Watcher) -> None:
        """Takes a tab in and shows it the game."""
        self.watchers.add(watcher)
        async with self._lock:
            self._attend()
            self._show_game(watcher)

    async def leave(self, watcher: Watcher) -> None:
        """Lets a tab go; with the last one searches end and the clock stands still."""
        self.watchers.discard(watcher)
        if self.watchers:
            return
        async with self._lock:
            self._attend()
            if self.session.clock is not None and not self.watchers:
                self.session.describe()
                await self._save(self.session.stored, len(self.session.stored.moves))

    @property
    def is_idle(self) -> bool:
        """Whether the game can be forgotten until somebody asks for it."""
        tasks = (self._search, self._verdict, *self._errands)
        return not (
            self.users or self.watchers or self._lock.locked() or any(task and not task.done() for task in tasks)
        )

    async def close(self, notice: str | None = None) -> None:
        """Ends everything that runs; `notice` is the type of a last message."""
        watchers, self.watchers = self.watchers, set()
        for watcher in watchers:
            if notice is not None:
                watcher.send(notice, json.dumps({"type": notice}))
            watcher.close()
        async with self._lock:
            self._attend()
        tasks = [task for task in (self._search, self._verdict, *self._errands) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    # --- What they are told -------------------------------------------------------------------------------------

    def _tell(self, kind: str, content: dict[str, Any], to: Watcher | None = None) -> None:
        text = json.dumps({"type": kind, **content})
        for watcher in self.watchers if to is None else (to,):
            watcher.send(kind, text)

    def tell_settings(self, settings: dict[str, Any]) -> None:
        """Tells every tab what the settings are now."""
        self._tell("settings", {"settings": settings})

    def _show_game(self, to: Watcher | None = None) -> None:
        view = self.view().model_dump_json(by_alias=True)
        for watcher in self.watchers if to is None else (to,):
            watcher.send("game", f'{{"type":"game","game":{view}}}')

    def view(self) -> GameView:
        """The game as pages see it."""
        return self.session.view(self._engine)

    # --- What they say ------------------------------------------------------------------------------------------

    async def handle(self, message: AnyMessage, watcher: Watcher) -> None:
        """Does what a tab asks for, or tells it why not; the game is intact in any case."""
        try:
            await self._handle(message, watcher)
        except RefusedError as error:
            self._refuse(watcher, message.id, error.code, str(error))
        except IllegalMoveError as error:
            self._refuse(watcher, message.id, "illegal_move", str(error))
        except PhilidorError as error:
            self._refuse(watcher, message.id, "not_possible", str(error))

    def _refuse(self, watcher: Watcher, reply_to: int | None, code: str, text: str) -> None:
        self._tell("error", {"code": code, "message": text, "reply_to": reply_to}, watcher)
        self._show_game(watcher)  # so that the page can put back what it has moved already

    async def _handle(self, message: AnyMessage, watcher: Watcher) -> None:
        if isinstance(message, EvaluateMessage):
            watcher.wants_evaluation = message.on
            self._verdict_revision = 0
            self._attend_verdict()
        elif isinstance(message, MoveMessage):
            await self._change(lambda: self.session.play_text(message.move), message.revision)
        elif isinstance(message, TakebackMessage):
            await self._change(self.session.takeback, message.revision)
        elif isinstance(message, HintMessage):
            self._check_revision(message.revision)
            self._run(self._give_hint(message.id, watcher))
        else:
            await self._handle_plain(message, watcher)

    async def _handle_plain(self, message: PlainMessage, watcher: Watcher) -> None:
        if message.type == "resign":
            await self._change(self.session.resign)
        elif message.type == "offer_draw":
            await self._change(self.session.offer_draw)
            if self.session.you is None:
                self._tell("notice", {"code": "draw_offered", "message": "A draw is offered.", "reply_to": message.id})
            else:
                self._run(self._answer_draw(message.id))
        elif message.type in ("accept_draw", "decline_draw"):
            if self.session.you is not None:
                raise RefusedError("not_possible", "The engine answers by itself.")
            await self._change(lambda: self.session.answer_draw(message.type == "accept_draw"))
        elif message.type == "flag":
            await self._check_flag()
        elif self._engine.status == "failed":
            async with self._lock:
                self._engine = EngineView(status="idle")
                self._searched_revision = 0
                self._attend()
                self._show_game()
        else:
            raise RefusedError("not_possible", "There is nothing to try again.")

    def _check_revision(self, revision: int) -> None:
        if revision != self.session.stored.revision:
            raise RefusedError("stale_position", "The game has gone on; look at the board again.")

    async def _change(self, action: Callable[[], object], revision: int | None = None) -> None:
        """Changes the game, writes it down, and only then tells everybody. Raises a PhilidorError."""
        async with self._lock:
            if revision is not None:
                self._check_revision(revision)
            before = len(self.session.stored.moves)
            action()
            await self._commit(before)

    async def _commit(self, before: int) -> None:
        stored = self.session.stored
        try:
            await self._save(stored, min(before, len(stored.moves)))
        except Exception as error:
            # What is not on disk has not happened.
            _log.exception("cannot write the game")
            self.session = await self._reload()
            self._show_game()
            raise RefusedError("not_saved", f"The change could not be saved: {error}") from error
        self._attend()
        self._show_game()

    # --- What runs ----------------------------------------------------------------------------------------------

    def _run(self, errand: Coroutine[Any, Any, None]) -> None:
        """Does something beside the game; with the last tab it ends."""
        task = asyncio.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    def _attend(self) -> None:
        """Starts and stops clock, engine and verdicts as the game and its watchers need it."""
        is_watched = bool(self.watchers)
        self.session.hold_clock(is_watched)
        self._set_flag_timer()
        self._attend_engine(is_watched)
        self._attend_verdict()
        if not is_watched:
            for task in self._errands:
                task.cancel()

    def _attend_engine(self, is_watched: bool) -> None:
        revision = self.session.stored.revision
        is_wanted = is_watched and self.session.is_engines_turn
        if self._searched_revision == revision and is_wanted:
            return  # it thinks already, or has failed at just this position
        if self._search is not None:
            self._search.cancel()
        self._searched_revision = 0
        if not is_wanted:
            self._engine = EngineView(status="paused" if self.session.is_engines_turn else "idle")
            return
        self._searched_revision = revision
        self._engine = EngineView(status="thinking" if self._workers.has_room(MOVE) else "waiting")
        self._search = asyncio.create_task(self._think(self._search, revision))

    async def _think(self, previous: asyncio.Task[None] | None, revision: int) -> None:
        """Lets the engine make its move."""
        if previous is not None:
            await asyncio.wait([previous])
        try:
            state, begin = self.session.match.state, time.monotonic()
            analysis = await self._workers.run(self._thinking(state, revision), MOVE, self._search_started)
            assert analysis.best is not None, "the game is not over"
            found = drawing.thought(state, analysis, round(1000 * (time.monotonic() - begin)))
            async with self._lock:
                if self.session.stored.revision == revision:
                    before = len(self.session.stored.moves)
                    self._search = None
                    if not self.session.check_flag():
                        self.session.play_engine(analysis.best, found)
                    await self._commit(before)
        # Whatever an engine dies of, the game goes on: it can be asked again, or the move taken back.
        except Exception as error:
            _log.warning("the engine failed", exc_info=error)
            self._player = None
            self._engine = EngineView(status="failed", message=_one_line(error))
            self._tell("error", {"code": "engine_failed", "message": self._engine.message, "reply_to": None})
            self._show_game()
        finally:
            if self._search is asyncio.current_task():
                self._search = None

    def _search_started(self) -> None:
        if self._engine.status == "waiting":
            self._engine = EngineView(status="thinking")
            self._show_game()

    def _thinking(self, state: AnyState, revision: int) -> Callable[[Stop], Analysis]:
        """Returns the work of one search; it runs in another thread."""
        loop, setup = asyncio.get_running_loop(), self.session.stored.setup
        time_left = None if self.session.clock is None else self.session.clock.time_left()
        last = 0.0

        def report(analysis: Analysis) -> None:
            nonlocal last
            if time.monotonic() - last >= _REPORT_INTERVAL_S:
                last = time.monotonic()
                loop.call_soon_threadsafe(self._report, state, revision, analysis)

        def work(stop: Stop) -> Analysis:
            if self._player is None:
                self._player = opponents.make_player(self.session.opponent, setup["strength"], setup["seed"])
            return self._player.think(state, time_left=time_left, stop=stop, report=report)

        return work

    def _report(self, state: AnyState, revision: int, analysis: Analysis) -> None:
        if self._searched_revision != revision:
            return
        found = drawing.thought(state, analysis, round(1000 * analysis.time_s)).model_dump(mode="json")
        extra = {"revision": revision, "side": state.to_move, "nps": analysis.nodes_per_second}
        self._tell("thinking", {**found, **extra})

    async def _advise(self, state: AnyState, urgency: int) -> Analysis:
        """Asks one that plays well, whoever the opponent is."""
        game = self.session.match.game
        return await self._workers.run(lambda stop: adviser(game).think(state, stop=stop), urgency)

    async def _give_hint(self, reply_to: int | None, watcher: Watcher) -> None:
        session, state = self.session, self.session.match.state
        revision = session.stored.revision
        if session.is_over or not session.match.is_persons_turn:
            self._refuse(watcher, reply_to, "not_your_turn", "Hints are for your own turn.")
            return
        try:
            analysis = await self._advise(state, ADVICE)
        except PhilidorError as error:
            self._refuse(watcher, reply_to, "engine_failed", _one_line(error))
            return
        found = drawing.thought(state, analysis, 0).model_dump(mode="json")
        move = session.drawer.move(state, state.parse_move(analysis.best or ""))
        hint = {key: found[key] for key in ("score", "value", "line")}
        hint |= {"revision": revision, "move": move.model_dump(by_alias=True), "reply_to": reply_to}
        self._tell("hint", hint, watcher)

    async def _answer_draw(self, reply_to: int | None) -> None:
        """Lets the engine decide about the person's offer."""
        session, state = self.session, self.session.match.state
        revision, offered_by = session.stored.revision, session.draw_offer
        try:
            analysis = await self._advise(state, ADVICE)
            is_accepted = accepts_draw(_seen_from(analysis, state.to_move == offered_by), len(session.match.moves))
        except PhilidorError:
            is_accepted = False
        async with self._lock:
            if self.session.draw_offer is None or self.session.stored.revision != revision:
                return  # the game has gone on meanwhile
            before = len(self.session.stored.moves)
            self.session.answer_draw(is_accepted)
            await self._commit(before)
        if not is_accepted:
            text = "The engine wants to play on."
            self._tell("notice", {"code": "draw_declined", "message": text, "reply_to": reply_to})

    # --- The eval bar -------------------------------------------------------------------------------------------

    def _attend_verdict(self) -> None:
        revision = self.session.stored.revision
        if not any(watcher.wants_evaluation for watcher in self.watchers):
            revision = 0
        if revision == self._verdict_revision:
            return
        self._verdict_revision = revision
        if self._verdict is not None:
            self._verdict.cancel()
            self._verdict = None
        if revision:
            self._verdict = asyncio.create_task(self._judge(revision))

    async def _judge(self, revision: int) -> None:
        session, state = self.session, self.session.match.state
        outcome = session.match.outcome()
        content: dict[str, Any] = {"score": None, "wdl": None, "depth": None, "line": []}
        if outcome is not None:
            content["value"] = outcome.value_for(0)
        else:
            try:
                analysis = await self._advise(state, VERDICT)
            except PhilidorError as error:
                _log.info("no verdict on this position: %s", error)
                return
            found = drawing.thought(state, analysis, 0).model_dump(mode="json")
            content |= {key: found[key] for key in ("score", "depth", "line")}
            content |= {"value": found["value"] or 0.0, "wdl": _first_wdl(analysis.wdl, state.to_move)}
        content |= {"revision": revision, "ply": len(session.match.moves)}
        for watcher in self.watchers:
            if watcher.wants_evaluation:
                self._tell("evaluation", content, watcher)

    # --- The clock ----------------------------------------------------------------------------------------------

    def _set_flag_timer(self) -> None:
        if self._flag_timer is not None:
            self._flag_timer.cancel()
            self._flag_timer = None
        seconds = None if self.session.clock is None else self.session.clock.seconds_to_flag()
        if seconds is not None:
            self._flag_timer = asyncio.get_running_loop().call_later(
                seconds + 0.01, lambda: self._run(self._check_flag())
            )

    async def _check_flag(self) -> None:
        async with self._lock:
            if self.session.check_flag():
                await self._commit(len(self.session.stored.moves))
            else:
                self._set_flag_timer()


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if isinstance(error, PhilidorError) else f"{type(error).__name__}: {text}"


def _seen_from(analysis: Analysis, is_mover: bool) -> Analysis:
    """Returns the verdict of an analysis in the mover's view, or in the other one's."""
    if is_mover:
        return analysis
    wdl = analysis.wdl or (None if analysis.value is None else Wdl.from_value(analysis.value))
    score = None if analysis.score is None else analysis.score.flipped()
    return dataclasses.replace(analysis, score=score, wdl=None if wdl is None else wdl.flipped())


def _first_wdl(wdl: Wdl | None, to_move: int) -> list[float] | None:
    if wdl is None:
        return None
    return list(wdl if to_move == 0 else wdl.flipped())
