"""The help of a command on one screen: names left, words right, and the details only when they are asked for."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import typer

HELP_ALL = "--help-all"
_MOST_NAME_COLUMNS = 34
# Typer's words for types, "<int range>" and "<list[str]>", become those of a config's settings: INT, STR.
_TYPE = re.compile(r"<(?:list\[)?(\w+)(?: range)?\]?>")
_ROW = tuple[str, str]


def help_text(command: Any, context: typer.Context, *, everything: bool = False) -> str:
    """Returns the help; hidden options are details, which are counted unless `everything` is wanted."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    with console.capture() as captured:
        usage = _named(" ".join(command.collect_usage_pieces(context)))
        console.print(f"Usage: {context.command_path} {usage}", markup=False)
        console.print(Text("\n" + _paragraphs(command.help or "")))
        for title, rows in _sections(command, context, everything).items():
            console.print(Text(f"\n{title}", style="bold"))
            table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
            table.add_column(max_width=_MOST_NAME_COLUMNS, overflow="fold")
            table.add_column()
            for name, words in rows:
                table.add_row(Text(f"  {name}"), Text(words))
            console.print(table)
        details = sum(getattr(parameter, "hidden", False) for parameter in command.params)
        if details and not everything:
            console.print(f"\n{details} more settings: {context.command_path} {HELP_ALL}", markup=False)
    return captured.get().rstrip("\n")


def _sections(command: Any, context: typer.Context, everything: bool) -> dict[str, list[_ROW]]:
    sections: dict[str, list[_ROW]] = {"Arguments": [], "Options": []}
    for parameter in command.get_params(context):
        is_detail = getattr(parameter, "hidden", False)
        if is_detail and not everything:
            continue
        title = getattr(parameter, "rich_help_panel", None)
        title = title or ("Arguments" if parameter.param_type_name == "argument" else "Options")
        sections.setdefault(title, []).extend(_rows(parameter, context))
    if "Options" in sections and any(getattr(parameter, "hidden", False) for parameter in command.params):
        sections["Options"].append((HELP_ALL, "Show this help with all settings."))
    return {title: rows for title, rows in sections.items() if rows}


def _rows(parameter: Any, context: typer.Context) -> Iterator[_ROW]:
    shown = copy.copy(parameter)
    shown.hidden = False  # or it would say nothing of itself
    record = shown.get_help_record(context)
    if record is not None:
        name, words = record
        yield _named(name), " ".join(words.split())


def _named(name: str) -> str:
    return _TYPE.sub(lambda found: found[1].upper(), name).replace("{", "").replace("}...", "").replace("}", "")


def _paragraphs(text: str) -> str:
    """Joins the lines of each paragraph: the terminal breaks them where it ends."""
    return "\n\n".join(" ".join(part.split()) for part in inspect.cleandoc(text).split("\n\n"))
