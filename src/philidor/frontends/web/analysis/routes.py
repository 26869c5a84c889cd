"""The analysis board's addresses (docs/web-protocol.md)."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import FastAPI, Path, Query, Request, Response, WebSocket
from pydantic import TypeAdapter

from philidor.frontends.web.analysis.desk import Desk
from philidor.frontends.web.analysis.requests import NewStudy, StudyMessage
from philidor.frontends.web.analysis.schema import CrowdView, Files, FileView, Imported, StudyList
from philidor.frontends.web.socket import converse

PGN = "application/x-chess-pgn"
Id = Annotated[str, Path(min_length=1, max_length=40)]
Words = Annotated[str, Query(max_length=200)]
PageNumber = Annotated[int, Query(ge=1, le=1_000_000)]
PerPage = Annotated[int, Query(ge=1, le=100)]
_MESSAGES: TypeAdapter[StudyMessage] = TypeAdapter(StudyMessage)
_TEXT_BODY = {"requestBody": {"content": {"text/plain": {"schema": {"type": "string"}}}, "required": True}}
_PGN_ANSWER: dict[int | str, dict[str, Any]] = {200: {"content": {PGN: {"schema": {"type": "string"}}}}}


def _desk(request: Request | WebSocket) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


def add_analysis(app: FastAPI) -> None:
    """Adds the addresses of studies and files; the application's state has the desk."""
    _add_studies(app)
    _add_files(app)


def _add_studies(app: FastAPI) -> None:
    @app.get("/api/analysts")
    def analysts(request: Request) -> list[str]:
        return _desk(request).analysts

    @app.get("/api/crowds")
    def list_crowds(request: Request) -> list[CrowdView]:
        return _desk(request).crowds

    @app.get("/api/studies")
    async def list_studies(
        request: Request, query: Words = "", page: PageNumber = 1, per_page: PerPage = 30
    ) -> StudyList:
        return await _desk(request).find(query, page, per_page)

    @app.post("/api/studies", status_code=201)
    async def new_study(request: Request, wanted: NewStudy) -> Imported:
        return await _desk(request).begin(wanted)

    @app.post("/api/studies/text", status_code=201, openapi_extra=_TEXT_BODY)
    async def take_in(request: Request, name: Words = "") -> Imported:
        return await _desk(request).take_in(await request.body(), unquote(name))

    @app.get("/api/studies/{study_id}/pgn", response_class=Response, responses=_PGN_ANSWER)
    async def get_pgn(request: Request, study_id: Id) -> Response:
        headers = {"content-disposition": f'attachment; filename="philidor-{study_id}.pgn"'}
        return Response(await _desk(request).pgn(study_id), media_type=PGN, headers=headers)

    @app.delete("/api/studies/{study_id}", status_code=204)
    async def delete_study(request: Request, study_id: Id) -> None:
        await _desk(request).delete(study_id)

    @app.websocket("/api/studies/{study_id}/live")
    async def live(socket: WebSocket, study_id: str) -> None:
        await converse(socket, _desk(socket).study(study_id), _MESSAGES)


def _add_files(app: FastAPI) -> None:
    @app.get("/api/files")
    async def files(request: Request) -> Files:
        return await _desk(request).files()

    @app.get("/api/files/{file_id}")
    async def file(
        request: Request, file_id: Id, query: Words = "", page: PageNumber = 1, per_page: PerPage = 50
    ) -> FileView:
        return await _desk(request).file(file_id, query, page, per_page)

    @app.delete("/api/files/{file_id}", status_code=204)
    async def delete_file(request: Request, file_id: Id) -> None:
        await _desk(request).delete_file(file_id)
