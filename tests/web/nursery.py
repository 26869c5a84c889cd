"""Processes of `philidor play` that begin with everything imported: to import it takes longer than most tests.

They are forked from one process that has the server's modules and does nothing else. Each is a process of its own in
every other way: its folder, environment, signals and output are those of a program that was started.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

_MODULES = [
    "philidor.cli.run",
    "philidor.cli.play",
    "philidor.frontends.web.serve",
    "philidor.players.human",
    "philidor.players.net",
    "philidor.players.nnue",
    "philidor.players.uct",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.websockets.auto",
    # The children's main module is pytest's script, which imports it.
    "pytest",
]


def start(
    script: str, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], log: Path
) -> BaseProcess:
    """Starts a Python script."""
    # Where processes cannot be forked, each imports everything by itself.
    kind = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context: Any = multiprocessing.get_context(kind)
    context.set_forkserver_preload(_MODULES)
    process: BaseProcess = context.Process(
        target=_run, args=(script, arguments, folder, dict(environment), log), daemon=True
    )
    process.start()
    return process


def _run(script: str, arguments: Sequence[str], folder: Path, environment: dict[str, str], log: Path) -> None:
    output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    for stream in (1, 2):
        os.dup2(output, stream)
    os.close(output)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [script, *arguments]
    runpy.run_path(script, run_name="__main__")
