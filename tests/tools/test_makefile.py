"""The Makefile does what is needed and nothing that is done already."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with one C++ file and one page, in a folder whose name has a space."""
    folder = tmp_path / "a clone"
    (folder / "cpp/games").mkdir(parents=True)
    (folder / "cpp/games/rules.cpp").touch()
    (folder / "web/src").mkdir(parents=True)
    (folder / "web/src/main.ts").touch()
    for name in ("Makefile", "pyproject.toml", "CMakeLists.txt", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def planned(folder: Path, *goals: str) -> str:
    """What make would run."""
    # Without the outer make's flags: these tests are themselves run by `make test`.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "--no-print-directory", "--dry-run", *goals]
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


PAGES = "../../src/philidor/frontends/web/static/index.html"
"""The pages' last file, as seen from the stamps of the other steps."""


def finish(folder: Path, *stamps: str) -> None:
    """Pretends that steps were done a moment ago."""
    (folder / ".venv/stamps").mkdir(parents=True, exist_ok=True)
    for stamp in stamps:
        path = folder / ".venv/stamps" / stamp
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (2_000_000_000, 2_000_000_000))


def test_playing_from_a_clean_clone_takes_four_steps_and_starts(clone: Path) -> None:
    plan = planned(clone, "play")
    assert all(step in plan for step in ("[1/4]", "[2/4]", "[3/4]", "[4/4]"))
    assert plan.splitlines()[-1].endswith("-m philidor play ")
    assert "requirements.py dev" not in plan


def test_playing_again_only_plays(clone: Path) -> None:
    finish(clone, "venv", "libraries-play", "play", PAGES)
    assert len(planned(clone, "play").splitlines()) == 1


def test_changed_cpp_is_compiled_again_and_nothing_else(clone: Path) -> None:
    finish(clone, "venv", "libraries-play", "play", PAGES)
    os.utime(clone / "cpp/games/rules.cpp", (2_100_000_000, 2_100_000_000))
    plan = planned(clone, "play")
    assert "[3/4]" in plan
    assert "[2/4]" not in plan
    assert "[4/4]" not in plan


def test_a_changed_page_is_built_again_and_nothing_else(clone: Path) -> None:
    finish(clone, "venv", "libraries-play", "play", PAGES)
    os.utime(clone / "web/src/main.ts", (2_100_000_000, 2_100_000_000))
    plan = planned(clone, "play")
    assert "[4/4]" in plan
    assert "[3/4]" not in plan


def test_the_terminal_needs_no_pages(clone: Path) -> None:
    plan = planned(clone, "play", "ARGS=--terminal")
    assert "[4/4]" not in plan
    assert plan.splitlines()[-1].endswith("-m philidor play --terminal")


def test_playing_is_content_with_the_developers_installation(clone: Path) -> None:
    finish(clone, "venv", "libraries-dev", "dev", PAGES)
    assert len(planned(clone, "play").splitlines()) == 1


@pytest.mark.parametrize("goal", ["test", "lint", "docs", "fuzz", "bench", "stubs", "native", "wheel"])
def test_other_goals_install_the_development_tools(clone: Path, goal: str) -> None:
    assert "requirements.py dev" in planned(clone, goal)


def test_help_names_every_goal(clone: Path) -> None:
    text = subprocess.run(["make", "help"], cwd=clone, check=True, capture_output=True, text=True).stdout
    for goal in ("play", "test", "lint", "format", "bench", "fuzz", "docs", "stubs", "native", "web", "wheel", "clean"):
        assert f"make {goal}" in text
