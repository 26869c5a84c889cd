"""A UCI loop whose output can be read while it runs."""

from __future__ import annotations

import io
import time
from collections.abc import Mapping

from philidor.frontends.uci.engine import UciEngine
from philidor.frontends.uci.loop import UciLoop


class Conversation:
    """Says lines to an engine and takes its answers."""

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        self.output = io.StringIO()
        self.loop = UciLoop(UciEngine(options), self.output)

    def say(self, line: str) -> list[str]:
        """Sends a line; returns what came so far and forgets it."""
        assert self.loop.obey(line)
        return self.take()

    def take(self) -> list[str]:
        """Returns what came so far and forgets it."""
        text = self.output.getvalue()
        self.output.seek(0)
        self.output.truncate()
        return text.splitlines()

    def until(self, line: str, last: str, seconds: float = 20.0) -> list[str]:
        """Sends a line and waits for an answer that begins so."""
        lines = self.say(line)
        end = time.monotonic() + seconds
        while not any(each.startswith(last) for each in lines):
            assert time.monotonic() < end, f"no {last} came, but {lines}"
            time.sleep(0.002)
            lines += self.take()
        return lines

    def best(self, line: str, seconds: float = 20.0) -> tuple[str, list[str]]:
        """Sends "go ..." and waits for the best move."""
        lines = self.until(line, "bestmove", seconds)
        return lines[-1].split()[1], lines
