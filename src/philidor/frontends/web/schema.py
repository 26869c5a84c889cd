"""What the server sends to its pages (docs/web-protocol.md). Sides are 0 and 1, squares are names."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

PGN_BYTES = 1_000_000
NAME_CHARS = 80
_TEXT_CHARS = 1_000

Side: TypeAlias = Literal[0, 1]
"""0 moves first."""
Square: TypeAlias = str
"""A square's name, such as "e4"."""
ShortText: TypeAlias = Annotated[str, StringConstraints(max_length=_TEXT_CHARS)]


class View(BaseModel):
    """What the server sends."""

    model_config = ConfigDict(frozen=True)


# --- Boards and positions --------------------------------------------------------------------------------------


class PieceView(View):
    """What a character on the board stands for."""

    side: Side
    name: str


class GridBoard(View):
    """How to draw a board of squares."""

    kind: Literal["grid"] = "grid"
    width: int
    height: int
    files: list[str]
    ranks: list[str]
    style: Literal["checkered", "plain", "points"]
    """points: stones stand on the crossings of lines."""
    art: Literal["figures", "discs", "strokes", "stones", "marked-stones", "letters"]
    """How a piece is drawn."""
    turns: bool
    """Whether the sides face each other, so that turning the board makes sense."""
    pieces: dict[str, PieceView]


class TextBoard(View):
    """A game without squares is shown as its own text."""

    kind: Literal["text"] = "text"


BoardView: TypeAlias = GridBoard | TextBoard


class PositionView(View):
    """A position of a game."""

    text: str
    cells: str | None
    """One character a square, row by row from the bottom; "." is empty."""
    drawing: str | None
    to_move: Side
    ply: int
    check: Square | None


class MoveView(View):
    """A move that may be made."""

    text: str
    san: str
    from_: Square | None = Field(alias="from", serialization_alias="from")
    """null: a stone is placed."""
    to: Square | None
    """null: no square, as for a pass."""
    promotion: str | None
    also: list[Square]
    """Further squares on which a drop means the same move."""


class OpeningView(View):
    """The name of a chess opening."""

    eco: str
    name: str


class ScoreView(View):
    """A verdict for the first player: centipawns or moves to mate, the other one is null."""

    cp: int | None = None
    mate: int | None = None


class ThoughtView(View):
    """What an engine counted for a move; all verdicts are the first player's."""

    nodes: int
    depth: int | None
    time_ms: int
    score: ScoreView | None
    value: float | None
    counters: dict[str, int]
    line: list[str]


class PlayedMove(View):
    """A move that was made and the position after it."""

    text: str
    san: str
    from_: Square | None = Field(alias="from", serialization_alias="from")
    to: Square | None
    promotion: str | None
    ply: int
    side: Side
    position: PositionView
    """After the move."""
    captured: str | None
    clock_ms: int | None
    opening: OpeningView | None
    thought: ThoughtView | None


class ResultView(View):
    """How a game ended."""

    winner: Side | None
    score: Literal["1-0", "0-1", "1/2-1/2"]
    reason: str
    text: str
    squares: list[Square] = []
    """The row of stones that has won, in games that rows decide."""


# --- Games and opponents ---------------------------------------------------------------------------------------


class Sizes(View):
    """The smallest and the largest width and height of a board."""

    width: tuple[int, int]
    height: tuple[int, int]


class Rules(View):
    """A game that can be played."""

    name: str
    title: str
    rules: str
    """How it is played; a blank line separates paragraphs. Empty for a game that does not say."""
    sides: tuple[str, str]
    board: BoardView
    start: PositionView
    sizes: Sizes | None
    chess960: bool
    pgn: bool
    editor: bool
    opponents: list[str]
    first_opponents: list[str]
    """Those whom the form lists at once."""
    default_opponent: str


class EloRange(View):
    """A strength that is chosen by rating."""

    kind: Literal["elo"] = "elo"
    min: int
    max: int
    step: int
    default: int
    has_full: bool
    scale: str | None = None
    """Whose ratings they are like."""
    words: list[tuple[int, str]] = []
    """What people call a rating below each of these."""
    estimated_below: int | None = None
    """Ratings below are not measured."""


class LevelList(View):
    """A strength that is chosen from a list; the first level is 1."""

    kind: Literal["levels"] = "levels"
    levels: list[str]
    default: int


class NoStrength(View):
    """Nothing to choose."""

    kind: Literal["none"] = "none"


