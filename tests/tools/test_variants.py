"""The variants of the compiled core are chosen so that the import finds one it can run."""

import subprocess
import sys
from pathlib import Path

import pytest

import variants

FLAGS = "fpu sse4_2 popcnt avx2 bmi1 bmi2 fma"
INTEL = {"vendor_id": "GenuineIntel", "cpu family": "6", "flags": FLAGS}
ZEN_2 = {"vendor_id": "AuthenticAMD", "cpu family": "23", "flags": FLAGS}
ZEN_3 = {"vendor_id": "AuthenticAMD", "cpu family": "25", "flags": FLAGS}
OLD = {"vendor_id": "GenuineIntel", "cpu family": "6", "flags": "fpu sse4_2 popcnt"}


@pytest.mark.parametrize(
    ("machine", "cpu", "runnable", "needed"),
    [
        ("x86_64", INTEL, ["v2", "v3"], ["v3"]),
        ("x86_64", ZEN_3, ["v2", "v3"], ["v3"]),
        ("x86_64", ZEN_2, ["v2", "v3"], ["v2", "v3"]),
        ("x86_64", OLD, ["v2"], ["v2"]),
        ("x86_64", {}, ["v2"], ["v2"]),
        ("aarch64", {}, ["generic"], ["generic"]),
    ],
    ids=["intel", "zen 3", "zen 2", "before avx2", "unknown", "arm"],
)
def test_variants_by_machine(machine: str, cpu: dict[str, str], runnable: list[str], needed: list[str]) -> None:
    assert variants.runnable(machine, cpu) == runnable
    assert variants.needed(machine, cpu) == needed


def test_the_variant_that_is_loaded_here_is_one_that_make_play_would_build() -> None:
    code = "from philidor._native import VARIANT; print(VARIANT)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() in variants.needed(*variants.this_machine())


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_missing_part_of_python_is_named_with_its_package(missing: str) -> None:
    script = Path(variants.__file__).with_name("prerequisites.py")
    code = f"import runpy, sys; sys.modules[{missing!r}] = None; runpy.run_path({str(script)!r}, run_name='__main__')"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert "apt install python3-venv" in result.stderr


def test_an_old_python_is_told_so_in_one_line() -> None:
    script = Path(variants.__file__).with_name("prerequisites.py")
    code = f"import runpy, sys; sys.version_info = (3, 9, 2); runpy.run_path({str(script)!r}, run_name='__main__')"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 1
    assert "needs Python 3.11 or newer" in result.stderr
    assert "3.9.2" in result.stderr
    assert result.stderr.count("\n") == 1
