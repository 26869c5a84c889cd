"""What a live game tells its tabs over their sockets (docs/web-protocol.md)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from philidor.frontends.web.schema import GameView, MoveView, ScoreView, Settings, Side, ThoughtView, View


class GameNews(View):
    """The game, without the moves that the tab has already."""

    type: Literal["game"] = "game"
    kept: int = 0
    """How many moves of the game that was sent before are still the first ones; `moves` has those after them."""
    game: GameView


class Thinking(ThoughtView):
    """How far the engine's search is."""

    type: Literal["thinking"] = "thinking"
    revision: int
    side: Side
    nps: int | None


class Evaluation(View):
    """The verdict on a position; `value` in [-1, 1] fills the bar."""

    type: Literal["evaluation"] = "evaluation"
    revision: int
    ply: int
    """How many moves of the game lie before the position."""
    value: float
    score: ScoreView | None
    wdl: tuple[float, float, float] | None
    depth: int | None
    line: list[str]


class Hint(View):
    """A good move, and what is to be expected of it."""

    type: Literal["hint"] = "hint"
    revision: int
    move: MoveView
    score: ScoreView | None
    value: float | None
    line: list[str]
    reply_to: int | None


class Notice(View):
    """Something that the player should know."""

    type: Literal["notice"] = "notice"
    code: str
    message: str
    reply_to: int | None


class ErrorNews(View):
    """Something that could not be done; the game is intact."""

    type: Literal["error"] = "error"
    code: str
    message: str
    reply_to: int | None


class SettingsNews(View):
    """The settings have changed."""

    type: Literal["settings"] = "settings"
    settings: Settings


class Deleted(View):
    """The game does not exist any more."""

    type: Literal["deleted"] = "deleted"


AnyNews: TypeAlias = GameNews | Thinking | Evaluation | Hint | Notice | ErrorNews | SettingsNews | Deleted
"""What a live game tells its pages."""
