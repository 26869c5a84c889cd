"""A study that somebody looks at: it answers messages, keeps engines going, and tells all tabs what changes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, TypeAlias

from philidor.core.errors import IllegalMoveError, PhilidorError
from philidor.core.thinking import Signal
from philidor.frontends.web.analysis import requests, reviewing
from philidor.frontends.web.analysis.crowds import find_crowd
from philidor.frontends.web.analysis.news import AnyStudyNews, Reviewing, ReviewNews, StudyChange, StudyNews
from philidor.frontends.web.analysis.schema import PlaceView, StudyView, TableVerdict
from philidor.frontends.web.analysis.seats import Seat
from philidor.frontends.web.analysis.shelf import StoredStudy
from philidor.frontends.web.analysis.tree import Change, StudyTree, title_of
from philidor.frontends.web.catalog import Catalog
from philidor.frontends.web.news import ErrorNews
from philidor.frontends.web.searching import describe_failure
from philidor.frontends.web.session import RefusedError
from philidor.frontends.web.watcher import Audience, Watcher
from philidor.frontends.web.workers import ADVICE, Workers
from philidor.games.chess import Position
from philidor.games.chess.syzygy import Tablebases
from philidor.reviews.annotating import annotated
from philidor.reviews.candidates import PositionReview, review_position
from philidor.reviews.crowd import nearest

Save: TypeAlias = Callable[[StoredStudy], Awaitable[None]]
Reload: TypeAlias = Callable[[], Awaitable[tuple[StoredStudy, StudyTree]]]
Action: TypeAlias = Callable[[StudyTree], Change]

_EDITS: dict[type[requests.Edit], Callable[[Any], Action]] = {
    requests.StudyMoveMessage: lambda edit: lambda tree: tree.add_line(edit.node, [edit.move]),
    requests.LineMessage: lambda edit: lambda tree: tree.add_line(edit.node, edit.moves),
    requests.DeleteMessage: lambda edit: lambda tree: tree.delete(edit.node),
    requests.PromoteMessage: lambda edit: lambda tree: tree.promote(edit.node, to_main=edit.main),
    requests.CommentMessage: lambda edit: lambda tree: tree.set_comment(edit.node, edit.text),
    requests.NagsMessage: lambda edit: lambda tree: tree.set_nags(edit.node, edit.nags),
    requests.TagsMessage: lambda edit: lambda tree: tree.set_tags(edit.tags),
}
_PEOPLE_NODES = 30_000
_RATINGS = range(800, 2401, 100)
_log = logging.getLogger(__name__)


class LiveStudy:
    """All methods run in the server's event loop; `_lock` lets one change at a time happen."""

    def __init__(
        self,
        stored: StoredStudy,
        tree: StudyTree,
        catalog: Catalog,
        workers: Workers,
        tables: Tablebases | None,
        save: Save,
        reload: Reload,
    ) -> None:
        self.stored, self.tree = stored, tree
        self.audience = Audience()
        self.users = 0
        """How many are using the study just now, watching or not."""
        self._catalog, self._workers, self._tables = catalog, workers, tables
        self._drawer = catalog.drawer("chess")
        self._save, self._reload = save, reload
        self._lock = asyncio.Lock()
        self._seats: dict[Watcher, tuple[Seat, Seat]] = {}
        self._errands: dict[asyncio.Task[None], Watcher | None] = {}
        self._judged = None if stored.review is None else reviewing.Judged.from_dict(stored.review)
        self._review_task: asyncio.Task[None] | None = None
        self._review_lock = asyncio.Lock()
        """Held by the review that is made, until a stopped one has been kept: the next goes on from there."""

    def view(self) -> StudyView:
        """The study as pages see it."""
        stored = self.stored
        return StudyView(
            id=stored.id,
            revision=stored.revision,
            title=stored.title,
            tags=self.tree.tags,
            problems=stored.problems,
            source=stored.source,
            created=stored.created,
            updated=stored.updated,
            nodes=self.tree.views(),
        )

    # --- Who watches --------------------------------------------------------------------------------------------

    async def join(self, watcher: Watcher) -> None:
        """Takes a tab in and shows it the study."""
        async with self._lock:
            self.audience.watchers.add(watcher)
            self._seats[watcher] = (self._seat(0, watcher), self._seat(1, watcher))
            await self._show([watcher])

    def _seat(self, number: Any, watcher: Watcher) -> Seat:
        return Seat(number, self._catalog, self._workers, watcher.send)

    async def leave(self, watcher: Watcher) -> None:
        """Lets a tab go: its engines end at once, and the review with the last tab."""
        self.audience.watchers.discard(watcher)
        for seat in self._seats.pop(watcher, ()):
            seat.order(None)
            for task in seat.tasks:
                self._errands[task] = None
                task.add_done_callback(lambda done: self._errands.pop(done, None))
        for task, owner in list(self._errands.items()):
            if owner is watcher:
                task.cancel()
        if not len(self.audience):
            self._stop_review()

    @property
    def is_idle(self) -> bool:
        """Whether the study can be forgotten until somebody asks for it."""
        return not (self.users or len(self.audience) or self._lock.locked() or self._errands)

    async def close(self, last_message: AnyStudyNews | None = None) -> None:
        """Ends everything that runs, and the conversation with every tab."""
        if last_message is not None:
            self.audience.tell(last_message)
        for watcher in self.audience:
            watcher.close()
            await self.leave(watcher)
        self._stop_review()
        if self._errands:
            await asyncio.wait(tuple(self._errands))

    async def _show(self, to: list[Watcher] | None = None) -> None:
        """Sends the whole study, and its review if there is one."""
        view, review = await asyncio.to_thread(lambda: (self.view(), self._review_news()))
        self.audience.tell(StudyNews(study=view), to)
        self.audience.tell(review, to)

    def _review_news(self) -> ReviewNews:
        found = reviewing.review_of(self.tree, self._judged)
        return ReviewNews(review=None if found is None else reviewing.review_view(self.tree, found))

    # --- What they say ------------------------------------------------------------------------------------------

    async def handle(self, message: requests.StudyMessage, watcher: Watcher) -> None:
        """Does what a tab asks for, or tells it why not; the study is intact in any case."""
        try:
            await self._handle(message, watcher)
        except PhilidorError as error:
            self._refuse(error, message.id, watcher)
            if getattr(error, "code", "") in ("stale_position", "not_saved"):
                async with self._lock:
                    await self._show([watcher])

    def _refuse(self, error: PhilidorError, reply_to: int | None, watcher: Watcher) -> None:
        code = "illegal_move" if isinstance(error, IllegalMoveError) else getattr(error, "code", "not_possible")
        self.audience.tell(ErrorNews(code=code, message=str(error), reply_to=reply_to), [watcher])

    async def _handle(self, message: requests.StudyMessage, watcher: Watcher) -> None:
        if isinstance(message, requests.AnnotateMessage):
            await self._annotate(message, watcher)
        elif isinstance(message, requests.Edit):
            await self._change(_EDITS[type(message)](message), message, watcher)
        elif isinstance(message, requests.LookMessage):
            self._look(message.node, watcher)
        elif isinstance(message, requests.AnalyseMessage | requests.StopMessage):
            order = message if isinstance(message, requests.AnalyseMessage) else None
            if watcher in self._seats:
                self._seats[watcher][message.seat].order(order)
        elif isinstance(message, requests.ReviewMessage):
            self._begin_review(message, watcher)
        elif isinstance(message, requests.StopReviewMessage):
            self._stop_review()
        elif isinstance(message, requests.TryMessage):
            self._run(self._try(message, watcher), message.id, watcher)
        else:
            self._run(self._ask_people(message, watcher), message.id, watcher)

    def _run(self, errand: Coroutine[Any, Any, None], reply_to: int | None, watcher: Watcher) -> None:
        """Does something beside the study for one tab; it ends with the tab."""

        async def run() -> None:
            try:
                await errand
            except (RefusedError, IllegalMoveError) as error:
                self._refuse(error, reply_to, watcher)
            except Exception as error:
                _log.info("an errand failed", exc_info=error)
                self._refuse(RefusedError("engine_failed", describe_failure(error)), reply_to, watcher)

        task = asyncio.create_task(run())
        self._errands[task] = watcher
        task.add_done_callback(lambda done: self._errands.pop(done, None))

    # --- What changes -------------------------------------------------------------------------------------------

    async def _change(self, action: Action, edit: requests.Edit, watcher: Watcher) -> None:
        """Changes the study, writes it down, and only then tells everybody. Raises a PhilidorError."""
        async with self._lock:
            self._check_revision(edit)
            before = reviewing.key_of(self.tree)
            change = action(self.tree)
            if change.nodes or change.tags:
                await self._keep()
            self._tell_change(change, edit, watcher)
            if before != reviewing.key_of(self.tree):
                self._stop_review()
                self.audience.tell(await asyncio.to_thread(self._review_news))

    def _check_revision(self, edit: requests.Edit) -> None:
        if edit.revision != self.stored.revision:
            raise RefusedError("stale_position", "The study has changed in another window; look at it again.")

    async def _annotate(self, edit: requests.AnnotateMessage, watcher: Watcher) -> None:
        """Writes the review into the study. Raises a PhilidorError."""
        async with self._lock:
            self._check_revision(edit)
            review = reviewing.review_of(self.tree, self._judged)
            if review is None:
                raise RefusedError("not_possible", "The game has not been reviewed as it is now.")
            self.tree = await asyncio.to_thread(lambda: self.tree.replaced(annotated(review)))
            await self._keep()
            self._tell_change(Change(), edit, watcher)
            await self._show()

    async def _keep(self) -> None:
        stored, tree = self.stored, self.tree
        stored.revision += 1
        stored.title, stored.result = title_of(tree.tags), tree.tags.get("Result", "*")
        try:
            stored.pgn = await asyncio.to_thread(tree.pgn)
            await self._save(stored)
        except Exception as error:
            # What is not on disk has not happened.
            _log.warning("cannot write the study", exc_info=error)
            self.stored, self.tree = await self._reload()
            await self._show()
            raise RefusedError("not_saved", str(error)) from error

    def _tell_change(self, change: Change, edit: requests.Edit, watcher: Watcher) -> None:
        news = StudyChange(
            revision=self.stored.revision,
            title=self.stored.title,
            nodes=self.tree.views(change.nodes),
            removed=list(change.removed),
            tags=self.tree.tags if change.tags else None,
            focus=None,
            reply_to=None,
        )
        if change.nodes or change.tags:
            self.audience.tell(news, [each for each in self.audience if each is not watcher])
        self.audience.tell(news.model_copy(update={"focus": change.focus, "reply_to": edit.id}), [watcher])

    # --- What is looked at --------------------------------------------------------------------------------------

    def _look(self, node: int, watcher: Watcher) -> None:
        position = self.tree.position(node)
        for seat in self._seats.get(watcher, ()):
            seat.look(node, position)
        news = PlaceView(
            node=node,
            position=self._drawer.position(position),
            legal=self._drawer.legal(position) if not position.is_over() else [],
            result=self._drawer.result(position.outcome(), position),
            tables=self._table_verdict(position),
        )
        watcher.send(news)

    def _table_verdict(self, position: Position) -> TableVerdict | None:
        found = None if self._tables is None or position.is_over() else self._tables.verdict(position)
        if found is None:
            return None
        sides = ("White", "Black") if position.turn else ("Black", "White")
        words = {
            2: f"{sides[0]} wins",
            1: f"{sides[0]} would win, but the fifty-move rule makes it a draw",
            0: "A draw",
            -1: f"{sides[1]} would win, but the fifty-move rule makes it a draw",
            -2: f"{sides[1]} wins",
        }
        return TableVerdict(text=words[found.wdl], moves=[position.san(move) for move in found.moves])

    async def _ask_people(self, message: requests.PeopleMessage, watcher: Watcher) -> None:
        node, tree = message.node, self.tree
        position, config = tree.position(node), reviewing.review_config(_PEOPLE_NODES, None)

        def work(stop: Signal) -> PositionReview:
            crowd = find_crowd(self._catalog.roster, message.crowd).files
            return review_position(position, config, ratings=_RATINGS, crowd=crowd, is_stopped=stop)

        found = await self._workers.run(work, ADVICE)
        if node in tree:
            watcher.send(reviewing.people_view(tree, node, message.crowd, found))

    # --- Reviews ------------------------------------------------------------------------------------------------

    def _begin_review(self, message: requests.ReviewMessage, watcher: Watcher) -> None:
        if self._review_task is not None and not self._review_task.done():
            raise RefusedError("not_possible", "The review is being made already.")
        sheet, key = self.tree.sheet(), reviewing.key_of(self.tree)
        net = None
        if message.human is not None:
            files = find_crowd(self._catalog.roster, message.crowd).files
            net = files[nearest(files, message.human)]
        config = reviewing.review_config(message.nodes, message.human, net)
        if self._judged is None or self._judged.config != config or self._judged.key != key:
            self._judged = reviewing.Judged(config, key)
        task = asyncio.create_task(self._review(sheet.positions, self._judged, message.id, watcher))
        self._review_task = task
        self._errands[task] = None
        task.add_done_callback(lambda done: self._errands.pop(done, None))

    def _stop_review(self) -> None:
        if self._review_task is not None:
            self._review_task.cancel()
            self._review_task = None

    async def _review(
        self, positions: tuple[Position, ...], judged: reviewing.Judged, reply_to: int | None, watcher: Watcher
    ) -> None:
        def progress(done: int, total: int) -> None:
            self.audience.tell(Reviewing(done=done, total=total))

        async with self._review_lock:
            try:
                await reviewing.judge(self._workers, positions, judged, progress)
                async with self._lock:
                    self.stored.review = judged.to_dict()
                    await self._save(self.stored)
                    self.audience.tell(await asyncio.to_thread(self._review_news))
            except asyncio.CancelledError:
                self.audience.tell(Reviewing(done=0, total=0))
                await self._save_partly(judged)
                raise
            except Exception as error:
                _log.warning("the review failed", exc_info=error)
                self.audience.tell(Reviewing(done=0, total=0))
                cause = error.exceptions[0] if isinstance(error, ExceptionGroup) else error
                self._refuse(RefusedError("engine_failed", describe_failure(cause)), reply_to, watcher)

    async def _save_partly(self, judged: reviewing.Judged) -> None:
        """Keeps what was judged before the review was stopped."""
        if judged.blocks and judged is self._judged:
            self.stored.review = judged.to_dict()
            try:
                await self._save(self.stored)
            except PhilidorError as error:  # it is only time that is lost
                _log.warning("the review: %s", error)

    async def _try(self, message: requests.TryMessage, watcher: Watcher) -> None:
        judged = self._judged
        if judged is None or reviewing.review_of(self.tree, judged) is None:
            raise RefusedError("not_possible", "The game has not been reviewed as it is now.")
        # The tree may change while a worker looks at its positions, which do not.
        positions = self.tree.sheet().positions
        work = partial(reviewing.try_move, self._drawer, positions, judged, message)
        watcher.send(await self._workers.run(work, ADVICE))
