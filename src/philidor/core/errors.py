"""The errors a user can cause; each says what was expected and quotes what came.

Every one of them is a `PhilidorError`, so that a program can catch them all and print one line; where a
Python user would expect a `ValueError`, it is that too.
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

_LONGEST = 299
"""Characters of a message. What is left out of a longer one stood in its middle: the ends say what and why."""


def one_line(text: str) -> str:
    """Returns a text fit for a line of a terminal: what it would obey rather than show is replaced, long ones are cut.

    Messages quote files, which may hold anything.
    """
    if not text.isprintable():
        text = "".join(_shown(letter) for letter in text).strip()
    if len(text) <= _LONGEST:
        return text
    end = _LONGEST // 3
    return f"{text[: _LONGEST - end - 5]} ... {text[-end:]}"


def _shown(letter: str) -> str:
    if letter.isprintable():
        return letter
    return " " if letter.isspace() else "\N{REPLACEMENT CHARACTER}"


class PhilidorError(Exception):
    """What went wrong on the user's side; the message is one line, fit to be shown without a traceback."""

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message))


class ArgumentError(PhilidorError, TypeError):
    """An argument of the wrong type, such as a number where a move belongs."""

    def __init__(self, expected: str, value: object) -> None:
        super().__init__(f"expected {expected}, got {value!r}")


def checked_text(text: str) -> str:
    """Returns the text; raises ArgumentError for what is none. Callers without type checks hand in anything."""
    if not isinstance(text, str):
        raise ArgumentError("text (a str)", text)
    return text


class ScriptError(PhilidorError, RuntimeError):
    """A script that starts worker processes without the guard that they need."""


class IllegalMoveError(PhilidorError, ValueError):
    """A move that the rules do not allow here, or text that names no move."""


class FenError(PhilidorError, ValueError):
    """Text that describes no position; the message names the wrong field."""


class PgnError(PhilidorError, ValueError):
    """A game score that cannot be read."""


class RecordError(PhilidorError, ValueError):
    """A record file that is not one, or is altered."""


class NetError(PhilidorError, ValueError):
    """A network file that is not one, is altered or cut off, or is of a kind that is not known here."""


class ConfigError(PhilidorError, ValueError):
    """A setting of the wrong type, outside its range, or that contradicts another."""


class LoadError(PhilidorError, ValueError):
    """A "module:name" or "file.py:name" that leads nowhere, or to something of the wrong kind."""


class EncodingError(PhilidorError, ValueError):
    """A state or a game that an encoding has no numbers for."""


class SolveError(PhilidorError):
    """A game that cannot be solved: positions repeat, or there are more than was allowed."""


class GameError(PhilidorError):
    """A game of the user's own that breaks the contract of `philidor.core.game`, or an answer that does not fit it."""


class RunError(PhilidorError):
    """A run folder that is missing, taken, or not one."""


class UnknownNameError(PhilidorError, ValueError):
    """A name that is in none of our tables; the message offers the nearest one, or what the caller knows to be near."""

    def __init__(self, kind: str, name: str, known: Iterable[str], near: Sequence[str] = ()) -> None:
        self.kind = kind
        self.name = name
        self.known = sorted(known)
        self.near = tuple(near) or nearest_names(name, self.known, 1)
        super().__init__(f"no {kind} {name!r}; {self._advice()}")

    def _advice(self) -> str:
        if self.near:
            *others, last = [repr(name) for name in self.near]
            return f"did you mean {', '.join(others) + ' or ' if others else ''}{last}?"
        return "there is none at all" if not self.known else f"known: {', '.join(self.known)}"


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Returns the known name most like `name`, whatever its case, or None when none is alike."""
    return next(iter(nearest_names(name, known, 1)), None)


def nearest_names(name: str, known: Iterable[str], count: int) -> tuple[str, ...]:
    """Returns the known names most like `name`, whatever their case, the most alike first."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    return tuple(by_lower[found] for found in get_close_matches(name.lower(), by_lower, n=count, cutoff=0.5))
