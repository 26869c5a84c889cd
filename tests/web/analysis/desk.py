"""A tab of the analysis board without a browser."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx

from tests.web.live import PATIENCE_S, LiveSocket


class StudyTab(LiveSocket):
    """One open socket of a study; `nodes` is the tree as the messages tell it."""

    def __init__(self, url: str, study_id: str) -> None:
        super().__init__(url, f"/api/studies/{study_id}/live", max_size=1 << 26)
        self.study: dict[str, Any] = {}
        self.nodes: dict[int, dict[str, Any]] = {}
        self.revision = 0
        self.wait("study")

    def receive(self, timeout_s: float = PATIENCE_S) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._socket.recv(timeout=timeout_s))
        if message["type"] == "study":
            self.study = message["study"]
            self.revision = self.study["revision"]
            self.nodes = {node["id"]: node for node in self.study["nodes"]}
        elif message["type"] == "change":
            self.revision = message["revision"]
            for node in message["removed"]:
                del self.nodes[node]
            self.nodes |= {node["id"]: node for node in message["nodes"]}
        return message

    def wait(self, kind: str, timeout_s: float = PATIENCE_S, **expected: Any) -> dict[str, Any]:
        """Reads until a message of this kind, with these contents, has come."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            message = self.receive(max(0.01, deadline - time.monotonic()))
            if message["type"] == kind and all(message[key] == value for key, value in expected.items()):
                return message
            assert kind == "error" or message["type"] != "error", message
        raise AssertionError(f"no {kind} with {expected} came")

    def edit(self, kind: str, **content: Any) -> dict[str, Any]:
        """Changes the study and waits until that is done."""
        self.send(kind, revision=self.revision, id=7, **content)
        return self.wait("change", reply_to=7)

    def child(self, *moves: str) -> int:
        """Returns the node that moves lead to, in SAN."""
        node = 0
        for move in moves:
            children = self.nodes[node]["children"]
            node = next(child for child in children if self.nodes[child]["san"] == move)
        return node


def new_study(url: str, text: str | None = None, **wishes: Any) -> str:
    """Makes a study, of a text or as wished; returns its id."""
    if text is None:
        answer = httpx.post(f"{url}/api/studies", json=wishes)
    else:
        answer = httpx.post(f"{url}/api/studies/text", content=text.encode())
    assert answer.status_code == 201, answer.text
    made: str = answer.json()["study"]
    return made


def pgn_of(url: str, study_id: str) -> str:
    """Returns a study as PGN."""
    return httpx.get(f"{url}/api/studies/{study_id}/pgn").text
