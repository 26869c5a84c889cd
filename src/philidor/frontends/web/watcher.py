"""The tabs that watch a game or a study: what waits to be sent to each, and how much it may send itself."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from philidor.frontends.web.analysis.news import AnyStudyNews
from philidor.frontends.web.analysis.schema import SeatView
from philidor.frontends.web.limits import Bucket
from philidor.frontends.web.news import AnyNews, GameNews
from philidor.frontends.web.schema import PlayedMove

# A tab that does not read is dropped; what it missed it gets when it comes back.
_MAX_QUEUED = 200
_MESSAGES, _MESSAGES_PER_S = 200, 50
Sent: TypeAlias = AnyNews | AnyStudyNews


class Watcher:
    """Messages wait here until the socket has taken them; of whole games only the newest."""

    def __init__(self) -> None:
        self.wants_evaluation = False
        self.bucket = Bucket(_MESSAGES, _MESSAGES_PER_S)
        self._queue: deque[Sent] = deque()
        self._sent: list[PlayedMove] = []
        """The moves that the tab has."""
        self._ready = asyncio.Event()
        self.is_lost = False
        """Whether the tab has fallen too far behind."""
        self.is_closed = False
        self.close_code = 1000

    def send(self, news: Sent) -> None:
        """Queues a message; a newer game or report makes an older one of its kind superfluous."""
        topic = _topic(news)
        if topic is not None:
            self._queue = deque(message for message in self._queue if _topic(message) != topic)
        self._queue.append(news)
        self.is_lost = self.is_lost or len(self._queue) > _MAX_QUEUED
        self._ready.set()

    def close(self) -> None:
        """Ends the stream after what is queued."""
        self.is_closed = True
        self._ready.set()

    async def next(self) -> str | None:
        """Returns the next message; None at the end."""
        while not self._queue:
            if self.is_closed or self.is_lost:
                return None
            self._ready.clear()
            await self._ready.wait()
        return None if self.is_lost else self._write(self._queue.popleft())

    def _write(self, news: Sent) -> str:
        """Writes a message; of a game, only what this tab has not been sent."""
        if isinstance(news, GameNews):
            moves, kept = news.game.moves, 0
            while kept < min(len(moves), len(self._sent)) and moves[kept] is self._sent[kept]:
                kept += 1
            self._sent = moves
            news = GameNews(kept=kept, game=news.game.model_copy(update={"moves": moves[kept:]}))
        return news.model_dump_json(by_alias=True)


def _topic(news: Sent) -> str | None:
    """Returns what a message is the newest word on, so that older ones need not be sent; None if each counts."""
    if isinstance(news, SeatView):
        return f"{news.type} {news.seat}"
    return news.type if news.type in ("game", "thinking", "reviewing") else None


class Audience:
    """All tabs that watch one game or study."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()

    def __len__(self) -> int:
        return len(self.watchers)

    def __iter__(self) -> Iterator[Watcher]:
        return iter(tuple(self.watchers))

    def tell(self, news: Sent, to: Iterable[Watcher] | None = None) -> None:
        """Sends a message to all, or to some."""
        for watcher in self if to is None else to:
            watcher.send(news)
