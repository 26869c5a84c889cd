"""What the analysis board's server sends to its pages (docs/web-protocol.md). Scores and WDL are White's view."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import Field

from philidor.frontends.web.schema import MoveView, OpeningView, PositionView, ResultView, ScoreView, Side, View

Wdl: TypeAlias = tuple[float, float, float]


class NodeView(View):
    """A position of a study and the move that led to it. The page keeps nodes by `id` until the next whole study."""

    id: int
    parent: int | None
    children: list[int]
    """The first goes on with the line, the others are variations."""
    ply: int
    san: str
    text: str
    from_: str | None = Field(alias="from", serialization_alias="from")
    to: str | None
    fen: str
    check: str | None
    comment: str
    """Without commands such as [%clk 0:04:59], which are kept but not shown."""
    before: str
    """A comment that stands before the first move of a variation."""
    nags: list[int]
    opening: OpeningView | None


class StudyView(View):
    """A whole study. `nodes[0]` is the start."""

    id: str
    revision: int
    title: str
    tags: dict[str, str]
    problems: list[str]
    """What could not be read of the PGN that it was made of."""
    source: str
    """Where it came from: "game:ID", "file:ID:NUMBER", or empty."""
    created: str
    updated: str
    nodes: list[NodeView]


class StudySummary(View):
    """A line in the list of studies."""

    id: str
    title: str
    result: str
    updated: str


class StudyList(View):
    """The studies, the last changed first."""

    studies: list[StudySummary]
    total: int


class FileSummary(View):
    """A PGN file with several games."""

    id: str
    name: str
    games: int
    created: str


class FileGame(View):
    """A game of such a file."""

    number: int
    white: str
    black: str
    result: str
    date: str
    opening: str
    plies: int
    problem: str | None
    """Why it cannot be opened, if it cannot."""


class FileView(View):
    """One page of the list of a file's games."""

    file: FileSummary
    games: list[FileGame]
    total: int
    page: int
    pages: int


class Files(View):
    """All files, the newest first."""

    files: list[FileSummary]


class Imported(View):
    """What became of a pasted or dropped text: exactly one of the two."""

    study: str | None
    file: str | None


class LineMove(View):
    """A move of an engine's line, with the position after it, so that it can be shown without asking."""

    san: str
    text: str
    from_: str | None = Field(alias="from", serialization_alias="from")
    to: str | None
    fen: str
    check: str | None


class LineView(View):
    """One line of an engine."""

    moves: list[LineMove]
    score: ScoreView | None
    wdl: Wdl | None
    depth: int | None
    share: float | None
    """Of the visits, or of the people who play the move; None where the engine has no such thing."""


class TableVerdict(View):
    """What the endgame tables say."""

    text: str
    moves: list[str]
    """Those that keep it, in SAN."""


class PlaceView(View):
    """What there is to know of a position before any engine is asked."""

    type: Literal["place"] = "place"
    node: int
    position: PositionView
    legal: list[MoveView]
    result: ResultView | None
    tables: TableVerdict | None


SeatStatus: TypeAlias = Literal["off", "waiting", "thinking", "done", "failed"]


class SeatView(View):
    """What an engine says of a position."""

    type: Literal["engine"] = "engine"
    seat: Side
    node: int | None
    status: SeatStatus
    title: str
    threat: bool
    depth: int | None = None
    nodes: int = 0
    nps: int = 0
    time_ms: int = 0
    score: ScoreView | None = None
    wdl: Wdl | None = None
    lines: list[LineView] = Field(default_factory=list)
    message: str | None = None


class PhaseView(View):
    """One side's moves in a phase of the game."""

    phase: str
    moves: int
    accuracy: float
    average_loss: float


class ReviewedSide(View):
    """One side's game."""

    name: str
    accuracy: float | None
    average_loss: float | None
    inaccuracies: int
    mistakes: int
    blunders: int
    phases: list[PhaseView]


class ChoiceView(View):
    """A move that people like to play."""

    san: str
    share: float
    cost: float | None


class PeopleView(View):
    """What people of the review's rating would have played."""

    played: float
    best: float | None
    usual: list[ChoiceView]


class ReviewedMove(View):
    """A move of the reviewed game; `place` counts from 0."""

    node: int
    place: int
    side: Side
    number: str
    san: str
    score: ScoreView
    wdl: Wdl
    percent: float
    """White's win percentage after it."""
    judgment: str | None
    loss_percent: float
    loss_cp: float
    accuracy: float
    phase: str
    best: str | None
    best_line: list[LineMove]
    """Of a mistake: what would have been better."""
    reply_line: list[LineMove]
    """Of a mistake: what refutes it."""
    people: PeopleView | None


class ReviewView(View):
    """The review of a study's main line."""

    judge: str
    human: int | None
    opening: str | None
    result: str
    start_percent: float
    turning_point: int | None
    white: ReviewedSide
    black: ReviewedSide
    moves: list[ReviewedMove]


class CandidateView(View):
    """A move with what it costs and who plays it."""

    san: str
    text: str
    score: ScoreView
    cost: float
    """Points of win percentage."""
    shares: list[float]
    """How likely people of each rating play it, in the order of `ratings`."""
    is_trap: bool
    line: list[LineMove]


class CrowdView(View):
    """Networks that know what people play, to be chosen by their name."""

    name: str
    title: str


class PeopleHere(View):
    """What people of all ratings would play in a position."""

    type: Literal["people"] = "people"
    node: int
    crowd: str
    """The name of the networks that were asked."""
    judge: str
    ratings: list[int]
    """Empty for a network that knows no ratings: each curve then has one value."""
    candidates: list[CandidateView]
