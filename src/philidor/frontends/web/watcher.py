"""The tabs that watch a game: what waits to be sent to each, and how much it may send itself."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from philidor.frontends.web.limits import Bucket
from philidor.frontends.web.schema import GameView

# A tab that does not read is dropped; what it missed it gets when it comes back.
_MAX_QUEUED = 200
_MESSAGES, _MESSAGES_PER_S = 200, 50


class Watcher:
    """Messages wait here until the socket has taken them; of whole games only the newest."""

    def __init__(self) -> None:
        self.wants_evaluation = False
        self.bucket = Bucket(_MESSAGES, _MESSAGES_PER_S)
        self._queue: deque[tuple[str, str]] = deque()
        self._ready = asyncio.Event()
        self.is_lost = False
        """Whether the tab has fallen too far behind."""
        self.is_closed = False
        self.close_code = 1000

    def send(self, kind: str, text: str) -> None:
        """Queues a message; a newer game or report makes an older one of its kind superfluous."""
        if kind in ("game", "thinking", "evaluation"):
            self._queue = deque(message for message in self._queue if message[0] != kind)
        self._queue.append((kind, text))
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
        return None if self.is_lost else self._queue.popleft()[1]


class Audience:
    """All tabs that watch one game."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()

    def __len__(self) -> int:
        return len(self.watchers)

    def __iter__(self) -> Iterator[Watcher]:
        return iter(tuple(self.watchers))

    def tell(self, kind: str, content: dict[str, Any], to: Iterable[Watcher] | None = None) -> None:
        """Sends a message to all, or to some."""
        text = json.dumps({"type": kind, **content})
        for watcher in self if to is None else to:
            watcher.send(kind, text)

    def show(self, view: GameView, to: Iterable[Watcher] | None = None) -> None:
        """Sends the whole game to all, or to some."""
        text = f'{{"type":"game","game":{view.model_dump_json(by_alias=True)}}}'
        for watcher in self if to is None else to:
            watcher.send("game", text)
