"""A game with what each of its moves was worth: `philidor.review(pgn)`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from philidor.core.analysis import Score
from philidor.core.evaluation import Wdl
from philidor.reviews.config import ReviewConfig
from philidor.reviews.judging import Judge, Verdict, blocks
from philidor.reviews.people import PeopleAtMove

if TYPE_CHECKING:
    import chess
    import chess.pgn

    from philidor.games.chess import Position
    from philidor.reviews.sheets import Sheet

    Reviewable = str | Path | Position | chess.Board | chess.pgn.Game


@dataclass(frozen=True, slots=True)
class MoveReview:
    """A move that was played. Scores are White's view; losses and accuracy are the mover's."""

    ply: int
    """Half moves before it since the start of the game, by the FEN's move number."""
    is_white: bool
    san: str
    uci: str
    score: Score
    """What the position after it is worth; mate 0 where it mates."""
    wdl: Wdl
    """Chances of White's win, a draw and Black's win after it."""
    white_percent: float
    """White's win percentage after it, by Lichess's formula."""
    best: str | None
    """The engine's move instead, in SAN; the same where they agree, None where the game was over already."""
    best_line: tuple[str, ...]
    """The engine's line instead, in SAN."""
    reply_line: tuple[str, ...]
    """The engine's line after the move, in SAN: of a mistake, what refutes it."""
    loss_cp: float
    """Centipawns that it lost, with scores cut at ten pawns."""
    loss_percent: float
    """Points of win percentage that it lost."""
    accuracy: float
    """0 to 100."""
    judgment: str | None
    """"?!", "?", "??", or None."""
    phase: str
    """"opening", "middlegame" or "endgame"."""
    people: PeopleAtMove | None = None
    """What people of a rating would have played, where that was asked for."""

    @property
    def number(self) -> str:
        """The number in front of it on a score sheet: "12." or "12..."."""
        return f"{self.ply // 2 + 1}{'.' if self.is_white else '...'}"

    @property
    def is_best(self) -> bool:
        """Whether the engine would have played it too."""
        return self.best == self.san


@dataclass(frozen=True, slots=True)
class PhaseReview:
    """One side's moves in a phase."""

    moves: int
    accuracy: float
    """The mean of its moves' accuracies."""
    average_loss: float


@dataclass(frozen=True, slots=True)
class SideReview:
    """One side's game."""

    name: str
    accuracy: float | None
    """0 to 100; None for a side without moves."""
    average_loss: float | None
    """Centipawns a move."""
    inaccuracies: int
    mistakes: int
    blunders: int
    phases: dict[str, PhaseReview]
    """The phases in which the side moved."""


@dataclass(frozen=True, slots=True)
class GameReview:
    """A reviewed game."""

    headers: dict[str, str]
    start: str
    """FEN of the first position."""
    start_score: Score
    """White's view."""
    start_percent: float
    """White's win percentage before the first move."""
    moves: tuple[MoveReview, ...]
    white: SideReview
    black: SideReview
    judge: str
    """Who judged, and how long: "nnue, 100,000 nodes a move"."""
    opening: str | None = None
    """The last position that has a name: "C50 Italian Game"."""
    turning_point: int | None = None
    """Place in `moves` of the one that decided the game, if one did."""
    human: int | None = None
    """The rating of the people in it."""
    sheet: Sheet | None = field(default=None, repr=False, compare=False)
    """The game as it was read, with comments and variations."""

    @property
    def mistakes(self) -> list[MoveReview]:
        """The moves with a judgment, in the game's order."""
        return [move for move in self.moves if move.judgment is not None]

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data for JSON."""
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in ("sheet", "moves")}
        plain |= {name: asdict(plain[name]) for name in ("start_score", "white", "black")}
        return {**plain, "moves": [_plain_move(move) for move in self.moves]}

    def to_json(self, *, indent: int | None = None) -> str:
        """Writes `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=indent)

    def pgn(self) -> str:
        """Returns the game as PGN: evaluations, judgments and better lines beside what it had already."""
        from philidor.reviews.annotating import annotated_pgn

        return annotated_pgn(self)

    def html(self) -> str:
        """Returns a page of its own, with a board, a graph and all lines; it loads nothing from anywhere."""
        from philidor.reviews.page import page

        return page([self])

    def _repr_html_(self) -> str:
        from philidor.reviews.notebook import review_html

        return review_html(self)


def review(
    game: Reviewable,
    /,
    *,
    engine: str = "nnue",
    nodes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,
) -> GameReview:
    """Reviews a game: PGN text, a file's Path, a Position with its history, or a Board or Game of python-chess.

    `nodes` is 100,000 unless it or another limit is given; `settings` are fields of ReviewConfig, such as `human=1500`.
    `progress` is told how many positions of how many have been judged. Raises PgnError, ConfigError, NetError.
    """
    from philidor.core.config import from_dict
    from philidor.reviews.assembling import assemble
    from philidor.reviews.sheets import sheet_of

    config = from_dict(ReviewConfig, {"engine": engine, "nodes": nodes, **settings})
    sheet = sheet_of(game)
    judge = Judge(config)
    verdicts: list[Verdict] = []
    for last, count in blocks(sheet.positions):
        verdicts += judge.judge_block(last, count) or []
        if progress is not None:
            progress(len(verdicts), len(sheet.positions))
    return assemble(sheet, verdicts, config)


def _plain_move(move: MoveReview) -> dict[str, Any]:
    plain: Mapping[str, Any] = asdict(move)
    known = {name: value for name, value in plain.items() if name != "people" or value is not None}
    return {**known, "score": {name: value for name, value in plain["score"].items() if value is not None}}
