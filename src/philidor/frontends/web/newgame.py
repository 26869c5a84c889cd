"""Sets up new games: from a page's wishes, or once more with sides exchanged."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from philidor.core.game import AnyState
from philidor.frontends.playing.setup import PERSON
from philidor.frontends.web.catalog import Catalog, title
from philidor.frontends.web.following import level_for
from philidor.frontends.web.go.ending import settle
from philidor.frontends.web.requests import NewGame
from philidor.frontends.web.session import RefusedError, Session
from philidor.frontends.web.starts import Beginning, beginning
from philidor.frontends.web.stored import StoredGame, StoredMove, new_id
from philidor.games.chess import Position


def new_session(request: NewGame, catalog: Catalog, person_name: str) -> Session:
    """Sets a new game up. Raises a PhilidorError for what does not exist or does not fit."""
    game = catalog.game(request.game)
    opponent = catalog.roster.find(request.opponent or catalog.roster.default_for(game))
    if not opponent.fits(game):
        raise RefusedError("does_not_fit", f"{opponent.title} does not play {title(request.game)} ({request.game})")
    name, strength = opponent.name, opponent.check_strength(request.strength)
    begun = beginning(game, request.start)
    is_finished = begun.agreed is not None or begun.state.is_over()
    if is_finished and begun.tags is None:
        raise RefusedError("illegal_position", "the game is over in this position")
    if is_finished:  # to be looked at: nobody plays it
        name, strength = PERSON, {}
    elif (reason := opponent.refuses(begun.start)) is not None:
        raise RefusedError("does_not_fit", reason)
    side = secrets.randbelow(2) if request.side == "random" else int(request.side == "second")
    return make_session(
        request.game,
        begun,
        catalog,
        you=None if name == PERSON else side,
        name=person_name,
        opponent=name,
        strength=strength,
        habits=[] if name == PERSON else opponent.check_habits(request.habits),
        # The clocks of a game that was played elsewhere are in its PGN, if anywhere.
        clock=None if request.clock is None or is_finished else request.clock.model_dump(),
    )


def make_session(
    game: str,
    begun: Beginning,
    catalog: Catalog,
    *,
    you: int | None = None,
    name: str = "",
    opponent: str = PERSON,
    strength: Mapping[str, Any] | None = None,
    habits: Sequence[str] = (),
    clock: Mapping[str, int] | None = None,
) -> Session:
    """Makes a session that is on no disk yet; without more facts, of two people who play without a clock."""
    setup = {
        "you": you,
        "name": name,
        "opponent": opponent,
        "strength": dict(strength or {}),
        "habits": list(habits),
        "clock": clock,
        "seed": secrets.randbits(32),
        "tags": begun.tags,
        "start": {"text": _start_text(begun.start), "variant": begun.variant, "number": begun.number},
    }
    moves, state = [], begun.start
    for move in begun.moves:
        moves.append(StoredMove(move=state.move_text(move)))
        state = state.play(move)
    session = Session(StoredGame(id=new_id(), game=game, revision=0, setup=setup, moves=moves), catalog)
    session.match.agreed = begun.agreed
    if begun.agreed is None:
        settle(session.match, session.stored.progress)
    session.changed()
    return session


def _start_text(start: AnyState) -> str:
    if isinstance(start, Position):
        return start.fen(shredder=start.is_chess960, raw_en_passant=True)
    return start.text()


def play_on(session: Session, catalog: Catalog) -> Session:
    """Sets a copy of a finished game up, back at the person's last turn; the game itself stays. Raises RefusedError."""
    if not session.is_over:
        raise RefusedError("not_possible", "The game is not over; moves can be taken back in it.")
    stored = copy.deepcopy(session.stored)
    stored.id, stored.revision, stored.created = new_id(), 0, ""
    stored.setup["seed"] = secrets.randbits(32)
    # What was taken back says nothing about a level.
    stored.setup["habits"] = [habit for habit in stored.setup.get("habits", []) if habit != "follow"]
    twin = Session(stored, catalog)
    twin.return_to_last_turn()
    return twin


def rematch(session: Session, catalog: Catalog, settings: Mapping[str, Any], person_name: str) -> Session:
    """Sets the same game up again with sides exchanged, at the level of now if it follows. Raises RefusedError."""
    setup = session.stored.setup
    if session.is_imported:
        raise RefusedError("not_possible", "An imported game has no rematch.")
    you = setup["you"]
    start = Beginning(start=session.match.start, variant=setup["start"]["variant"], number=setup["start"]["number"])
    return make_session(
        session.stored.game,
        start,
        catalog,
        you=None if you is None else 1 - you,
        name=person_name,
        opponent=setup["opponent"],
        strength=level_for(setup["strength"], setup.get("habits"), settings),
        habits=setup.get("habits", []),
        clock=setup["clock"],
    )
