"""Networks that a page hands over: each is read as every network file is, and kept in the folder of the games.

A file's content is checked before anybody else sees it, and its name is one of the plain names that opponents have.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from philidor.core.errors import ConfigError, NetError
from philidor.frontends.web.networks import network_opponent
from philidor.frontends.web.opponents import Opponent
from philidor.frontends.web.roster import Roster
from philidor.frontends.web.session import RefusedError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+.-]{0,79}")


class Uploads:
    """Lives in the server's event loop; takes one file at a time."""

    def __init__(self, folder: Path, roster: Roster) -> None:
        self._folder, self._roster = folder, roster
        self._lock = asyncio.Lock()

    async def take(self, file_name: str, parts: AsyncIterator[bytes]) -> Opponent:
        """Keeps a file and returns the new opponent. Raises RefusedError."""
        if _NAME.fullmatch(file_name) is None:
            raise RefusedError("bad_request", "a network's file name has up to 80 letters, digits and . _ + -")
        async with self._lock:
            if (self._folder / file_name).exists():
                raise RefusedError("conflict", f"there is a network {file_name} already")
            try:
                self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                with tempfile.TemporaryDirectory(prefix=".uploading-", dir=self._folder) as place:
                    # Under its own name: formats are told by content, but some also by the file's ending.
                    file = Path(place, file_name)
                    await _write(file, parts)
                    await asyncio.to_thread(self._check, file)
                    opponent = self._keep(file)
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise RefusedError("not_saved", f"the network could not be saved: {reason}") from error
        self._roster.add(opponent)
        return opponent

    def _check(self, file: Path) -> None:
        """Reads the whole file as a game would. Raises RefusedError."""
        try:
            opponent = network_opponent(file, ())
            strength = opponent.check_strength(None)
            opponent.make_player(strength, 0)
        except (NetError, ConfigError) as error:
            raise RefusedError("does_not_fit", str(error).replace(str(file), file.name)) from None

    def _keep(self, file: Path) -> Opponent:
        kept = file.rename(self._folder / file.name)
        return network_opponent(kept, self._roster.names)


async def _write(file: Path, parts: AsyncIterator[bytes]) -> None:
    with file.open("wb") as out:
        async for part in parts:
            await asyncio.to_thread(out.write, part)
