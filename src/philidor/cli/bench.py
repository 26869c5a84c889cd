"""`philidor bench`: fixed positions to a fixed depth; the nodes are the search's signature."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from philidor.cli.arguments import AsJson
from philidor.players import DEFAULT_ENGINE

app = typer.Typer(add_completion=False)


@app.command()
def bench(
    depth: Annotated[int | None, typer.Option(min=1, max=100, help="Plies to search; 13 if not given.")] = None,
    engine: Annotated[str, typer.Option(help="The engine to measure: nnue, classic or giraffe.")] = DEFAULT_ENGINE,
    net: Annotated[Path | None, typer.Option(help="The engine's network, a file or a shipped one's name.")] = None,
    threads: Annotated[int, typer.Option(min=1, max=512, help="Threads; the signature needs one.")] = 1,
    hash_size: Annotated[int, typer.Option("--hash", min=1, help="Hash table in megabytes.")] = 16,
    as_json: AsJson = False,
) -> None:
    """Searches fixed positions and prints nodes (the signature, with one thread) and nodes per second."""
    from philidor.core.errors import ConfigError
    from philidor.players import load_engine, player_class
    from philidor.players.bench import run_bench
    from philidor.players.engine import EnginePlayer

    if not issubclass(player_class(engine), EnginePlayer):
        raise ConfigError(f"{engine!r} has no nodes to count; nnue, classic and giraffe have")
    network: dict[str, Any] = {} if net is None else {"net": net}
    player: Any = load_engine(engine, threads=threads, hash=hash_size, **network)
    result = run_bench(player, depth, None if as_json else print)
    if as_json:
        import json

        print(
            json.dumps({"nodes": result.nodes, "seconds": result.seconds, "nodes_per_second": result.nodes_per_second})
        )
