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
    as_json: AsJson = False,
) -> None:
    """Packs a run of `train nnue` into at most six files of at most 48 MB together.

    Where that is too little for everything, the optimizer's moments lose digits first, then they are left out.
    """
    from philidor.core.runs import Run

    with torch_extra():
        from philidor.train.torch.loop import CHECKPOINT
        from philidor.train.torch.packing import pack_run
    source = Run(run)
    kept = pack_run(source, source.checkpoints / CHECKPOINT, out)
    files = sorted(out.glob("*.part"))
    size = sum(file.stat().st_size for file in files)
    facts = {"folder": str(out), "files": [file.name for file in files], "bytes": size, "kept": kept}
    give(facts, f"{len(files)} files, {size:,} bytes in {out}: {kept}", as_json=as_json)


def unpack(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the packed files are.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="RUN", help="The run folder to make.")],
    as_json: AsJson = False,
) -> None:
    """Makes a run folder of packed files; `train nnue` with the same games and settings goes on from it."""
    with torch_extra():
        from philidor.train.torch.loop import CHECKPOINT
        from philidor.train.torch.packing import unpack_run
    run = unpack_run(folder, out, CHECKPOINT)
    words = f"{run.path}: train nnue --config {run.config_path} --out {run.path} goes on with the same games"
    give({"run": str(run.path), "config": str(run.config_path)}, words, as_json=as_json)
