"""`philidor uci`: the engine for chess programs and bots, spoken to in UCI."""

from __future__ import annotations

import typer

app = typer.Typer(add_completion=False)


@app.command()
def uci() -> None:
    """Speaks UCI on standard input and output, for chess GUIs, match runners and bots."""
    serve()


def serve() -> None:
    """Runs the loop until "quit" or the end of input."""
    import sys

    from philidor.frontends.uci.engine import UciEngine
    from philidor.frontends.uci.input import read_lines
    from philidor.frontends.uci.loop import UciLoop

    UciLoop(UciEngine()).run(read_lines(sys.stdin.fileno()))


def main() -> int:
    """The entry point of `philidor-uci`, for GUIs that take a program and no arguments."""
    serve()
    return 0
