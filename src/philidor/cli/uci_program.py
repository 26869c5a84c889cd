"""`philidor-uci`: the engine as a program for GUIs, which start it often and wait for it each time.

Nothing is imported here that only a command line needs.
"""

from __future__ import annotations

import sys
from pathlib import Path

from philidor.core.config import settings
from philidor.players import DEFAULT_ENGINE, player_class, rating_setting


def net_option(engine: str) -> str | None:
    """Returns what an engine calls its network over UCI, if it has one. Raises UnknownNameError."""
    own = settings(player_class(engine).config_class)
    return next((setting.uci_name for setting in own if setting.name == "net"), None)


def rating_options(engine: str, rating: int) -> dict[str, str]:
    """Returns the options that let an engine play at a rating: its own, or those that limit the others."""
    own = rating_setting(player_class(engine).config_class)
    if own is not None and own.uci_name is not None:
        return {own.uci_name: str(rating)}
    return {"UCI_LimitStrength": "true", "UCI_Elo": str(rating)}


def serve(engine: str = DEFAULT_ENGINE, net: Path | None = None, rating: int | None = None) -> None:
    """Runs the loop until "quit" or the end of input. Raises ConfigError, NetError for an engine that cannot be."""
    from philidor.frontends.uci.engine import UciEngine
    from philidor.frontends.uci.input import read_lines
    from philidor.frontends.uci.loop import UciLoop

    # Whatever was said to us may be quoted in an answer.
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    options = {} if net is None else {net_option(engine) or "EvalFile": str(net)}
    if rating is not None:
        options |= rating_options(engine, rating)
    UciLoop(UciEngine({**options, "Engine": engine})).run(read_lines(sys.stdin.fileno()))


def main() -> int:
    """The entry point, for GUIs that take a program and no arguments."""
    if len(sys.argv) > 1:
        from philidor.cli import main as philidor

        return philidor(["uci", *sys.argv[1:]])
    from philidor.cli.guard import guarded

    return guarded(serve)
