"""Turns games, positions and moves into what a page draws; any game whose text has a board of squares gets one."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import Any

from philidor.core.abilities import TellsCheck, move_name
from philidor.core.analysis import Analysis, Score
from philidor.core.descriptor import GridDrawing, Piece, descriptor_of
from philidor.core.game import AnyGame, AnyState, Outcome
from philidor.core.grid import EMPTY, Grid, board_rows, side_of
from philidor.frontends.playing.score import result_text
from philidor.frontends.web.schema import (
    BoardView,
    GridBoard,
    MoveView,
    PieceView,
    PositionView,
    ResultView,
    ScoreView,
    TextBoard,
    ThoughtView,
)
from philidor.frontends.web.winning import winning_row
from philidor.games.chess import Position

_SQUARES = re.compile(r"([a-z][1-9][0-9]?)?([a-z][1-9][0-9]?)([a-z]?)")
# How somebody's own game is drawn that does not say: any letter may appear later in the game.
_GUESSED = GridDrawing(
    pieces={letter: Piece(letter, side_of(letter)) for letter in map(chr, range(33, 127)) if letter.isalpha()},
    style="checkered",
    has_facing_sides=True,
)


class Drawer:
    """Draws one game."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        rows = board_rows(game.state().text())
        self.descriptor = descriptor_of(game)
        self.drawing = self.descriptor.drawing or _GUESSED
        self.grid = None if rows is None else Grid(len(rows[0]), len(rows), self.drawing.columns)
        self.sides = self.descriptor.sides

    @cached_property
    def board(self) -> BoardView:
        """How the board looks, whatever stands on it."""
        grid = self.grid
        if grid is None:
            return TextBoard()
        drawing = self.drawing
        return GridBoard(
            width=grid.width,
            height=grid.height,
            files=[grid.name(column)[0] for column in range(grid.width)],
            ranks=[str(row + 1) for row in range(grid.height)],
            style=drawing.style,
            art=drawing.art,
            turns=drawing.has_facing_sides,
            pieces={
                letter: PieceView(side=_side(piece.side), name=piece.name) for letter, piece in drawing.pieces.items()
            },
        )

    def cells(self, state: AnyState) -> str | None:
        """Returns one character a square, the bottom row first; None without a board."""
        rows = board_rows(state.text()) if self.grid is not None else None
        return None if rows is None else "".join(reversed(rows))

    def position(self, state: AnyState) -> PositionView:
        """Draws a position."""
        cells = self.cells(state)
        return PositionView(
            text=state.text(),
            cells=cells,
            drawing=str(state) if cells is None else None,
            to_move=_side(state.to_move),
            ply=state.ply,
            check=self._check(state),
        )

    def _check(self, state: AnyState) -> str | None:
        square = state.checked_square() if isinstance(state, TellsCheck) else None
        return None if square is None or self.grid is None else self.grid.name(square)

    def legal(self, state: AnyState) -> list[MoveView]:
        """Draws every legal move."""
        moves = [self.move(state, move) for move in state.legal_moves()]
        # A king that castles in Chess960 may go where it could go by itself; that square then means the plain move.
        taken = Counter((move.from_, move.to) for move in moves)
        return [
            move.model_copy(update={"also": [square for square in move.also if not taken[move.from_, square]]})
            if move.also
            else move
            for move in moves
        ]

    def move(self, state: AnyState, move: Any) -> MoveView:
        """Draws one legal move."""
        text = state.move_text(move)
        origin, target, promotion = self._squares(state, move, text)
        return MoveView.model_validate(
            {
                "text": text,
                "san": move_name(state, move),
                "from": origin,
                "to": target,
                "promotion": promotion,
                "also": self._also(state, move, text, target),
            }
        )

    def _squares(self, state: AnyState, move: Any, text: str) -> tuple[str | None, str | None, str | None]:
        """Finds from, to and promotion: in the move's text, or else by what it changes on the board."""
        grid, match = self.grid, _SQUARES.fullmatch(text)
        if grid is None:
            return None, None, None
        if match is not None and all(name is None or grid.square(name) is not None for name in match.groups()[:2]):
            return match[1], match[2], match[3] or None
        before, after = self.cells(state), self.cells(state.play(move))
        if before is None or after is None:
            return None, None, None
        changed = [square for square, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
        return None, grid.name(changed[0]) if len(changed) == 1 else None, None

    def _also(self, state: AnyState, move: Any, text: str, target: str | None) -> list[str]:
        grid = self.grid
        if grid is None or target is None:
            return []
        if isinstance(state, Position):
            return _castling_squares(grid, state, move, target)
        if len(text) == 1 and target.startswith(text):  # a column
            return [name for row in range(grid.height) if (name := f"{text}{row + 1}") != target]
        return []

    def captured(self, before: AnyState, after: AnyState) -> str | None:
        """Returns the piece that a move has taken from the other side, if any."""
        cells = [self.cells(state) for state in (before, after)]
        if cells[0] is None or cells[1] is None:
            return None
        old, new = (Counter(c for c in each or "" if c != EMPTY) for each in cells)
        lost = [piece for piece in old - new if self._side_of(piece) != before.to_move]
        return lost[0] if lost else None

    def _side_of(self, piece: str) -> int:
        known = self.drawing.pieces.get(piece)
        return side_of(piece) if known is None else known.side

    def result(self, outcome: Outcome | None, state: AnyState) -> ResultView | None:
        """Writes how the game ended, in `state`."""
        if outcome is None:
            return None
        verdict = "Draw" if outcome.winner is None else f"{self.sides[outcome.winner]} wins"
        joint = " " if outcome.reason.startswith("by ") else ": "
        return ResultView.model_validate(
            {
                "winner": outcome.winner,
                "score": result_text(outcome),
                "reason": outcome.reason,
                "text": f"{verdict}{joint}{outcome.reason}.",
                "squares": self._winning_squares(state),
            }
        )

    def _winning_squares(self, state: AnyState) -> list[str]:
        length, cells = self.descriptor.winning_row, self.cells(state)
        if length is None or cells is None or self.grid is None:
            return []
        return [self.grid.name(square) for square in winning_row(cells, self.grid.width, length)]


def _side(side: int) -> Any:
    assert side in (0, 1), side
    return side


def _castling_squares(grid: Grid, state: Position, move: Any, target: str) -> list[str]:
    """Returns the other square that people drop a castling king on: its rook's, or its own target's."""
    rook = state.piece_at(move.to_square)
    if rook is None or side_of(rook) != state.to_move:
        return []
    rank = move.to_square // 8 * 8
    king_goes = grid.name(rank + (6 if move.to_square > move.from_square else 2))
    return [name for name in (grid.name(move.to_square), king_goes) if name != target]


def first_score(score: Score | None, to_move: int) -> ScoreView | None:
    """Turns the mover's score into the first player's."""
    if score is None:
        return None
    seen = score if to_move == 0 else score.flipped()
    return ScoreView(cp=seen.cp, mate=seen.mate)


def first_value(analysis: Analysis, to_move: int) -> float | None:
    """Returns the expected result in the first player's view."""
    value = analysis.value
    if value is None and analysis.score is not None and analysis.score.mate is not None:
        value = 1.0 if analysis.score.mate > 0 else -1.0
    return None if value is None else value if to_move == 0 else -value


def readable(state: AnyState, texts: tuple[str, ...], most: int = 8) -> list[str]:
    """Writes the beginning of a line as people do."""
    names = []
    for text in texts[:most]:
        move = state.parse_move(text)
        names.append(move_name(state, move))
        state = state.play(move)
    return names


def thought(state: AnyState, analysis: Analysis, time_ms: int) -> ThoughtView:
    """Writes what an engine found in `state`."""
    return ThoughtView(
        nodes=analysis.nodes,
        depth=analysis.depth,
        time_ms=time_ms,
        score=first_score(analysis.score, state.to_move),
        value=first_value(analysis, state.to_move),
        counters=dict(analysis.counters),
        line=readable(state, analysis.lines[0].moves) if analysis.lines else [],
    )
