"""The command line: `philidor SUBCOMMAND`, one file each; loaded only when asked for."""

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the program; returns its exit code: 0 done, 1 failed, 2 bad usage, 130 interrupted."""
    from philidor.cli.run import run

    return run(argv)
