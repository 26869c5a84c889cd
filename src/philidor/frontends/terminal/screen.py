"""Puts the board, the players, what was captured and the moves of a game on one screen."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from philidor.core.game import FIRST, SECOND
from philidor.frontends.playing.match import Match
from philidor.frontends.playing.material import ORDER, captures
from philidor.frontends.terminal.board import Board, Look
from philidor.frontends.terminal.colors import PALETTES

_FIGURES = dict(zip(ORDER, "♛♜♝♞♟", strict=True))
# Rows that are not the board: a title, two lines of players, two blanks, messages and the prompt.
_ROWS_AROUND = 11
# Columns that the moves and the space before them need.
_COLUMNS_BESIDE = 34


def look_of(console: Console, *, ascii_only: bool, board: Board | None) -> Look:
    """Finds out what the terminal can show; squares are big where a big board leaves room for everything else."""
    is_colored = not console.no_color and not ascii_only
    palette = PALETTES.get(console.color_system or "") if is_colored else None
    has_unicode = not ascii_only and (console.encoding or "").lower().startswith("utf")
    big = Look(is_big=True)
    is_big = (
        board is not None
        and palette is not None
        and has_unicode
        and console.is_terminal
        and console.height >= big.height * len(board.rows) + _ROWS_AROUND
        and console.width >= big.width * len(board.rows[0]) + _COLUMNS_BESIDE
    )
    return Look(has_unicode, palette, is_big)


def draw_match(match: Match, console: Console, *, is_flipped: bool, ascii_only: bool) -> RenderableType:
    """Returns the whole screen but for messages and prompt."""
    before = match.states[-2] if len(match.states) > 1 else None
    board = Board.of(match.state, before)
    look = look_of(console, ascii_only=ascii_only, board=board)
    top, bottom = (FIRST, SECOND) if is_flipped else (SECOND, FIRST)
    drawing: RenderableType = Text(str(match.state))
    rows = str(match.state).count("\n") + 1
    if board is not None:
        drawing = board.draw(look, is_flipped=is_flipped)
        rows = look.height * len(board.rows) + 1
    left = Group(_player(match, top, look), "", drawing, "", _player(match, bottom, look))
    screen = Table.grid(padding=(0, 3))
    screen.add_column(no_wrap=True)
    screen.add_column()
    screen.add_row(left, _moves(match, rows + 4))
    return screen


def _player(match: Match, side: int, look: Look) -> Text:
    """One line: whose turn, the side, who plays it, what it has captured."""
    is_next = match.outcome() is None and match.state.to_move == side
    arrow = "▶" if look.has_unicode else ">"
    line = Text()
    line.append(f"{arrow if is_next else ' '} ", style="bold green")
    line.append(match.sides[side], style="bold")
    line.append(f"  {match.name_of(side)}", style="cyan")
    captured, lead = captures(match.start, match.state, side)
    if captured:
        shown = "".join(_FIGURES[piece] for piece in captured) if look.has_unicode else captured
        line.append(f"  {shown}", style="bright_black")
    if lead > 0:
        line.append(f" +{lead}", style="bright_black")
    return line


def _moves(match: Match, rows: int) -> RenderableType:
    """The moves in two columns; the last ones, when there are more than rows."""
    names = match.notation()
    # A game that begins with the second player's move has a gap where the first player's would stand.
    first = match.start.to_move
    names = [""] * first + names
    table = Table(box=None, padding=(0, 1), header_style="bright_black", show_edge=False)
    table.add_column("", justify="right", style="bright_black")
    for side in (FIRST, SECOND):
        table.add_column(match.sides[side], min_width=8, no_wrap=True)
    start = match.start.ply // 2 + 1
    pairs = [(start + i // 2, names[i], names[i + 1] if i + 1 < len(names) else "") for i in range(0, len(names), 2)]
    shown = pairs[-(rows - 2) :]
    if len(shown) < len(pairs):
        table.add_row("", "...", "")
    last = len(pairs) - 1
    for index, (number, *pair) in enumerate(shown, start=len(pairs) - len(shown)):
        cells = [Text(name or ("..." if i == 0 and first else "")) for i, name in enumerate(pair)]
        if index == last:
            cells[1 if pair[1] else 0].stylize("bold yellow")
        table.add_row(f"{number}.", *cells)
    return table
