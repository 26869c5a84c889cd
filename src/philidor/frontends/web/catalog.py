"""The games that the server offers. A page can name those of the table and those given at start, and no others:
a name is never looked up as a module or a file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from philidor.core.errors import ConfigError, LoadError, UnknownNameError
from philidor.core.game import AnyGame
from philidor.frontends.web.drawing import Drawer
from philidor.frontends.web.roster import Roster
from philidor.frontends.web.schema import Rules, Sizes
from philidor.games import GAMES, load_game

_SIZED = re.compile(r"([a-z0-9]+)-([1-9][0-9]?)x([1-9][0-9]?)")
_TITLES = {
    "chess": "Chess",
    "connect4": "Connect four",
    "gomoku": "Gomoku",
    "hexapawn": "Hexapawn",
    "tictactoe": "Tic-tac-toe",
}
# Larger boards work too, but nobody can see them.
_SIZES = {
    "hexapawn": Sizes(width=(1, 12), height=(3, 12)),
    "connect4": Sizes(width=(4, 12), height=(4, 12)),
    "gomoku": Sizes(width=(5, 19), height=(5, 19)),
}


class Catalog:
    """All games by name, and who plays them; each game is loaded once."""

    def __init__(self, own: Sequence[str] = (), roster: Roster | None = None) -> None:
        """`own` are games named at start, such as "my.py:Game" or "hexapawn-4x4". Raises a PhilidorError."""
        self.roster = Roster() if roster is None else roster
        self._drawers: dict[str, Drawer] = {}
        self._own = list(own)
        for name in own:
            game = load_game(name)
            try:
                self._drawers[name] = Drawer(game)
                self.rules(name)
            # Somebody's own code: what does not work is told now, and not when the page is open.
            except Exception as error:
                raise LoadError(f"{name!r} cannot be shown: {type(error).__name__}: {error}") from error

    @property
    def names(self) -> list[str]:
        """What the menu lists."""
        return ["chess", *(name for name in GAMES if name != "chess"), *(n for n in self._own if n not in GAMES)]

    @property
    def first(self) -> str:
        """What is offered first."""
        return self._own[0] if self._own else "chess"

    def drawer(self, name: str) -> Drawer:
        """Returns a game with its drawing. Raises UnknownNameError, ConfigError."""
        if name not in self._drawers:
            if name not in GAMES:
                self._check_size(name)
            self._drawers[name] = Drawer(load_game(name))
        return self._drawers[name]

    def game(self, name: str) -> AnyGame:
        """Returns a game's rules. Raises UnknownNameError, ConfigError."""
        return self.drawer(name).game

    def _check_size(self, name: str) -> None:
        sized = _SIZED.fullmatch(name)
        if sized is None or sized[1] not in GAMES:
            raise UnknownNameError("game", name, self.names)
        sizes = _SIZES.get(sized[1])
        if sizes is None:
            raise ConfigError(f"{title(sized[1])} has one size only")
        for value, (low, high), what in ((sized[2], sizes.width, "width"), (sized[3], sizes.height, "height")):
            if not low <= int(value) <= high:
                raise ConfigError(f"the {what} must be from {low} to {high}, got {value}")

    def rules(self, name: str) -> Rules:
        """Describes a game. Raises UnknownNameError, ConfigError."""
        drawer = self.drawer(name)
        is_chess = drawer.game.name == "chess"
        return Rules(
            name=name,
            title=title(name),
            sides=drawer.sides,
            board=drawer.board,
            start=drawer.position(drawer.game.state()),
            sizes=_SIZES.get(name.partition("-")[0]),
            chess960=is_chess,
            pgn=is_chess,
            editor=is_chess,
            opponents=self.roster.fitting(drawer.game),
            default_opponent=self.roster.default_for(drawer.game),
        )


def title(name: str) -> str:
    """What people call a game."""
    sized = _SIZED.fullmatch(name)
    if sized is not None and sized[1] in _TITLES:
        return f"{_TITLES[sized[1]]} {sized[2]}×{sized[3]}"
    if name in _TITLES:
        return _TITLES[name]
    plain = name.rpartition(":")[2] or name
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain).replace("_", " ")
