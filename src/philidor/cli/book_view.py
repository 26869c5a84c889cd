"""Items of the book in the terminal: tables, and curves and pictures out of characters."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from philidor.book.items import Exhibit, Item
from philidor.book.items import Table as TableOfBook
from philidor.core.charts import Chart, Image, gray_levels, share_of, y_range

_WIDTH, _HEIGHT = 60, 12
"""Of a chart, in characters; each holds 2 x 4 dots of Braille."""
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_SHADES = "█▓▒░ "
"""From black to white, as on paper."""
_MARKS = "●×◆○"
"""Of points that no line joins."""
_COLORS = ("blue", "red", "green", "magenta", "yellow", "cyan")


def show_list(items: Sequence[Item]) -> None:
    """Prints the table of all items."""
    table = Table("item", "section", "what it shows", "status", box=None, pad_edge=False)
    for item in items:
        table.add_row(", ".join(item.names), item.section, item.title, item.status)
    console = Console(highlight=False)
    console.print(table)
    console.print("\nRun one by its name (philidor book fig-2.4), a section (2.5) or a chapter (2).")


def show_missing(item: Item, why: str) -> None:
    """Says why an item does not run."""
    # Text, not markup, which would take the brackets of ".[train]" for a style.
    Console(highlight=False).print(Text(item.title, style="bold"), Text(f"({', '.join(item.names)}): {why}"))


def show_exhibit(item: Item, exhibit: Exhibit) -> None:
    """Prints what an item found and drew."""
    console = Console(highlight=False)
    console.print(f"\n[bold]{item.title}[/]  ({', '.join(item.names)}; section {item.section}; {item.status})")
    if item.reason:
        console.print(Text(f"{item.status}: {item.reason}"))
    if exhibit.findings:
        table = _wide(("", "the book", "here", ""))
        for finding in exhibit.findings:
            mark = {True: "[green]✓[/]", False: "[red]✗[/]", None: ""}[finding.agrees]
            table.add_row(Text(finding.what), Text(finding.book), Text(finding.ours), mark)
        console.print(table)
    for each in exhibit.tables:
        _show_table(console, each)
    for panel in exhibit.panels:
        if isinstance(panel, Chart):
            _show_chart(console, panel)
        elif isinstance(panel, Image):
            _show_image(console, panel)
        elif panel.text:
            console.print(Text(f"\n{panel.title}\n{panel.text}"))
        else:
            console.print(Text(f"{panel.title}: drawn with --out FOLDER", style="dim"))
    for note in exhibit.notes:
        console.print(Text(note, style="dim"))
    if item.code:
        console.print(Text(f"code: {item.code}", style="dim"))


def _wide(header: Sequence[str]) -> Table:
    """Returns an empty table that breaks long words, such as FENs, and leaves none out."""
    table = Table(box=None, pad_edge=False)
    for title in header:
        table.add_column(escape(title), overflow="fold")
    return table


def _show_table(console: Console, shown: TableOfBook) -> None:
    console.print(Text(f"\n{shown.title}"))
    table = _wide(shown.header)
    for row in shown.rows:
        table.add_row(*map(Text, row))
    console.print(table)


def braille(chart: Chart) -> list[Text]:
    """Returns a chart as rows of Braille; later series lie on top."""
    points = [point for series in chart.series for point in series.points]
    low_x, high_x = min(x for x, _ in points), max(x for x, _ in points)
    low_y, high_y = y_range(chart)
    dots = [[0] * _WIDTH for _ in range(_HEIGHT)]
    colors = [[""] * _WIDTH for _ in range(_HEIGHT)]

    marks: dict[tuple[int, int], str] = {}

    def dot_of(x: float, y: float) -> tuple[int, int]:
        column = round((x - low_x) / max(high_x - low_x, 1e-12) * (2 * _WIDTH - 1))
        return column, round((1 - share_of(y, low_y, high_y, chart.is_logarithmic)) * (4 * _HEIGHT - 1))

    def put(x: float, y: float, color: str) -> None:
        column, row = dot_of(x, y)
        dots[row // 4][column // 2] |= _DOTS[column % 2][row % 4]
        colors[row // 4][column // 2] = color

    for number, series in enumerate(chart.series):
        color = _COLORS[number % len(_COLORS)]
        for x, y in series.points:
            put(x, y, color)
        if not series.has_line:
            marks |= {
                (row // 4, column // 2): _MARKS[number % len(_MARKS)]
                for column, row in (dot_of(*p) for p in series.points)
            }
        else:
            for (x1, y1), (x2, y2) in zip(series.points, series.points[1:], strict=False):
                steps = 2 + round(2 * _WIDTH * abs(x2 - x1) / max(high_x - low_x, 1e-12))
                for step in range(1, steps):
                    put(x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps, color)
    rows = []
    for row, (cells, tints) in enumerate(zip(dots, colors, strict=True)):
        label = {0: f"{high_y:.3g}", _HEIGHT - 1: f"{low_y:.3g}"}.get(row, "")
        line = Text(f"{label:>8} ")
        for column, (cell, tint) in enumerate(zip(cells, tints, strict=True)):
            line.append(marks.get((row, column), chr(0x2800 + cell)), style=tint)
        rows.append(line)
    rows.append(Text(f"{'':>9}{low_x:<{_WIDTH // 2}g}{high_x:>{_WIDTH // 2}g}"))
    return rows


def _show_chart(console: Console, chart: Chart) -> None:
    console.print(Text(f"\n{chart.title}"))
    for row in braille(chart):
        console.print(row)
    legend = Text(f"{'':>9}{chart.x_label}:")
    for number, series in enumerate(chart.series):
        mark = "" if series.has_line else _MARKS[number % len(_MARKS)] + " "
        legend.append(f"  {mark}{series.name}", style=_COLORS[number % len(_COLORS)])
    console.print(legend)


def _show_image(console: Console, image: Image) -> None:
    console.print(Text(f"\n{image.title}"))
    if image.has_numbers:
        for numbers in image.rows:
            console.print(Text(" ".join(f"{number:7.4g}" for number in numbers)))
        return
    levels = gray_levels(image)
    # Two rows in one character, whose upper half is its foreground and whose lower half its background.
    for upper, lower in zip(levels[::2], [*levels[1::2], *([levels[-1]] if len(levels) % 2 else [])], strict=True):
        line = Text()
        for top, bottom in zip(upper, lower, strict=True):
            if console.color_system is None:
                line.append(_SHADES[min(int(len(_SHADES) * (top + bottom) / 2), len(_SHADES) - 1)])
            else:
                shades = [f"#{round(255 * level):02x}" + f"{round(255 * level):02x}" * 2 for level in (top, bottom)]
                line.append("▀", style=f"{shades[0]} on {shades[1]}")
        console.print(line)
