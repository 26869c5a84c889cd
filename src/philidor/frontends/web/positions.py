"""Looks at a text that a person pastes or builds in the editor: is it a position, is it a game?"""

from __future__ import annotations

from philidor.core.errors import PhilidorError
from philidor.frontends.web.catalog import Catalog
from philidor.frontends.web.newgame import make_session
from philidor.frontends.web.requests import PgnStart, PositionRequest, PositionStart
from philidor.frontends.web.schema import PositionCheck
from philidor.frontends.web.session import RefusedError
from philidor.frontends.web.starts import beginning


def check_position(catalog: Catalog, asked: PositionRequest) -> PositionCheck:
    """Says what a text means, or what is wrong with it. Raises a PhilidorError for a game that is not there."""
    drawer = catalog.drawer(asked.game)
    if (asked.text is None) == (asked.pgn is None):
        raise RefusedError("bad_request", "give either text or pgn")
    try:
        if asked.pgn is not None:
            begun = beginning(drawer.game, PgnStart(kind="pgn", text=asked.pgn))
        else:
            begun = beginning(drawer.game, PositionStart(kind="position", text=asked.text or ""))
    except PhilidorError as error:
        return PositionCheck(ok=False, problem=str(error))
    state = begun.state
    played = None
    if asked.pgn is not None:
        played = make_session(asked.game, begun, catalog).played
    return PositionCheck(
        ok=True,
        position=drawer.position(state),
        legal_count=0 if state.is_over() else len(state.legal_moves()),
        result=drawer.result(begun.agreed or state.outcome(), state),
        moves=played,
        tags=begun.tags,
    )
