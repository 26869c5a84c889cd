"""`philidor perft DEPTH`: counts the leaves of the tree of legal moves, the standard check of a move generator."""

import json
import time
from typing import Annotated

import typer

app = typer.Typer(add_completion=False)


@app.command()
def perft(
    depth: Annotated[int, typer.Argument(min=0, help="Half moves to look ahead.")],
    fen: Annotated[str, typer.Option(help="The position, as FEN, X-FEN or Shredder-FEN.")] = "startpos",
    chess960: Annotated[bool, typer.Option("--chess960", help="Castle by Chess960 rules.")] = False,
    divide: Annotated[bool, typer.Option("--divide", help="Count for each first move.")] = False,
    bulk: Annotated[bool, typer.Option("--bulk/--no-bulk", help="Count the last half move without playing it.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Counts the positions reachable in DEPTH half moves."""
    from philidor.games.chess import Position

    position = Position(fen, chess960=chess960 or None)
    start = time.perf_counter()
    moves = position.divide(depth) if divide and depth > 0 else {}
    nodes = sum(moves.values()) if moves else position.perft(depth, bulk=bulk)
    seconds = time.perf_counter() - start
    speed = round(nodes / seconds) if seconds > 0 else 0
    if as_json:
        result = {"fen": position.fen(), "depth": depth, "nodes": nodes, "seconds": seconds, "nodes_per_second": speed}
        print(json.dumps({**result, "divide": moves} if divide else result))
        return
    for text, count in moves.items():
        print(f"{text}: {count:,}")
    print(f"{nodes:,} positions in {seconds:.3f} s ({speed / 1e6:,.1f} million/s)")
