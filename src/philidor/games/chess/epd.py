"""EPD: a position in four FEN fields, then operations such as `bm Nf3; id "WAC.001";`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from philidor.core.errors import FenError, IllegalMoveError, checked_text
from philidor.games.chess.native import Move
from philidor.games.chess.position import Position

_CLOCK = re.compile(r"\s*([0-9]+|-)(?=[\s;]|$)")


@dataclass(frozen=True, slots=True)
class Epd:
    """One line of an EPD file."""

    position: Position
    operations: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Opcode to operands; quotes are removed."""

    def operand(self, opcode: str) -> str | None:
        """Returns the first operand of `opcode`, or None."""
        operands = self.operations.get(opcode)
        return operands[0] if operands else None

    def moves(self, opcode: str) -> list[Move]:
        """Returns the moves of `bm`, `am` or the like. Raises FenError when one is not legal."""
        try:
            # Some files have commas between the moves.
            return [self.position.parse_move(text.rstrip(",")) for text in self.operations.get(opcode, ())]
        except IllegalMoveError as error:
            raise FenError(f"invalid EPD: {opcode}: {error}") from None

    def __str__(self) -> str:
        return write_epd(self.position, self.operations)


def parse_epd(line: str) -> Epd:
    """Reads one line: four fields, or a FEN with its two clocks, then operations. Raises FenError."""
    fields = checked_text(line).split(None, 4)
    if len(fields) < 4:
        raise FenError(f"invalid EPD {line[:100]!r}: expected at least 4 fields, got {len(fields)}")
    rest = fields[4] if len(fields) > 4 else ""
    # Many files put whole FENs in front, some a dash for a clock; an opcode never begins with either.
    clocks: list[str] = []
    while len(clocks) < 2 and (number := _CLOCK.match(rest)):
        clocks.append(number[1])
        rest = rest[number.end() :]
    operations = dict(_operations(rest, line))
    if not clocks or "-" in clocks:
        clocks = [(operations.get(opcode) or (default,))[0] for opcode, default in (("hmvc", "0"), ("fmvn", "1"))]
    return Epd(Position(" ".join([*fields[:4], *clocks])), operations)


def write_epd(position: Position, operations: dict[str, tuple[str, ...]]) -> str:
    """Writes one line; operands with anything but letters, digits and move marks are quoted.

    Raises FenError when an opcode is no word, or an operand has a quote or a line break, which EPD cannot hold.
    """
    parts = position.fen().split()[:4]
    for opcode, operands in operations.items():
        if not _is_plain(opcode):
            raise FenError(f"an EPD opcode is one word, got {opcode!r}")
        words = [opcode, *map(_operand, operands)]
        parts.append(" ".join(words) + ";")
    return " ".join(parts)


def read_epd_file(path: Path | str) -> Iterator[Epd]:
    """Yields the positions of a file; blank lines and lines that begin with "#" are passed over."""
    with Path(path).open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip() or line.startswith("#"):
                continue
            try:
                yield parse_epd(line.strip())
            except FenError as error:
                raise FenError(f"{path}, line {number}: {error}") from None


def _is_plain(text: str) -> bool:
    return bool(text) and all(c.isalnum() or c in "+-=#.:/_" for c in text)


def _operand(text: str) -> str:
    if any(c in text for c in '"\r\n'):
        raise FenError(f"an EPD operand has no quotes and no line breaks, got {text!r}")
    return text if _is_plain(text) else f'"{text}"'


def _operations(text: str, line: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for words in _split_operations(text, line):
        opcode, *operands = words
        yield opcode, tuple(operands)


def _split_operations(text: str, line: str) -> Iterator[list[str]]:
    """Yields the words of each operation; a semicolon or blank inside quotes does not end anything."""
    words: list[str] = []
    word, is_quoted, was_quoted = "", False, False
    for c in text + ";":
        if c == '"':
            is_quoted, was_quoted = not is_quoted, True
        elif is_quoted or c not in "; \t":
            word += c
        else:
            if word or was_quoted:
                words.append(word)
            word, was_quoted = "", False
            if c == ";" and words:
                yield words
                words = []
    if is_quoted:
        raise FenError(f"invalid EPD {line[:100]!r}: a quoted operand does not end")
