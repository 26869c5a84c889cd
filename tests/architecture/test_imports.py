"""The rooms of the Python package: import-linter's contracts hold, and would notice if they did not."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


# An editable installation's finder comes before the path and would always find the original. Python's own finders are
# classes, those that packages add are objects.
LINT = """\
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if isinstance(finder, type)]
sys.path.insert(0, "src")
from importlinter.cli import lint_imports
sys.exit(lint_imports(no_cache=True))
"""


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Checks the contracts of `folder`/pyproject.toml on the package in `folder`/src."""
    return subprocess.run([sys.executable, "-c", LINT], cwd=folder, text=True, capture_output=True, timeout=120)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package to do harm to."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    return tmp_path


def test_every_room_imports_only_what_it_may() -> None:
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("path", "code", "contract"),
    [
        ("core/planted.py", "import philidor.games", "A room imports only what stands below it"),
        ("search/planted.py", "from philidor.evaluators import x", "A room imports only what stands below it"),
        ("core/planted.py", "def f():\n    import philidor.cli", "A room imports only what stands below it"),
        ("core/planted.py", "from philidor import load_engine", "A room imports only what stands below it"),
        ("helpers/__init__.py", "", "A room imports only what stands below it"),
        ("games/planted.py", "from philidor._native import _ext", "Only files named native.py"),
        ("games/planted.py", "from philidor._native._ext import Move", "Only files named native.py"),
        ("nets/planted.py", "import torch.nn", "Only modules named torch"),
        ("pipelines/zero/planted.py", "def f():\n    from ray.util import x", "Only modules named ray"),
        ("core/planted.py", "def f():\n    import typer", "Only cli imports typer"),
        ("frontends/planted.py", "from typer import Option", "Only cli imports typer"),
        ("pipelines/planted.py", "from rich.console import Console", "Only cli and frontends import rich"),
        ("games/planted.py", "import philidor.games.chess", "No game knows another"),
        ("players/planted.py", "from philidor.protocols.uci import Go", "Only who talks to a GUI or a program"),
        ("frontends/web/planted.py", "import philidor.protocols.uci_client", "Only who talks to a GUI or a program"),
    ],
)
def test_a_planted_import_is_caught(copy: Path, path: str, code: str, contract: str) -> None:
    planted = copy / "src/philidor" / path
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(code + "\n")
    result = lint_imports(copy)
    assert result.returncode == 1, result.stdout + result.stderr
    broken = [line for line in result.stdout.splitlines() if "BROKEN" in line]
    assert any(line.startswith(contract) for line in broken), result.stdout


def test_torch_ray_and_native_modules_may_import_what_they_are_named_after(copy: Path) -> None:
    for path in ("nets/torch/__init__.py", "nets/torch/planted.py", "evaluators/torch.py"):
        planted = copy / "src/philidor" / path
        planted.parent.mkdir(exist_ok=True)
        planted.write_text("import torch\n")
    (copy / "src/philidor/arena/ray.py").write_text("import ray\n")
    native = copy / "src/philidor/nets/native.py"
    native.write_text("from philidor._native import _ext\n")
    result = lint_imports(copy)
    assert result.returncode == 0, result.stdout + result.stderr
