"""Lines that no GUI would send, from a seed: garbage, missing and doubled words, numbers out of range, any text."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

_NUMBERS = ("0", "-1", "1", "7", "-99999999999999999999", "9" * 40, "1e9", "0x10", "3.5", "", "٣", "NaN", "+5", "--2")
_LIMITS = ("depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "mate")
_MOVES = ("e2e4", "e7e5", "e2e5", "a7a8q", "0000", "(none)", "O-O", "é2e4", "e2e4e5", "h7h8k", "")
_FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/8/8/8/8/8/8/K7 w - - 99 9999999999",
    "4k3/8/8/8/8/8/8/4K2R w K - 100 1",
    "nonsense",
    "",
)
_OPTIONS = (
    "Hash",
    "Threads",
    "MultiPV",
    "Move Overhead",
    "UCI_Elo",
    "Skill Level",
    "UCI_ShowWDL",
    "Clear Hash",
    "Hush",
    "",
)
# None that would take gigabytes or start hundreds of threads: whether those are refused is the options' tests' affair.
_VALUES = ("1", "0", "-5", "2", "true", "maybe", "", "<empty>", "9" * 30, "value", "ß")
_LONGEST = 20_000


def odd_lines(count: int, seed: int) -> Iterator[str]:
    """Yields lines; those that begin with "go", a third of them, want a short search and an answer."""
    source = random.Random(seed)
    makers: tuple[Callable[[random.Random], str], ...] = (_go, _go, _position, _set_option, _any_words, _garbage)
    for _ in range(count):
        yield source.choice(makers)(source)


def _go(source: random.Random) -> str:
    """A search with mistakes in it, and one limit that keeps it short."""
    words = ["go"]
    for _ in range(source.randrange(4)):
        kind = source.randrange(5)
        if kind == 0:
            words += ["searchmoves", *source.choices(_MOVES, k=source.randrange(4))]
        elif kind == 1:
            words += source.choice((["go"], ["go", "go"], ["ponderhit"], ["fast"], ["\u200b"]))
        else:
            words += [source.choice(_LIMITS), source.choice(_NUMBERS)][: source.randrange(1, 3)]
    words += source.choice((["nodes", "20"], ["depth", "1"], ["movetime", "1"]))
    return " ".join(words)


def _position(source: random.Random) -> str:
    start = source.choice(("startpos", f"fen {source.choice(_FENS)}", "startpos startpos", "", "fen"))
    moves = source.choice(
        ("", "moves", "moves moves", "moves " + " ".join(source.choices(_MOVES, k=source.randrange(6))))
    )
    return f"position {start} {moves}"


def _set_option(source: random.Random) -> str:
    name, value = source.choice(_OPTIONS), source.choice(_VALUES)
    return source.choice(("setoption name {} value {}", "setoption name {}", "setoption {} {}", "setoption")).format(
        name, value
    )


def _any_words(source: random.Random) -> str:
    words = (
        "uci",
        "isready",
        "ucinewgame",
        "stop",
        "ponderhit",
        "debug",
        "register",
        "d",
        "eval",
        "flip",
        "help",
        "info",
    )
    return " ".join(source.choices(words, k=source.randrange(1, 3)))


def _garbage(source: random.Random) -> str:
    length = source.choice((0, 1, 10, 80, _LONGEST))
    text = "".join(
        chr(source.choice((source.randrange(33, 127), source.randrange(161, 0x2FFF)))) for _ in range(length)
    )
    return f"\u00a7{text}"  # one word, and none that is known
