"""Connections that have not shown yet that they may ask: their time and their number are limited.

Whoever opens connections and says nothing would otherwise use up all that a process may have open, and keep the owner
out. When there is no more room the oldest stranger goes, never the one who has just come: that may be the owner.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from uvicorn.protocols.http.h11_impl import H11Protocol

Client: TypeAlias = tuple[str, int]
"""Address and port of the other side: no two connections have the same."""

PATIENCE_S = 10.0
"""From the connection to the end of a request's headers that is let in."""
PER_ADDRESS, IN_ALL = 32, 128
"""Strangers at a time. A browser opens six connections, and macOS lets a process have 256 files and sockets."""


@dataclass(frozen=True)
class _Stranger:
    close: Callable[[], None]
    timer: asyncio.TimerHandle


class Doorway:
    """All strangers, the oldest first. Lives in the server's event loop."""

    def __init__(self, patience_s: float = PATIENCE_S, per_address: int = PER_ADDRESS, in_all: int = IN_ALL) -> None:
        self._patience_s, self._per_address, self._in_all = patience_s, per_address, in_all
        self._strangers: dict[Client, _Stranger] = {}

    def __len__(self) -> int:
        return len(self._strangers)

    def enter(self, client: Client, close: Callable[[], None]) -> None:
        """Takes a new connection in, for a while; `close` ends it."""
        timer = asyncio.get_running_loop().call_later(self._patience_s, self._send_away, client)
        self._strangers[client] = _Stranger(close, timer)
        counts = Counter(address for address, _ in self._strangers)
        if counts[client[0]] > self._per_address:
            self._send_oldest_away(client[0])
        elif len(self) > self._in_all:
            self._send_oldest_away(counts.most_common(1)[0][0])

    def _send_oldest_away(self, address: str) -> None:
        self._send_away(next(client for client in self._strangers if client[0] == address))

    def _send_away(self, client: Client) -> None:
        stranger = self.leave(client)
        if stranger is not None:
            stranger.close()

    def leave(self, client: Client) -> _Stranger | None:
        """Forgets a connection: it has ended, or is a stranger no more."""
        stranger = self._strangers.pop(client, None)
        if stranger is not None:
            stranger.timer.cancel()
        return stranger


class DoorwayProtocol(H11Protocol):
    """uvicorn's HTTP, with a doorway that every connection comes in by."""

    def __init__(self, doorway: Doorway, **server: Any) -> None:
        super().__init__(**server)
        self._doorway = doorway

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins a connection."""
        super().connection_made(transport)
        if self.client is not None:
            self._doorway.enter(self.client, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends it."""
        if self.client is not None:
            self._doorway.leave(self.client)
        super().connection_lost(exc)
