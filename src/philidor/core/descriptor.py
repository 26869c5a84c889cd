"""What everybody but the rules wants to know of a game: one object beside its rules, the game's `descriptor`.

It holds data and names only: the rooms above look the names up in their own tables. So a game says here how it is
encoded, drawn and compiled, and imports none of those who do it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any, Literal, TypeAlias

from philidor.core.errors import ConfigError

NAMELESS = ("First player", "Second player")
"""What the players of a game are called that does not name its sides."""

OptionValue: TypeAlias = int | float | str
Feature: TypeAlias = Literal["pgn", "editor", "chess960"]


@dataclass(frozen=True, slots=True)
class Piece:
    """What may stand on a square of a drawn board."""

    name: str
    """As a screen reader says it: "white pawn"."""
    side: int
    """Whose it is: 0 for the first player's."""
    glyph: str | None = None
    """What a terminal with Unicode shows; None for the piece's letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridDrawing:
    """How a board of squares looks; its squares are read from the state's text (`philidor.core.grid.board_rows`)."""

    pieces: Mapping[str, Piece]
    """By their characters in the text."""
    style: Literal["checkered", "plain", "points"] = "plain"
    """What lies under the pieces; on points, stones lie on the crossings of lines."""
    art: Literal["figures", "discs", "strokes", "stones", "marked-stones", "letters"] = "letters"
    """How the web board draws a piece; `web/src/board/art.ts` has the table."""
    columns: str = ascii_lowercase
    """Letters of the columns, from the left."""
    has_facing_sides: bool = False
    """Whether the players sit at opposite ends, so that the board may be turned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The boards a game offers; its constructor takes `width` and `height`, and may take more than are offered."""

    usual: tuple[int, int]
    """The width and height of the board that needs no mention in the game's name."""
    width: tuple[int, int]
    """The least and the most that menus offer."""
    height: tuple[int, int]
    is_square: bool = False
    """Whether width and height must be the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOption:
    """A rule that can be chosen, such as komi: an argument of the game's constructor. Its type is the default's."""

    name: str
    title: str
    """What people call it."""
    default: OptionValue
    choices: tuple[OptionValue, ...] = ()
    """All values, where there are few; else the least and the most are given."""
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None

    def parse(self, text: str) -> OptionValue:
        """Reads a value. Raises ConfigError."""
        try:
            value = type(self.default)(text)
        except ValueError:
            raise ConfigError(f"{self.name} must be a {type(self.default).__name__}, got {text!r}") from None
        return self.check(value)

    def check(self, value: OptionValue) -> OptionValue:
        """Returns the value if it is allowed. Raises ConfigError."""
        if self.choices and value not in self.choices:
            raise ConfigError(f"{self.name} must be one of {', '.join(map(str, self.choices))}, got {value!r}")
        if isinstance(value, str):
            return value
        # What is no number lies in no range.
        if not float("-inf") < value < float("inf"):
            raise ConfigError(f"{self.name} must be a finite number, got {value!r}")
        if self.minimum is not None and value < self.minimum:
            raise ConfigError(f"{self.name} must be at least {self.minimum:g}, got {value!r}")
        if self.maximum is not None and value > self.maximum:
            raise ConfigError(f"{self.name} must be at most {self.maximum:g}, got {value!r}")
        if self.step is not None and value % self.step:
            raise ConfigError(f"{self.name} must be a multiple of {self.step:g}, got {value!r}")
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Descriptor:
    """One game, whatever its size and options."""

    name: str
    """The game's name in the table, without size and options: "gomoku"."""
    title: str
    """What people call it: "Connect four"."""
    rules: str = ""
    """How it is played, in a few plain sentences; a blank line separates paragraphs."""
    sides: tuple[str, str] = NAMELESS
    """What the players are called; the first one moves first."""
    sizes: Sizes | None = None
    """None for a game on one board."""
    options: tuple[GameOption, ...] = ()
    encoding: str | None = None
    """The encoding that networks see it by, such as "boards-1"; None chooses by what its states can show."""
    heuristic: str | None = None
    """Who judges its positions where nobody else is named (`philidor.evaluators`); None for no opinion."""
    native: str | None = None
    """The name of its twin in the compiled core, which its states tell of by `HasTwin`; None for Python alone."""
    drawing: GridDrawing | None = None
    """None draws the board that its text shows, if any, by what can be guessed from the letters."""
    winning_row: int | None = None
    """How many stones in an unbroken row win, in games that rows decide; boards mark such a row."""
    features: frozenset[Feature] = frozenset()
    """What else can be done with it: games as PGN, a position editor, shuffled starts."""

    def full_name(self, **values: OptionValue) -> str:
        """Writes the name that `load_game` reads back to the same rules, from the arguments of the constructor.

        What is as usual is left out: "gomoku", "gomoku-9x9", "go-9x9,komi=5.5".
        """
        width, height = self._size(values)
        size = f"-{width}x{height}" if width else ""
        changed = [f",{option.name}={value}" for option, value in self._changed(values)]
        return "".join([self.name, size, *changed])

    def full_title(self, **values: OptionValue) -> str:
        """Writes what people call it, with the options that are named: "Gomoku 9×9", "Go 9×9, komi 5.5"."""
        width, height = self._size(values)
        size = f" {width}×{height}" if width else ""
        # Also those with the usual value: what is usual may depend on the size.
        named = [option for option in self.options if option.name in values]
        changed = [f", {option.title.lower()} {_plain(values[option.name])}" for option in named]
        return "".join([self.title, size, *changed])

    def _size(self, values: Mapping[str, OptionValue]) -> tuple[OptionValue, OptionValue]:
        """Returns width and height, or zeros for the usual board."""
        usual = self.sizes.usual if self.sizes is not None else (0, 0)
        size = (values.get("width", usual[0]), values.get("height", usual[1]))
        return (0, 0) if size == usual else size

    def _changed(self, values: Mapping[str, OptionValue]) -> list[tuple[GameOption, str]]:
        """Returns the options that are not as usual, with their values' texts."""
        chosen = [(option, values.get(option.name, option.default)) for option in self.options]
        return [(option, _plain(value)) for option, value in chosen if value != option.default]


def _plain(value: OptionValue) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


UNDESCRIBED = Descriptor(name="", title="")
"""Stands for games that say nothing of themselves: they can be played, searched and learned all the same."""


def descriptor_of(thing: Any) -> Descriptor:
    """Returns the descriptor of a game or a state: the one that it or a class it derives from has declared."""
    declared: Descriptor = getattr(thing, "descriptor", UNDESCRIBED)
    return declared


def native_name(thing: Any) -> str | None:
    """Returns the name of the compiled twin of a game or a state; None if there is none.

    Only a class that has declared a descriptor itself has a twin: one that is derived from ours may have other rules.
    """
    declared: Descriptor = vars(type(thing)).get("descriptor", UNDESCRIBED)
    return declared.native
