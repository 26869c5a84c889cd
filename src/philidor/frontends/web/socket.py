"""The conversation with one tab over its socket."""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from philidor.core.errors import PhilidorError
from philidor.frontends.web.news import ErrorNews
from philidor.frontends.web.requests import Message, describe_invalid
from philidor.frontends.web.watcher import Watcher

MAX_MESSAGE = 32_768
NO_SUCH_GAME, TOO_MANY_MESSAGES = 4404, 4429


class Watched(Protocol):
    """What tabs can watch: a game, a study."""

    async def join(self, watcher: Watcher, /) -> None:
        """Takes a tab in and shows it everything."""

    async def leave(self, watcher: Watcher, /) -> None:
        """Lets a tab go."""

    async def handle(self, message: Any, watcher: Watcher, /) -> None:
        """Does what a tab asks for, or tells it why not."""


async def converse(socket: WebSocket, found: AbstractAsyncContextManager[Watched], messages: TypeAdapter[Any]) -> None:
    """Talks with a tab until it leaves or what it watches is gone; `messages` is what it may say."""
    await socket.accept()
    try:
        async with found as watched:
            await _watch(socket, watched, messages)
    except PhilidorError as error:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(NO_SUCH_GAME, str(error)[:100])


async def _watch(socket: WebSocket, watched: Watched, messages: TypeAdapter[Any]) -> None:
    watcher = Watcher()
    await watched.join(watcher)
    listening = asyncio.create_task(_listen(socket, watched, watcher, messages))
    sending = asyncio.create_task(_send(socket, watcher))
    try:
        await asyncio.wait([listening, sending], return_when=asyncio.FIRST_COMPLETED)
    finally:
        listening.cancel()
        sending.cancel()
        await asyncio.gather(listening, sending, return_exceptions=True)
        await watched.leave(watcher)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(watcher.close_code)


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (text := await watcher.next()) is not None:
            await socket.send_text(text)


async def _listen(socket: WebSocket, watched: Watched, watcher: Watcher, messages: TypeAdapter[Any]) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            received = await socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            if not watcher.bucket.take():
                watcher.close_code = TOO_MANY_MESSAGES
                return
            message = _parse(received.get("text"), watcher, messages)
            if message is not None:
                await watched.handle(message, watcher)


def _parse(text: str | None, watcher: Watcher, messages: TypeAdapter[Any]) -> Message | None:
    """Reads a message; what is none is answered with an error."""
    try:
        message: Message = messages.validate_json(text or "")
        return message
    except ValidationError as error:
        problem = describe_invalid(error.errors(include_url=False, include_context=False, include_input=False))
        watcher.send(ErrorNews(code="bad_message", message=problem, reply_to=None))
        return None
