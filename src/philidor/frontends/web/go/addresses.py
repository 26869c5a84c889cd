"""The server's addresses for Go (docs/web-protocol.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, TypeAlias

from fastapi import FastAPI, Path, Query, Request, Response

from philidor.frontends.web.go.ending import DEAD, counted, toggle
from philidor.frontends.web.go.judging import Judge
from philidor.frontends.web.go.schema import CountView, DeadRequest, GoView, Judgement, SgfCheck, SgfRequest
from philidor.frontends.web.go.sgf import check_sgf, handicap_of, to_sgf
from philidor.frontends.web.leaving import while_connected
from philidor.frontends.web.lobby import Lobby
from philidor.frontends.web.session import RefusedError, Session
from philidor.frontends.web.workers import VERDICT
from philidor.games.go import GoState

_SGF = "application/x-go-sgf"
_SGF_RESPONSE: dict[int | str, dict[str, Any]] = {200: {"content": {_SGF: {"schema": {"type": "string"}}}}}

GameId: TypeAlias = Annotated[str, Path(min_length=1, max_length=40)]
Ply: TypeAlias = Annotated[int, Query(ge=0, le=10_000)]


def add_go(app: FastAPI, lobby_of: Callable[[Request], Lobby]) -> None:
    """Adds the addresses."""
    judges: dict[Lobby, Judge] = {}

    @app.post("/api/go/sgf")
    async def look_at_sgf(request: Request, asked: SgfRequest) -> SgfCheck:
        return await asyncio.to_thread(check_sgf, lobby_of(request).catalog, asked.sgf)

    @app.get("/api/games/{game_id}/go")
    async def go_view(request: Request, game_id: GameId) -> GoView:
        async with lobby_of(request).game(game_id) as game:
            return view(game.session)

    @app.post("/api/games/{game_id}/dead")
    async def mark_dead(request: Request, game_id: GameId, asked: DeadRequest) -> GoView:
        async with lobby_of(request).game(game_id) as game:
            await game.change(lambda session: mark(session, asked.square), asked.revision)
            return view(game.session)

    @app.get("/api/games/{game_id}/judgement")
    async def judgement(request: Request, game_id: GameId, ply: Ply) -> Judgement:
        lobby = lobby_of(request)
        async with lobby.game(game_id) as game:
            state_of(game.session)
            states, drawer = game.session.match.states, game.session.drawer
            state = states[ply] if ply < len(states) else None
            if not isinstance(state, GoState):
                raise RefusedError("not_possible", f"the game has {len(states) - 1} moves, not {ply}")
            judge = judges.setdefault(lobby, Judge(lobby.catalog.roster))
            work = lobby.workers.run(lambda stop: judge.judge(drawer, state, ply, stop), VERDICT)
            return await while_connected(request, work)

    @app.get("/api/games/{game_id}/sgf", response_class=Response, responses=_SGF_RESPONSE)
    async def get_sgf(request: Request, game_id: GameId) -> Response:
        async with lobby_of(request).game(game_id) as game:
            state_of(game.session)
            text = to_sgf(game.session)
        headers = {"content-disposition": f'attachment; filename="philidor-{game_id}.sgf"'}
        return Response(text, media_type=_SGF, headers=headers)


def state_of(session: Session) -> GoState:
    """Returns the position of a game of Go. Raises RefusedError for another game."""
    if not isinstance(session.match.state, GoState):
        raise RefusedError("not_possible", "this is not a game of Go")
    return session.match.state


def view(session: Session) -> GoView:
    """Shows what only Go has. Raises RefusedError for another game."""
    state, progress, start = state_of(session), session.stored.progress, session.match.start
    assert isinstance(start, GoState)
    shown = None
    if state.is_over():
        found = counted(state, progress)
        shown = CountView(
            dead=list(progress.get(DEAD, [])),
            owners="".join(".XO"[owner] for owner in found.owners),
            area=found.area,
            komi=found.komi,
            score=found.text,
            can_mark=DEAD in progress,
        )
    return GoView(revision=session.stored.revision, komi=state.rules.komi, handicap=handicap_of(start), count=shown)


def mark(session: Session, square: str) -> None:
    """Calls a chain dead, or alive again. Raises RefusedError where there is none, or nothing to count."""
    state, progress = state_of(session), session.stored.progress
    if not state.is_over() or DEAD not in progress:
        raise RefusedError("not_possible", "Stones are marked when both have passed and the board was counted here.")
    at = state.grid.square(square)
    if at is None or state.board[at] not in "XO":
        raise RefusedError("not_possible", f"There is no stone on {square}.")
    toggle(session.match, progress, at)
    session.changed()
