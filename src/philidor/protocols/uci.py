"""UCI text to dataclasses and back; it knows the protocol, not the engines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from philidor.core.analysis import Analysis, Score
from philidor.core.errors import PhilidorError
from philidor.core.evaluation import Wdl
from philidor.core.thinking import Limits, Signal, TimeLeft


class UciError(PhilidorError, ValueError):
    """A line that breaks the protocol; the engine says so and goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Go:
    """What "go" asks for; times are milliseconds, None is not given."""

    searchmoves: tuple[str, ...] = ()
    ponder: bool = False
    infinite: bool = False
    wtime: int | None = None
    btime: int | None = None
    winc: int = 0
    binc: int = 0
    movestogo: int | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    movetime: int | None = None
    perft: int | None = None

    @property
    def is_endless(self) -> bool:
        """Whether only "stop" ends the search: it was asked for, or no limit was given."""
        limits = (self.wtime, self.btime, self.depth, self.nodes, self.mate, self.movetime)
        return self.infinite or (not self.ponder and all(limit is None for limit in limits))


def limits_of(go: Go, *, began: float | None = None, ponder_hit: Signal | None = None) -> Limits:
    """Returns what a "go" that came in at `began` allows; `ponder_hit` is used if it says "ponder".

    Where only one clock is told, both are taken to show the same.
    """
    white, black = (go.wtime, go.btime) if go.wtime is not None else (go.btime, go.btime)
    time_left = None
    if white is not None:
        clocks = (white, white if black is None else black)
        time_left = TimeLeft(ms=clocks, increments_ms=(go.winc, go.binc), moves_to_go=go.movestogo)
    return Limits(
        nodes=go.nodes,
        time_s=None if go.movetime is None else go.movetime / 1000,
        depth=go.depth,
        mate=go.mate,
        time_left=time_left,
        moves=go.searchmoves,
        is_endless=go.is_endless,
        replace_own=True,
        began=began,
        clock_start=ponder_hit if go.ponder else None,
    )


def go_of(limits: Limits) -> Go:
    """Returns the "go" that asks for these limits."""
    clock = limits.time_left
    return Go(
        searchmoves=limits.moves,
        infinite=limits.is_endless,
        ponder=limits.clock_start is not None,
        wtime=None if clock is None else max(1, clock.ms[0]),
        btime=None if clock is None else max(1, clock.ms[1]),
        winc=0 if clock is None else clock.increments_ms[0],
        binc=0 if clock is None else clock.increments_ms[1],
        movestogo=None if clock is None else clock.moves_to_go,
        depth=limits.depth,
        nodes=limits.nodes,
        mate=limits.mate,
        movetime=None if limits.time_s is None else max(1, round(1000 * limits.time_s)),
    )


# The smallest value that makes sense; below it is raised to this, as clocks of zero or less do occur.
_NUMBERS = {
    "wtime": 1,
    "btime": 1,
    "winc": 0,
    "binc": 0,
    "movestogo": 1,
    "depth": 1,
    "nodes": 1,
    "mate": 1,
    "movetime": 1,
    "perft": 1,
}
_LARGEST = 2**53
_WORDS = {"searchmoves", "ponder", "infinite", *_NUMBERS}


def parse_go(words: Sequence[str]) -> Go:
    """Reads the words after "go". Raises UciError for a word that is not one, or a number that is none."""
    go, problems = read_go(words)
    if problems:
        raise UciError(problems[0])
    return go


def read_go(words: Sequence[str]) -> tuple[Go, list[str]]:
    """Reads the words after "go" as far as they make sense; returns what does not, in words for people too.

    If nothing that makes sense limits the search, it is `shortened`.
    """
    values: dict[str, object] = {}
    problems: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in _NUMBERS:
            # What follows may be the next word already.
            text = rest.pop(0) if rest and rest[0] not in _WORDS else None
            try:
                if text is None:
                    raise UciError(f"go: {word} needs a number")
                values[word] = max(parse_number(f"go: {word}", text), _NUMBERS[word])
            except UciError as error:
                problems.append(str(error))
        elif word in ("infinite", "ponder"):
            values[word] = True
        elif word == "searchmoves":
            moves = []
            while rest and rest[0] not in _WORDS:
                moves.append(rest.pop(0))
            values[word] = tuple(moves)
            if not moves:
                problems.append("go: searchmoves needs moves")
        else:
            problems.append(f"go: unknown word {word[:40]!r}")
    go = Go(**values)  # type: ignore[arg-type]
    return (shortened(go) if problems else go), problems


def shortened(go: Go) -> Go:
    """Returns a "go" with mistakes in it as one that ends: nobody has said "infinite", so nobody may say "stop"."""
    return replace(go, depth=1) if go.is_endless and not go.infinite else go


def parse_number(what: str, text: str) -> int:
    """Reads a number, at most 2**53. Raises UciError, which says what needs one."""
    try:
        number = int(text)
    except ValueError:
        raise UciError(f"{what} needs a number, got {text[:40]!r}") from None
    return min(number, _LARGEST)


