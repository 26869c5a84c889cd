"""The server's addresses (docs/web-protocol.md): what is asked of the lobby, and how its answers are written."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from fastapi import Body, FastAPI, Path, Query, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import TypeAdapter
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

import philidor
from philidor.core.errors import (
    FenError,
    LoadError,
    NetError,
    PgnError,
    PhilidorError,
    RecordError,
    UnknownNameError,
)
from philidor.frontends.web.analysis.desk import Desk
from philidor.frontends.web.analysis.routes import add_analysis
from philidor.frontends.web.go.addresses import add_go
from philidor.frontends.web.inside.routes import add_inside
from philidor.frontends.web.inside.trees import NoSuchTreeError
from philidor.frontends.web.lobby import Lobby, NoSuchGameError
from philidor.frontends.web.pages import Pages
from philidor.frontends.web.positions import check_position
from philidor.frontends.web.requests import AnyMessage, NewGame, PositionRequest, describe_invalid
from philidor.frontends.web.runs.addresses import add_runs
from philidor.frontends.web.runs.folder import NoSuchRunError
from philidor.frontends.web.schema import (
    NAME_CHARS,
    PGN_BYTES,
    About,
    Bounds,
    ErrorBody,
    GameList,
    GameView,
    OpponentView,
    PositionCheck,
    PositionView,
    Rules,
    Settings,
    SettingValue,
)
from philidor.frontends.web.session import RefusedError
from philidor.frontends.web.socket import converse
from philidor.frontends.web.store import DamagedError, NotSavedError
from philidor.games.chess import Position, chess960_position
from philidor.games.chess.openings import opening_of
from philidor.games.chess.syzygy import Tablebases

_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")
_MAX_SETTINGS = 100
_PGN = "application/x-chess-pgn"
_MESSAGES: TypeAdapter[AnyMessage] = TypeAdapter(AnyMessage)

GameId = Annotated[str, Path(min_length=1, max_length=40)]
GameNamePath = Annotated[str, Path(min_length=1, max_length=200)]
FileName = Annotated[str, Path(min_length=1, max_length=80)]
Words = Annotated[str, Query(max_length=200)]
StatusQuery = Annotated[Literal["", "playing", "over"], Query()]
_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody} for status in (400, 401, 403, 404, 405, 409, 413, 422, 429, 500)
}


def create_app(make_lobby: Callable[[], Lobby], pages: Pages, tables: Tablebases | None = None) -> FastAPI:
    """Makes the application; the lobby is made when it starts, as it lives in the server's event loop."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.lobby = make_lobby()
        app.state.desk = Desk(app.state.lobby, tables)
        # The table of openings takes a moment to read; the first move should not have to wait for it.
        openings = asyncio.create_task(asyncio.to_thread(opening_of, Position()))
        try:
            yield
        finally:
            await openings
            await app.state.desk.close()
            await app.state.lobby.close()

    app = FastAPI(
        title="philidor",
        version=philidor.__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=_ERRORS,
    )
    _add_games(app)
    add_go(app, _lobby)
    add_runs(app, _lobby)
    _add_facts(app)
    add_analysis(app)
    add_inside(app, _lobby)
    _add_pages(app, pages)
    _add_errors(app)
    return app


def _lobby(request: Request | WebSocket) -> Lobby:
    lobby: Lobby = request.app.state.lobby
    return lobby


def _add_games(app: FastAPI) -> None:
    @app.get("/api/games")
    async def list_games(
        request: Request,
        query: Words = "",
        status: StatusQuery = "",
        game: Words = "",
        page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
        per_page: Annotated[int, Query(ge=1, le=100)] = 30,
    ) -> GameList:
        return await _lobby(request).find(query, status, game, page, per_page)

    @app.post("/api/games", status_code=201)
    async def new_game(request: Request, wanted: NewGame) -> GameView:
        return await _lobby(request).begin(wanted)

    @app.get("/api/games.pgn", response_class=Response, responses=_pgn_response())
    async def export(request: Request, query: Words = "", status: StatusQuery = "", game: Words = "") -> Response:
        games = _lobby(request).pgns(query, status, game)
        return StreamingResponse(games, media_type=_PGN, headers=_attachment("philidor-games.pgn"))

    @app.get("/api/games/{game_id}")
    async def get_game(request: Request, game_id: GameId) -> GameView:
        async with _lobby(request).game(game_id) as game:
            return game.view()

    @app.delete("/api/games/{game_id}", status_code=204)
    async def delete_game(request: Request, game_id: GameId) -> None:
        await _lobby(request).delete(game_id)

    @app.post("/api/games/{game_id}/rematch", status_code=201)
    async def rematch(request: Request, game_id: GameId) -> GameView:
        return await _lobby(request).rematch(game_id)

    @app.post("/api/games/{game_id}/play_on", status_code=201)
    async def play_on(request: Request, game_id: GameId) -> GameView:
        return await _lobby(request).play_on(game_id)

    @app.get("/api/games/{game_id}/pgn", response_class=Response, responses=_pgn_response())
    async def get_pgn(request: Request, game_id: GameId) -> Response:
        text = await _lobby(request).pgn(game_id)
        return Response(text, media_type=_PGN, headers=_attachment(f"philidor-{game_id}.pgn"))

    @app.websocket("/api/games/{game_id}/live")
    async def live(socket: WebSocket, game_id: str) -> None:
        await converse(socket, _lobby(socket).game(game_id), _MESSAGES)


