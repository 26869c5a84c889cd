"""Games of Go as SGF: one that a person pastes becomes a game here, and any game here becomes a file."""

from __future__ import annotations

from philidor.core.errors import ConfigError, PgnError
from philidor.core.game import AnyGame, Outcome
from philidor.frontends.playing.match import AS_RECORDED
from philidor.frontends.web.catalog import Catalog, title
from philidor.frontends.web.go.ending import counted
from philidor.frontends.web.go.schema import SgfCheck
from philidor.frontends.web.newgame import make_session
from philidor.frontends.web.requests import SgfStart
from philidor.frontends.web.session import Session
from philidor.frontends.web.starts import Beginning, beginning, one_line
from philidor.games.go import Go, GoState
from philidor.games.go.rules import number_text
from philidor.records import GameRecord, Result, parse_sgf, write_sgf
from philidor.records.sgf import recorded_moves

# What the game says by itself, and what would be wrong after other moves.
_DROPPED = ("RE", "KM", "SZ", "HA", "AB", "AW", "PL", "GM", "FF", "CA", "AP", "RU", "ST")
_NOBODY = {"PB": "?", "PW": "?"}
_OF_PLAYERS = ("PB", "PW", "BR", "WR", "BT", "WT")
_MAX_TAGS = 40
_ENDS = {"resignation": "R", "time over": "T", "time forfeit": "T"}


def from_sgf(game: AnyGame, text: str, ply: int | None = None) -> Beginning:
    """Reads the first game of an SGF text, or its first `ply` moves. Raises PgnError, ConfigError."""
    own, record = parse_sgf(text)
    if not isinstance(game, Go) or game.grid != own.grid or game.rules.ko != "simple":
        raise ConfigError(f"this SGF is a game of {own.name}, not of {game.name}")
    start = own.state(record.start)
    moves = recorded_moves(record, own)[:ply]
    tags = _NOBODY | {name: one_line(value) for name, value in record.tags.items() if name not in _DROPPED}
    is_usual = start.text() == game.state().text()
    return Beginning(
        start=start,
        variant="standard" if is_usual else "handicap" if handicap_of(start) else "position",
        moves=list(moves),
        agreed=_agreed(record) if ply is None else None,
        tags=dict(list(tags.items())[:_MAX_TAGS]),
    )


def _agreed(record: GameRecord) -> Outcome | None:
    """Returns how the players ended the game: what the file says, for it counts as they did."""
    if record.result is Result.UNKNOWN:
        return None
    winner = {Result.FIRST_WINS: 0, Result.SECOND_WINS: 1}.get(record.result)
    points = record.tags.get("RE", "").partition("+")[2]
    try:
        reason = f"by {number_text(float(points))} points"
    except ValueError:
        reason = one_line(record.termination or "") or AS_RECORDED
    return Outcome(winner, "equal points" if winner is None else reason)


def check_sgf(catalog: Catalog, text: str) -> SgfCheck:
    """Says what a text means, or what is wrong with it; the game's name is what a new game is asked for with."""
    try:
        own, record = parse_sgf(text)
        state = own.state(record.start)
        name = f"go-{own.grid.width}x{own.grid.height},komi={number_text(state.rules.komi)},ko=simple"
        name = catalog.game(name).name
        begun = beginning(catalog.game(name), SgfStart(kind="sgf", text=text))
    except (PgnError, ConfigError, ValueError) as error:
        return SgfCheck(ok=False, problem=str(error))
    session = make_session(name, begun, catalog)
    return SgfCheck(
        ok=True,
        game=name,
        title=title(name),
        position=session.position,
        moves=session.played,
        tags=begun.tags or {},
        result=session.result,
    )


def to_sgf(session: Session) -> str:
    """Writes a game of Go with its names, its handicap, its komi and its result."""
    match, stored = session.match, session.stored
    start, game = match.start, match.game
    assert isinstance(start, GoState)
    assert isinstance(game, Go)
    black, white = session.names
    tags = {"PB": black, "PW": white, "KM": number_text(start.rules.komi), "RU": "Chinese", "DT": stored.created[:10]}
    if stones := handicap_of(start):
        tags["HA"] = str(stones)
    if score := _score(session):
        tags["RE"] = score
    # Whoever plays a game on from here is not who began it.
    others = () if session.is_imported else _OF_PLAYERS
    read = (stored.setup["tags"] or {}).items()
    tags |= {name: value for name, value in read if name.isalpha() and name.isupper() and name not in others}
    start_text = None if start.text() == game.state().text() else start.text()
    record = GameRecord.from_moves(game, match.moves, start=start_text, tags={k: one_line(v) for k, v in tags.items()})
    return write_sgf(record, game)


def _score(session: Session) -> str | None:
    """Writes the result as SGF does: "B+3.5", "W+R", "0"; None for a game that goes on."""
    outcome, state = session.match.outcome(), session.match.state
    if outcome is None:
        return None
    if outcome.winner is None:
        return "0"
    side = "BW"[outcome.winner]
    words = outcome.reason.split()
    if words[:1] == ["by"] and len(words) == 3:
        return f"{side}+{words[1]}"
    if isinstance(state, GoState) and state.is_over() and outcome.reason != AS_RECORDED:
        return counted(state, session.stored.progress).text
    return f"{side}+{_ENDS.get(outcome.reason, '')}"


def handicap_of(start: GoState) -> int:
    """Returns how many stones Black begins with; 0 where White has stones too, or Black moves first."""
    is_handicap = start.to_move == 1 and "O" not in start.board
    return start.board.count("X") if is_handicap and start.ply == 0 else 0
