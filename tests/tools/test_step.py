"""The Makefile's progress lines: they show what runs, and hide nothing that fails."""

import subprocess
import sys
from pathlib import Path

STEP = Path(__file__).resolve().parents[2] / "tools/step.py"


def run_step(log: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Runs a step that is a line of Python."""
    command = [sys.executable, str(STEP), "[1/1] trying", str(log), sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_a_step_that_works_is_one_line_and_a_log(tmp_path: Path) -> None:
    log = tmp_path / "logs/step.log"
    result = run_step(log, "print('said')")
    assert result.returncode == 0
    assert "[1/1] trying ... done" in result.stdout
    assert "said" not in result.stdout
    assert "said" in log.read_text()


def test_a_step_that_fails_shows_its_output_and_keeps_its_exit_code(tmp_path: Path) -> None:
    result = run_step(tmp_path / "step.log", "import sys; print('said'); sys.exit(7)")
    assert result.returncode == 7
    assert "[1/1] trying ... FAILED" in result.stdout
    assert "said" in result.stdout


def test_a_program_that_is_not_there_fails(tmp_path: Path) -> None:
    command = [sys.executable, str(STEP), "[1/1] trying", str(tmp_path / "step.log"), str(tmp_path / "nothing")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 127
    assert "nothing" in result.stdout
