"""The list of games, written without replaying any of them."""

from __future__ import annotations

from philidor.core.errors import PhilidorError
from philidor.frontends.web.catalog import Catalog, title
from philidor.frontends.web.schema import BoardView, GameSummary, PositionView, TextBoard
from philidor.frontends.web.session import names_of
from philidor.frontends.web.stored import StoredGame


def summary(stored: StoredGame, catalog: Catalog) -> GameSummary:
    """Returns a game's line in the list; of one whose rules are not here, what is known without them."""
    progress, you = stored.progress, stored.setup["you"]
    position = PositionView.model_validate(progress["position"])
    board: BoardView | None
    try:
        board = catalog.drawer(stored.game).board
    except PhilidorError:
        board = None
        position = position.model_copy(update={"cells": None, "drawing": position.drawing or position.text})
    is_persons_turn = you is None or position.to_move == you
    return GameSummary(
        id=stored.id,
        game=stored.game,
        title=title(stored.game),
        variant=stored.setup["start"]["variant"],
        names=names_of(stored, catalog.roster),
        you=you,
        board=TextBoard() if board is None else board,
        position=position,
        ply_count=progress["ply_count"],
        opening=progress["opening"],
        result=progress["result"],
        status="over" if stored.is_over else "your_turn" if is_persons_turn else "engine_turn",
        can_open=board is not None,
        created=stored.created,
        updated=stored.updated,
    )