def _add_facts(app: FastAPI) -> None:
    @app.get("/api/about")
    def about(request: Request) -> About:
        lobby = _lobby(request)
        return About(
            version=philidor.__version__,
            games=[lobby.catalog.rules(name) for name in lobby.catalog.names],
            opponents=lobby.catalog.roster.views,
            first_game=lobby.catalog.first,
            limits=Bounds(pgn_bytes=PGN_BYTES, name_chars=NAME_CHARS),
            settings=lobby.settings,
            has_runs=lobby.catalog.roster.runs is not None,
            notice=lobby.notice,
        )

    @app.get("/api/rules/{name:path}")
    def rules(request: Request, name: GameNamePath) -> Rules:
        return _lobby(request).catalog.rules(name)

    @app.post("/api/positions")
    def positions(request: Request, asked: PositionRequest) -> PositionCheck:
        return check_position(_lobby(request).catalog, asked)

    @app.get("/api/chess960/{number}")
    def chess960(request: Request, number: Annotated[int, Path(ge=0, le=959)]) -> PositionView:
        return _lobby(request).catalog.drawer("chess").position(chess960_position(number))

    @app.put("/api/nets/{file_name}", status_code=201)
    async def add_network(request: Request, file_name: FileName) -> OpponentView:
        return (await _lobby(request).uploads.take(file_name, request.stream())).view

    @app.put("/api/settings")
    async def settings(request: Request, changes: Annotated[dict[str, SettingValue | None], Body()]) -> Settings:
        lobby = _lobby(request)
        _check_settings(changes, lobby.settings)
        return await lobby.change_settings(changes)


def _check_settings(changes: dict[str, SettingValue | None], present: Settings) -> None:
    for key in changes:
        if not _KEY.fullmatch(key):
            raise RefusedError("bad_request", f"a setting's name has up to 40 letters a-z, digits and _, got {key!r}")
    if len({**present, **changes}) > _MAX_SETTINGS:
        raise RefusedError("bad_request", f"there are at most {_MAX_SETTINGS} settings")
    name = changes.get("name")
    if name is not None and not (isinstance(name, str) and len(name) <= NAME_CHARS and name.isprintable()):
        raise RefusedError("bad_request", f"a player's name has up to {NAME_CHARS} printable characters")


def _add_pages(app: FastAPI, pages: Pages) -> None:
    @app.get("/{address:path}", include_in_schema=False)
    def page(request: Request, address: str) -> Response:
        found = None if address.startswith("api/") else pages.find(f"/{address}")
        if found is None:
            raise HTTPException(404, "there is nothing at this address")
        headers = {"etag": found.etag, "cache-control": found.cache_control}
        if found.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(found.body, media_type=found.media_type, headers=headers)


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(PhilidorError)
    def refused(_: Request, error: PhilidorError) -> JSONResponse:
        status, code = _status(error)
        return _error(status, code, str(error))

    @app.exception_handler(RequestValidationError)
    def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        return _error(422, "bad_request", describe_invalid(error.errors()))

    @app.exception_handler(HTTPException)
    def http_error(_: Request, error: HTTPException) -> JSONResponse:
        codes = {404: "not_found", 405: "bad_request"}
        return _error(error.status_code, codes.get(error.status_code, "bad_request"), str(error.detail), error.headers)

    @app.exception_handler(ClientDisconnect)
    def gone(_: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=499)  # as nginx writes it; nobody reads it

    @app.exception_handler(Exception)
    def failed(_: Request, error: Exception) -> JSONResponse:
        return _error(500, "internal", f"unexpected {type(error).__name__}; the terminal says more")


def _status(error: PhilidorError) -> tuple[int, str]:
    if isinstance(error, RefusedError):
        return {"nothing_to_take_back": 409, "conflict": 409, "not_possible": 409, "not_saved": 500}.get(
            error.code, 422
        ), error.code
    if isinstance(error, NoSuchGameError | NoSuchRunError | NoSuchTreeError):
        return 404, "not_found"
    if isinstance(error, NotSavedError):
        return 500, "not_saved"
    if isinstance(error, DamagedError):
        return 500, "damaged"
    for kind, code in (
        (FenError, "illegal_position"),
        (PgnError, "illegal_pgn"),
        (UnknownNameError, "unknown_name"),
        (LoadError, "unknown_name"),
        (NetError, "does_not_fit"),
        (RecordError, "unreadable"),
        (ValueError, "does_not_fit"),
    ):
        if isinstance(error, kind):
            return 422, code
    return 500, "internal"


def _error(status: int, code: str, message: str, headers: Any = None) -> JSONResponse:
    return JSONResponse({"error": {"code": code, "message": message}}, status, headers)


def _pgn_response() -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {_PGN: {"schema": {"type": "string"}}}}}


def _attachment(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}
