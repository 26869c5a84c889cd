"""UCI as the side that asks: commands to text, an engine's answers to dataclasses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from philidor.core.analysis import Score
from philidor.core.evaluation import Wdl
from philidor.protocols.uci import Go, Info, PositionCommand, UciError

_COUNTS = {
    "depth": "depth",
    "seldepth": "seldepth",
    "multipv": "multipv",
    "nodes": "nodes",
    "nps": "nps",
    "hashfull": "hashfull",
    "tbhits": "tbhits",
    "time": "time_ms",
}


def format_go(go: Go) -> str:
    """Writes a "go" command; an increment goes with its clock only."""
    words = ["go"]
    for field in fields(Go):
        value = getattr(go, field.name)
        if field.name == "searchmoves" or value is None or value is False:
            continue
        if field.name in ("winc", "binc") and go.wtime is None and go.btime is None:
            continue
        words += [field.name] if value is True else [field.name, str(value)]
    # The moves come last: where they end, nothing says.
    return " ".join([*words, *(["searchmoves", *go.searchmoves] if go.searchmoves else [])])


def format_position(position: PositionCommand) -> str:
    """Writes a "position" command."""
    words = ["position", "startpos"] if position.fen == "startpos" else ["position", "fen", position.fen]
    return " ".join([*words, *(["moves", *position.moves] if position.moves else [])])


def format_setoption(name: str, value: str) -> str:
    """Writes a "setoption" command; a button has no value."""
    return f"setoption name {name}" + (f" value {value}" if value else "")


@dataclass(frozen=True, slots=True)
class OptionLine:
    """What an engine says of one of its options."""

    name: str
    kind: str
    """check, spin, combo, button or string."""


def parse_option(words: Sequence[str]) -> OptionLine:
    """Reads the words after "option". Raises UciError."""
    if not words or words[0] != "name" or "type" not in words[2:]:
        raise UciError(f"option: expected 'name ... type ...', got {' '.join(words)[:80]!r}")
    cut = words.index("type", 2)
    return OptionLine(" ".join(words[1:cut]), words[cut + 1] if len(words) > cut + 1 else "string")


def parse_info(words: Sequence[str]) -> Info:
    """Reads the words after "info"; what is not understood is passed over, as the protocol wants it."""
    values: dict[str, object] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "string":
            break
        if word == "pv":
            values["pv"] = tuple(rest)
            break
        if word == "score":
            values["score"] = _score(rest)
        elif word in ("lowerbound", "upperbound"):
            values["bound"] = word
        elif word == "wdl":
            values["wdl"] = _wdl(rest)
        elif word in _COUNTS:
            values[_COUNTS[word]] = _number(rest)
    return Info(**values)  # type: ignore[arg-type]


def parse_best(words: Sequence[str]) -> tuple[str | None, str | None]:
    """Reads the words after "bestmove": the move, None for a position without any, and the one to ponder on."""
    if not words or words[0] in ("0000", "(none)"):
        return None, None
    return words[0], words[2] if len(words) > 2 and words[1] == "ponder" else None


def _number(rest: list[str]) -> int | None:
    if rest and rest[0].lstrip("+-").isdecimal():
        return int(rest.pop(0))
    return None


def _score(rest: list[str]) -> Score | None:
    if len(rest) < 2 or rest[0] not in ("cp", "mate"):
        return None
    kind = rest.pop(0)
    number = _number(rest)
    if number is None:
        return None
    return Score(cp=number) if kind == "cp" else Score(mate=number)


def _wdl(rest: list[str]) -> Wdl | None:
    numbers = [_number(rest) for _ in range(3)]
    win, draw, loss = (None if number is None else number / 1000 for number in numbers)
    return None if win is None or draw is None or loss is None else Wdl(win, draw, loss)
