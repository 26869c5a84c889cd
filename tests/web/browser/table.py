"""A game's page as a player uses it: by mouse, by typing, by keys; every wait is for a state, never for a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from tests.web.tab import new_game

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PATIENCE_MS = 60_000
PERSON = {"opponent": "person"}
"""Both sides are played at the board: no engine to wait for."""


class Table:
    """The open page of one game."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.board.wait_for()

    @classmethod
    def start(cls, url: str, game: str, wishes: dict[str, Any], open_page: Callable[[str], Page]) -> Self:
        """Starts a game on the server and opens its page."""
        view = new_game(url, game, **wishes)
        return cls(open_page(f"{url}/game/{view['id']}"))

    @property
    def board(self) -> Locator:
        """The board of whatever game it is."""
        return self.page.locator(".board")

    @property
    def typed(self) -> Locator:
        """The field for typed moves."""
        return self.page.get_by_label("Type a move")

    @property
    def moves(self) -> list[str]:
        """The moves in the list."""
        return self.page.locator(".move").all_inner_texts()

    @property
    def position(self) -> str:
        """The board as the page tells it to screen readers."""
        return self.page.locator("#board-words").inner_text()

    def button(self, name: str) -> Locator:
        """One of the buttons of the page."""
        return self.page.get_by_role("button", name=name, exact=True)

    def wait_for_moves(self, *moves: str) -> None:
        """Waits until the list holds exactly these moves."""
        wanted = "|".join(moves)
        script = "wanted => [...document.querySelectorAll('.move')].map(e => e.innerText).join('|') === wanted"
        self._wait(script, wanted, f"moves {moves}, got {self.moves}")

    def wait_for_count(self, count: int) -> None:
        """Waits until so many moves have been made."""
        self._wait("count => document.querySelectorAll('.move').length === count", count, f"{count} moves")

    def wait_for_piece(self, square: str, piece: str) -> None:
        """Waits until a piece such as "white queen" stands on a square of the chess board, or "" for none."""
        script = """([square, piece]) => {
            const pieces = [...document.querySelectorAll('cg-board piece')];
            const found = pieces.find(e => e.cgKey === square && !e.cgAnimating);
            return (found ? found.cgPiece : '') === piece;
        }"""
        self._wait(script, [square, piece], f"{piece!r} on {square}")

    def wait_for_marks(self, kind: str, count: int) -> None:
        """Waits until so many squares of the chess board are marked in this way."""
        # Chessground keeps squares that it does not need, hidden.
        script = """([kind, count]) => {
            const marked = [...document.querySelectorAll(`cg-board square.${kind}`)];
            return marked.filter(e => e.style.display !== 'none').length === count;
        }"""
        self._wait(script, [kind, count], f"{count} squares marked {kind}")

    def wait_for_result(self, text: str) -> None:
        """Waits until the game has ended like this."""
        self.page.locator(".result-text", has_text=text).wait_for()

    def middle_of(self, square: str) -> tuple[float, float]:
        """Where a square is on the screen."""
        box = self.board.bounding_box()
        assert box is not None
        left, top, width, height = self._view_box()
        # A margin is the same on all sides; left and top are then below 0.
        columns, rows = round(width + 2 * left), round(height + 2 * top)
        column, row = ord(square[0]) - ord("a"), int(square[1:]) - 1
        if "orientation-black" in (self.board.get_attribute("class") or ""):
            column, row = columns - 1 - column, rows - 1 - row
        x = box["x"] + (column + 0.5 - left) * box["width"] / width
        y = box["y"] + (rows - row - 0.5 - top) * box["height"] / height
        return x, y

    def drag(self, origin: str, target: str) -> None:
        """Drags what stands on one square to another."""
        mouse = self.page.mouse
        mouse.move(*self.middle_of(origin))
        mouse.down()
        mouse.move(*self.middle_of(target), steps=4)
        mouse.up()

    def click(self, *squares: str) -> None:
        """Clicks squares one after the other."""
        for square in squares:
            self.page.mouse.click(*self.middle_of(square))

    def type(self, move: str) -> None:
        """Types a move and sends it."""
        self.typed.fill(move)
        self.typed.press("Enter")

    def _view_box(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of the drawing in squares."""
        script = "e => e.classList.contains('grid-board') ? e.firstElementChild.getAttribute('viewBox') : '0 0 8 8'"
        left, top, width, height = map(float, self.board.evaluate(script).split())
        return left, top, width, height

    def _wait(self, script: str, argument: object, what: str) -> None:
        from playwright.sync_api import TimeoutError as TooLate

        try:
            self.page.wait_for_function(script, arg=argument)
        except TooLate:
            raise AssertionError(f"waited for {what}; the page says: {self.page.inner_text('body')}") from None
