"""Whose moves the page can ask for beside an engine's: the network of people that ships, and those of the user."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from philidor.core.errors import PhilidorError, UnknownNameError
from philidor.encodings.human import is_human
from philidor.frontends.web.analysis.schema import CrowdView
from philidor.frontends.web.networks import MAIA
from philidor.frontends.web.roster import Roster
from philidor.nets.loading import NetFormat, net_format
from philidor.nets.network_files import load_stored
from philidor.reviews.crowd import CrowdFiles, crowd_files

HUMAN = "human"
_LOOKED_INTO = 200


@dataclass(frozen=True)
class NamedCrowd:
    """Networks that know people, under the name that pages know."""

    name: str
    title: str
    files: CrowdFiles

    @property
    def view(self) -> CrowdView:
        """What pages see of them."""
        return CrowdView(name=self.name, title=self.title)


def crowds(roster: Roster) -> dict[str, NamedCrowd]:
    """Returns all of them, Maia's files as one; files that cannot be read any more are left out."""
    files = {name: path for name, path in roster.net_paths.items() if _imitates_people(path)}
    each = {name: crowd_files(path) for name, path in files.items()}
    maia = {rating: path for found in each.values() for rating, path in found.items() if rating}
    found = [NamedCrowd(HUMAN, "People of any rating", crowd_files(None))]
    if len(maia) > 1:
        found.append(NamedCrowd(MAIA, f"Maia, {min(maia)} to {max(maia)}", maia))
        each = {name: known for name, known in each.items() if not any(known)}
    found += [NamedCrowd(name, name.partition(":")[2], known) for name, known in each.items()]
    return {crowd.name: crowd for crowd in found}


def find_crowd(roster: Roster, name: str) -> NamedCrowd:
    """Returns who is called so. Raises UnknownNameError."""
    if name == HUMAN:
        return NamedCrowd(HUMAN, "", crowd_files(None))  # without a look at all the files
    known = crowds(roster)
    if name not in known:
        raise UnknownNameError("network of people", name, known)
    return known[name]


@lru_cache(maxsize=_LOOKED_INTO)
def _imitates_people(path: Path) -> bool:
    """Says whether a network may know people: Leela's files, which Maia's are, and our own that are told ratings."""
    try:
        kind = net_format(path)
        return kind is NetFormat.LEELA or (kind is NetFormat.OWN and is_human(load_stored(path).config.encoding))
    except (PhilidorError, OSError):
        return False
