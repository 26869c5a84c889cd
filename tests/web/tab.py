"""A browser's tab without a browser: it opens a game's socket, sends messages and waits for answers."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx

from philidor.frontends.web.limits import Bucket
from tests.web.live import PATIENCE_S, LiveSocket


class Tab(LiveSocket):
    """One open socket; `game` is the newest view that came in."""

    def __init__(self, url: str, game_id: str, **options: Any) -> None:
        self.id = game_id
        super().__init__(url, f"/api/games/{game_id}/live", **options)
        # Less than the server allows a tab, 200 at once and then 50 a second: who sends more is shown the door.
        self._pace = Bucket(150, 40)
        self.game: dict[str, Any] = {}
        self.wait("game")

    def send_text(self, text: str | bytes) -> None:
        self._socket.send(text)

    def receive(self, timeout_s: float = PATIENCE_S) -> dict[str, Any]:
        text = self._socket.recv(timeout=timeout_s)
        message: dict[str, Any] = {**json.loads(text), "size": len(text)}
        if message["type"] == "game":
            moves = [*self.game.get("moves", [])[: message["kept"]], *message["game"]["moves"]]
            message["game"]["moves"] = moves
            self.game = message["game"]
        return message

    def wait(self, kind: str, timeout_s: float = PATIENCE_S, **expected: Any) -> dict[str, Any]:
        """Reads until a message of this kind, with these contents, has come."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            message = self.receive(max(0.01, deadline - time.monotonic()))
            content = message["game"] if kind == "game" == message["type"] else message
            if message["type"] == kind and all(content[key] == value for key, value in expected.items()):
                return message
        raise AssertionError(f"no {kind} with {expected} came")

    def move(self, text: str) -> None:
        """Makes a move and waits until it is on the board."""
        while not self._pace.take():
            time.sleep(0.02)
        before = self.game["revision"]
        self.send("move", revision=before, move=text)
        while self.game["revision"] == before:
            message = self.receive()
            assert message["type"] != "error", message

    def move_and_wait(self, text: str) -> None:
        """Makes a move and waits for the engine's answer, or the end."""
        self.move(text)
        while self.game["status"] == "engine_turn":
            self.receive()


def new_game(url: str, game: str = "chess", **wishes: Any) -> dict[str, Any]:
    """Starts a game; returns its view."""
    answer = httpx.post(f"{url}/api/games", json={"game": game, **wishes})
    assert answer.status_code == 201, answer.text
    view: dict[str, Any] = answer.json()
    return view
