"""Self-play, packing and the store on a machine that has Python, numpy, rich and typer, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MISSING = ("chess", "zstandard", "onnxruntime", "fastapi", "uvicorn", "websockets", "torch")

# In the worker processes too: they import this very module first.
PROGRAM = """\
import sys


class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING_NAMES:
            raise ModuleNotFoundError(f"No module named {name!r}")


sys.meta_path.insert(0, Missing())

from philidor.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""


def test_games_are_played_packed_and_stored_without_other_packages(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("MISSING_NAMES", repr(MISSING)))

    def run(*arguments: str) -> str:
        command = [sys.executable, str(program), "data", *arguments]
        return subprocess.run(command, check=True, text=True, capture_output=True, cwd=tmp_path).stdout

    book = tmp_path / "book.epd"
    book.write_text("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n")
    run("selfplay", "-o", "games", "--games", "2", "--engine", "nnue", "--nodes", "30", "--book", str(book), "--idle")
    shards = [str(path) for path in sorted((tmp_path / "games" / "shards").glob("*.rec"))]
    assert "games" in run("pack", *shards, "-o", "packed")
    assert "2" in run("unpack", "packed-000.pack", "-o", "back")
    assert "2 games" in run("store", "add", "packed-000.pack", "--store", "store")
