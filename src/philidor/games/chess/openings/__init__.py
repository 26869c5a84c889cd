"""Names of chess openings, by position: a transposition has the name of what it has become."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from philidor.games.chess.position import Position


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening as books call it."""

    eco: str
    """The code of the Encyclopaedia of Chess Openings, "A00" to "E99"."""
    name: str


def opening_of(position: Position) -> Opening | None:
    """Returns the opening that has just this position, or None; ask the positions of a game for the last one named."""
    return _by_key().get(position.key)


@cache
def _by_key() -> dict[int, Opening]:
    """Reads the table once: a tenth of a second."""
    text = resources.files(__package__).joinpath("names.tsv").read_text(encoding="utf-8")
    names = {}
    for line in text.splitlines()[1:]:
        eco, name, moves = line.split("\t")
        position = Position()
        for word in moves.split():
            if not word[0].isdigit():
                position = position.play(word)
        names[position.key] = Opening(eco, name)
    return names
