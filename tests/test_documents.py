"""What the documents show is true: their Python runs, and the files that they name exist."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from philidor.cli import main

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
# A path in backquotes that begins with a folder of this tree; `...` and placeholders are not paths.
TREE_PATH = re.compile(r"`((?:src|cpp|tests|tools|docs|benchmarks|examples|configs|nets)/[\w./-]*\w/?)`")
# Rooms are written without src/philidor/ where the text is about them: `search/minimax.py`.
ROOM_PATH = re.compile(
    r"`((?:cli|frontends|pipelines|selfplay|arena|train|players|search|evaluators|records|encodings|protocols|games|core"
    r")/[\w./-]*\.py)`"
)

# A line of a shell example, or a command in backquotes, up to its options.
COMMAND = re.compile(r"(?:^ {4}|`)philidor ([a-z-]+(?: [a-z][a-z-]*)?)", re.MULTILINE)
GROUPS = ("data", "experiment", "net")  # commands that have commands


def python_blocks() -> list[tuple[str, str]]:
    """Every Python example of every document, with a name."""
    return [
        (f"{document.relative_to(ROOT)}[{number}]", code)
        for document in DOCUMENTS
        for number, code in enumerate(PYTHON_BLOCK.findall(document.read_text(encoding="utf-8")))
    ]


@pytest.mark.parametrize(("name", "code"), python_blocks(), ids=[name for name, _ in python_blocks()])
def test_examples_run(name: str, code: str, tmp_path: Path) -> None:
    if "torch" in code:
        pytest.importorskip("torch")
    script = tmp_path / "example.py"
    script.write_text(code, encoding="utf-8")
    result = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, f"{name}\n{result.stderr}"


def test_the_readme_has_an_example() -> None:
    assert any(name.startswith("README.md") for name, _ in python_blocks())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_are_named_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    wanted = [ROOT / path for path in TREE_PATH.findall(text)]
    wanted += [ROOT / "src/philidor" / path for path in ROOM_PATH.findall(text)]
    assert [str(path.relative_to(ROOT)) for path in wanted if not path.exists()] == []


def test_commands_that_are_named_exist(capsys: pytest.CaptureFixture[str]) -> None:
    found = {match for document in DOCUMENTS for match in COMMAND.findall(document.read_text(encoding="utf-8"))}
    names = {tuple(words if words[0] in GROUPS else words[:1]) for words in map(str.split, found)}
    assert ("play",) in names
    for words in sorted(names):
        assert main([*words, "--help"]) == 0, f"{words}: {capsys.readouterr().err}"
