"""`make bench` runs every benchmark, and nothing else."""

import importlib.util
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def programs() -> dict[str, Path]:
    spec = importlib.util.spec_from_file_location("benchmarks_run", FOLDER / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[str, Path] = module.PROGRAMS
    return found


def test_there_are_benchmarks() -> None:
    assert {"perft", "uct", "nnue"} <= set(programs())


@pytest.mark.parametrize("path", programs().values(), ids=programs())
def test_each_is_a_program_that_writes_json(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert 'if __name__ == "__main__":' in text
    assert '"--json"' in text
