"""The list of games, written without replaying any of them."""

from __future__ import annotations

from philidor.core.errors import PhilidorError
from philidor.frontends.web.catalog import Catalog, title
from philidor.frontends.web.schema import GameSummary, PositionView
from philidor.frontends.web.session import names_of
from philidor.frontends.web.store import StoredGame


def summary(stored: StoredGame, catalog: Catalog) -> GameSummary | None:
    """Returns a game's line in the list; None for a game that is not offered any more."""
    try:
        drawer = catalog.drawer(stored.game)
    except PhilidorError:
        return None
    progress, you = stored.progress, stored.setup["you"]
    position = PositionView.model_validate(progress["position"])
    is_persons_turn = you is None or position.to_move == you
    return GameSummary(
        id=stored.id,
        game=stored.game,
        title=title(stored.game),
        variant=stored.setup["start"]["variant"],
        names=names_of(stored, catalog.roster),
        you=you,
        board=drawer.board,
        position=position,
        ply_count=progress["ply_count"],
        opening=progress["opening"],
        result=progress["result"],
        status="over" if stored.is_over else "your_turn" if is_persons_turn else "engine_turn",
        created=stored.created,
        updated=stored.updated,
    )
