"""`philidor-uci`: the engine as a program for GUIs, which start it often and wait for it each time.

Nothing is imported here that only a command line needs.
"""

from __future__ import annotations

import sys
from pathlib import Path

from philidor.players import DEFAULT_ENGINE

NET_OPTIONS = {"nnue": "EvalFile", "net": "WeightsFile", "giraffe": "GiraffeFile", "deepchess": "DeepChessFile"}
"""What the engines that have a network call it over UCI."""


def serve(engine: str = DEFAULT_ENGINE, net: Path | None = None) -> None:
    """Runs the loop until "quit" or the end of input. Raises ConfigError, NetError for an engine that cannot be."""
    from philidor.frontends.uci.engine import UciEngine
    from philidor.frontends.uci.input import read_lines
    from philidor.frontends.uci.loop import UciLoop

    # Whatever was said to us may be quoted in an answer.
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    network = {} if net is None else {NET_OPTIONS.get(engine, "EvalFile"): str(net)}
    UciLoop(UciEngine({**network, "Engine": engine})).run(read_lines(sys.stdin.fileno()))


def main() -> int:
    """The entry point, for GUIs that take a program and no arguments."""
    if len(sys.argv) > 1:
        from philidor.cli import main as philidor

        return philidor(["uci", *sys.argv[1:]])
    from philidor.cli.guard import guarded

    return guarded(serve)