StrengthChoice: TypeAlias = EloRange | LevelList | NoStrength

# What JavaScript's numbers can hold.
_Whole: TypeAlias = Annotated[int, Field(ge=-(2**53), le=2**53)]
_Real: TypeAlias = Annotated[float, Field(allow_inf_nan=False, ge=-1e15, le=1e15)]
SettingValue: TypeAlias = bool | _Whole | _Real | ShortText
Settings: TypeAlias = dict[str, SettingValue]


class SettingView(View):
    """A setting of an opponent, for those who want to choose more than a strength."""

    name: str
    type: Literal["int", "float", "bool", "text"]
    min: float | None
    max: float | None
    choices: list[str]
    default: SettingValue | None
    """null: decided elsewhere unless it is set."""
    help: str


Habit: TypeAlias = Literal["resign", "pace", "follow"]
"""What an opponent can be asked to do as people do: resign and draw, take its time, keep to the person's level."""


class OpponentView(View):
    """Whom one can play."""

    name: str
    title: str
    description: str
    games: list[str] | None
    strength: StrengthChoice
    settings: list[SettingView]
    habits: list[Habit] = []
    status: Literal["ready", "asking", "unavailable"] = "ready"
    """A program is asked who it is while the page is open already."""
    problem: str | None = None


class Bounds(View):
    """What the server takes at most."""

    pgn_bytes: int
    name_chars: int


class About(View):
    """All that a page needs to know before the first game."""

    protocol: Literal[1] = 1
    version: str
    games: list[Rules]
    opponents: list[OpponentView]
    first_game: str
    limits: Bounds
    settings: Settings
    has_runs: bool
    """Whether there is a folder of training runs to watch."""
    notice: str | None
    """What the player should know about their games, if anything."""


# --- A game ----------------------------------------------------------------------------------------------------


class PlayerView(View):
    """Who plays a side; `opponent` and `strength` are an engine's."""

    kind: Literal["person", "engine"]
    name: str
    opponent: str | None = None
    strength: dict[str, Any] | None = None


class ClockView(View):
    """The clocks at the moment of sending."""

    base_ms: int
    increment_ms: int
    remaining_ms: tuple[int, int]
    running: Side | None


class EngineView(View):
    """What the engine is doing."""

    status: Literal["idle", "waiting", "thinking", "failed", "paused"]
    message: str | None = None


class Can(View):
    """What the person may do now."""

    move: bool
    takeback: bool
    play_on: bool
    rematch: bool
    resign: bool
    offer_draw: bool
    hint: bool
    retry: bool


Status: TypeAlias = Literal["your_turn", "engine_turn", "over"]
Variant: TypeAlias = Literal["standard", "position", "chess960", "handicap"]


class GameView(View):
    """Everything about one game."""

    id: str
    revision: int
    game: str
    title: str
    variant: Variant
    chess960_number: int | None
    created: str
    updated: str
    sides: tuple[str, str]
    players: tuple[PlayerView, PlayerView]
    you: Side | None
    """null: both sides play at this board."""
    status: Status
    board: BoardView
    start: PositionView
    position: PositionView
    legal: list[MoveView]
    moves: list[PlayedMove]
    opening: OpeningView | None
    captured: tuple[str, str]
    material: int | None
    clock: ClockView | None
    result: ResultView | None
    draw_offer: Side | None
    engine: EngineView
    can: Can
    tags: dict[str, str] | None


class GameSummary(View):
    """A line in the list of games; one whose rules are not here cannot be opened, and its board is text."""

    id: str
    game: str
    title: str
    variant: Variant
    names: tuple[str, str]
    you: Side | None
    board: BoardView
    position: PositionView
    ply_count: int
    opening: OpeningView | None
    result: ResultView | None
    status: Status
    can_open: bool
    """Whether its rules are here."""
    created: str
    updated: str


class GameList(View):
    """One page of the list of games."""

    games: list[GameSummary]
    total: int
    page: int
    pages: int


class PositionCheck(View):
    """What is to be said about a text that describes a position or a game."""

    ok: bool
    problem: str | None = None
    position: PositionView | None = None
    legal_count: int = 0
    result: ResultView | None = None
    moves: list[PlayedMove] | None = None
    tags: dict[str, str] | None = None


class Problem(View):
    """Why a request was refused."""

    code: str
    message: str


class ErrorBody(View):
    """The body of every refused request."""

    error: Problem
