"""The conversation with one tab over its socket."""

from __future__ import annotations

import asyncio
import contextlib
import json

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from philidor.core.errors import PhilidorError
from philidor.frontends.web.live import LiveGame
from philidor.frontends.web.lobby import Lobby
from philidor.frontends.web.requests import AnyMessage, describe_invalid
from philidor.frontends.web.watcher import Watcher

MAX_MESSAGE = 8_192
NO_SUCH_GAME, TOO_MANY_MESSAGES = 4404, 4429
_MESSAGES: TypeAdapter[AnyMessage] = TypeAdapter(AnyMessage)


async def converse(socket: WebSocket, lobby: Lobby, game_id: str) -> None:
    """Talks with a tab until it leaves or the game is gone."""
    await socket.accept()
    try:
        async with lobby.game(game_id) as game:
            await _watch(socket, game)
    except PhilidorError as error:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(NO_SUCH_GAME, str(error)[:100])


async def _watch(socket: WebSocket, game: LiveGame) -> None:
    watcher = Watcher()
    await game.join(watcher)
    listening = asyncio.create_task(_listen(socket, game, watcher))
    sending = asyncio.create_task(_send(socket, watcher))
    try:
        await asyncio.wait([listening, sending], return_when=asyncio.FIRST_COMPLETED)
    finally:
        listening.cancel()
        sending.cancel()
        await asyncio.gather(listening, sending, return_exceptions=True)
        await game.leave(watcher)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(watcher.close_code)


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (text := await watcher.next()) is not None:
            await socket.send_text(text)


async def _listen(socket: WebSocket, game: LiveGame, watcher: Watcher) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            received = await socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            if not watcher.bucket.take():
                watcher.close_code = TOO_MANY_MESSAGES
                return
            message = _parse(received.get("text"), watcher)
            if message is not None:
                await game.handle(message, watcher)


def _parse(text: str | None, watcher: Watcher) -> AnyMessage | None:
    """Reads a message; what is none is answered with an error."""
    try:
        return _MESSAGES.validate_json(text or "")
    except ValidationError as error:
        problem = describe_invalid(error.errors(include_url=False, include_context=False, include_input=False))
        body = {"type": "error", "code": "bad_message", "message": problem, "reply_to": None}
        watcher.send("error", json.dumps(body))
        return None
