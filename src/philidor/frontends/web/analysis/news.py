"""What a live study tells its tabs over their sockets (docs/web-protocol.md)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from philidor.frontends.web.analysis.schema import (
    LineMove,
    NodeView,
    PeopleHere,
    PlaceView,
    ReviewView,
    SeatView,
    StudyView,
)
from philidor.frontends.web.news import Deleted, ErrorNews
from philidor.frontends.web.schema import ScoreView, View


class StudyNews(View):
    """The whole study: at the beginning, and whenever a tab was behind."""

    type: Literal["study"] = "study"
    study: StudyView


class StudyChange(View):
    """What is different in the study."""

    type: Literal["change"] = "change"
    revision: int
    title: str
    nodes: list[NodeView]
    removed: list[int]
    tags: dict[str, str] | None
    focus: int | None
    """What whoever made the change looks at now."""
    reply_to: int | None


class Reviewing(View):
    """How many positions of how many have been judged; none of none if no review is being made."""

    type: Literal["reviewing"] = "reviewing"
    done: int
    total: int


class ReviewNews(View):
    """The review of the main line as it is now, if there is one."""

    type: Literal["review"] = "review"
    review: ReviewView | None


class Tried(View):
    """How good another move is than a reviewed one."""

    type: Literal["tried"] = "tried"
    place: int
    san: str
    is_best: bool
    is_good: bool
    was_played: bool
    cost: float
    score: ScoreView
    fen: str
    line: list[LineMove]
    """What the engine expects after it."""
    reply_to: int | None


AnyStudyNews: TypeAlias = (
    StudyNews | StudyChange | PlaceView | SeatView | Reviewing | ReviewNews | Tried | PeopleHere | ErrorNews | Deleted
)
"""What a live study tells its pages."""
