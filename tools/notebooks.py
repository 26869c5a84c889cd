"""Notebooks of the book's chapters: plain Python files of cells, executed and written as pages of the documentation.

A source (examples/book/chapter2.py) has cells in the percent format that Jupyter, VS Code and Spyder know: `# %%`
begins one, `# %% [markdown]` one of text, `# %% [slow]` one that tests leave out.

python tools/notebooks.py                    executes all and writes docs/notebooks/
python tools/notebooks.py --ipynb FOLDER     writes notebooks for Jupyter, not executed
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "examples/book").glob("chapter*.py"))
PAGES = ROOT / "docs/notebooks"
IMAGES = ROOT / "docs/images/notebooks"
_MARK = "# %%"


@dataclass(frozen=True)
class Cell:
    """One cell: its kind ("", "[markdown]" or "[slow]") and its text."""

    kind: str
    text: str


@dataclass(frozen=True)
class Output:
    """What a cell has printed, and what its last line is worth."""

    printed: str
    value: Any


def cells(source: Path) -> list[Cell]:
    """Reads the cells of a source; what stands before the first one is its docstring."""
    found = []
    for part in f"\n{source.read_text(encoding='utf-8')}".split(f"\n{_MARK}")[1:]:
        head, _, body = part.partition("\n")
        kind = head.strip()
        if kind not in ("", "[markdown]", "[slow]"):
            raise SystemExit(f"{source.name}: a cell is [markdown], [slow] or plain, got {kind!r}")
        lines = body.strip("\n").splitlines()
        if kind == "[markdown]":
            lines = [line.removeprefix("#").removeprefix(" ") for line in lines]
        found.append(Cell(kind, "\n".join(lines)))
    return found


def execute(cell: Cell, names: dict[str, Any], source: Path) -> Output:
    """Runs a cell as a notebook does: what its last line is worth is what it shows."""
    tree = ast.parse(cell.text)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, str(source), "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), str(source), "eval"), names)
    return Output(printed.getvalue(), value)


def run(source: Path, *, is_lean: bool = False) -> Iterator[tuple[Cell, Output | None]]:
    """Runs a source from the top; without its slow cells if it is to be lean. Text has no output."""
    names: dict[str, Any] = {"__name__": "__notebook__"}
    for cell in cells(source):
        is_run = cell.kind == "" or (cell.kind == "[slow]" and not is_lean)
        yield cell, execute(cell, names, source) if is_run else None


def page(source: Path) -> str:
    """Executes a source and returns its page; pictures are written beside the others."""
    parts = []
    for number, (cell, output) in enumerate(run(source), start=1):
        if output is None:
            parts.append(cell.text)
            continue
        # "py", not "python": a cell needs those before it.
        parts.append(f"```py\n{cell.text}\n```")
        if output.printed:
            parts.append(f"```text\n{output.printed.rstrip()}\n```")
        parts += _shown(output.value, f"{source.stem}-{number}")
    where = source.relative_to(ROOT).as_posix()
    parts.append(f"This page is `{where}`, run by `python tools/notebooks.py`.")
    return "\n\n".join(parts) + "\n"


def _shown(value: Any, name: str) -> list[str]:
    if value is None:
        return []
    parts = []
    if hasattr(value, "_repr_markdown_"):
        parts.append(value._repr_markdown_())
    svg = value._repr_svg_() if hasattr(value, "_repr_svg_") else None
    if svg:
        IMAGES.mkdir(parents=True, exist_ok=True)
        (IMAGES / f"{name}.svg").write_text(svg, encoding="utf-8")
        parts.append(f"![What the cell draws](../images/notebooks/{name}.svg)")
    return parts or [f"```text\n{value!r}\n```"]


def jupyter(source: Path) -> dict[str, Any]:
    """Returns the source as a notebook of Jupyter's, version 4.5, without outputs."""
    made: list[dict[str, Any]] = []
    for number, cell in enumerate(cells(source), start=1):
        lines = cell.text.splitlines(keepends=True)
        if cell.kind == "[markdown]":
            made.append({"cell_type": "markdown", "id": f"cell-{number}", "metadata": {}, "source": lines})
        else:
            code: dict[str, Any] = {"cell_type": "code", "execution_count": None, "id": f"cell-{number}"}
            made.append({**code, "metadata": {}, "outputs": [], "source": lines})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def main() -> None:
    """Writes the pages, or notebooks."""
    parser = argparse.ArgumentParser(description="Executes the notebooks of the book's chapters.")
    parser.add_argument("--ipynb", type=Path, metavar="FOLDER", help="Write Jupyter notebooks there instead.")
    parser.add_argument("chapters", nargs="*", help="Chapters to write, such as chapter2; all if none is named.")
    given = parser.parse_args()
    chosen = [source for source in SOURCES if not given.chapters or source.stem in given.chapters]
    for source in chosen:
        if given.ipynb is not None:
            given.ipynb.mkdir(parents=True, exist_ok=True)
            text = json.dumps(jupyter(source), indent=1, ensure_ascii=False) + "\n"
            (given.ipynb / f"{source.stem}.ipynb").write_text(text, encoding="utf-8")
        else:
            PAGES.mkdir(parents=True, exist_ok=True)
            (PAGES / f"{source.stem}.md").write_text(page(source), encoding="utf-8")
        print(source.stem, flush=True)


if __name__ == "__main__":
    main()
