"""`philidor data sgf`: SGF files of Go become one record file."""

import time
from pathlib import Path
from typing import Annotated

import typer

from philidor.cli.arguments import AsJson, check_writable
from philidor.cli.data.options import Output, print_report, progress, with_filter
from philidor.records import RecordFilter

SgfFiles = Annotated[
    list[Path],
    typer.Argument(metavar="SGF...", help="SGF files, plain, .gz, .bz2, .xz, .zip or .zst; - is standard input."),
]
Size = Annotated[
    str | None,
    typer.Option(
        "--game", metavar="GAME", help="Boards to keep, by size (go-9x9); that of the first game if not given."
    ),
]
Tags = Annotated[str, typer.Option(help="Properties to keep, separated by commas; 'all', or '' for none.")]


@with_filter(min_plies=1)
def sgf(
    files: SgfFiles,
    output: Output,
    filter_: RecordFilter,
    game: Size = None,
    tags: Tags = "DT,PB,PW,BR,WR,KM,RU,RE,HA,TM,OT,EV",
    as_json: AsJson = False,
) -> None:
    """Checks every move of SGF files of Go and writes the games as records.

    Broken games and boards of another size are skipped and counted by reason. A new file appears only when it is
    complete, so an interrupted run can simply be started again.
    """
    from contextlib import ExitStack

    from philidor.core.errors import ConfigError, PgnError
    from philidor.games import load_game
    from philidor.games.go import Go
    from philidor.records import RecordWriter, SgfSource

    size = None if game is None else load_game(game)
    if size is not None and not isinstance(size, Go):
        raise ConfigError(f"SGF files here are of Go, got the game {game!r}")
    check_writable(output, files)
    kept_tags = ["*"] if tags == "all" else [tag.strip() for tag in tags.split(",") if tag.strip()]
    source = SgfSource(files, game=size, tags=kept_tags)
    chosen = filter_.start()
    start = time.perf_counter()
    with ExitStack() as stack:
        meter = stack.enter_context(progress("reading", source.bytes_total))
        writer: RecordWriter | None = None
        for batch in source.batches():
            if writer is None and source.game is not None and len(batch):
                writer = stack.enter_context(RecordWriter(output, source.game))
            if writer is not None:
                writer.add_batch(chosen.apply(batch))
            meter.update(source.bytes_done, source.games)
        if writer is None:
            reason = f"; {source.first_problem}" if source.first_problem else ""
            raise PgnError(f"no games in {', '.join(str(path) for path in files)}{reason}")
    seconds = time.perf_counter() - start
    report = {
        "game": writer.game,
        "games_read": source.games,
        "plies": source.plies,
        "skipped": dict(sorted(source.skipped.items())),
        "first_skipped": source.first_problem,
        "dropped": dict(sorted(chosen.dropped.items())),
        "games_written": writer.games,
        "bytes": output.stat().st_size,
        "seconds": round(seconds, 2),
        "games_per_second": round(source.games / seconds),
    }
    print_report(report, as_json)
