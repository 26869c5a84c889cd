"""`tools/check.py`: checks that run side by side are all run, and one that fails is named."""

import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
TRIAL = """
import sys, check
check.BUILD = check.Path(sys.argv[1])
say = lambda code: lambda: [[sys.executable, "-c", code]]
check.CHECKS = {
    "types": check.Check("first", say("print('fine')")),
    "docs": check.Check("second", say(sys.argv[2])),
    "fuzz": check.Check("third", say("print('fine')")),
}
sys.exit(check.main(["fuzz", "docs", "types"]))
"""


def run_checks(folder: Path, second: str) -> subprocess.CompletedProcess[str]:
    """Runs three small checks, two of them side by side, of which the second is `second`."""
    command = [sys.executable, "-c", TRIAL, str(folder), second]
    return subprocess.run(command, cwd=TOOLS, capture_output=True, text=True, timeout=60)


def test_all_checks_run_in_whatever_order_they_are_named(tmp_path: Path) -> None:
    result = run_checks(tmp_path, "print('fine')")
    assert result.returncode == 0
    for line in ("[3/3] first ... done", "[2/3] second ... done", "[1/3] third ... done", "all 3 checks passed"):
        assert line in result.stdout


def test_a_check_that_fails_beside_another_fails_the_whole(tmp_path: Path) -> None:
    result = run_checks(tmp_path, "import sys; print('said'); sys.exit(3)")
    assert result.returncode == 1
    assert "[2/3] second ... FAILED" in result.stdout
    assert "said" in result.stdout
    assert "FAILED: docs" in result.stdout
    assert "[1/3] third ... done" in result.stdout
