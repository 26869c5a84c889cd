"""Prints the packages that pyproject.toml asks for, one per line: those to build and to run, and those of named extras.

    python tools/requirements.py [EXTRA ...]

They are installed before philidor itself, because philidor is built without isolation (so that its build folder stays
usable and the next compilation is incremental), and libraries that come as source need the isolation.
"""

import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
BUILD_PROGRAMS = ["cmake", "ninja"]  # scikit-build-core would fetch them only into an isolated build


def requirements(extras: list[str]) -> list[str]:
    """Reads the lists of pyproject.toml."""
    settings = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    project = settings["project"]
    names: list[str] = [*BUILD_PROGRAMS, *settings["build-system"]["requires"], *project["dependencies"]]
    for extra in extras:
        names += project["optional-dependencies"][extra]
    return sorted(set(names))


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1:])))
