"""A game as it is kept on disk, and what it is called there."""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

# Without letters and digits that look alike.
_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_ID_LENGTH = 12


@dataclass(kw_only=True)
class StoredMove:
    """A move as it is kept."""

    move: str
    clocks_ms: tuple[int, int] | None = None
    """Both clocks after the move."""
    thought: dict[str, Any] | None = None


@dataclass(kw_only=True)
class StoredGame:
    """A game as it is kept: how it was set up, and how far it is."""

    id: str
    game: str
    revision: int = 1
    created: str = ""
    updated: str = ""
    setup: dict[str, Any] = field(default_factory=dict)
    """Never changes: person, opponent, strength, clock, start, tags, seed."""
    progress: dict[str, Any] = field(default_factory=dict)
    """Changes with the moves: an agreed result, the clocks, a draw offer."""
    moves: list[StoredMove] = field(default_factory=list)
    is_over: bool = False
    words: str = ""
    """What a search looks through, in lower case."""


def new_id() -> str:
    """Returns an id that nobody can guess and everybody can type."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def is_id(text: str) -> bool:
    """Says whether a text could be the id of a game."""
    return len(text) == _ID_LENGTH and all(letter in _ID_LETTERS for letter in text)


def now() -> str:
    """The time as games keep it: UTC, to the millisecond."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def searchable(parts: Iterable[object]) -> str:
    """Writes the words that `find` looks through."""
    return " ".join(str(part) for part in parts if part).lower()
