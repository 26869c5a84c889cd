"""What the server sends and takes for Go alone (docs/web-protocol.md)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from philidor.frontends.web.requests import Request
from philidor.frontends.web.schema import PGN_BYTES, MoveView, PlayedMove, PositionView, ResultView, View


class CountView(View):
    """A counted board: `owners` has one character a square, X, O or "." for nobody's."""

    dead: list[str]
    owners: str
    area: tuple[int, int]
    komi: float
    score: str
    can_mark: bool
    """Whether the person may say which stones are dead."""


class GoView(View):
    """What a game of Go has beside what all games have; the count is of a game that has ended on the board."""

    revision: int
    komi: float
    handicap: int
    count: CountView | None


class Candidate(View):
    """A move worth a thought; its chances are the mover's."""

    move: MoveView
    visits: int
    win_rate: float | None
    """The mover's."""
    prior: float | None


class Judgement(View):
    """A verdict on one position, in Black's view; `best_lead` is the lead after the first candidate."""

    ply: int
    win_rate: float
    lead: float
    """In points, with komi."""
    best_lead: float
    owners: list[float]
    """By point, from 1 for Black's to -1 for White's."""
    candidates: list[Candidate]
    line: list[str]
    judge: str


class SgfCheck(View):
    """What is to be said about a text that should be SGF."""

    ok: bool
    problem: str | None = None
    game: str | None = None
    """The name of the game to ask for."""
    title: str | None = None
    position: PositionView | None = None
    moves: list[PlayedMove] | None = None
    tags: dict[str, str] | None = None
    result: ResultView | None = None


class SgfRequest(Request):
    """A text to look at."""

    sgf: str = Field(max_length=PGN_BYTES)


class DeadRequest(Request):
    """A stone whose chain is dead, or alive after all, in the game of this revision."""

    revision: int
    square: Annotated[str, StringConstraints(min_length=2, max_length=3)]
