"""The examples of docs/cli.md print what the page shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
EXAMPLE = re.compile(r"^```console\n\$ (.*?)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# What differs from run to run: seconds and speeds.
MEASURED = re.compile(r"\d+\.\d+ s\b|\([\d,.]+(?: million)?/s\)|\"time_s\": [\de.-]+")

EXAMPLES = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))


def comparable(text: str) -> list[str]:
    lines = [MEASURED.sub("...", line).rstrip() for line in text.splitlines()]
    return "\n".join(lines).strip("\n").splitlines()


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) > 5


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_an_example_prints_what_the_page_shows(command: str, shown: str, tmp_path: Path) -> None:
    program = f'philidor() {{ "{sys.executable}" -m philidor "$@"; }}; {command}'
    environment = {**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(["bash", "-c", program], capture_output=True, encoding="utf-8", env=environment, timeout=60)
    assert comparable(done.stdout + done.stderr) == comparable(shown)
