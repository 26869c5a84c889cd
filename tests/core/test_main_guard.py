"""Worker processes need a script with a guard; one without it is told so, in one line and before anything starts."""

import subprocess
import sys
from pathlib import Path

import pytest

BODY = """
from philidor.core.processes import Processes

def work():
    Processes(print, None, 1).close()
    print("done")
"""
GUARDS = ['if __name__ == "__main__":\n    work()', 'if "__main__" == __name__ and True:\n    work()']


def _run(path: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    path.write_text(BODY + text)
    return subprocess.run([sys.executable, *options, str(path)], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("text", ["work()", "if True:\n    work()", 'if __name__ == "__main__":\n    pass\nwork()'])
def test_a_script_without_a_guard_is_named_with_its_line(tmp_path: Path, text: str) -> None:
    done = _run(tmp_path / "script.py", text)
    line = (BODY + text).rstrip().count("\n") + 1
    last = done.stderr.strip().splitlines()[-1]
    assert f"ScriptError: line {line} of {str(tmp_path / 'script.py')!r} starts worker processes" in last
    assert last.endswith('put the line under `if __name__ == "__main__":`')
    assert done.stdout == ""


@pytest.mark.parametrize("text", GUARDS)
def test_a_guarded_script_works(tmp_path: Path, text: str) -> None:
    done = _run(tmp_path / "script.py", text)
    assert done.stdout == "done\n", done.stderr


def test_what_is_typed_in_needs_no_guard() -> None:
    done = subprocess.run([sys.executable, "-"], input=BODY + "\nwork()", capture_output=True, text=True, timeout=60)
    assert done.stdout == "done\n", done.stderr
