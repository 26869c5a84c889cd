"""Small tables of HTML, for notebooks: plain elements that look as the notebook likes, and nothing that runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def html_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, caption: str = "") -> str:
    """Returns a table; None is an empty cell, numbers stand at the right."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    title = f'<caption style="text-align:left">{escape(caption)}</caption>' if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if value is None:
        return "<td></td>"
    style = ' style="text-align:right"' if isinstance(value, int | float) else ' style="text-align:left"'
    text = f"{value:.3f}" if isinstance(value, float) else str(value)
    return f"<td{style}>{escape(text)}</td>"
