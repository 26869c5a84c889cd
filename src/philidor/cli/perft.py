"""`philidor perft DEPTH`: counts the leaves of the tree of legal moves, the standard check of a move generator."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.cli.arguments import AsJson

if TYPE_CHECKING:
    from philidor.games.chess import Position

app = typer.Typer(add_completion=False)

_QUICK_DEPTH = 6
"""Counted in a second or so, without a bar."""


@app.command()
def perft(
    depth: Annotated[int, typer.Argument(min=0, help="Half moves to look ahead.")],
    fen: Annotated[str, typer.Option(help="The position, as FEN, X-FEN or Shredder-FEN.")] = "startpos",
    chess960: Annotated[bool, typer.Option("--chess960", help="Castle by Chess960 rules.")] = False,
    divide: Annotated[bool, typer.Option("--divide", help="Count for each first move.")] = False,
    bulk: Annotated[bool, typer.Option("--bulk/--no-bulk", help="Count the last half move without playing it.")] = True,
    as_json: AsJson = False,
) -> None:
    """Counts the positions reachable in DEPTH half moves."""
    from philidor.games.chess import Position

    position = Position(fen, chess960=chess960 or None)
    start = time.perf_counter()
    moves = _divide(position, depth, bulk) if depth > 0 else {}
    nodes = sum(moves.values()) if depth > 0 else 1
    seconds = time.perf_counter() - start
    speed = round(nodes / seconds) if seconds > 0 else 0
    if as_json:
        result = {"fen": position.fen(), "depth": depth, "nodes": nodes, "seconds": seconds, "nodes_per_second": speed}
        print(json.dumps({**result, "divide": moves} if divide else result))
        return
    for text, count in moves.items() if divide else ():
        print(f"{text}: {count:,}")
    print(f"{nodes:,} position{'s' if nodes != 1 else ''} in {seconds:.3f} s ({speed / 1e6:,.1f} million/s)")


def _divide(position: Position, depth: int, bulk: bool) -> dict[str, int]:
    """Counts by first move; a bar on the terminal shows how far a count of more than two seconds has come."""
    if depth <= _QUICK_DEPTH and bulk:
        return position.divide(depth)
    from rich.console import Console
    from rich.progress import track

    moves = track(position.legal_moves(), "counting", console=Console(file=sys.stderr), transient=True)
    return {position.uci(move): position.play(move).perft(depth - 1, bulk=bulk) for move in moves}
