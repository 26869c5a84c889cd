"""`philidor train pack` and `unpack`: the state of a training run in a few small files, to go on elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from philidor.cli.arguments import AsJson, give
from philidor.cli.train.torch_extra import torch_extra


def pack(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a training run.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where the files go.")],
    at_most: Annotated[
        float | None,
        typer.Option(
            "--at-most",
            metavar="MB",
            min=0.001,
            help="Size to which old games of a zero run are left behind; state, networks and new games always travel.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Packs a run to continue it elsewhere: a zero run into files of at most 15 MB, any other into six of 48 MB in all.

    A zero run takes along its newest networks and the games of its window. In any other run, if there is too little
    room, the optimizer's moments are rounded first and then left out.
    """
    from philidor.core.errors import ConfigError
    from philidor.core.runs import Run
    from philidor.pipelines.zero.packing import is_zero_run, pack_zero

    with torch_extra():
        from philidor.train.torch.packing import pack_run
    source = Run(run)
    if is_zero_run(source):
        pack_zero(source, out, at_most=None if at_most is None else round(at_most * 1e6))
        kept = "everything, the moments in 16 bits, the games of the window"
        kept += "" if at_most is None else ", or as many of the newest as fit"
    elif at_most is not None:
        raise ConfigError("--at-most is for zero runs: the packs of others are never larger than 48 MB")
    else:
        kept = pack_run(source, out)
    files = sorted(out.glob("*.part"))
    size = sum(file.stat().st_size for file in files)
    facts = {"folder": str(out), "files": [file.name for file in files], "bytes": size, "kept": kept}
    give(facts, f"{len(files)} files, {size:,} bytes in {out}: {kept}", as_json=as_json)


def unpack(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the packed files are.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="RUN", help="The run folder to make.")],
    as_json: AsJson = False,
) -> None:
    """Turns packed files back into a run folder, from which the same training continues with the same games."""
    from philidor.core.parts import is_packed
    from philidor.pipelines.zero.packing import unpack_zero

    with torch_extra():
        from philidor.train.torch.packing import unpack_run
    if is_packed(folder):
        run = unpack_zero(folder, out)
        words = f"{run.path}: train the same recipe with --out {run.path} to continue"
        give({"run": str(run.path), "config": str(run.config_path)}, words, as_json=as_json)
        return
    run = unpack_run(folder, out)
    words = f"{run.path}: philidor train ... --config {run.config_path} --out {run.path} continues with the same games"
    give({"run": str(run.path), "config": str(run.config_path)}, words, as_json=as_json)
