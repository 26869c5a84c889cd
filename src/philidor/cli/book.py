"""`philidor book`: runs a listing, figure or table of the book and shows what it prints or draws."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from philidor.core.errors import ConfigError

if TYPE_CHECKING:
    from philidor.book.items import Exhibit, Item

app = typer.Typer(add_completion=False)


@app.command()
def book(
    item: Annotated[
        str | None,
        typer.Argument(
            help="An item (fig-2.4, listing-3.7, table-2.2), a section (2.5) or a chapter (2); none lists all."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder to write the pictures into, as SVG.")] = None,
    html: Annotated[Path | None, typer.Option(help="File to write everything into, as one page.")] = None,
    net: Annotated[Path | None, typer.Option(help="A network's file, for the items that look into one.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Runs what the book shows, and prints the book's number beside ours."""
    from philidor.book.index import all_items, find_items
    from philidor.cli.arguments import check_writable
    from philidor.cli.book_page import page

    if item is None:
        for name, given in (("--out", out), ("--html", html), ("--net", net)):
            if given is not None:
                raise ConfigError(f"{name} needs an item to run, such as fig-2.4")
        _list(all_items(), as_json)
        return
    chosen = find_items(item)
    if net is not None and not any(each.takes_net for each in chosen):
        raise ConfigError(f"{item!r} looks into no network; --net is for fig-2.18")
    if html is not None:
        check_writable(html)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    shown = []
    for each in chosen:
        exhibit = _run(each, net, is_quiet=as_json)
        if exhibit is not None:
            shown.append((each, exhibit))
            _draw(each, exhibit, out)
    if html is not None:
        html.write_text(page(shown), encoding="utf-8")
    if as_json:
        print(json.dumps([_as_dict(each, exhibit) for each, exhibit in shown], indent=2, ensure_ascii=False))
    if any(finding.agrees is False for _, exhibit in shown for finding in exhibit.findings):
        raise typer.Exit(1)


def _run(item: Item, net: Path | None, *, is_quiet: bool) -> Exhibit | None:
    """Runs one item and shows it; None if it cannot run here, and says why."""
    from philidor.cli.book_view import show_exhibit, show_missing

    missing = None
    if item.run is None:
        missing = f"not reproducible: {item.reason}"
    elif item.needs_torch and importlib.util.find_spec("torch") is None:
        missing = 'needs PyTorch: pip install ".[train]" in a clone, then run it again'
    if missing is not None or item.run is None:
        if not is_quiet:
            show_missing(item, missing or "")
        return None
    exhibit = item.run(net) if item.takes_net and net is not None else item.run()
    if not is_quiet:
        show_exhibit(item, exhibit)
    return exhibit


def _draw(item: Item, exhibit: Exhibit, out: Path | None) -> None:
    from philidor.cli.book_page import picture

    if out is not None and exhibit.panels:
        (out / f"{item.name}.svg").write_text(picture(item, exhibit), encoding="utf-8")


def _list(items: tuple[Item, ...], as_json: bool) -> None:
    from philidor.cli.book_view import show_list

    if as_json:
        print(json.dumps([_as_dict(item) for item in items], indent=2, ensure_ascii=False))
    else:
        show_list(items)


def _as_dict(item: Item, exhibit: Exhibit | None = None) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": item.name,
        "also": list(item.also),
        "section": item.section,
        "title": item.title,
        "status": item.status,
        "reason": item.reason,
        "code": item.code,
    }
    if exhibit is not None:
        facts["findings"] = [
            {"what": f.what, "book": f.book, "ours": f.ours, "agrees": f.agrees} for f in exhibit.findings
        ]
        facts["notes"] = list(exhibit.notes)
    return facts
