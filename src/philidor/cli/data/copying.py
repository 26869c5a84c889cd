"""`philidor data split`, `cat` and `export`: record files to others, to PGN and to SGF."""

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from philidor.cli.arguments import AsJson, check_writable, refuse_ignored
from philidor.cli.data.options import Inputs, Output, print_report, progress, with_filter
from philidor.core.errors import ConfigError, RecordError
from philidor.core.runs import atomic_file
from philidor.records import RecordFilter

if TYPE_CHECKING:
    from philidor.records import RecordReader, RecordWriter
    from philidor.records.native import RecordBatch

Parts = Annotated[str, typer.Option(help="Names and shares of the parts.", metavar="NAME=SHARE,...")]
Stem = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="STEM",
        help="Start of the parts' names, STEM.NAME.rec; the first file's if not given.",
    ),
]


def split(
    files: Inputs,
    parts: Parts = "train=0.9,validation=0.05,test=0.05",
    output: Stem = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the split.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Deals games into parts by a hash of their moves.

    The same game always goes to the same part, wherever it comes from, so that no game of the test part was also
    trained on.
    """
    shares = _parse_parts(parts)
    stem = output if output is not None else files[0].with_suffix("")
    targets = [stem.with_name(f"{stem.name}.{name}.rec") for name in shares]
    bounds = [sum(list(shares.values())[: number + 1]) for number in range(len(shares))]
    for target in targets:
        check_writable(target, files)
    with ExitStack() as stack:
        readers = _open_readers(files, stack)
        writers = [stack.enter_context(_writer_like(target, readers)) for target in targets]
        for batch in _batches(readers, "splitting", stack):
            for writer, part in zip(writers, batch.split(bounds, seed), strict=True):
                writer.add_batch(part)
    report = {str(target): writer.games for target, writer in zip(targets, writers, strict=True)}
    print_report(report, as_json)


@with_filter()
def cat(
    files: Inputs,
    output: Output,
    filter_: RecordFilter,
    as_json: AsJson = False,
) -> None:
    """Joins record files into one, leaving out what the filters drop and what was damaged."""
    check_writable(output, files)
    chosen = filter_.start()
    with ExitStack() as stack:
        readers = _open_readers(files, stack)
        writer = stack.enter_context(_writer_like(output, readers))
        for batch in _batches(readers, "joining", stack):
            writer.add_batch(chosen.apply(batch))
    report = {
        "games_read": sum(len(reader) for reader in readers),
        "dropped": dict(sorted(chosen.dropped.items())),
        "games_written": writer.games,
        "bytes": output.stat().st_size,
    }
    print_report(report, as_json)


@with_filter()
def export(
    context: typer.Context,
    files: Inputs,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The PGN or SGF file to write; - is standard output.")
    ] = Path("-"),
    *,
    filter_: RecordFilter,
    as_json: AsJson = False,
) -> None:
    """Writes the games of record files as text: chess as PGN, with scores and clocks as comments, Go as SGF."""
    if str(output) == "-":
        refuse_ignored(context, ["as_json"], "standard output has the games; --output FILE leaves it to the report")
    else:
        check_writable(output, files)
    chosen = filter_.start()
    with ExitStack() as stack:
        readers = _open_readers(files, stack)
        write = _text_of(readers[0])
        stream = stack.enter_context(_text_output(output))
        written = 0
        for batch in _batches(readers, "writing", stack):
            kept = chosen.apply(batch)
            try:
                stream.write(write(kept))
            except ValueError as error:
                raise RecordError(str(error)) from None
            written += len(kept)
        games_read = sum(len(reader) for reader in readers)
    if as_json:
        print_report({"file": str(output), "games_read": games_read, "games_written": written}, as_json)


def _text_of(reader: "RecordReader") -> "Callable[[RecordBatch], str]":
    """Returns how games of this kind are written: chess as PGN, Go as SGF. Raises RecordError."""
    from philidor.games import known_game
    from philidor.games.go import Go
    from philidor.records.sgf import batch_sgf

    if reader.game == "chess":
        return lambda batch: batch.to_pgn()
    game = known_game(reader.game, str(reader.path))
    if not isinstance(game, Go):
        raise RecordError(f"only chess and Go have files of text, {str(reader.path)!r} has {reader.game}")
    return lambda batch: batch_sgf(batch, game)


def _parse_parts(text: str) -> dict[str, float]:
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = part.partition("=")
        try:
            shares[name.strip()] = float(share)
        except ValueError:
            raise ConfigError(f"parts look like train=0.9,test=0.1, got {text!r}") from None
    if not all(name.isidentifier() for name in shares) or len(shares) != text.count(",") + 1:
        raise ConfigError(f"each part needs a name of its own, got {text!r}")
    if not all(share > 0 for share in shares.values()) or sum(shares.values()) > 1 + 1e-9:
        raise ConfigError(f"the shares must be positive and add up to 1 at most, got {text!r}")
    return shares


def _open_readers(files: Sequence[Path], stack: ExitStack) -> "list[RecordReader]":
    """Opens record files of one kind; says what they have lost. Raises RecordError."""
    from philidor.records import RecordReader

    readers = [stack.enter_context(RecordReader(path)) for path in files]
    for reader in readers:
        if reader.game != readers[0].game:
            raise RecordError(f"{str(reader.path)!r} has games of {reader.game}, not {readers[0].game}")
        reader.warn_of_losses()
    return readers


@contextmanager
def _writer_like(path: Path, readers: "Sequence[RecordReader]") -> "Iterator[RecordWriter]":
    """Opens a new file for the readers' games, with all their numbered start positions."""
    from philidor.records import RecordWriter

    starts = list(dict.fromkeys(start for reader in readers for start in reader.starts))
    with RecordWriter(path, readers[0].game, starts=starts, width=readers[0].move_width) as writer:
        yield writer


def _batches(readers: "Sequence[RecordReader]", title: str, stack: ExitStack) -> "Iterator[RecordBatch]":
    total = sum(len(reader) for reader in readers)
    meter = stack.enter_context(progress(title, total))
    done = 0
    for reader in readers:
        for batch in reader.batches():
            yield batch
            done += len(batch)
            meter.update(done, done)


@contextmanager
def _text_output(path: Path) -> Iterator[TextIO]:
    """Opens a text file that appears only when it is complete; "-" is standard output."""
    if str(path) == "-":
        yield sys.stdout
        return
    with atomic_file(path) as file:
        stream = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
        yield stream
        stream.detach()  # writes the rest, and leaves the closing to whom the file belongs
