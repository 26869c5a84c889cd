"""The socket of a tab, whatever the tab shows."""

from __future__ import annotations

import json
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from websockets.sync.client import connect

PATIENCE_S = 60.0


class LiveSocket:
    """An open socket that closes with its `with` block."""

    def __init__(self, url: str, path: str, **options: Any) -> None:
        self._stack = ExitStack()
        self._socket = self._stack.enter_context(connect(url.replace("http", "ws", 1) + path, **options))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._stack.close()

    def send(self, kind: str, **content: Any) -> None:
        self._socket.send(json.dumps({"type": kind, **content}))
