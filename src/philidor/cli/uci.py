"""`philidor uci`: the engine for chess programs and bots, spoken to in UCI."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from philidor.frontends.uci.options import ENGINES
from philidor.players import DEFAULT_ENGINE

app = typer.Typer(add_completion=False)

# What the engines call their network over UCI; EvalFile where nothing else is said.
_NET_OPTIONS = {"net": "WeightsFile", "giraffe": "GiraffeFile"}


@app.command()
def uci(
    engine: Annotated[
        str, typer.Option(help=f"Who thinks: {' or '.join(ENGINES)}; also the option Engine.")
    ] = DEFAULT_ENGINE,
    net: Annotated[
        Path | None,
        typer.Option(help="The network: a file or a shipped one's name; also EvalFile, WeightsFile, GiraffeFile."),
    ] = None,
) -> None:
    """Speaks UCI on standard input and output, for chess GUIs, match runners and bots."""
    serve(engine, net)


def serve(engine: str = DEFAULT_ENGINE, net: Path | None = None) -> None:
    """Runs the loop until "quit" or the end of input. Raises ConfigError, NetError for an engine that cannot be."""
    from philidor.frontends.uci.engine import UciEngine
    from philidor.frontends.uci.input import read_lines
    from philidor.frontends.uci.loop import UciLoop

    # Whatever was said to us may be quoted in an answer.
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    network = {} if net is None else {_NET_OPTIONS.get(engine, "EvalFile"): str(net)}
    UciLoop(UciEngine({**network, "Engine": engine})).run(read_lines(sys.stdin.fileno()))


def main() -> int:
    """The entry point of `philidor-uci`, for GUIs that take a program and no arguments."""
    from philidor.cli import main as philidor

    return philidor(["uci", *sys.argv[1:]])
