"""The wire between page and server, in the hands of a test: what the server says can be kept back for a while."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocketRoute


class Wire:
    """All sockets that a page opens from now on; nothing is lost, only late."""

    def __init__(self, page: Page) -> None:
        self._socket: WebSocketRoute | None = None
        self._kept: list[str | bytes] = []
        self._most_moves: int | None = None
        page.route_web_socket("**/live", self._open)

    def keep_games_longer_than(self, moves: int) -> None:
        """Keeps games back that have more moves than this, and all that comes after them."""
        self._most_moves = moves

    def release(self) -> None:
        """Delivers what was kept back."""
        self._most_moves = None
        assert self._socket is not None
        for text in self._kept:
            self._socket.send(text)
        self._kept.clear()

    def _open(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        server = socket.connect_to_server()

        def forward(text: str | bytes) -> None:
            if self._kept or self._is_too_long(text):
                self._kept.append(text)
            else:
                socket.send(text)

        server.on_message(forward)

    def _is_too_long(self, text: str | bytes) -> bool:
        message = json.loads(text)
        if self._most_moves is None or message["type"] != "game":
            return False
        moves: int = message["kept"] + len(message["game"]["moves"])
        return moves > self._most_moves
