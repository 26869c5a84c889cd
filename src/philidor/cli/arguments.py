"""What commands are asked about: a position by its start and moves, files to write, and when to stop."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from philidor.cli.options import ignored_option
from philidor.core.abilities import move_name
from philidor.core.errors import ConfigError
from philidor.core.game import AnyGame, AnyState

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it; after a polite kill too."""

Minutes = Annotated[
    float | None,
    typer.Option(min=0, help="Stop after this many minutes; the same command continues the work.", show_default=False),
]


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
RunFolder = Annotated[
    Path, typer.Option("--out", "-o", metavar="DIR", help="The run folder; a run that is in it continues.")
]
Workers = Annotated[int | None, typer.Option(min=1, help="Games at a time; as many as there are cores if not given.")]
ReadingThreads = Annotated[int | None, typer.Option(min=1, help="Threads for reading games; all cores if not given.")]


def time_limit(minutes: float | None) -> Callable[[], bool]:
    """Returns what says whether so many minutes, counted from now, have passed; never where there are none."""
    if minutes is None:
        return lambda: False
    end = time.monotonic() + 60 * minutes
    return lambda: time.monotonic() >= end


@contextmanager
def stop_signals() -> Iterator[Callable[[], bool]]:
    """Lets Ctrl-C and a polite kill only say so, and gives what asks whether they have: work at hand ends safely.

    The person is told at once; a second one ends the work where it is.
    """
    stopped: list[bool] = []

    def stop(*_: object) -> None:
        if stopped:
            raise KeyboardInterrupt
        stopped.append(True)
        # Past Python's own streams: this may come in the middle of a line that they are writing.
        line_end = b"\n" if os.isatty(2) else b""
        os.write(2, line_end + b"philidor: stopping after the work at hand (Ctrl-C once more: at once)\n")

    before = {name: signal.signal(name, stop) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(stopped)
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


@contextmanager
def kill_interrupts() -> Iterator[None]:
    """Lets a polite kill end the work as Ctrl-C does, with what there is said and nobody left behind."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def say_stopped(*, as_json: bool = False) -> NoReturn:
    """Ends a command that was told to stop, with the exit code of one that was interrupted."""
    say("stopped; the same command continues", as_json=as_json)
    raise typer.Exit(INTERRUPTED)


def say(words: str, *, as_json: bool = False) -> None:
    """Says a line on the way; standard output is left alone where it is kept for the JSON of the result."""
    print(words, file=sys.stderr if as_json else sys.stdout, flush=True)


def give(result: Mapping[str, Any], words: str, *, as_json: bool) -> None:
    """Prints a command's result: as JSON, or in words for people."""
    print(json.dumps(result) if as_json else words, flush=True)


def refuse_ignored(context: typer.Context, names: Iterable[str], why: str) -> None:
    """Refuses options that were typed though nothing would look at them, by parameter. Raises ConfigError."""
    refused = set(names)
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in refused and source is not None and source.name == "COMMANDLINE":
            raise ignored_option(max(parameter.opts, key=len), why)


def state_after(game: AnyGame, start: str | None, moves: str | None) -> AnyState:
    """Returns the state after `moves` (texts separated by blanks or commas) from `start`. Raises a PhilidorError."""
    state: AnyState = game.state(start)
    for text in (moves or "").replace(",", " ").split():
        state = state.play(text)
    return state


def own_game(name: str | None) -> str | None:
    """Returns the name of a game of the user's own, which a network may not name as it is code; None for any other."""
    return name if name is not None and ":" in name else None


def readable_line(state: AnyState, texts: tuple[str, ...]) -> list[str]:
    """Returns a line of moves as people write them: in SAN where the game has it."""
    names = []
    for text in texts:
        move = state.parse_move(text)
        names.append(move_name(state, move))
        state = state.play(move)
    return names


def check_writable(path: Path, inputs: Iterable[Path] = ()) -> None:
    """Refuses a place where no file can be written, and one of the inputs, before any work. Raises ConfigError."""
    if path.is_dir():
        raise ConfigError(f"cannot write {str(path)!r}: it is a folder")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
    if path.exists() and any(source.exists() and path.samefile(source) for source in inputs):
        raise ConfigError(f"cannot write {str(path)!r}: it is also what is read")