@dataclass(frozen=True, slots=True)
class PositionCommand:
    """What "position" describes: a FEN (or "startpos") and the moves played from there."""

    fen: str = "startpos"
    moves: tuple[str, ...] = ()


def parse_position(words: Sequence[str]) -> PositionCommand:
    """Reads the words after "position". Raises UciError."""
    if not words or words[0] not in ("startpos", "fen"):
        raise UciError("position: expected 'startpos' or 'fen'")
    cut = words.index("moves") if "moves" in words else len(words)
    moves = tuple(words[cut + 1 :])
    if words[0] == "startpos":
        if cut != 1:
            raise UciError(f"position: unknown word {words[1][:40]!r}")
        return PositionCommand(moves=moves)
    return PositionCommand(" ".join(words[1:cut]), moves)


def parse_setoption(words: Sequence[str]) -> tuple[str, str]:
    """Reads the words after "setoption": the option's name and value, either of several words. Raises UciError."""
    if not words or words[0] != "name":
        raise UciError("setoption: expected 'name'")
    cut = words.index("value") if "value" in words else len(words)
    name = " ".join(words[1:cut])
    if not name:
        raise UciError("setoption: the name is empty")
    return name, " ".join(words[cut + 1 :])


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """An "info" line; what is None is left out."""

    depth: int | None = None
    seldepth: int | None = None
    currmove: str | None = None
    """The root move that is being searched."""
    currmovenumber: int | None = None
    """Which it is, from 1."""
    multipv: int | None = None
    score: Score | None = None
    bound: str | None = None
    """"lowerbound" or "upperbound"."""
    wdl: Wdl | None = None
    moves_left: int | None = None
    """Moves (not plies) that the game is expected to last; lc0's word."""
    nodes: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    tbhits: int | None = None
    time_ms: int | None = None
    pv: Sequence[str] = field(default=())
    string: str | None = None
    """Anything else, to the end of the line."""


def infos_of(analysis: Analysis) -> Iterator[Info]:
    """Yields what is new in a report: a line for each of its lines, or where the search is, and its notes."""
    time_ms = round(1000 * analysis.time_s)
    common = Info(
        depth=analysis.depth,
        nodes=analysis.nodes,
        nps=analysis.nodes * 1000 // max(time_ms, 1),
        hashfull=analysis.hash_full,
        tbhits=analysis.table_hits,
        time_ms=time_ms,
    )
    places = range(len(analysis.lines)) if analysis.new_lines is None else analysis.new_lines
    for place in places:
        line = analysis.lines[place]
        yield replace(
            common,
            depth=line.depth,
            seldepth=line.seldepth,
            # Lines without a score stand in no order.
            multipv=None if line.score is None else place + 1,
            score=line.score,
            bound=line.bound,
            wdl=line.wdl,
            moves_left=None if line.moves_left is None else int((1 + line.moves_left) / 2),
            pv=line.moves,
        )
    if not places:
        yield replace(common, currmove=analysis.current_move, currmovenumber=analysis.current_move_number)
    for note in analysis.notes:
        yield Info(string=note)


def format_info(info: Info) -> str:
    """Writes the line in the order GUIs are used to."""
    words = ["info"]
    words += _pairs({"depth": info.depth, "seldepth": info.seldepth, "multipv": info.multipv})
    words += _pairs({"currmove": info.currmove, "currmovenumber": info.currmovenumber})
    if info.score is not None:
        words += ["score", info.score.uci()]
        if info.bound:
            words.append(info.bound)
    if info.wdl is not None:
        words += ["wdl", *map(str, permille(info.wdl))]
    words += _pairs({"movesleft": info.moves_left})
    words += _pairs({"nodes": info.nodes, "nps": info.nps, "hashfull": info.hashfull})
    words += _pairs({"tbhits": info.tbhits, "time": info.time_ms})
    if info.pv:
        words += ["pv", *info.pv]
    if info.string is not None:
        words += ["string", info.string]
    return " ".join(words)


def format_best(move: str | None, ponder: str | None = None) -> str:
    """Writes the answer to "go"; where there is no move, UCI writes 0000. `ponder` is the reply that is expected."""
    return f"bestmove {move or '0000'}" + (f" ponder {ponder}" if move and ponder else "")


def permille(wdl: Wdl) -> tuple[int, int, int]:
    """Returns win, draw and loss in thousandths that add up to a thousand; none is below 0."""
    win, loss = max(0, round(1000 * wdl.win)), max(0, round(1000 * wdl.loss))
    if win + loss > 1000:  # two halves that were both rounded up
        win = 1000 - loss
    return win, 1000 - win - loss, loss


def _pairs(values: Mapping[str, int | str | None]) -> Iterable[str]:
    for name, value in values.items():
        if value is not None:
            yield f"{name} {value}"
