"""`philidor data pgn`: PGN files become one record file."""

import time
from pathlib import Path
from typing import Annotated, Literal

import typer

from philidor.cli.arguments import AsJson, check_writable, refuse_ignored
from philidor.cli.data.options import Output, print_report, progress, with_filter
from philidor.records import RecordFilter

PgnFiles = Annotated[
    list[Path],
    typer.Argument(metavar="PGN...", help="PGN files, plain, .gz, .bz2, .xz, .zip or .zst; - is standard input."),
]
Tags = Annotated[str, typer.Option(help="Further tags to keep, separated by commas; 'all', or '' for none.")]
Evals = Annotated[
    Literal["white", "mover"],
    typer.Option(help="Whose view comments like {0.60/33} take: White's (TCEC) or the mover's."),
]


@with_filter(min_plies=1)
def pgn(
    context: typer.Context,
    files: PgnFiles,
    output: Output,
    filter_: RecordFilter,
    tags: Tags = "Date,White,Black,TimeControl,Variant",
    evals: Evals = "white",
    annotations: Annotated[
        bool, typer.Option("--annotations/--no-annotations", help="Keep scores and clocks from comments.")
    ] = True,
    append: Annotated[bool, typer.Option("--append", help="Add to the file instead of writing a new one.")] = False,
    as_json: AsJson = False,
) -> None:
    """Checks every move of PGN files and writes the games as records.

    Broken games are skipped and counted by reason. A new file appears only when it is complete, so an interrupted
    run can simply be started again.
    """
    from philidor.core.errors import PgnError
    from philidor.records import PgnSource, RecordReader, RecordWriter

    if not annotations:
        refuse_ignored(context, ["evals"], "--no-annotations keeps no scores")
    check_writable(output, files)
    kept_tags = ["*"] if tags == "all" else [tag.strip() for tag in tags.split(",") if tag.strip()]
    source = PgnSource(files, tags=kept_tags, evals=evals, annotations=annotations)
    chosen = filter_.start()
    if append and filter_.deduplicate and output.exists():
        with RecordReader(output) as reader:
            for batch in reader.batches():
                chosen.remember(batch)
    start = time.perf_counter()
    with RecordWriter(output, append=append) as writer, progress("reading", source.bytes_total) as meter:
        for batch in source.batches():
            writer.add_batch(chosen.apply(batch))
            meter.update(source.bytes_done, source.games)
        if source.games == 0:
            reason = f"; {source.first_problem}" if source.first_problem else ""
            raise PgnError(f"no games in {', '.join(str(path) for path in files)}{reason}")
    seconds = time.perf_counter() - start
    report = {
        "games_read": source.games,
        "skipped": dict(sorted(source.skipped.items())),
        "first_skipped": source.first_problem,
        "dropped": dict(sorted(chosen.dropped.items())),
        "games_written": writer.games,
        "bytes": output.stat().st_size,
        "seconds": round(seconds, 2),
        "games_per_second": round(source.games / seconds),
    }
    print_report(report, as_json)
