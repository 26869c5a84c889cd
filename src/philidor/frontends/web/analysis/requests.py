"""What pages of the analysis board send to the server: everything is checked before anybody looks at it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, StringConstraints

from philidor.frontends.web.requests import Message, Request, Strength
from philidor.frontends.web.schema import NAME_CHARS, ShortText, Side

COMMENT_CHARS = 5_000
MOST_LINES = 5
MOST_HASH_MB = 1024

NodeId: TypeAlias = Annotated[int, Field(ge=0, le=2**53)]
MoveText: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=40)]


class NewStudy(Request):
    """A study to begin: of a game of ours, of a game of a file, or of a position; the usual start without any."""

    game: Annotated[str, StringConstraints(max_length=40)] | None = None
    file: Annotated[str, StringConstraints(max_length=40)] | None = None
    number: int | None = Field(default=None, ge=1, le=10_000_000)
    position: ShortText | None = None


class LookMessage(Message):
    """Says which position the tab shows; its running engines follow."""

    type: Literal["look"]
    node: NodeId


class Edit(Message):
    """A change of the study as it was at a revision."""

    revision: int


class StudyMoveMessage(Edit):
    """Makes a move, which becomes a variation where another one is there already."""

    type: Literal["move"]
    node: NodeId
    move: MoveText


class LineMessage(Edit):
    """Plays the beginning of an engine's line into the study."""

    type: Literal["line"]
    node: NodeId
    moves: list[MoveText] = Field(min_length=1, max_length=60)


class DeleteMessage(Edit):
    """Deletes a move and all that follows it."""

    type: Literal["delete"]
    node: NodeId


class PromoteMessage(Edit):
    """Makes a variation come earlier, or the main line."""

    type: Literal["promote"]
    node: NodeId
    main: bool = False


class CommentMessage(Edit):
    """Sets the comment on a move; nothing removes it."""

    type: Literal["comment"]
    node: NodeId
    text: Annotated[str, StringConstraints(max_length=COMMENT_CHARS)]


class NagsMessage(Edit):
    """Sets the glyphs of a move by their PGN numbers: 1 is "!", 2 is "?"."""

    type: Literal["nags"]
    node: NodeId
    nags: list[Annotated[int, Field(ge=1, le=255)]] = Field(max_length=20)


class TagsMessage(Edit):
    """Sets some of the PGN's tags; an empty one is removed."""

    type: Literal["tags"]
    tags: dict[
        Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,39}$")],
        Annotated[str, StringConstraints(max_length=400)],
    ] = Field(max_length=40)


class AnnotateMessage(Edit):
    """Writes the review into the study: evaluations, glyphs, and for each mistake the better and the refuting line."""

    type: Literal["annotate"]


class SeatLimit(Request):
    """How long an engine thinks about each position; without any of these until it is told to stop."""

    seconds: float | None = Field(default=None, ge=0.1, le=3600)
    nodes: int | None = Field(default=None, ge=1, le=10**12)
    depth: int | None = Field(default=None, ge=1, le=199)


class AnalyseMessage(Message):
    """Lets an engine of the roster analyse what the tab shows."""

    type: Literal["analyse"]
    seat: Side
    engine: Annotated[str, StringConstraints(max_length=NAME_CHARS)]
    strength: Strength | None = None
    lines: int = Field(default=3, ge=1, le=MOST_LINES)
    limit: SeatLimit = SeatLimit()
    threat: bool = False
    hash_mb: int = Field(default=32, ge=1, le=MOST_HASH_MB)
    threads: int = Field(default=1, ge=1, le=64)


class StopMessage(Message):
    """Ends an engine's analysis."""

    type: Literal["stop"]
    seat: Side


class ReviewMessage(Message):
    """Has the main line reviewed."""

    type: Literal["review"]
    nodes: int = Field(default=100_000, ge=100, le=100_000_000)
    human: int | None = Field(default=None, ge=600, le=2600)
    crowd: ShortText = "human"
    """Whose moves those of the rating are, by a name of /api/crowds."""


class StopReviewMessage(Message):
    """Ends a review; what was judged is kept until the study is closed."""

    type: Literal["stop_review"]


class TryMessage(Message):
    """Tries another move instead of a reviewed one."""

    type: Literal["try"]
    place: int = Field(ge=0, le=10_000)
    move: MoveText


class PeopleMessage(Message):
    """Asks what people would play in a position."""

    type: Literal["people"]
    node: NodeId
    crowd: ShortText = "human"
    """Who is asked, by a name of /api/crowds."""


StudyMessage: TypeAlias = Annotated[
    LookMessage
    | StudyMoveMessage
    | LineMessage
    | DeleteMessage
    | PromoteMessage
    | CommentMessage
    | NagsMessage
    | TagsMessage
    | AnnotateMessage
    | AnalyseMessage
    | StopMessage
    | ReviewMessage
    | StopReviewMessage
    | TryMessage
    | PeopleMessage,
    Field(discriminator="type"),
]
