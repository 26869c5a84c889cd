"""What the server sends about training runs (docs/web-protocol.md)."""

from __future__ import annotations

from philidor.frontends.web.schema import BoardView, OpponentView, PlayedMove, PositionView, ResultView, View


class RunSummary(View):
    """A run in a line."""

    name: str
    game: str
    state: str
    """running, done, stopped, new or unreadable."""
    generation: int
    wanted_generations: int
    """0 where the run does not say."""
    games: int
    loss: float | None
    verdict: str
    """What the rater found last, in words."""
    age_s: float
    """Seconds since something was written last."""
    problem: str | None = None
    """Why it cannot be read."""


class RunList(View):
    """All runs, the newest first."""

    is_given: bool
    """Whether the server has a folder of runs at all."""
    runs: list[RunSummary]


class CurveView(View):
    """Numbers over the course of a run."""

    name: str
    x: list[float]
    y: list[float]


class ChartView(View):
    """Curves that belong together."""

    title: str
    x_label: str
    curves: list[CurveView]


class Checkpoint(View):
    """A network that a run has saved."""

    name: str
    bytes: int


class RunView(View):
    """A run in detail."""

    summary: RunSummary
    charts: list[ChartView]
    checkpoints: list[Checkpoint]
    """The newest first."""
    shards: int
    """Files of games."""


class CheckpointView(View):
    """A saved network as an opponent: a game is asked for with its name."""

    game: str
    opponent: OpponentView


class ReplayView(View):
    """A game that a run has played."""

    board: BoardView
    start: PositionView
    moves: list[PlayedMove]
    sides: tuple[str, str]
    result: ResultView | None


class ReplayList(View):
    """The newest games of a run, the newest first."""

    game: str
    games: list[ReplayView]
