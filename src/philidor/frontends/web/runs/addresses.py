"""The server's addresses for training runs (docs/web-protocol.md). None of them changes anything."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, TypeAlias

from fastapi import FastAPI, Path, Query, Request

from philidor.frontends.web.lobby import Lobby
from philidor.frontends.web.runs.folder import PREFIX, NoSuchRunError, RunsFolder
from philidor.frontends.web.runs.replaying import newest_games
from philidor.frontends.web.runs.schema import CheckpointView, ReplayList, RunList, RunView

Name: TypeAlias = Annotated[str, Path(min_length=1, max_length=200)]


def add_runs(app: FastAPI, lobby_of: Callable[[Request], Lobby]) -> None:
    """Adds the addresses."""

    def folder(request: Request) -> RunsFolder:
        found = lobby_of(request).catalog.roster.runs
        if found is None:
            raise NoSuchRunError("the server was started without a folder of runs; start with --runs DIR")
        return found

    @app.get("/api/runs")
    async def list_runs(request: Request) -> RunList:
        found = lobby_of(request).catalog.roster.runs
        runs = [] if found is None else await asyncio.to_thread(found.summaries)
        return RunList(is_given=found is not None, runs=runs)

    @app.get("/api/runs/{name}")
    async def get_run(request: Request, name: Name) -> RunView:
        return await asyncio.to_thread(folder(request).view, name)

    @app.get("/api/runs/{name}/games")
    async def get_games(request: Request, name: Name, count: Annotated[int, Query(ge=1, le=10)] = 5) -> ReplayList:
        return await asyncio.to_thread(newest_games, folder(request), lobby_of(request).catalog, name, count)

    @app.get("/api/runs/{name}/checkpoints/{checkpoint}")
    async def get_checkpoint(request: Request, name: Name, checkpoint: Name) -> CheckpointView:
        opponent = await asyncio.to_thread(folder(request).opponent, f"{PREFIX}{name}/{checkpoint}")
        games = opponent.view.games or ["chess"]
        return CheckpointView(game=games[0], opponent=opponent.newest_view)
