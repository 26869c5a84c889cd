"""Go: sizes up to 19x19, area scoring, three ko rules, komi and handicap (book, ch. 3.5.1, 4.1 and 4.2)."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from itertools import product

from philidor.core.game import IDENTITY, Symmetry
from philidor.core.grid import EMPTY, Grid
from philidor.games.go.board import go_grid, put
from philidor.games.go.descriptor import GO
from philidor.games.go.handicap import fixed_handicap
from philidor.games.go.rules import GoRules, rules_words, usual_komi
from philidor.games.go.state import GoState, read_state

__all__ = ["Go", "GoRules", "GoState"]

_SIDES = range(1, 20)
_FEWEST_PLIES = 100
"""Games on tiny boards may take longer than twice their points, which is what the largest may take."""


class Go:
    """The game on one size of board and by one set of rules; the usual ones are those of CGOS on 19x19.

    A name says what differs: "go-9x9", "go-9x9,komi=5.5,ko=simple", "go-13x13,ko=situational,suicide=yes".
    """

    descriptor = GO
    repetition_matters = True

    def __init__(
        self,
        width: int = 19,
        height: int = 19,
        *,
        komi: float | None = None,
        ko: str = "positional",
        suicide: bool | str = False,
    ) -> None:
        if width not in _SIDES or height not in _SIDES:
            raise ValueError(f"Go is played on 1x1 to 19x19, got {width}x{height}")
        self.grid = go_grid(width, height)
        self.rules = GoRules(usual_komi(width, height) if komi is None else float(komi), ko, suicide in (True, "yes"))
        # The usual komi depends on the size, so the options are written here.
        self.name = GO.full_name(width=width, height=height) + rules_words(self.rules, width, height)
        self.action_count = self.grid.size + 1
        self.max_plies = max(2 * self.grid.size, _FEWEST_PLIES)
        self.symmetries = tuple(_symmetries(self.grid))

    def __repr__(self) -> str:
        return f"load_game({self.name!r})"

    def state(self, text: str | None = None, /) -> GoState:
        """Returns the empty board, or reads one: its rows from the top, X or O to move, ply, passes, ko and komi."""
        start = GoState(self.grid, self.rules, self.max_plies, EMPTY * self.grid.size)
        return start if text is None else read_state(text, start)

    def handicap(self, stones: int) -> GoState:
        """Returns the start with this many stones at their usual places and White to move. Raises ValueError."""
        start = self.state()
        board = put(start.board, fixed_handicap(self.grid, stones), "X")
        return dataclasses.replace(start, board=board, to_move=1)

    def action_index(self, state: GoState, move: int, /) -> int:
        """A move's number is its square's; a pass comes last."""
        return move


def _symmetries(grid: Grid) -> list[Symmetry[GoState, int]]:
    """Builds the reflections and turns of the board, the identity first: eight on a square, four on a rectangle."""
    transpositions = (False, True) if grid.width == grid.height else (False,)
    ways = product(transpositions, (False, True), (False, True))
    return [IDENTITY, *(_symmetry(grid, *way) for way in ways if any(way))]


def _symmetry(grid: Grid, is_transposed: bool, is_flipped: bool, is_mirrored: bool) -> Symmetry[GoState, int]:
    """Exchanges rows and columns, then top and bottom, then left and right, as far as asked for."""
    parts = (("transpose", is_transposed), ("flip", is_flipped), ("mirror", is_mirrored))

    def placed(square: int) -> int:
        row, column = divmod(square, grid.width)
        row, column = (column, row) if is_transposed else (row, column)
        row = grid.height - 1 - row if is_flipped else row
        column = grid.width - 1 - column if is_mirrored else column
        return row * grid.width + column

    places = (*(placed(square) for square in range(grid.size)), grid.size)
    sources = sorted(range(grid.size), key=places.__getitem__)

    # The boards of a game's past come back with each of its positions.
    @lru_cache(maxsize=1024)
    def permuted(board: str) -> str:
        # A situation's last letter is the player to move.
        return "".join([board[source] for source in sources]) + board[grid.size :]

    def image(state: GoState) -> GoState:
        return dataclasses.replace(
            state,
            board=permuted(state.board),
            ko=None if state.ko is None else places[state.ko],
            past=frozenset(map(permuted, state.past)),
            last=None if state.last is None else places[state.last],
            recent=tuple(places[move] for move in state.recent),
            parent=None,
        )

    name = " and ".join(name for name, is_done in parts if is_done)
    return Symmetry(name, image, lambda move: places[move], places[:-1], places)
