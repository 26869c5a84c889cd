"""All studies of the server: those in memory because somebody looks at them, and the shelf with all the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from philidor.core.cores import cores
from philidor.core.errors import PgnError, PhilidorError
from philidor.frontends.web.analysis.analysts import analyst_names
from philidor.frontends.web.analysis.crowds import crowds
from philidor.frontends.web.analysis.importing import MOST_GAMES, decode, index_games, read_study, split_games
from philidor.frontends.web.analysis.live import LiveStudy
from philidor.frontends.web.analysis.requests import NewStudy
from philidor.frontends.web.analysis.schema import CrowdView, Files, FileSummary, FileView, Imported, StudyList
from philidor.frontends.web.analysis.shelf import Shelf, StoredStudy
from philidor.frontends.web.analysis.tree import StudyTree, title_of
from philidor.frontends.web.lobby import Lobby, NoSuchGameError
from philidor.frontends.web.news import Deleted
from philidor.frontends.web.session import RefusedError
from philidor.frontends.web.stored import is_id, new_id, now
from philidor.frontends.web.workers import Workers
from philidor.games.chess.syzygy import Tablebases

_LOOK_AGAIN_S = 1.0
_NAME_CHARS = 100


class NoSuchStudyError(NoSuchGameError):
    """There is no study or file with this id."""


class Desk:
    """Lives in the server's event loop, beside the lobby, whose file and games it uses."""

    def __init__(self, lobby: Lobby, tables: Tablebases | None = None) -> None:
        self._lobby, self._tables = lobby, tables
        self._shelf = Shelf(lobby.store)
        self._drawer = lobby.catalog.drawer("chess")
        # One more than there are cores: an engine that somebody watches need not wait for reviews.
        self._workers = Workers((cores()) + 1)
        self._live: dict[str, LiveStudy] = {}
        self._loading = asyncio.Lock()

    async def close(self) -> None:
        """Ends all searches."""
        await asyncio.gather(*(study.close() for study in list(self._live.values())))
        self._workers.close()

    @property
    def analysts(self) -> list[str]:
        """Names who can analyse."""
        return analyst_names(self._lobby.catalog.roster, self._drawer)

    @property
    def crowds(self) -> list[CrowdView]:
        """The networks that know people."""
        return [crowd.view for crowd in crowds(self._lobby.catalog.roster).values()]

    # --- Studies ------------------------------------------------------------------------------------------------

    async def begin(self, wanted: NewStudy) -> Imported:
        """Makes a study, or finds the one that was made of the same game before. Raises a PhilidorError."""
        given = [name for name in ("game", "file", "position") if getattr(wanted, name) is not None]
        if len(given) > 1 or (wanted.number is None) != (wanted.file is None):
            raise RefusedError("bad_request", "a study begins with a game, a game of a file, or a position")
        if wanted.game is not None:
            return await self._of_game(wanted.game)
        if wanted.file is not None and wanted.number is not None:
            return await self._of_file(wanted.file, wanted.number)
        return await self._add(await asyncio.to_thread(self._of_position, wanted.position), "")

    def _of_position(self, text: str | None) -> StudyTree:
        start = self._drawer.game.state() if text is None else self._drawer.game.state(" ".join(text.split()))
        return StudyTree.of_position(start, self._drawer)

    async def _of_game(self, game_id: str) -> Imported:
        async with self._lobby.game(game_id) as game:
            if game.session.stored.game != "chess":
                raise RefusedError("does_not_fit", "only chess games can be analysed")
            source = f"game:{game_id}:{len(game.session.stored.moves)}"
        if (known := await self._lobby.in_store(self._shelf.by_source, source)) is not None:
            return Imported(study=known, file=None)
        pgn = await self._lobby.pgn(game_id)
        return await self._add(await asyncio.to_thread(StudyTree.parse, pgn, self._drawer), source)

    async def _of_file(self, file_id: str, number: int) -> Imported:
        source = f"file:{file_id}:{number}"
        if (known := await self._lobby.in_store(self._shelf.by_source, source)) is not None:
            return Imported(study=known, file=None)
        pgn = await self._lobby.in_store(self._shelf.file_pgn, file_id, number)
        if pgn is None:
            raise NoSuchStudyError("there is no such game in this file")
        return await self._add(await asyncio.to_thread(read_study, pgn, self._drawer), source)

    async def _add(self, tree: StudyTree, source: str) -> Imported:
        stored = StoredStudy(
            id=new_id(),
            source=source,
            title=title_of(tree.tags),
            result=tree.tags.get("Result", "*"),
            problems=tree.problems,
            pgn=await asyncio.to_thread(tree.pgn),
        )
        await self._lobby.in_store(self._shelf.add, stored)
        return Imported(study=stored.id, file=None)

    async def take_in(self, data: bytes, name: str) -> Imported:
        """Makes a study of a text with one game or position, or a list of one with many. Raises a PhilidorError."""
        text = await asyncio.to_thread(decode, data)
        games = await asyncio.to_thread(lambda: list(split_games(text)))
        if len(games) <= 1:
            return await self._add(await asyncio.to_thread(read_study, text, self._drawer), "")
        if len(games) > MOST_GAMES:
            raise PgnError(f"the file has {len(games):,} games; at most {MOST_GAMES:,} are taken")
        indexed = await asyncio.to_thread(lambda: list(index_games(games)))
        plain = "".join(c for c in name if c.isprintable())[:_NAME_CHARS].strip() or f"{len(games):,} games"
        file = FileSummary(id=new_id(), name=plain, games=len(indexed), created=now())
        await self._lobby.in_store(self._shelf.add_file, file, indexed)
        return Imported(study=None, file=file.id)

    async def find(self, query: str, page: int, per_page: int) -> StudyList:
        """Returns one page of the list of studies."""
        found, total = await self._lobby.in_store(self._shelf.find, query, per_page, (page - 1) * per_page)
        return StudyList(studies=found, total=total)

    async def pgn(self, study_id: str) -> str:
        """Returns a study as PGN. Raises NoSuchStudyError."""
        async with self.study(study_id) as study:
            return await asyncio.to_thread(study.tree.pgn, columns=79)

    async def delete(self, study_id: str) -> None:
        """Forgets a study for ever. Raises NoSuchStudyError."""
        if not is_id(study_id) or not await self._lobby.in_store(self._shelf.delete, study_id):
            raise NoSuchStudyError("there is no such study")
        live = self._live.pop(study_id, None)
        if live is not None:
            await live.close(Deleted())

    @asynccontextmanager
    async def study(self, study_id: str) -> AsyncIterator[LiveStudy]:
        """Gives a study to use, and forgets it afterwards unless somebody watches. Raises NoSuchStudyError."""
        if study_id not in self._live:
            async with self._loading:
                if study_id not in self._live:
                    self._live[study_id] = await self._open(study_id)
        live = self._live[study_id]
        live.users += 1
        try:
            yield live
        finally:
            live.users -= 1
            self._forget_idle(study_id)

    async def _open(self, study_id: str) -> LiveStudy:
        stored, tree = await self._load(study_id)

        async def save(changed: StoredStudy) -> None:
            await self._lobby.in_store(self._shelf.update, changed)

        catalog, workers = self._lobby.catalog, self._workers
        return LiveStudy(stored, tree, catalog, workers, self._tables, save, lambda: self._load(study_id))

    async def _load(self, study_id: str) -> tuple[StoredStudy, StudyTree]:
        stored = await self._lobby.in_store(self._shelf.get, study_id) if is_id(study_id) else None
        if stored is None:
            raise NoSuchStudyError("there is no such study")
        try:
            return stored, await asyncio.to_thread(StudyTree.parse, stored.pgn, self._drawer)
        except PhilidorError as error:
            raise RefusedError("conflict", f"this study cannot be opened: {error}") from error

    def _forget_idle(self, study_id: str) -> None:
        live = self._live.get(study_id)
        if live is None or live.users or len(live.audience):
            return
        if live.is_idle:
            del self._live[study_id]
        else:  # a search is ending
            asyncio.get_running_loop().call_later(_LOOK_AGAIN_S, self._forget_idle, study_id)

    # --- Files --------------------------------------------------------------------------------------------------

    async def files(self) -> Files:
        """Returns all files."""
        return Files(files=await self._lobby.in_store(self._shelf.files))

    async def file(self, file_id: str, query: str, page: int, per_page: int) -> FileView:
        """Returns one page of a file's games. Raises NoSuchStudyError."""
        file = await self._lobby.in_store(self._shelf.file, file_id)
        if file is None:
            raise NoSuchStudyError("there is no such file")
        games, total = await self._lobby.in_store(
            self._shelf.file_games, file_id, query, per_page, (page - 1) * per_page
        )
        return FileView(file=file, games=games, total=total, page=page, pages=max(1, -(-total // per_page)))

    async def delete_file(self, file_id: str) -> None:
        """Forgets a file; studies that were made of its games stay. Raises NoSuchStudyError."""
        if not await self._lobby.in_store(self._shelf.delete_file, file_id):
            raise NoSuchStudyError("there is no such file")
