"""Shows a session: to pages as a `GameView`, to chess programs as PGN."""

from __future__ import annotations

from typing import Any

from philidor.frontends.playing.material import captures
from philidor.frontends.playing.score import pgn_text
from philidor.frontends.web.catalog import title
from philidor.frontends.web.schema import Can, EngineView, GameView, PlayerView
from philidor.frontends.web.session import YOU, Session
from philidor.games.chess import Position
from philidor.games.go import GoState


def game_view(session: Session, engine: EngineView) -> GameView:
    """Returns all that a page shows."""
    stored, match, drawer = session.stored, session.match, session.drawer
    setup, is_over = stored.setup, session.is_over
    persons_turn = not is_over and match.is_persons_turn
    lead = captures(match.start, match.state, 0)[1] if isinstance(match.state, Position) else None
    you: Any = session.you
    offer: Any = session.draw_offer
    return GameView(
        id=stored.id,
        revision=stored.revision,
        game=stored.game,
        title=title(stored.game),
        variant=setup["start"]["variant"],
        chess960_number=setup["start"]["number"],
        created=stored.created,
        updated=stored.updated,
        sides=drawer.sides,
        players=(_player(session, 0), _player(session, 1)),
        you=you,
        status="over" if is_over else "your_turn" if persons_turn else "engine_turn",
        board=drawer.board,
        start=drawer.position(match.start),
        position=session.position,
        legal=drawer.legal(match.state) if persons_turn else [],
        moves=session.played,
        opening=session.opening,
        captured=(_captured(session, 0), _captured(session, 1)),
        material=lead,
        clock=None if session.clock is None else session.clock.view(),
        result=session.result,
        draw_offer=offer,
        engine=engine,
        can=_can(session, persons_turn, engine),
        tags=setup["tags"],
    )


def _player(session: Session, side: int) -> PlayerView:
    name = session.names[side]
    if session.you is None or side == session.you:
        return PlayerView(kind="person", name=name)
    strength = session.stored.setup["strength"]
    return PlayerView(kind="engine", name=name, opponent=session.opponent.name, strength=strength)


def _captured(session: Session, side: int) -> str:
    """Returns what a side has taken, strongest first; letters as they stood on the board."""
    match = session.match
    if isinstance(match.state, Position):
        taken = captures(match.start, match.state, side)[0]
        return taken.lower() if side == 0 else taken
    return "".join(sorted(move.captured or "" for move in session.played if move.side == side))


def _can(session: Session, persons_turn: bool, engine: EngineView) -> Can:
    # Go is counted: nobody offers a draw.
    is_over, is_go = session.is_over, isinstance(session.match.state, GoState)
    return Can(
        move=persons_turn,
        takeback=not is_over and session.has_own_move,
        play_on=is_over and session.has_own_move,
        rematch=is_over and not session.is_imported,
        resign=not is_over,
        offer_draw=not is_over and session.draw_offer is None and not session.was_declined and not is_go,
        hint=persons_turn,
        retry=engine.status == "failed",
    )


def write_pgn(session: Session) -> str:
    """Writes the game as PGN, whatever the game is."""
    stored, opening, clock = session.stored, session.opening, session.clock
    white, black = (name if name != YOU else "Person" for name in session.names)
    tags = {"Event": "Game in the browser", "Date": stored.created[:10].replace("-", ".")}
    tags |= stored.setup["tags"] or {}
    if opening is not None:
        tags |= {"ECO": opening.eco, "Opening": opening.name}
    if clock is not None:
        tags["TimeControl"] = f"{clock.base_ms // 1000}+{clock.increment_ms // 1000}"
    comments = [_clock_comment(move.clock_ms) for move in session.played]
    return pgn_text(session.match, {**tags, "White": white, "Black": black}, comments)


def _clock_comment(left_ms: int | None) -> str | None:
    """Writes the time left after a move as PGN does: "[%clk 0:04:59]"."""
    if left_ms is None:
        return None
    minutes, seconds = divmod(left_ms // 1000, 60)
    return f"[%clk {minutes // 60}:{minutes % 60:02}:{seconds:02}]"
