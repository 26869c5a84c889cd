"""`philidor data pack` and `unpack`: games in a third of the space, to travel between machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from philidor.cli.arguments import AsJson
from philidor.cli.data.options import Inputs, print_report, progress
from philidor.core.cores import cores


def pack(
    files: Inputs,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="NAME", help="Start of the parts' names: NAME-000.pack, ...")
    ],
    part_mb: Annotated[float, typer.Option(min=0.001, help="Size of a part (MB), at most.")] = 15.0,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads; all cores by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Packs chess games with scores into a third of their space; scores are rounded to steps of 4 centipawns."""
    from philidor.records import packing
    from philidor.records.reader import RecordReader

    total = 0
    for path in files:
        with RecordReader(path) as reader:
            total += len(reader)
    with progress("packing", total) as meter:
        parts = packing.pack(
            files,
            output,
            part_bytes=int(1e6 * part_mb),
            threads=threads or cores(),
            report=lambda games: meter.update(games, games),
        )
    size = sum(part.stat().st_size for part in parts)
    report = {
        "games": total,
        "bytes": size,
        "bytes_per_game": round(size / max(total, 1), 1),
        "parts": {str(part): part.stat().st_size for part in parts},
    }
    print_report(report, as_json)


def unpack(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Parts (.pack).", show_default=False)],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder for the .rec files.")],
    threads: Annotated[int | None, typer.Option(min=1, help="Threads; all cores by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Turns packed games back into record files, one for each part."""
    from philidor.core.errors import RecordError
    from philidor.records import packing

    output.mkdir(parents=True, exist_ok=True)
    targets = [output / f"{path.name.removesuffix(packing.SUFFIX)}.rec" for path in files]
    for target in targets:
        if target.exists() or targets.count(target) > 1:
            raise RecordError(f"{str(target)!r} is there already")
    games: dict[str, int] = {}
    with progress("unpacking", len(files)) as meter:
        for path, target in zip(files, targets, strict=True):
            games[str(target)] = packing.unpack(path, target, threads=threads or cores())
            meter.update(len(games), sum(games.values()))
    print_report({"games": sum(games.values()), "files": games}, as_json)
