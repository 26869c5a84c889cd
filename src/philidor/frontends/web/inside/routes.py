"""The addresses of the look inside."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path as FilePath
from typing import Annotated, Any, TypeVar

import numpy as np
from fastapi import FastAPI, Path, Query, Request

from philidor.core.errors import ConfigError
from philidor.core.game import AnyState
from philidor.core.thinking import Stop
from philidor.frontends.web.drawing import Drawer
from philidor.frontends.web.inside.nets import find_path, inside_nets
from philidor.frontends.web.inside.requests import CompareRequest, InsideRequest, PlanesRequest, TreeRequest
from philidor.frontends.web.inside.schema import (
    InsideList,
    NetComparison,
    NeuronChange,
    NeuronView,
    NnueInside,
    NodeTable,
    PlaneSet,
    SaliencyView,
    SharedMove,
    Term,
    Terms,
    TreeMade,
    TreeNode,
    TreeStep,
)
from philidor.frontends.web.inside.trees import KeptTree, Trees, make_tree
from philidor.frontends.web.leaving import while_connected
from philidor.frontends.web.lobby import Lobby
from philidor.frontends.web.workers import ADVICE
from philidor.games.chess import Position
from philidor.inside import (
    Planes,
    activations,
    compare_networks,
    filters,
    input_planes,
    neurons,
    piece_values,
    saliency,
    term_values,
)
from philidor.nets.shipped import DEFAULT_NET
from philidor.search.orders import ORDERS

T = TypeVar("T")
TreeId = Annotated[str, Path(min_length=1, max_length=40)]
NodeNumber = Annotated[int, Query(ge=0, le=10_000_000)]
StepNumber = Annotated[int | None, Query(ge=0, le=10_000_000)]
# A tree that takes longer is shown as far as it has grown.
_SECONDS = 10.0
_SHOWN_PLANES = 24


def add_inside(app: FastAPI, lobby_of: Callable[[Request], Lobby]) -> None:
    """Adds the addresses to a server."""
    trees = Trees()
    _add_trees(app, lobby_of, trees)
    _add_networks(app, lobby_of)
    _add_evaluations(app, lobby_of)


async def _work(request: Request, lobby: Lobby, work: Callable[[Stop], T]) -> T:
    """Runs something in a worker, which is told to end after a while, and at once when the page has gone."""

    def limited(stop: Callable[[], bool]) -> T:
        end = time.monotonic() + _SECONDS
        return work(lambda: stop() or time.monotonic() > end)

    return await while_connected(request, lobby.workers.run(limited, ADVICE))


async def _path(
    request: Request, lobby: Lobby, name: str | None, drawer: Drawer, *, needs_policy: bool = True
) -> FilePath:
    """Finds a network for a game. It may have to be read first, which is nothing for the event loop."""
    roster, game = lobby.catalog.roster, drawer.game.name
    return await _work(request, lobby, lambda _: find_path(roster, name, game, needs_policy=needs_policy))


def _board(lobby: Lobby, asked: InsideRequest) -> tuple[Drawer, AnyState]:
    drawer = lobby.catalog.drawer(asked.game)
    return drawer, drawer.game.state(asked.text) if asked.text else drawer.game.state()


def _chess(lobby: Lobby, asked: InsideRequest) -> Position:
    state = _board(lobby, asked)[1]
    if not isinstance(state, Position):
        raise ConfigError("this view is for chess")
    return state


def _add_trees(app: FastAPI, lobby_of: Callable[[Request], Lobby], trees: Trees) -> None:
    @app.post("/api/inside/trees", status_code=201)
    async def grow(request: Request, wanted: TreeRequest) -> TreeMade:
        lobby = lobby_of(request)
        drawer, state = _board(lobby, wanted)
        net = await _path(request, lobby, wanted.net, drawer) if wanted.algorithm == "puct" else None
        tree = await _work(request, lobby, lambda stop: make_tree(wanted, state, net, stop))
        return trees.keep(KeptTree(tree, drawer)).made()

    @app.get("/api/inside/trees/{tree_id}")
    def subtree(
        tree_id: TreeId,
        node: NodeNumber = 0,
        step: StepNumber = None,
        plies: Annotated[int, Query(ge=0, le=4)] = 2,
        most: Annotated[int, Query(ge=1, le=40)] = 6,
        keep: Annotated[list[int] | None, Query(max_length=200)] = None,
    ) -> TreeNode:
        return trees.find(tree_id).subtree(node, step, plies, most, keep or [])

    @app.get("/api/inside/trees/{tree_id}/steps/{step}")
    def tree_step(tree_id: TreeId, step: Annotated[int, Path(ge=0, le=10_000_000)]) -> TreeStep:
        return trees.find(tree_id).step(step)

    @app.get("/api/inside/trees/{tree_id}/moves")
    def moves(tree_id: TreeId, node: NodeNumber = 0, step: StepNumber = None) -> NodeTable:
        return trees.find(tree_id).table(node, step)


def _add_networks(app: FastAPI, lobby_of: Callable[[Request], Lobby]) -> None:
    @app.get("/api/inside")
    async def nets(request: Request) -> InsideList:
        lobby = lobby_of(request)
        found = await _work(request, lobby, lambda _: inside_nets(lobby.catalog.roster))
        return InsideList(nets=found, orders=list(ORDERS))

    @app.post("/api/inside/planes")
    async def planes(request: Request, asked: PlanesRequest) -> PlaneSet:
        lobby = lobby_of(request)
        drawer, state = _board(lobby, asked)
        path = await _path(request, lobby, asked.net, drawer, needs_policy=False)

        def find(_: Stop) -> Planes:
            if asked.what == "filter":
                return filters(path, asked.number, asked.layer)
            return activations(state, path, asked.number) if asked.what == "layer" else input_planes(state, path)

        return _plane_set(await _work(request, lobby, find))

    @app.post("/api/inside/saliency")
    async def look(request: Request, asked: InsideRequest) -> SaliencyView:
        lobby = lobby_of(request)
        drawer, state = _board(lobby, asked)
        path = await _path(request, lobby, asked.net, drawer)
        found = await _work(request, lobby, lambda _: saliency(state, path, move=asked.move))
        drawn = next(move for move in drawer.legal(state) if move.san == found.move)
        return SaliencyView(
            move=found.move, probability=found.probability, value=found.value, squares=found.squares, drawn=drawn
        )

    @app.post("/api/inside/compare")
    async def compare(request: Request, asked: CompareRequest) -> NetComparison:
        lobby = lobby_of(request)
        drawer, state = _board(lobby, asked)
        first, second = await _path(request, lobby, asked.net, drawer), await _path(request, lobby, asked.other, drawer)
        found = await _work(request, lobby, lambda _: compare_networks(state, first, second))
        drawn = {move.text: move for move in drawer.legal(state)}
        moves = [SharedMove(move=row.move, shares=row.shares, drawn=drawn[row.text]) for row in found.moves]
        return NetComparison(values=found.values, agreement=found.agreement, moves=moves)


def _plane_set(found: Planes) -> PlaneSet:
    contrast = found.numbers.std(axis=(1, 2))
    chosen = sorted(np.argsort(-contrast, kind="stable")[:_SHOWN_PLANES].tolist())
    planes = [[round(float(value), 4) for value in found.numbers[number].reshape(-1)] for number in chosen]
    total, height, width = found.numbers.shape
    return PlaneSet(title=found.title, width=width, height=height, total=total, numbers=chosen, planes=planes)


def _add_evaluations(app: FastAPI, lobby_of: Callable[[Request], Lobby]) -> None:
    @app.post("/api/inside/terms")
    async def terms(request: Request, asked: InsideRequest) -> Terms:
        lobby = lobby_of(request)
        position = _chess(lobby, asked)
        found = await _work(request, lobby, lambda _: term_values(position))
        rows = [Term(name=each.name, meaning=each.meaning, white=each.white, black=each.black) for each in found.terms]
        return Terms(score_cp=found.score_cp, terms=rows)

    @app.post("/api/inside/nnue")
    async def nnue(request: Request, asked: InsideRequest) -> NnueInside:
        lobby = lobby_of(request)
        position = _chess(lobby, asked)
        path = await _path(request, lobby, asked.net or DEFAULT_NET, _board(lobby, asked)[0])
        found, pieces = await _work(
            request, lobby, lambda _: (neurons(position, path, move=asked.move), piece_values(position, path))
        )
        change: Any = found.change
        white, black = (
            NeuronView(
                side=view.side,
                features=[feature.words for feature in view.features],
                firing=view.firing,
                neurons=list(view.neurons),
            )
            for view in found.views
        )
        return NnueInside(
            score_cp=found.score_cp,
            pieces=pieces.values,
            views=(white, black),
            change=None if change is None else NeuronChange.model_validate(change, from_attributes=True),
        )
