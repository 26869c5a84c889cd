"""The notebook's cells run in their order, and what they end with can be shown."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples/review.ipynb"


def cells() -> list[str]:
    found = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]


def run(code: str, names: dict[str, Any]) -> Any:
    """Runs a cell as a notebook does: what its last line is worth is what it shows."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(NOTEBOOK), "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)  # type: ignore[attr-defined]


def test_the_notebook_runs_from_the_top(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    shown = [run(code, names) for code in cells()]
    pictures = [each._repr_svg_() for each in shown if hasattr(each, "_repr_svg_")]
    tables = [each._repr_html_() for each in shown if hasattr(each, "_repr_html_")]
    assert len(pictures) == 2
    assert len(tables) == 3
    assert all(picture.startswith("<svg") for picture in pictures)
    assert "Paul Morphy" in tables[0]
    assert "better:" in capsys.readouterr().out
