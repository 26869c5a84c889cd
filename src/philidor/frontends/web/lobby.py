"""All games of the server: those in memory because somebody looks at them, and the store with all the others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, ParamSpec, TypeVar

from philidor.core.cores import cores
from philidor.core.errors import PhilidorError
from philidor.frontends.web.catalog import Catalog
from philidor.frontends.web.following import LEVEL_SETTING, follow
from philidor.frontends.web.listing import summary
from philidor.frontends.web.live import LiveGame
from philidor.frontends.web.newgame import new_session, play_on, rematch
from philidor.frontends.web.news import Deleted, SettingsNews
from philidor.frontends.web.requests import NewGame
from philidor.frontends.web.schema import EloRange, GameList, GameView
from philidor.frontends.web.session import RefusedError, Session
from philidor.frontends.web.store import Store
from philidor.frontends.web.stored import StoredGame, is_id
from philidor.frontends.web.uploads import Uploads
from philidor.frontends.web.views import write_pgn
from philidor.frontends.web.workers import Workers

_LOOK_AGAIN_S = 1.0
_log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")


class NoSuchGameError(PhilidorError):
    """There is no game with this id."""


class Lobby:
    """Lives in the server's event loop; the store is used from one thread beside it."""

    def __init__(self, store: Store, catalog: Catalog, slots: int | None = None) -> None:
        self.catalog = catalog
        self.store = store
        self._store_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store")
        self.workers = Workers(slots or cores())
        self._live: dict[str, LiveGame] = {}
        self._loading = asyncio.Lock()
        self._settings: dict[str, Any] = store.settings()
        self.notice = store.notice
        """What the player should know about their games, if anything."""
        self.uploads = Uploads(store.path.parent / "nets", catalog.roster)

    async def in_store(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls a function in the one thread that uses the store."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._store_thread, lambda: function(*args, **kwargs))

    async def close(self) -> None:
        """Ends all searches and closes the file."""
        await asyncio.gather(*(game.close() for game in list(self._live.values())))
        self.workers.close()
        await self.in_store(self.store.close)
        self._store_thread.shutdown()

    # --- Settings -----------------------------------------------------------------------------------------------

    @property
    def settings(self) -> dict[str, Any]:
        """All settings."""
        return self._settings

    async def change_settings(self, changes: dict[str, Any]) -> dict[str, Any]:
        """Changes some, and tells every tab."""
        self._settings = await self.in_store(self.store.change_settings, changes)
        for game in self._live.values():
            game.audience.tell(SettingsNews(settings=self._settings))
        return self._settings

    @property
    def _person_name(self) -> str:
        return str(self._settings.get("name", ""))

    # --- Games --------------------------------------------------------------------------------------------------

    async def begin(self, request: NewGame) -> GameView:
        """Starts a game. Raises a PhilidorError for what does not fit."""
        # A pasted PGN takes a while to read.
        session = await asyncio.to_thread(new_session, request, self.catalog, self._person_name)
        return await self._add(session)

    async def rematch(self, game_id: str) -> GameView:
        """Starts the same game again with sides exchanged. Raises a PhilidorError."""
        async with self.game(game_id) as game:
            session = rematch(game.session, self.catalog, self._settings, self._person_name)
        return await self._add(session)

    async def play_on(self, game_id: str) -> GameView:
        """Goes on with a copy of a finished game from the person's last turn. Raises a PhilidorError."""
        async with self.game(game_id) as game:
            session = play_on(game.session, self.catalog)
        return await self._add(session)

    async def _add(self, session: Session) -> GameView:
        await self.in_store(self.store.add, session.stored)
        async with self.game(session.stored.id) as game:
            return game.view()

    @asynccontextmanager
    async def game(self, game_id: str) -> AsyncIterator[LiveGame]:
        """Gives a game to use, and forgets it afterwards unless somebody watches. Raises NoSuchGameError."""
        live = await self._find(game_id)
        live.users += 1
        try:
            yield live
        finally:
            live.users -= 1
            self._forget_idle(game_id)

    async def _find(self, game_id: str) -> LiveGame:
        if game_id not in self._live:
            async with self._loading:
                if game_id not in self._live:
                    session = await self._load(game_id)

                    self._live[game_id] = LiveGame(session, self.workers, self._save, lambda: self._load(game_id))
        return self._live[game_id]

    async def _save(self, stored: StoredGame, first_ply: int) -> None:
        """Writes a game's change, and the level that it leads to."""
        strength = self.catalog.roster.recall(stored.setup["opponent"]).view.strength
        level = follow(stored, strength.min, strength.max) if isinstance(strength, EloRange) else None
        await self.in_store(self.store.update, stored, first_ply)
        if level is not None:
            await self.change_settings({LEVEL_SETTING: level})

    async def _load(self, game_id: str) -> Session:
        stored = await self.in_store(self.store.get, game_id) if is_id(game_id) else None
        if stored is None:
            raise NoSuchGameError("there is no such game")
        try:
            return Session(stored, self.catalog)
        except PhilidorError as error:
            raise RefusedError("conflict", f"this game cannot be opened now: {error}") from error

    def _forget_idle(self, game_id: str) -> None:
        live = self._live.get(game_id)
        if live is None or live.users or len(live.audience):
            return
        if live.is_idle:
            del self._live[game_id]
        else:  # a search is ending
            asyncio.get_running_loop().call_later(_LOOK_AGAIN_S, self._forget_idle, game_id)

    async def delete(self, game_id: str) -> None:
        """Forgets a game for ever. Raises NoSuchGameError."""
        if not is_id(game_id) or not await self.in_store(self.store.delete, game_id):
            raise NoSuchGameError("there is no such game")
        live = self._live.pop(game_id, None)
        if live is not None:
            await live.close(Deleted())

    async def find(self, query: str, status: str, game: str, page: int, per_page: int) -> GameList:
        """Returns one page of the list of games."""
        total = await self.in_store(self.store.count, query=query, status=status, game=game)
        pages = max(1, -(-total // per_page))
        found = await self.in_store(
            self.store.find, query=query, status=status, game=game, limit=per_page, offset=(page - 1) * per_page
        )
        return GameList(games=[summary(stored, self.catalog) for stored in found], total=total, page=page, pages=pages)

    async def pgn(self, game_id: str) -> str:
        """Returns one game as PGN. Raises NoSuchGameError."""
        async with self.game(game_id) as game:
            return write_pgn(game.session)

    async def pgns(self, query: str, status: str, game: str) -> AsyncIterator[str]:
        """Yields all games as PGN, one after the other."""
        found = await self.in_store(self.store.find, query=query, status=status, game=game)
        for stored in found:
            try:
                yield await self.pgn(stored.id) + "\n"
            except (NoSuchGameError, RefusedError) as error:
                _log.info("left out of the export: %s", error)
