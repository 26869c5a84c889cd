"""Says in one line what the machine lacks to build philidor; runs on any Python 3, before anything is installed."""

import os
import shutil
import sys
import sysconfig
from typing import Iterator


def missing() -> Iterator[str]:
    """Yields a line for everything that is not there, with the Debian package that brings it."""
    if sys.version_info < (3, 11):
        version = ".".join(map(str, sys.version_info[:3]))
        yield "philidor needs Python 3.11 or newer, but %s is Python %s; try: make PYTHON=python3.12 ..." % (
            sys.executable,
            version,
        )
        return
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        yield "Python's venv module is missing; on Debian: apt install python3-venv"
    if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
        yield "Python's C headers are missing; on Debian: apt install python3-dev"
    compiler = os.environ.get("CXX", "").split() or ["c++"]
    if not any(shutil.which(name) for name in (compiler[0], "g++", "clang++")):
        yield "no C++ compiler found; on Debian: apt install g++"


def main() -> int:
    """Prints what is missing; the exit code is 0 when nothing is."""
    problems = list(missing())
    for problem in problems:
        print("philidor: " + problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
