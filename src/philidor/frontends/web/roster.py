"""All opponents of a server: our players, the networks and the programs that were found at its start, and people."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from philidor.core.errors import PhilidorError, UnknownNameError
from philidor.core.game import AnyGame
from philidor.frontends.playing.setup import PERSON
from philidor.frontends.web import networks, programs
from philidor.frontends.web.opponents import Opponent, menu_order, missing, of_table, person
from philidor.frontends.web.runs.folder import PREFIX, RunsFolder
from philidor.frontends.web.schema import EloRange, OpponentView
from philidor.players import offered_players

# How to bring those back who were there when a game was begun.
_ADVICE = {
    networks.PREFIX: "its file is not among the networks; start with --nets FOLDER.",
    programs.PREFIX: "start with --engine NAME=COMMAND.",
    PREFIX: "its run is not in the folder of runs; start with --runs DIR.",
}
_FRONT = ("human", "nnue", "classic", PERSON)
_NO_ADVICE = "this philidor does not have it."


class Roster:
    """Opponents by name, in the order of the menu."""

    def __init__(
        self,
        *,
        nets: Sequence[Path] = (),
        engines: Sequence[str] = (),
        runs: Path | None = None,
        left_out: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Looks for networks in folders and begins to ask programs; `left_out` hears of what is of no use, also later.

        `runs` is a folder of training runs, whose networks are found when somebody asks for one.
        Raises ConfigError.
        """
        everybody = [
            *(of_table(name) for name in menu_order(offered_players())),
            *networks.network_opponents(nets, left_out, networks.shipped_files()),
            *programs.program_opponents(engines, left_out),
            person(),
        ]
        self._known = {opponent.name: opponent for opponent in everybody}
        self.runs = None if runs is None else RunsFolder(runs)

    @property
    def views(self) -> list[OpponentView]:
        """What pages see of all of them."""
        return [opponent.newest_view for opponent in self._known.values() if opponent.is_listed]

    @property
    def names(self) -> list[str]:
        """All names, also of those whom no menu lists."""
        return list(self._known)

    @property
    def net_paths(self) -> dict[str, Path]:
        """The files of the networks."""
        return {name: each.net for name, each in self._known.items() if each.net is not None}

    def add(self, opponent: Opponent) -> None:
        """Takes in one who came later; people stay the last of the menu."""
        others = [each for each in self._known.values() if each.name not in (opponent.name, PERSON)]
        plain = [each for each in others if each.name != networks.MAIA]
        nets = [each for each in plain if each.name.startswith(networks.PREFIX)]
        before = [each for each in plain if not each.name.startswith((networks.PREFIX, programs.PREFIX))]
        after = [each for each in plain if each.name.startswith(programs.PREFIX)]
        everybody = [*before, *networks.grouped([*nets, opponent]), *after, person()]
        self._known = {each.name: each for each in everybody}

    def find(self, name: str) -> Opponent:
        """Returns who is called so; raises UnknownNameError, and a PhilidorError for a network that is none."""
        if name.startswith(PREFIX) and self.runs is not None:
            return self.runs.opponent(name)
        if name not in self._known:
            raise UnknownNameError("opponent", name, self._known)
        return self._known[name]

    def recall(self, name: str) -> Opponent:
        """Returns who is called so in a game that was begun before, or one who says that they are not here."""
        with contextlib.suppress(PhilidorError):
            return self.find(name)
        return missing(name, next((text for prefix, text in _ADVICE.items() if name.startswith(prefix)), _NO_ADVICE))

    def fitting(self, game: AnyGame) -> list[str]:
        """Names the opponents that are of use in a game."""
        return [each.name for each in self._known.values() if each.is_listed and each.fits(game)]

    def first_for(self, game: AnyGame) -> list[str]:
        """Names those of them whom the menu lists at once; the others are one choice further away."""
        fits = self.fitting(game)
        front = [name for name in fits if name in _FRONT or name.startswith(programs.PREFIX)]
        if game.name != "chess" or not front:
            return fits
        # The partner of engines' ratings is for those who have nobody of people's.
        partner = [] if "human" in fits else [name for name in fits if name == "sparring"]
        return [*partner, *front]

    def default_for(self, game: AnyGame) -> str:
        """Names whom to offer first: one whose rating can be chosen, or else one that answers at once."""
        fits = self.fitting(game)
        rated = [name for name in fits if name != PERSON and isinstance(self._known[name].view.strength, EloRange)]
        return next(name for name in (*rated, "uct", *fits) if name in fits)
