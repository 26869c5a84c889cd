"""What the Makefile installs is what pyproject.toml names, in the versions that constraints.txt pins."""

import re
import tomllib
from pathlib import Path

import requirements

ROOT = Path(requirements.__file__).resolve().parents[1]


def name_of(requirement: str) -> str:
    """The distribution's name in its normal form."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0]).lower()


def test_an_extra_adds_its_packages() -> None:
    base, dev = set(requirements.requirements([])), set(requirements.requirements(["dev"]))
    assert base < dev
    assert {"cmake", "chess", "nanobind"} <= {name_of(requirement) for requirement in base}
    assert {"pytest", "ruff"} <= {name_of(requirement) for requirement in dev - base}


def test_every_package_that_make_installs_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = {name_of(line) for line in lines if "==" in line and not line.startswith("#")}
    assert {name_of(requirement) for requirement in requirements.requirements(["dev"])} <= pinned


def test_extras_are_those_that_something_uses() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) == {"cluster", "dev", "train"}
