"""Where a new game begins: the usual start, a position, the end of a PGN, or a start of Chess960."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from philidor.core.descriptor import descriptor_of
from philidor.core.errors import ConfigError, FenError, PgnError
from philidor.core.game import AnyGame, AnyState, Outcome
from philidor.frontends.playing.match import AS_RECORDED
from philidor.frontends.web.requests import AnyStart, HandicapStart, PgnStart, PositionStart, SgfStart, StandardStart
from philidor.frontends.web.schema import Variant
from philidor.games.chess import Position, chess960_position, is_chess960
from philidor.games.go import Go
from philidor.records import GameRecord, Result, parse_pgn

# The longest game of masters has 538 half moves.
_MAX_PLIES = 2_000
# What the game says by itself, and what would be wrong after other moves.
_DROPPED_TAGS = ("Result", "FEN", "SetUp", "Variant", "Termination", "PlyCount", "Opening", "ECO")
_MAX_TAGS, _MAX_TAG_CHARS = 40, 400


@dataclass(frozen=True, kw_only=True)
class Beginning:
    """The first state, the moves that lead on from it, and what was written beside them."""

    start: AnyState
    variant: Variant = "standard"
    number: int | None = None
    """Of a Chess960 start position."""
    moves: list[Any] = field(default_factory=list)
    agreed: Outcome | None = None
    """How an imported game ended, where the rules alone do not say it."""
    tags: dict[str, str] | None = None

    @property
    def state(self) -> AnyState:
        """Where play goes on."""
        state = self.start
        for move in self.moves:
            state = state.play(move)
        return state


def beginning(game: AnyGame, start: AnyStart) -> Beginning:
    """Sets up the board. Raises FenError, PgnError, ConfigError."""
    if isinstance(start, StandardStart):
        return Beginning(start=game.state())
    if isinstance(start, PositionStart):
        return _from_position(game, start.text)
    if isinstance(start, HandicapStart):
        return _with_handicap(game, start.stones)
    if isinstance(start, SgfStart):
        from philidor.frontends.web.go.sgf import from_sgf

        return from_sgf(game, start.text, start.ply)
    if ("pgn" if isinstance(start, PgnStart) else "chess960") not in descriptor_of(game).features:
        raise ConfigError(f"only chess begins with a {'PGN' if isinstance(start, PgnStart) else 'Chess960 position'}")
    if isinstance(start, PgnStart):
        return from_pgn(game, start.text, start.ply)
    number = secrets.randbelow(960) if start.number is None else start.number
    return Beginning(start=chess960_position(number), variant="chess960", number=number)


def _from_position(game: AnyGame, text: str) -> Beginning:
    text = " ".join(text.split())
    state: AnyState = game.state(text)
    if text == "startpos" or state.text() == game.state().text():
        return Beginning(start=state)
    return Beginning(start=state, variant="chess960" if is_chess960(state) else "position")


def _with_handicap(game: AnyGame, stones: int) -> Beginning:
    if not isinstance(game, Go):
        raise ConfigError("only Go begins with handicap stones")
    try:
        return Beginning(start=game.handicap(stones), variant="handicap")
    except ValueError as error:
        raise ConfigError(str(error)) from None


def from_pgn(game: AnyGame, text: str, ply: int | None = None) -> Beginning:
    """Reads the first game of a PGN, or its first `ply` moves. Raises PgnError."""
    record = parse_pgn(text)
    if len(record) > _MAX_PLIES:
        raise PgnError(f"the game has {len(record)} half moves; at most {_MAX_PLIES} are taken")
    is_chess960 = "960" in record.tags.get("Variant", "")
    try:
        start = Position(record.start or "startpos", chess960=True if is_chess960 else None)
    except FenError as error:
        raise PgnError(str(error)) from None
    moves, state = [], start
    for index in record.indices[:ply]:
        moves.append(state.legal_moves()[index])
        state = state.play(moves[-1])
    variant: Variant = "chess960" if start.is_chess960 else "standard" if record.start is None else "position"
    agreed = agreed_end(record, state) if ply is None else None
    return Beginning(start=start, variant=variant, moves=moves, agreed=agreed, tags=_tags(record))


def agreed_end(record: GameRecord, state: AnyState) -> Outcome | None:
    """Returns how the players ended a game that the rules would let go on."""
    if record.result is Result.UNKNOWN or state.is_over():
        return None
    winner = {Result.FIRST_WINS: 0, Result.SECOND_WINS: 1}.get(record.result)
    return Outcome(winner, one_line(record.termination or "") or AS_RECORDED)


def _tags(record: GameRecord) -> dict[str, str]:
    """Returns what the PGN says about the game, cut to a size that fits on a page."""
    tags = {"Event": record.source or "?", **record.tags}
    for name, rating in zip(("WhiteElo", "BlackElo"), record.ratings, strict=True):
        if rating is not None:
            tags[name] = str(rating)
    kept = [(name, value) for name, value in tags.items() if name not in _DROPPED_TAGS and name.isidentifier()]
    return {name[:40]: one_line(value) for name, value in kept[:_MAX_TAGS]}


def one_line(text: str) -> str:
    """Makes one line without control characters of what somebody wrote."""
    return "".join(c if c.isprintable() else " " for c in text)[:_MAX_TAG_CHARS].strip()
