"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def table_lines(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns the lines of a table; a bar inside a cell is written so that it ends no cell."""
    table = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in table]
