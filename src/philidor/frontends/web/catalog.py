"""The games that the server offers. A page can name those of the table and those given at start, and no others:
a name is never looked up as a module or a file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from philidor.core.errors import ConfigError, LoadError, PhilidorError, UnknownNameError
from philidor.core.game import AnyGame
from philidor.frontends.web.drawing import Drawer
from philidor.frontends.web.roster import Roster
from philidor.frontends.web.schema import Rules, Sizes
from philidor.games import GAMES, describe, load_game, split_name


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
        if name in self._drawers:
            return self._drawers[name]
        # One size or option may be written in many ways, and is loaded once.
        name = self._plain_name(name)
        if name not in self._drawers:
            self._drawers[name] = Drawer(load_game(name))
        return self._drawers[name]

    def game(self, name: str) -> AnyGame:
        """Returns a game's rules. Raises UnknownNameError, ConfigError."""
        return self.drawer(name).game

    def _plain_name(self, name: str) -> str:
        """Returns the name of a game of the table as the game writes it, if its size is offered."""
        try:
            family, options = split_name(name)
        except UnknownNameError:
            raise UnknownNameError("game", name, self.names) from None
        about = describe(family)
        if about.sizes is None and "width" in options:
            raise ConfigError(f"{about.title} has one size only")
        if about.sizes is not None:
            for what, (low, high) in (("width", about.sizes.width), ("height", about.sizes.height)):
                if not low <= int(options.get(what, low)) <= high:
                    raise ConfigError(f"the {what} must be from {low} to {high}, got {options[what]}")
        # The game itself knows what is usual: komi depends on the size.
        return load_game(name).name

    def rules(self, name: str) -> Rules:
        """Describes a game. Raises UnknownNameError, ConfigError."""
        drawer = self.drawer(name)
        about, sizes = drawer.descriptor, drawer.descriptor.sizes
        return Rules(
            name=name,
            title=about.title if ":" in name and about.title else title(name),
            rules=about.rules,
            sides=drawer.sides,
            board=drawer.board,
            start=drawer.position(drawer.game.state()),
            sizes=None if sizes is None or ":" in name else Sizes(width=sizes.width, height=sizes.height),
            chess960="chess960" in about.features,
            pgn="pgn" in about.features,
            editor="editor" in about.features,
            opponents=self.roster.fitting(drawer.game),
            first_opponents=self.roster.first_for(drawer.game),
            default_opponent=self.roster.default_for(drawer.game),
        )


def title(name: str) -> str:
    """What people call a game."""
    if ":" not in name:
        try:
            family, options = split_name(name)
            return describe(family).full_title(**options)
        except PhilidorError:  # of a game that this version does not have
            pass
    plain = name.rpartition(":")[2] or name
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain).replace("_", " ")
