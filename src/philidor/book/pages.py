"""Items of the book as pictures, as Markdown, and as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from philidor.book.items import Exhibit, Item, Table
from philidor.core.charts import draw_charts
from philidor.core.markdown import table_lines

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1f2933; }
table { border-collapse: collapse; margin: 1rem 0; } td, th { padding: .3rem .8rem; border-bottom: 1px solid #e4e7eb; }
th { text-align: left; } .no { color: #b00020; } svg { max-width: 100%; height: auto; } code { background: #f3f5f7; }
"""


def picture(item: Item, exhibit: Exhibit) -> str:
    """Returns the panels of an item as one SVG."""
    return draw_charts(item.title, f"{item.heading}; section {item.section}", exhibit.panels, columns=exhibit.columns)


def page(shown: Sequence[tuple[Item, Exhibit]]) -> str:
    """Returns all items on one page."""
    body = "\n".join(section(item, exhibit) for item, exhibit in shown)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>The book, run by philidor</title>'
        f"<style>{_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def _table(shown: Table) -> str:
    def row(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    rows = "".join(row(cells, "td") for cells in shown.rows)
    return f"<h3>{escape(shown.title)}</h3><table>{row(shown.header, 'th')}{rows}</table>"


def section(item: Item, exhibit: Exhibit) -> str:
    """Returns one item as HTML, with its picture in it."""
    rows = "".join(
        f"<tr><td>{escape(f.what)}</td><td>{escape(f.book)}</td>"
        f"<td{' class=no' if f.agrees is False else ''}>{escape(f.ours)}</td></tr>"
        for f in exhibit.findings
    )
    table = f"<table><tr><th></th><th>the book</th><th>here</th></tr>{rows}</table>" if rows else ""
    reason = f" ({escape(item.reason)})" if item.reason else ""
    return "\n".join(
        [
            f"<h2>{escape(item.title)}</h2>",
            f"<p>{escape(', '.join(item.names))}; section {item.section}; {item.status}{reason}; "
            f"<code>{escape(item.code)}</code></p>",
            table,
            *map(_table, exhibit.tables),
            *(f"<p>{escape(note)}</p>" for note in exhibit.notes),
            picture(item, exhibit) if exhibit.panels else "",
        ]
    )


def markdown(exhibit: Exhibit) -> str:
    """Returns what an item found as Markdown: numbers beside the book's, further tables, notes."""
    parts = []
    if exhibit.findings:
        rows = tuple((f.what, f.book, f.ours) for f in exhibit.findings)
        parts.append(markdown_table(Table("", ("", "the book", "here"), rows)))
    parts += [f"**{table.title}**\n\n{markdown_table(table)}" for table in exhibit.tables]
    return "\n\n".join([*parts, *exhibit.notes])


def markdown_table(table: Table) -> str:
    """Returns a table as Markdown has it."""
    return "\n".join(table_lines(table.header, table.rows))
