"""Runs the command line: `python -m philidor`."""

import sys

from philidor.cli import main

if __name__ == "__main__":
    sys.exit(main())
