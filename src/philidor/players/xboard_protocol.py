"""python-chess's conversation in CECP with bounds: on what a program may write, and on what may be left of it."""

from __future__ import annotations

import asyncio
import weakref

import chess.engine

from philidor.players.running import LONGEST_LINE, MOST_TALK, kill_group

# python-chess copies what is left of a piece with each line of it.
_PIECE = 4_096
# How long the end of a killed program may take to be noticed.
_END_S = 1.0


class BoundedXboard(chess.engine.XBoardProtocol):
    """Ends a program that writes and writes, and the children of every program that has ended."""

    def __init__(self) -> None:
        super().__init__()
        self.has_talked_too_much = False
        self._left = MOST_TALK

    def expect(self, most_bytes: int) -> None:
        """Begins to count what the program writes before its answer."""
        self._left = most_bytes

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remembers whom to end, whatever happens."""
        super().connection_made(transport)
        assert self.transport is not None
        self.end = weakref.finalize(self, kill_group, self.transport.get_pid())
        """Ends the program and its children, once."""

    async def initialize(self) -> None:
        """Introduces itself; a program that cannot be used ends at once."""
        try:
            await super().initialize()
        except BaseException:
            self.end()
            await asyncio.wait([self.returncode], timeout=_END_S)
            raise

    def process_exited(self) -> None:
        """Lets nothing of the program stay."""
        super().process_exited()
        self.end()

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Reads on, within the bounds."""
        self._left -= len(data)
        if self._left < 0 or len(self.buffer[fd]) > LONGEST_LINE:
            self.has_talked_too_much = True
            self.buffer[fd].clear()
            self.end()
            return
        for start in range(0, len(data), _PIECE):
            super().pipe_data_received(fd, data[start : start + _PIECE])
