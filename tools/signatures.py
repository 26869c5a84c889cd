"""Searches the bench positions with the engines that have a signature, and writes what the tests expect of them.

    python tools/signatures.py

A signature changes when the search or the evaluation does, the default network's too; the commit says why.
"""

import json
from pathlib import Path

from philidor.players import load_engine
from philidor.players.bench import run_bench

COMMITTED = Path(__file__).resolve().parents[1] / "tests" / "players" / "signatures.json"
ENGINES = ("nnue", "classic")


def signature(engine: str) -> int:
    """Counts the nodes of `philidor bench --engine ENGINE`."""
    return run_bench(load_engine(engine)).nodes


def main() -> int:
    """Writes the file and prints it."""
    text = json.dumps({engine: signature(engine) for engine in ENGINES}, indent=2) + "\n"
    COMMITTED.write_text(text, encoding="utf-8")
    print(text, end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
