"""GTP 2, the Go Text Protocol: vertices, colors and lines as text, for programs on both sides of a pipe.

Gunnar Farneback's draft of 2002: "[id] command arguments" is answered by "=[id] text" or "?[id] message", and an empty
line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from philidor.core.errors import PhilidorError
from philidor.core.grid import Grid

MAX_SIDE = 25
"""What the letters without I reach to."""
_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_VERTEX = re.compile(r"([A-HJ-Z])([1-9][0-9]?)")
_COLORS = {"b": 0, "black": 0, "w": 1, "white": 1}
# The standard drops control characters but for HT and LF; HT is a space.
_CONTROL = dict.fromkeys((*range(9), *range(10, 32), 127))


class GtpError(PhilidorError, ValueError):
    """A failure to be answered with "?": what the standard calls it."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command as it came in."""

    id: str
    """Digits, or nothing."""
    name: str
    words: tuple[str, ...]


def parse_command(line: str) -> Command | None:
    """Reads a line; None if nothing is left without comments and control characters."""
    line = line.replace("\t", " ").translate(_CONTROL).partition("#")[0]
    words = line.split()
    number = ""
    if words and words[0].isascii() and words[0].isdigit() and len(words[0]) <= 20:
        number = words.pop(0)
    if not words:
        return Command(number, "", ()) if number else None
    return Command(number, words[0], tuple(words[1:]))


def answer(command: Command, text: str, *, is_good: bool = True) -> str:
    """Writes an answer with the empty line behind it. Empty lines inside would end it too early."""
    body = re.sub(r"\n\s*\n+", "\n", text.rstrip("\n"))
    return f"{'=' if is_good else '?'}{command.id}{' ' if body and body[0] != chr(10) else ''}{body}\n\n"


def parse_color(word: str) -> int:
    """Returns 0 for Black and 1 for White. Raises GtpError."""
    if word.lower() not in _COLORS:
        raise GtpError("syntax error: a color is black or white")
    return _COLORS[word.lower()]


def parse_vertex(word: str, grid: Grid) -> int | None:
    """Returns the square, or None for a pass. Raises GtpError."""
    if word.lower() == "pass":
        return None
    match = _VERTEX.fullmatch(word.upper())
    column = _LETTERS.index(match[1]) if match else MAX_SIDE
    row = int(match[2]) - 1 if match else MAX_SIDE
    if column >= grid.width or row >= grid.height:
        raise GtpError("syntax error: no such vertex")
    return row * grid.width + column


def vertex(square: int, grid: Grid) -> str:
    """Writes a square: "D4"."""
    row, column = divmod(square, grid.width)
    return f"{_LETTERS[column]}{row + 1}"


def vertex_of_move(text: str) -> str:
    """Writes a move of our games as GTP does: "d4" becomes "D4", and "pass" stays."""
    return text if text == "pass" else text.upper()


def parse_int(word: str, least: int = 0, most: int = 10**9) -> int:
    """Reads a number. Raises GtpError."""
    if not re.fullmatch(r"-?[0-9]{1,10}", word) or not least <= int(word) <= most:
        raise GtpError("syntax error: a whole number is expected")
    return int(word)


def parse_float(word: str) -> float:
    """Reads a number of points or seconds. Raises GtpError."""
    if not re.fullmatch(r"[+-]?([0-9]{1,9}\.?[0-9]{0,9}|\.[0-9]{1,9})", word):
        raise GtpError("syntax error: a number is expected")
    return float(word)


def read_answer(lines: Sequence[str]) -> tuple[bool, str]:
    """Reads the lines of an answer, without the empty one: whether it is good, and its text. Raises GtpError."""
    if not lines or lines[0][:1] not in ("=", "?"):
        raise GtpError(f"an answer begins with = or ?, got {lines[0] if lines else ''!r}")
    first = lines[0][1:].lstrip("0123456789").strip()
    return lines[0][0] == "=", "\n".join([first, *lines[1:]]).strip()
