"""What pages send to the server (docs/web-protocol.md): everything is checked before anybody looks at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from philidor.frontends.web.schema import NAME_CHARS, PGN_BYTES, Habit, SettingValue, ShortText

GameName: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class Request(BaseModel):
    """What a page sends: nothing is guessed, and nothing unknown is passed over."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Strength(Request):
    """How strong the opponent plays: exactly one of these."""

    model_config = ConfigDict(json_schema_extra={"maxProperties": 1})

    elo: int | None = None
    full: Literal[True] | None = None
    level: int | None = None
    settings: dict[str, SettingValue | None] | None = Field(default=None, max_length=30)


class ClockRequest(Request):
    """Time for the whole game and for each move."""

    base_ms: int = Field(ge=1_000, le=24 * 3_600_000)
    increment_ms: int = Field(default=0, ge=0, le=3_600_000)


class StandardStart(Request):
    """The game's own initial position."""

    kind: Literal["standard"]


class PositionStart(Request):
    """Any legal position."""

    kind: Literal["position"]
    text: ShortText


class PgnStart(Request):
    """The position after the moves of a PGN's first game, or after the first `ply` of them."""

    kind: Literal["pgn"]
    text: str = Field(max_length=PGN_BYTES)
    ply: int | None = Field(default=None, ge=0, le=10_000)


class Chess960Start(Request):
    """A start position of Chess960; a random one without a number."""

    kind: Literal["chess960"]
    number: int | None = Field(default=None, ge=0, le=959)


class HandicapStart(Request):
    """Go with stones of Black's at their usual places, and White to move."""

    kind: Literal["handicap"]
    stones: int = Field(ge=2, le=9)


class SgfStart(Request):
    """The position after the moves of an SGF's first game, or after the first `ply` of them."""

    kind: Literal["sgf"]
    text: str = Field(max_length=PGN_BYTES)
    ply: int | None = Field(default=None, ge=0, le=10_000)


AnyStart: TypeAlias = StandardStart | PositionStart | PgnStart | Chess960Start | HandicapStart | SgfStart
Start: TypeAlias = Annotated[AnyStart, Field(discriminator="kind")]


class NewGame(Request):
    """A game to begin."""

    game: GameName
    opponent: Annotated[str, StringConstraints(max_length=NAME_CHARS)] | None = None
    strength: Strength | None = None
    habits: list[Habit] = Field(default=[], max_length=3)
    side: Literal["first", "second", "random"] = "first"
    clock: ClockRequest | None = None
    start: Start = StandardStart(kind="standard")


class PositionRequest(Request):
    """A text to look at: a position's or a PGN."""

    game: GameName
    text: ShortText | None = None
    pgn: str | None = Field(default=None, max_length=PGN_BYTES)


# --- The live game ---------------------------------------------------------------------------------------------


class Message(Request):
    """Whatever a page sends over the socket; `id` comes back in the answer."""

    id: int | None = None


class MoveMessage(Message):
    """Makes a move in the position with this revision."""

    type: Literal["move"]
    revision: int
    move: Annotated[str, StringConstraints(min_length=1, max_length=40)]


class TakebackMessage(Message):
    """Takes back to the person's last turn."""

    type: Literal["takeback"]
    revision: int


class HintMessage(Message):
    """Asks for a good move."""

    type: Literal["hint"]
    revision: int


class PlainMessage(Message):
    """What needs no more than its name."""

    type: Literal["resign", "offer_draw", "accept_draw", "decline_draw", "flag", "retry"]


class EvaluateMessage(Message):
    """Says whether this tab shows the verdict on each position."""

    type: Literal["evaluate"]
    on: bool
    ply: int | None = Field(default=None, ge=0, le=10_000)
    """Judges the position after so many moves once, beside the newest one."""


AnyMessage: TypeAlias = Annotated[
    MoveMessage | TakebackMessage | HintMessage | PlainMessage | EvaluateMessage, Field(discriminator="type")
]
"""What a page may ask of a live game."""


def describe_invalid(errors: Sequence[Any]) -> str:
    """Writes in a sentence what is wrong with a request, given what pydantic says; the first thing is enough."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    return f"{place}: {first['msg']}" if place else str(first["msg"])
