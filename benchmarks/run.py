"""Runs the benchmarks of this folder one after the other, never two at once.

    python benchmarks/run.py [--out DIR] [NAME ...]

Without `--out` each prints its table; with it, each writes DIR/NAME.json. `make bench` runs them all.
"""

import argparse
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
# Strength takes hours, peers and test positions, and is measured by itself; so is what moves and lessons lose, which
# needs games or a network by name, and what a run of rounds learned when. Whether UCI answers, altered files are
# refused, and Go agrees with other programs and with the known values of small boards are checks.
NO_BENCHMARKS = {
    "strength.py",
    "tactics.py",
    "uci_answers.py",
    "mutated_files.py",
    "go_agreement.py",
    "go_points.py",
    "go_values.py",
    "match_phases.py",
    "nnue_over_time.py",
    "zero_targets.py",
}
PARTS = {"run.py", "measure.py", "peer.py", "odd_lines.py", "file_kinds.py", "go_questions.py"}
PROGRAMS = {path.stem: path for path in sorted(FOLDER.glob("*.py")) if path.name not in NO_BENCHMARKS | PARTS}


def run(name: str, out: Path | None) -> bool:
    """Runs one benchmark; returns whether it succeeded."""
    print(f"== {name}", flush=True)
    command = [sys.executable, str(PROGRAMS[name])]
    if out is None:
        return subprocess.run(command).returncode == 0
    result = subprocess.run([*command, "--json"], stdout=subprocess.PIPE, text=True)
    path = out / f"{name}.json"
    path.write_text(result.stdout, encoding="utf-8")
    print(f"   {path}", flush=True)
    return result.returncode == 0


def main() -> int:
    """Returns 1 when a benchmark failed."""
    parser = argparse.ArgumentParser(description="Runs the benchmarks, one after the other.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which ones (default: all): {', '.join(PROGRAMS)}")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write DIR/NAME.json instead of printing tables")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(PROGRAMS)
    if unknown:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(PROGRAMS)}")
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
    failed = [name for name in arguments.names or PROGRAMS if not run(name, arguments.out)]
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
