"""Runs libFuzzer targets for a time each, as many at once as there are cores; the first that finds something fails.

python tools/fuzz.py build/fuzz 15 fuzz_fen fuzz_pgn
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def command(folder: Path, seconds: str, target: str) -> list[str]:
    """How a target is run: it starts from our seeds and keeps what it finds interesting in a corpus."""
    corpus = folder / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    seeds = Path("cpp/fuzz/seeds", target.removeprefix("fuzz_"))
    folders = [str(corpus), *([str(seeds)] if seeds.is_dir() else [])]
    findings = f"-artifact_prefix={folder}/{target}-"
    return [str(folder / target), f"-max_total_time={seconds}", "-timeout=10", findings, *folders]


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs one target to its end."""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def main(folder: str, seconds: str, targets: list[str]) -> int:
    """Prints what each target said, those that found something last; returns how many did."""
    commands = [command(Path(folder), seconds, target) for target in targets]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = list(pool.map(run, commands))
    runs.sort(key=lambda done: done.returncode != 0)
    for done in runs:
        print(f"$ {' '.join(done.args)}\n{done.stdout}exit code {done.returncode}", flush=True)
    return sum(done.returncode != 0 for done in runs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
